"""Texts are forgotten with the window, and their order costs what is new in it."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sase
from sase.events import text_order
from sase.events.dictionary import Dictionary
from sase.events.text_order import TextOrder
from sase.kernels.values import STRING
from sase.operators.coding import FREE
from tests.sase.effort import examples

PUSH = 10_000


def batch(first: int, texts: list[str]) -> pa.RecordBatch:
    types = ["AB"[n % 2] for n in range(len(texts))]
    return pa.record_batch({"event": types, "ts": range(first, first + len(texts)), "s": texts})


def test_texts_that_have_left_the_window_are_forgotten() -> None:
    matcher = sase.compile("EVENT SEQ(A x, B y) WHERE x.s < y.s WITHIN 3 ms").matcher()
    sizes = []
    for first in range(0, 24 * PUSH, PUSH):
        matcher.push(batch(first, [f"{n * 7919 % 1_000_003}" for n in range(first, first + PUSH)]))
        sizes.append(len(matcher._coding.dictionary))
    assert matcher.live_events == 3
    assert max(sizes) <= FREE + PUSH


def test_texts_of_events_that_nobody_wants_are_forgotten_without_a_window_too() -> None:
    matcher = sase.compile("EVENT SEQ(A x, B y) WHERE x.s = 'x' AND y.s = 'x'").matcher()
    for first in range(0, 6 * PUSH, PUSH):
        matcher.push(batch(first, [f"{n}" for n in range(first, first + PUSH)]))
    assert len(matcher._coding.dictionary) <= FREE + PUSH
    assert len(matcher.push(batch(6 * PUSH, ["x", "x"]))) == 1


@pytest.mark.parametrize(
    "condition",
    [
        "a[i].s > min(a[..i-1].s) AND b.s > max(a[].s)",
        "a[i].s > a[i-1].s AND [k] AND b.s != 't5'",
        "sum(a[..i-1].n) > 18446744073709551616 AND b.s < 'u'",
        "[k, s]",
    ],
)
def test_what_is_kept_means_what_it_did(condition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Running values, keys and constants hold codes too."""
    chance = random.Random(5)
    query = sase.compile(
        f"EVENT SEQ(A+ a[], B b) WHERE skip_till_next_match(a[], b) {{ {condition} }} WITHIN 9 ms"
    )
    events: list[dict[str, Any]] = [
        {
            "event": chance.choice("AAB"),
            "ts": n,
            "s": f"t{chance.randrange(12)}",
            "k": chance.choice(["k", (1, 2), 2**70]),
            "n": 2**64 + chance.randrange(3),
        }
        for n in range(300)
    ]
    whole = query.matcher().push(events)
    monkeypatch.setattr("sase.operators.coding.FREE", -(10**6))  # after every push
    monkeypatch.setattr("sase.events.table.LEAST_ROWS", 4)
    matcher = query.matcher()
    singly = [match for event in events for match in matcher.push([event])]
    assert len(whole)
    assert [match.positions for match in singly] == [match.positions for match in whole]


TEXTS = st.text("abc", max_size=4)


@examples(100)
@given(st.lists(st.lists(TEXTS, max_size=5), max_size=8), st.sampled_from([1, 4, 1 << 32]))
def test_ranks_are_in_the_order_of_the_texts(pushes: list[list[str]], step: int) -> None:
    dictionary = Dictionary()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_order, "STEP", step)
        patch.setattr(text_order, "FEW", 0)
        for texts in pushes:
            dictionary.codes(texts)
            ranks = dictionary.ranks()
            known = sorted(dictionary._codes)
            assert all(np.diff([ranks[dictionary._codes[text]] for text in known]) > 0)


def test_a_dictionary_forgets_what_no_column_holds() -> None:
    dictionary = Dictionary()
    values = dictionary.codes(["c", "a", "b", "a"])
    dictionary.ranks()
    held = values[2:].copy()
    dictionary.renew([(held, np.full(2, STRING))])
    assert len(dictionary) == 2
    assert held.tolist() == dictionary.codes(["b", "a"]).tolist()
    assert dictionary.ranks()[held[0]] > dictionary.ranks()[held[1]]


def test_a_text_among_many_costs_a_search_and_no_new_ranking(monkeypatch: pytest.MonkeyPatch) -> None:
    order, texts = TextOrder(), [f"{n:06}" for n in range(100_000)]
    codes = {text: code for code, text in enumerate([*texts, "050000x", "x"])}
    order.add(texts, codes)
    monkeypatch.setattr(order, "_rank_all", lambda _: pytest.fail("all texts were ranked again"))
    order.add(["050000x"], codes)
    order.add(["x"], codes)
    ranks = [order.ranks[codes[text]] for text in ("050000", "050000x", "050001", "099999", "x")]
    assert ranks == sorted(ranks)
