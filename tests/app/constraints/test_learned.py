"""Constraints learned from histories: what was kept, how much that is worth, and nothing more."""

from __future__ import annotations

from itertools import product
from math import comb
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.cleaning.setup import CleaningSetup
from app.cli import main
from app.constraints import case_history
from app.constraints.bound import upper_bound
from app.constraints.candidates import candidates
from app.constraints.case_history import CaseHistory
from app.constraints.known import KnownConstraints
from app.constraints.minimal import closed
from app.place.scenario import Scenario
from tests.app.rows import NOON, Write, online, stay

Case = tuple[str, ...]
ORDERS = [("Quote", "Send"), ("Quote", "Quote", "Send", "Pay"), ("Quote", "Send", "Cancel")]


def learned(cases: list[Case], held_back: list[Case]) -> CaseHistory:
    history = CaseHistory(None)
    for part, later in ((cases, False), (held_back, True)):
        events = [(type_, number, (later, number)) for number, case in enumerate(part) for type_ in case]
        history.push(events, hold_back=later)
    history.finish()
    return history


def kept(cases: list[Case], types: list[str], least: int) -> set[str]:
    """By the definition of each form."""
    found = set()
    for one, other in product(types, types):
        having = [case for case in cases if one in case]
        both = [case for case in having if other in case]
        rarer = min(len(having), sum(other in case for case in cases))
        if one == other:
            continue
        if len(both) >= least and not any(one in case[case.index(other) :] for case in both):
            found.add(f"prior({one}, {other})")
        if len(having) >= least and len(both) == len(having):
            found.add(f"require({one}, {other})")
        if one < other and rarer >= least and not both:
            found.add(f"exclusive({one}, {other})")
    return found


@given(st.lists(st.lists(st.sampled_from("ABCD"), max_size=5).map(tuple), max_size=12), st.integers(1, 3))
def test_what_follows_from_the_candidates_is_what_the_cases_have_kept(cases: list[Case], least: int) -> None:
    history = learned(cases, [])
    found = {one.text for one in candidates(history, least)}
    all_kept = kept(cases, sorted(history.types), least)
    assert found <= all_kept
    assert all_kept <= set(closed(_known(found, sorted(history.types))).texts())


def _known(texts: set[str], types: list[str]) -> KnownConstraints:
    known = KnownConstraints(tuple(types))
    for text in texts:
        form, pair = text.rstrip(")").split("(")
        one, other = (types.index(name) for name in pair.split(", "))
        getattr(known, form)[one] |= 1 << other
        if form == "exclusive":
            known.exclusive[other] |= 1 << one
    return known


def test_support_and_the_bound_on_failures_are_told() -> None:
    order, requirement = candidates(learned([("A", "B")] * 300 + [("B",)] * 700, [("A", "B")] * 50))
    assert (order.text, requirement.text) == ("prior(A, B)", "require(A, B)")
    assert (requirement.learned.tries, requirement.held_back.tries) == (300, 50)
    assert requirement.learned.bound == pytest.approx(0.01, rel=0.01)


def test_what_the_cases_held_back_have_broken_is_no_constraint() -> None:
    found = candidates(learned([("A", "B")] * 40, [("A", "B")] * 9 + [("B", "A")]))
    assert {one.text: one.holds for one in found} == {
        "prior(A, B)": False,
        "require(A, B)": True,
        "require(B, A)": True,
    }


@pytest.mark.parametrize(("failures", "tries"), [(0, 1), (0, 100), (1, 10), (5, 50), (3, 4), (40, 1000)])
def test_at_the_bound_so_few_failures_come_in_one_of_twenty_samples(failures: int, tries: int) -> None:
    share = upper_bound(failures, tries)
    chance = sum(comb(tries, n) * share**n * (1 - share) ** (tries - n) for n in range(failures + 1))
    assert chance == pytest.approx(0.05, rel=1e-6)


def test_the_bound_of_no_failure_is_the_rule_of_three() -> None:
    assert upper_bound(0, 1000) == pytest.approx(3 / 1000, rel=0.01)
    assert upper_bound(7, 7) == 1.0


def test_a_case_is_closed_when_it_has_been_silent_for_long_enough() -> None:
    history = CaseHistory(memory_ms=10)
    history.push([("A", 0, 1), ("B", 5, 1), ("A", 30, 1), ("B", 31, 2)], hold_back=False)
    history.finish()
    assert (history.learned.cases, history.types) == (1, {"A": 0, "B": 1})


def test_more_open_cases_than_are_kept_are_closed_the_oldest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(case_history, "MOST_OPEN", 2)
    history = CaseHistory(None)
    history.push([("A", 1, 1), ("A", 2, 2), ("A", 3, 1), ("A", 4, 3)], hold_back=False)
    assert (history.cut_short, history.learned.cases) == (1, 1)


