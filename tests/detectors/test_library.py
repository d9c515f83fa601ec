"""Days of a library from sensors to alerts, through every composite event; and beside it what the queries
of the report would have said (streams-and-uncertainty, section 3.2.2), which `stories.case` shows where they
err in a living library.

    == Borrowed at the counter, then two hours in the reading corner
    09:00:00 COUNTER-SCAN id=patron-1 kind=patron area=counter reader=scanner
    report booklifting -> book-1 at 11:00:05
    vigil over_limit -> patron-1 at 09:00:03
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

import detectors
import sase
from sase.spark.levels import in_layers
from tests.detectors.cases import clock, event

STORIES = Path(__file__).parent / "stories.case"
REPORT = {
    "booklifting": """
        SELECT B.book_id AS subject FROM Book B, Checkout C PARTITION BY book_id
        EVENT BOTH(NOTPRECEDES(B, C, '1 min'), NOTFOLLOWS(B, C, '2 sec'), '3 sec')""",
    "confusion": """
        SELECT B.book_id AS subject FROM Person P1 P2, Book B PARTITION BY loc_id
        EVENT ANYONE(
          FOLLOWS(B, BOTH(P1, P2, '3 sec'), '3 sec'),
          FOLLOWS(BOTH(P1, P2, '3 sec'), B, '3 sec'))""",
}
_SAID = re.compile(r"(report|vigil) (\w+) -> (\S+) at ([0-9:]+)")


@dataclass(frozen=True, order=True)
class Said:
    who: str
    detector: str
    subject: str
    at: int


@dataclass(frozen=True)
class Story:
    title: str
    events: list[dict[str, object]]
    said: list[Said]


def stories() -> list[Story]:
    return [_story(block) for block in re.split(r"\n(?=== )", STORIES.read_text().strip())]


def _story(block: str) -> Story:
    title, *lines = block.splitlines()
    said = [Said(*found.groups()[:3], clock(found[4])) for line in lines if (found := _SAID.match(line))]
    return Story(title.removeprefix("== "), [event(line) for line in lines if line[:1].isdigit()], said)


def told(story: Story) -> list[Said]:
    """What Vigil and the report say of it, level by level."""
    ours = {name: one for name, one in detectors.load().items() if one.group == "library"}
    rules = {name: one.compile() for name, one in (detectors.composites() | ours).items()}
    events, said = list(story.events), list[Said]()
    for layer in in_layers(rules):
        found = [(name, match) for name, rule in layer.items() for match in rule.match(events)]
        said += [
            Said("vigil", name, ours[name].subject_of(one), one.detected_at)
            for name, one in found
            if name in ours
        ]
        events = sorted([*events, *(match.event for _, match in found)], key=lambda one: one["ts"])
    return said + [
        Said("report", name, str(match.attributes["subject"]), match.detected_at)
        for name, query in REPORT.items()
        for match in sase.compile(query).match(events)
    ]


@pytest.mark.parametrize("story", stories(), ids=lambda story: story.title)
def test_a_story_ends_in_these_alerts_and_no_others(story: Story) -> None:
    assert sorted(told(story)) == sorted(story.said)
