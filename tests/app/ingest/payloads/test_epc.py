"""Tags: what an SGTIN-96 says, in the dry run too."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ingest import dry_run, payloads
from app.ingest.payloads import epc
from app.mqtt.message import Message
from tests.app.ingest.payloads.one_message import NOW, SGTIN


def test_the_dry_run_says_what_an_sgtin_96_stands_for() -> None:
    payload = json.dumps({"reader": "gate", "tag": SGTIN, "ts": NOW}).encode()
    [_, line] = dry_run.explain(Message("vigil/readings/gate", payload), payloads.DEFAULT, NOW)
    assert line.endswith(", sgtin-96 0614141.000734.314159")


def encoded(partition: int, company: int, item: int, serial: int) -> str:
    """An SGTIN-96 by the fields of the GS1 standard, one after the other in binary."""
    bits = [40, 37, 34, 30, 27, 24, 20][partition]
    fields = [(0x30, 8), (1, 3), (partition, 3), (company, bits), (item, 44 - bits), (serial, 38)]
    return f"{int(''.join(f'{value:0{width}b}' for value, width in fields), 2):024X}"


@given(st.integers(0, 6), st.integers(0, 10**6 - 1), st.integers(0, 9), st.integers(0, 2**38 - 1))
def test_an_sgtin_96_is_taken_apart(partition: int, company: int, item: int, serial: int) -> None:
    expected = (f"{company:0{12 - partition}}", f"{item:0{1 + partition}}", str(serial))
    assert epc.sgtin_96(encoded(partition, company, item, serial)) == expected


@pytest.mark.parametrize(
    "digits",
    [
        "3114257BF4499602D2000000",  # an SSCC-96
        "E2801160600002054CC2096F",
        "3034257BF400B7800004CB",
        encoded(6, 10**6, 1, 1),  # more than six digits of company
        encoded(0, 1, 10, 1),  # more than one digit of item
        "303C000000000000000000FF",  # the partition that is none
    ],
)
def test_a_tag_of_another_kind_is_no_sgtin_96(digits: str) -> None:
    assert epc.sgtin_96(digits) is None
