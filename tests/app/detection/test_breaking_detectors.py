"""Detectors of what breaks constraints: they find what their queries ask for with a few bits of each case."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import detectors
from app.cleaning.controls import detector_rule
from app.detection.breaches import reported
from app.place import scenario
from app.place.find import find_scenario
from detectors.detector import Detector
from sase.spark.bucket.snapshot import to_bytes
from sase.spark.control import Rule
from sase.spark.output.rows import violation
from tests.detectors.cases import every_case
from tests.sase.spark.test_restart import restarted
from tests.sase.spark.workers import Workers

BREAKING = {name: one for name, one in detectors.load().items() if one.breaks}
ARGUMENTS = pytest.mark.parametrize("name", BREAKING)
HOUR, DAY = 3_600_000, 86_400_000
Found = tuple[str, int, int]


def rule_of(detector: Detector, values: Mapping[str, Any]) -> Rule:
    return detector_rule(detector.query, detector.values(values), detector.breaks)


def by_query(
    detector: Detector, events: Iterable[Mapping[str, Any]], values: Mapping[str, Any]
) -> list[Found]:
    matches = detector.compile(values).match(list(events))
    return sorted((detector.subject_of(one), one.start, one.end) for one in matches)


def by_bits(
    detector: Detector, events: Iterable[Mapping[str, Any]], values: Mapping[str, Any]
) -> list[Found]:
    matcher = rule_of(detector, values).compiled(detector.name).matcher()
    matcher.push([{"_id": str(number), **event} for number, event in enumerate(events)])
    rows = [violation(detector.name, one, frozenset()) for one in matcher.violations]
    return sorted((detector.subject_of(one), one.start, one.end) for one in reported(rows))


def stream(detector: Detector, seed: int, count: int = 300) -> list[dict[str, Any]]:
    chosen, ts = random.Random(seed), 0
    types, found = detector.reads(), []
    for _ in range(count):
        ts += chosen.choice((1, HOUR // 2, 2 * HOUR))
        found.append({"event": chosen.choice(types), "ts": ts, "id": f"i{chosen.randrange(8)}", "area": "a"})
    return found


@ARGUMENTS
@pytest.mark.parametrize("seed", range(6))
def test_the_bits_of_the_cases_tell_what_the_query_would_have_found(name: str, seed: int) -> None:
    events, values = stream(BREAKING[name], seed), {"memory": "8 hours"}
    expected = by_query(BREAKING[name], events, values)
    assert expected
    assert by_bits(BREAKING[name], events, values) == expected


def test_they_tell_what_the_cases_of_the_detectors_say() -> None:
    offenders = [
        f"{case.detector}: {case.title}"
        for case in every_case()
        if case.detector in BREAKING
        and [(one, end) for one, _, end in by_bits(BREAKING[case.detector], case.events, case.settings)]
        != sorted((report.subject, report.at) for report in case.expected)
    ]
    assert offenders == []


@ARGUMENTS
def test_of_a_case_a_few_bytes_are_remembered_and_of_what_is_over_none(name: str) -> None:
    detector = BREAKING[name]
    (late, early), back = _first_prior(detector), detector.reads()[1]
    matcher = rule_of(detector, {}).compiled(name).matcher()
    for kind, count in ((late, 5000), (early, 2000), (back, 1000)):
        matcher.push(_batch([(kind, n) for n in range(count)]))
    gone = matcher.snapshot()
    assert matcher.live_events == 0
    assert len(gone.cases[0].values) == 1000
    own = len(to_bytes(gone)) - len(to_bytes(_empty(detector)))
    names = sum(len(value) for values in gone.cases[0].values for value in values) / 1000
    assert own / 1000 - names <= 24


@ARGUMENTS
def test_the_memory_ends_when_for_is_over(name: str) -> None:
    detector = BREAKING[name]
    late, early = _first_prior(detector)
    events = [{"event": early, "ts": 0, "id": "x"}, {"event": late, "ts": 2 * HOUR - 1, "id": "x"}]
    assert by_bits(detector, events, {"memory": "2 hours"}) == [("x", 0, 2 * HOUR - 1)]
    assert by_bits(detector, [events[0], events[1] | {"ts": 2 * HOUR}], {"memory": "2 hours"}) == []


@pytest.mark.parametrize(("name", "declared"), [("store", 30 * DAY), ("library", 35 * DAY)])
def test_a_place_says_for_how_long_and_a_file_may_say_otherwise(
    name: str, declared: int, tmp_path: Path
) -> None:
    place = scenario.load(find_scenario(name))
    (detector,) = place.detectors.keys() & BREAKING.keys()
    assert place.detectors[detector] == {"memory": declared}
    assert place.constraints is not None
    changed = tmp_path / f"{name}.yaml"
    text = find_scenario(name).read_text().replace(f"FOR {declared // DAY} days", "FOR 3 days")
    changed.write_text(text.replace(f"{name}/", f"{find_scenario(name).parent}/{name}/"))
    assert scenario.load(changed).detectors[detector] == {"memory": 3 * DAY}
    changed.write_text(changed.read_text().replace(f"{detector}: {{}}", f"{detector}: {{memory: 2 days}}"))
    assert scenario.load(changed).detectors[detector] == {"memory": 2 * DAY}


@ARGUMENTS
@pytest.mark.parametrize("seed", range(3))
def test_what_the_query_kept_before_an_upgrade_is_known_after_it(
    name: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until then detectors of breaches ran as queries, and kept events."""
    detector, values = BREAKING[name], {"memory": "8 hours"}
    events = [event | {"_id": str(n)} for n, event in enumerate(stream(detector, seed))]
    old = Rule(detector.query, detector.values(values))
    workers = Workers({name: old}, monkeypatch, seed=seed, sample=events)
    rows = [row for first in range(0, 150, 30) for row in workers.batch(events[first : first + 30])]
    workers = restarted(workers, Workers({name: rule_of(detector, values)}, monkeypatch, sample=events))
    rows += [row for first in range(150, 300, 30) for row in workers.batch(events[first : first + 30])]
    told = [row.asDict() for row in rows if row.kind in ("match", "violation")]
    found = sorted((detector.subject_of(one), one.start, one.end) for one in reported(told))
    assert found == by_query(detector, events, values)


def _first_prior(detector: Detector) -> Sequence[str]:
    return (detector.breaks or "").split("(")[1].split(")")[0].split(", ")


def _batch(rows: Sequence[tuple[str, int]]) -> pa.RecordBatch:
    """Things with names as in a catalog, one after the other."""
    return pa.RecordBatch.from_pylist(
        [{"event": kind, "ts": HOUR, "id": f"JEAN-28-{n:04}", "area": "a"} for kind, n in rows]
    )


def _empty(detector: Detector) -> Any:
    matcher = rule_of(detector, {}).compiled(detector.name).matcher()
    matcher.push(_batch([(_first_prior(detector)[0], 1)]))
    return matcher.snapshot()
