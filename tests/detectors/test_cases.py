"""Every detector against its cases: one loop over all of them, which lists every offender."""

from collections import Counter

import detectors
from tests.detectors.cases import Case, Report, every_case

RULES = {**detectors.load(), **detectors.composites()}
LEAST = 4
_SUBJECTS = ("bottle", "book_id", "person_id", "entity", "place", "id")


def reports(case: Case) -> list[Report]:
    matcher = RULES[case.detector].compile(case.settings).matcher()
    found = [
        *matcher.push(case.events),
        *(matcher.finish() if case.until is None else matcher.advance(case.until)),
    ]
    return [_report(case, match) for match in found]


def _report(case: Case, match: object) -> Report:
    rule = detectors.load().get(case.detector)
    if rule is None:
        return Report(_about(match), match.detected_at, None)
    return Report(rule.subject_of(match), match.detected_at, rule.explain(match, case.settings))


def _about(match: object) -> str:
    """Of a composite event, the thing that it is about."""
    return next(match.attributes[name] for name in _SUBJECTS if name in match.attributes)


def agrees(found: list[Report], expected: list[Report]) -> bool:
    pairs = zip(sorted(found, key=_order), sorted(expected, key=_order), strict=False)
    return len(found) == len(expected) and all(
        (one.subject, one.at) == (other.subject, other.at) and other.words in (None, one.words)
        for one, other in pairs
    )


def _order(report: Report) -> tuple[int, str]:
    return report.at, report.subject


def test_every_case_is_reported_as_it_should_be() -> None:
    offenders = [
        f"{case.detector}: {case.title}: expected {case.expected}, got {reports(case)}"
        for case in every_case()
        if not agrees(reports(case), case.expected)
    ]
    assert offenders == []


def test_every_detector_has_at_least_four_cases_that_fire_and_four_that_stay_silent() -> None:
    counts = Counter((case.detector, case.fires) for case in every_case())
    offenders = [(name, fires) for name in RULES for fires in (True, False) if counts[name, fires] < LEAST]
    assert offenders == []


def test_a_case_that_fires_expects_a_report_and_a_silent_one_none() -> None:
    assert [case.title for case in every_case() if case.fires != bool(case.expected)] == []


def test_every_case_file_belongs_to_a_detector() -> None:
    assert {case.detector for case in every_case()} == set(RULES)


def test_every_detector_is_explained_in_full_in_some_case() -> None:
    explained = {case.detector for case in every_case() for report in case.expected if report.words}
    assert explained == set(detectors.load())
