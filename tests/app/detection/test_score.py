"""The measure of accuracy, on deeds and alarms small enough to count by hand."""

from dataclasses import dataclass

from app.detection.score import score, total


@dataclass(frozen=True)
class Deed:
    subject: str
    ts: int
    detector: str = "shoplifting"


@dataclass(frozen=True)
class Alarm:
    subject: str
    detected_ms: int
    detector: str = "shoplifting"


def test_a_deed_that_is_reported_counts_for_precision_and_recall() -> None:
    one = score(["shoplifting"], [Alarm("JEAN-1", 1500)], [Deed("JEAN-1", 1000)])["shoplifting"]
    assert (one.precision, one.recall, one.delay_ms) == (1.0, 1.0, 500)


def test_an_alarm_about_nothing_costs_precision() -> None:
    alarms = [Alarm("JEAN-1", 1500), Alarm("JEAN-2", 1500)]
    one = score(["shoplifting"], alarms, [Deed("JEAN-1", 1000)])["shoplifting"]
    assert (one.precision, one.recall) == (0.5, 1.0)


def test_a_deed_that_nobody_reports_costs_recall() -> None:
    deeds = [Deed("JEAN-1", 1000), Deed("JEAN-2", 1000)]
    one = score(["shoplifting"], [Alarm("JEAN-1", 1500)], deeds)["shoplifting"]
    assert (one.precision, one.recall) == (1.0, 0.5)


def test_a_second_alarm_about_the_same_deed_is_false() -> None:
    alarms = [Alarm("JEAN-1", 1500), Alarm("JEAN-1", 1600)]
    assert score(["shoplifting"], alarms, [Deed("JEAN-1", 1000)])["shoplifting"].false == 1


def test_an_alarm_long_before_or_after_the_deed_does_not_report_it() -> None:
    alarms = [Alarm("JEAN-1", 0), Alarm("JEAN-1", 100_000_000)]
    one = score(["shoplifting"], alarms, [Deed("JEAN-1", 50_000_000)])["shoplifting"]
    assert (one.right, one.false, one.missed) == (0, 2, 1)


def test_alarms_of_another_detector_do_not_count() -> None:
    found = score(["shoplifting", "misplaced"], [Alarm("JEAN-1", 1500, "misplaced")], [Deed("JEAN-1", 1000)])
    assert (found["shoplifting"].missed, found["misplaced"].false) == (1, 1)


def test_the_scores_of_several_runs_add_up() -> None:
    first = score(["shoplifting"], [Alarm("JEAN-1", 1500)], [Deed("JEAN-1", 1000)])
    second = score(["shoplifting"], [], [Deed("JEAN-2", 1000)])
    added = total([first, second])["shoplifting"]
    assert (added.right, added.missed, added.recall) == (1, 1, 0.5)


def test_no_deed_and_no_alarm_is_a_perfect_score() -> None:
    quiet = score(["shoplifting"], [], [])["shoplifting"]
    assert (quiet.precision, quiet.recall, quiet.delay_ms) == (1.0, 1.0, None)