def orders(count: int) -> list[dict[str, object]]:
    rng = Random(1)
    cases = [rng.choice(ORDERS) for _ in range(count)]
    return [
        {"event": type_, "ts": 1000 * number + at, "order_id": number}
        for number, case in enumerate(cases)
        for at, type_ in enumerate(case)
    ]


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_a_file_of_events_is_learned_from(
    suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, table = tmp_path / f"events{suffix}", pa.Table.from_pylist(orders(500))
    if suffix == ".parquet":
        pq.write_table(table, path)
    else:
        path.write_text(
            "event,ts,order_id\n" + "".join(f"{e['event']},{e['ts']},{e['order_id']}\n" for e in orders(500))
        )
    assert main(["constraints", str(path), "--by", "order_id"]) == 0
    first, *lines = capsys.readouterr().out.splitlines()
    assert first == "-- 347 cases to learn from, 153 held back to check"
    assert [line.split("  --")[0].rstrip(", ") for line in lines] == [
        *("prior(Quote, Send)", "prior(Send, Cancel)", "prior(Send, Pay)", "exclusive(Cancel, Pay)"),
        *("require(Cancel, Quote)", "require(Pay, Quote)", "require(Quote, Send)", "require(Send, Quote)"),
        "BY order_id",
    ]
    assert "cases, fails in at most 0." in lines[0]


def test_the_last_part_of_a_long_file_is_held_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pq.write_table(pa.Table.from_pylist(orders(12_000)), tmp_path / "events.parquet")
    main(["constraints", str(tmp_path / "events.parquet"), "--by", "order_id", "--for", "1 minute"])
    first, *lines = capsys.readouterr().out.splitlines()
    kept_back = int(first.split()[6].replace(",", ""))
    assert 2_500 < kept_back < 4_500
    assert lines[-1] == "BY order_id FOR 1 minute"


MISTAKES = {
    ("events.csv",): "--by is missing",
    ("events.csv", "--by", "nothing"): "no event has nothing: --by names the attributes of a case",
    ("nowhere.csv", "--by", "id"): "nowhere.csv cannot be read: No such file",
    ("nowhere",): "there is no scenario nowhere",
    ("store", "--log", "nothing"): "nothing has no readings of that time",
}


@pytest.mark.parametrize("given_", MISTAKES)
def test_mistakes_get_words(
    given_: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "events.csv").write_text("event,ts,order_id\nA,1,1\n")
    assert main(["constraints", *given_]) == 2
    assert MISTAKES[given_] in capsys.readouterr().err


def test_too_many_types_get_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "events.csv"
    path.write_text("event,ts,id\n" + "".join(f"T{number},{number},1\n" for number in range(101)))
    assert main(["constraints", str(path), "--by", "id"]) == 2
    assert "name those that matter with --types A,B,C" in capsys.readouterr().err
    assert main(["constraints", str(path), "--by", "id", "--types", "T1,T2", "--least", "1"]) == 0


def test_types_that_no_query_can_name_are_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "events.csv"
    path.write_text("event,ts,id\nA,1,1\nB and C,2,1\nB,3,1\n")
    assert main(["constraints", str(path), "--by", "id", "--least", "1"]) == 0
    told = capsys.readouterr()
    assert "no query can name B and C" in told.err
    assert "B and C" not in told.out


def test_the_recording_of_a_place_is_learned_from_as_it_was_cleaned(
    shop: Scenario, write: Write, cleaning: CleaningSetup, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three hours of items that go from their shelf to a till and out."""
    tags = [str(tag) for tag in shop.items["tag"].to_pylist()[:40]]
    for number, tag in enumerate(tags):
        at = NOON + number * 300_000
        write(
            [
                *stay("shelf-denim", tag, at, 10_000, 4),
                *stay("till-1-pad", tag, at + 60_000, 500, 10),
                *stay("main-exit-gate", tag, at + 90_000, 250, 10),
                *(online(reader, at + 200_000) for reader in ("till-1-pad", "main-exit-gate", "shelf-denim")),
            ]
        )
    words = ["constraints", "store", "--log", str(cleaning.log), "--for", "20 minutes", "--least", "20"]
    assert main(words) == 0
    first, second, *lines = capsys.readouterr().out.splitlines()
    assert first == "constraints: |"
    assert second.endswith("held back to check")
    texts = [line.split("  --")[0].strip(", ") for line in lines]
    assert "prior(SHELF-LEFT, COUNTER-READING)" in texts
    assert texts[-1] == "BY id FOR 20 minutes"
