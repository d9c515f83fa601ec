"""The loader of detectors: every fault of every file at once, each with its line."""

from dataclasses import replace
from pathlib import Path

import pytest

import detectors
import sase
from detectors.document import FaultyFileError
from sase.constraints.parse import parse_constraints

GOOD = """\
title: A thing
severity: low
summary: A thing happened.
query: |
  EVENT SEQ(A x, !(B y))
  WHERE [id]
  WITHIN $patience
parameters:
  patience:
    type: duration
    default: 5 minutes
    minimum: 1 minute
    maximum: 1 hour
    label: How long
    unit: minutes
explanation: "{x.id} was there at {x.time} and nothing came for {$patience}."
absent:
  component: y
  kinds: [shelf]
subject: x.id
advice: Look.
blind_spots: None known.
"""


def written(folder: Path, **files: str) -> Path:
    (folder / "retail").mkdir()
    for name, text in files.items():
        (folder / "retail" / f"{name}.yaml").write_text(text)
    return folder


def faults(folder: Path) -> list[str]:
    with pytest.raises(FaultyFileError) as caught:
        detectors.load(folder)
    return [str(fault).replace(str(folder), "detectors") for fault in caught.value.faults]


def test_a_good_file_loads_with_all_its_fields(tmp_path: Path) -> None:
    thing = detectors.load(written(tmp_path, thing=GOOD))["thing"]
    assert (thing.title, thing.severity, thing.group) == ("A thing", "low", "retail")
    assert thing.values() == {"patience": 300_000}
    assert thing.absent is not None
    assert thing.absent.kinds == ("shelf",)


def test_the_version_changes_with_the_file(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    first = detectors.load(written(tmp_path / "one", thing=GOOD))["thing"]
    second = detectors.load(written(tmp_path / "two", thing=GOOD.replace("Look.", "Run.")))["thing"]
    assert first.version != second.version


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("severity: low", "severity: bad", "2: unknown 'bad': one of info, low, medium, high, critical."),
        (
            "  WITHIN $patience",
            "  WITHIN $patients",
            "7: query: no value is given for $patients did you mean patience?",
        ),
        ("EVENT SEQ(A x, !(B y))", "EVENT SEQ(A x, !(B y)", "6: query:"),
        ("{x.id}", "{y.id}", "16: {y.id} names neither a component that is present nor a parameter"),
        ("{$patience}", "{$hurry}", "16: {$hurry} names neither a component that is present nor a parameter"),
        ("{x.id}", "{x.id.__class__}", "16: {x.id.__class__} names neither"),
        ("component: y", "component: x", "18: unknown 'x': one of y."),
        ("subject: x.id", "subject: id", "20: 'id': a present component and its attribute expected"),
        ("default: 5 minutes", "default: 5 parsecs", "11: a duration such as '5 minutes' expected"),
        (
            "default: 5 minutes",
            "default: 2 hours",
            "10: the default is not allowed: patience: 2 hours is outside",
        ),
        ("advice: Look.\n", "", "1: field 'advice' is missing"),
        ("advice: Look.", "advise: Look.", "21: unknown field 'advise'. did you mean advice?"),
        ("title: A thing\n", "title: A thing\ntitle: B\n", "2: field 'title' is given twice"),
        ("summary: A thing happened.", "summary: [", "cannot be read"),
    ],
)
def test_a_fault_is_told_with_its_line(tmp_path: Path, before: str, after: str, expected: str) -> None:
    assert before in GOOD
    found = faults(written(tmp_path, thing=GOOD.replace(before, after)))
    assert any(expected in fault for fault in found), found


def test_fields_out_of_order_are_a_fault(tmp_path: Path) -> None:
    swapped = GOOD.replace(
        "severity: low\nsummary: A thing happened.\n", "summary: A thing happened.\nseverity: low\n"
    )
    found = faults(written(tmp_path, thing=swapped))
    assert found == ["detectors/retail/thing.yaml:2: field 'summary' stands where 'severity' belongs"]


def test_the_faults_of_all_files_come_at_once(tmp_path: Path) -> None:
    bad = GOOD.replace("severity: low", "severity: bad")
    found = faults(written(tmp_path, one=bad, two=bad.replace("subject: x.id", "subject: z.id")))
    assert [fault.split(": ")[0] for fault in found] == [
        "detectors/retail/one.yaml:2",
        "detectors/retail/two.yaml:2",
        "detectors/retail/two.yaml:20",
    ]


@pytest.mark.parametrize("text", ["", "- a list\n", "just text\n", "\x00"])
def test_a_file_that_is_no_detector_at_all_is_a_fault_not_a_crash(tmp_path: Path, text: str) -> None:
    assert faults(written(tmp_path, thing=text))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"patience": "2 hours"}, "patience: 2 hours is outside 1 minute to 1 hour"),
        ({"patience": "soon"}, "patience: 'soon' is no duration"),
        ({"patience": True}, "patience: True is no duration"),
        ({"hurry": 3}, "unknown parameter 'hurry': one of patience"),
    ],
)
def test_values_are_checked_when_they_are_given(
    tmp_path: Path, given: dict[str, object], message: str
) -> None:
    thing = detectors.load(written(tmp_path, thing=GOOD))["thing"]
    with pytest.raises(ValueError, match=message):
        thing.values(given)


def test_every_detector_that_comes_with_vigil_says_what_it_cannot_see_and_what_to_do() -> None:
    thin = [
        one.name for one in detectors.load().values() if len(one.blind_spots) < 40 or len(one.advice) < 40
    ]
    assert thin == []


def test_composite_events_feed_the_detectors_that_read_them() -> None:
    made = {one.makes for one in detectors.composites().values()}
    readers = [one.name for one in detectors.load().values() if made.intersection(one.reads())]
    assert readers == [
        *("drug_interaction", "missed_dose", "overdose", "wrong_patient", "leak_untold"),
        "motion_nobody_home",
        *("booklifting", "confusion", "not_given_back", "over_limit", "impossible"),
    ]


def test_a_detector_of_what_is_broken_can_match_nothing_else() -> None:
    breaking = [one for one in detectors.load().values() if one.breaks]
    assert [one.name for one in breaking] == ["not_given_back", "impossible"]
    for one in breaking:
        (group,) = parse_constraints(one.breaks or "").groups
        with pytest.raises(sase.QueryError, match="this query can never match"):
            sase.compile(one.query, one.values(), constraints=str(replace(group, until=())))


@pytest.mark.parametrize(
    ("breaks", "expected"),
    [
        ("prior(A, C) BY id", "one group of prior(A, B) expected"),
        ("exclusive(A, A) BY id", "one group of prior(A, B) expected"),
        ("prior(A, A) BY id; prior(A, A) BY x", "one group of prior(A, B) expected"),
        ("prior(A A) BY id", "breaks: expected"),
    ],
)
def test_what_a_detector_tells_of_is_priors_of_its_query(tmp_path: Path, breaks: str, expected: str) -> None:
    text = GOOD.replace("parameters:", f"breaks: {breaks}\nparameters:", 1)
    assert expected in faults(written(tmp_path, thing=text))[0]
