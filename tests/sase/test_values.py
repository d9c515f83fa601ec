"""The rules of values, one file of cases, through everything that evaluates them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa
import pytest

import sase
from sase.matcher import Matcher
from tests.sase.oracle import values
from tests.sase.value_cases import (
    AGGREGATED,
    COMPARED,
    COMPARISONS,
    COMPUTED,
    NEGATED,
    Called,
    Compared,
    Computed,
    column,
)


def by_line(cases: list[Any]) -> Any:
    return pytest.mark.parametrize("case", cases, ids=[case.line for case in cases])


def meant(value: Any) -> Any:
    return values.of({"v": value}, "v")


def same(found: Any, expected: Any) -> bool:
    """Of two results of the oracle; NaN is the same as NaN here."""
    if found is values.MISSING or expected is values.MISSING:
        return found is expected
    return values.equal(found, expected) or (values.is_nan(found) and values.is_nan(expected))


@by_line(COMPARED)
def test_the_oracle_compares(case: Compared) -> None:
    left, right = meant(case.left), meant(case.right)
    assert {op for op in COMPARISONS if values.compare(op, left, right)} == case.holds
    assert values.equal(left, right) == case.one_key


@by_line(COMPUTED)
def test_the_oracle_computes(case: Computed) -> None:
    assert same(values.calculate(case.op, meant(case.left), meant(case.right)), meant(case.result))


@by_line(NEGATED)
def test_the_oracle_negates(case: Called) -> None:
    assert same(values.negate(meant(*case.values)), meant(case.result))


@by_line(AGGREGATED)
def test_the_oracle_aggregates(case: Called) -> None:
    assert same(values.aggregate(case.function, list(map(meant, case.values))), meant(case.result))


def lines(cases: Iterable[Any]) -> list[str]:
    return [case.line for case in cases]


def event(type_: str, ts: int, **carried: Any) -> dict[str, Any]:
    return {"event": type_, "ts": ts, **carried}


def as_arrow(event: dict[str, Any]) -> pa.RecordBatch:
    return pa.record_batch({name: column(value) for name, value in event.items()})


FORMS: dict[str, Callable[[Matcher, list[dict[str, Any]]], list[sase.Match]]] = {
    "dicts": lambda matcher, events: list(matcher.push(events)),
    "arrow": lambda matcher, events: [match for each in events for match in matcher.push(as_arrow(each))],
}
from_everywhere = pytest.mark.parametrize("push", FORMS.values(), ids=FORMS)


def chosen(text: str, events: list[dict[str, Any]], push: Any) -> list[int]:
    """The times of the last events of all matches."""
    return [match.end for match in push(sase.compile(text).matcher(), events)]


@from_everywhere
@pytest.mark.parametrize("op", COMPARISONS)
def test_the_scan_compares(op: str, push: Any) -> None:
    events = [event("A", ts, l=case.left, r=case.right) for ts, case in enumerate(COMPARED)]
    found = chosen(f"EVENT A x WHERE x.l {op} x.r", events, push)
    assert lines(COMPARED[ts] for ts in found) == lines(case for case in COMPARED if op in case.holds)


def pairs(cases: Sequence[Compared | Computed], **names: str) -> Iterator[dict[str, Any]]:
    """Two events for each case, which know each other by `n`."""
    for ts, case in enumerate(cases):
        yield event("A", ts, n=ts, **{names["left"]: case.left})
        yield event("B", ts, n=ts, **{names["right"]: case.right})


@from_everywhere
@pytest.mark.parametrize("op", COMPARISONS)
def test_two_events_compare(op: str, push: Any) -> None:
    events = list(pairs(COMPARED, left="l", right="r"))
    found = chosen(f"EVENT SEQ(A x, B y) WHERE [n] AND x.l {op} y.r", events, push)
    assert lines(COMPARED[ts] for ts in found) == lines(case for case in COMPARED if op in case.holds)


@from_everywhere
@pytest.mark.parametrize("key", ["[n, v]", "x.n = y.n AND x.v = y.v AND [v]"])
def test_equal_values_are_one_key(key: str, push: Any) -> None:
    events = list(pairs(COMPARED, left="v", right="v"))
    found = chosen(f"EVENT SEQ(A x, B y) WHERE {key}", events, push)
    assert lines(COMPARED[ts] for ts in found) == lines(case for case in COMPARED if case.one_key)


def results(op: str) -> list[Computed]:
    return [case for case in COMPUTED if case.op == op]


@from_everywhere
@pytest.mark.parametrize("op", "+-*/%")
@pytest.mark.parametrize("compared", ["=", "!=", "<", ">="])
def test_the_scan_computes(op: str, compared: str, push: Any) -> None:
    cases = results(op)
    events = [event("A", ts, l=case.left, r=case.right, w=case.result) for ts, case in enumerate(cases)]
    found = chosen(f"EVENT A x WHERE x.l {op} x.r {compared} x.w", events, push)
    assert lines(cases[ts] for ts in found) == lines(case for case in cases if fits(compared, case.result))


def fits(compared: str, result: Any) -> bool:
    """Whether what comes out compares so with the result that it should be."""
    return values.compare(compared, meant(result), meant(result))


@from_everywhere
@pytest.mark.parametrize("op", "+-*/%")
@pytest.mark.parametrize("compared", ["=", "!=", "<", ">="])
def test_two_events_compute(op: str, compared: str, push: Any) -> None:
    cases = results(op)
    events = list(pairs(cases, left="l", right="r"))
    for ts, case in enumerate(cases):
        events[2 * ts]["w"] = case.result
    found = chosen(f"EVENT SEQ(A x, B y) WHERE [n] AND x.l {op} y.r {compared} x.w", events, push)
    assert lines(cases[ts] for ts in found) == lines(case for case in cases if fits(compared, case.result))


@from_everywhere
@pytest.mark.parametrize("compared", ["=", "!=", ">"])
def test_the_other_sign_in_conditions(compared: str, push: Any) -> None:
    events = [event("A", ts, v=case.values[0], w=case.result) for ts, case in enumerate(NEGATED)]
    found = chosen(f"EVENT A x WHERE -x.v {compared} x.w", events, push)
    assert lines(NEGATED[ts] for ts in found) == lines(
        case for case in NEGATED if fits(compared, case.result)
    )


@from_everywhere
@by_line(AGGREGATED)
def test_aggregates_in_conditions(case: Called, push: Any) -> None:
    events = [event("A", ts, v=value) for ts, value in enumerate(case.values)]
    events.append(event("B", len(events), w=case.result))
    found = [
        compared
        for compared in COMPARISONS
        if chosen(
            f"EVENT SEQ(A+ a[], B b) WHERE {case.function}(a[].v) {compared} b.w "
            f"AND count(a[]) = {len(case.values)}",
            events,
            push,
        )
    ]
    assert found == [compared for compared in COMPARISONS if fits(compared, case.result)]


def returned(text: str, events: list[dict[str, Any]], push: Any) -> Any:
    """What RETURN gives, as the oracle takes it."""
    (match,) = push(sase.compile(text).matcher(), events)
    return meant(match.attributes["v"])


def told(result: Any) -> Any:
    """RETURN has nothing where a condition has no number."""
    return meant(None if values.is_nan(result) else result)


@from_everywhere
@by_line(COMPUTED)
def test_return_computes(case: Computed, push: Any) -> None:
    events = [event("A", 1, l=case.left, r=case.right)]
    assert same(returned(f"EVENT A x RETURN x.l {case.op} x.r AS v", events, push), told(case.result))


@from_everywhere
@by_line(NEGATED)
def test_return_negates(case: Called, push: Any) -> None:
    found = returned("EVENT A x RETURN -x.v AS v", [event("A", 1, v=case.values[0])], push)
    assert same(found, told(case.result))


@from_everywhere
@by_line(AGGREGATED)
def test_return_aggregates(case: Called, push: Any) -> None:
    events = [event("A", ts, v=value) for ts, value in enumerate(case.values)]
    text = f"EVENT SEQ(A+ a[], B b) WHERE count(a[]) = {len(events)} RETURN {case.function}(a[].v) AS v"
    assert same(returned(text, [*events, event("B", len(events))], push), told(case.result))
