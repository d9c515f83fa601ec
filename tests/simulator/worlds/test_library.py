"""The library's world: what the truth says is what a clerk with perfect sensors finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pytest

from app.place.scenario import Scenario, load
from simulator.play import Play

HOUR = 3_600_000
APART = 4_000  # passages of the door are further apart than the reports of one
JUDGED = ("booklifting", "confusion", "over_limit")
Row = dict[str, Any]


@pytest.fixture(scope="module")
def library() -> Scenario:
    return load(Path("scenarios/library.yaml"))


@dataclass
class Desk:
    """A clerk who sees every report and keeps the loans by hand."""

    loans: dict[str, str]
    limits: dict[str, int]
    names: dict[str, str]
    card: str = ""
    passage: list[Row] = field(default_factory=list)
    noted: Counter[tuple[str, str]] = field(default_factory=Counter)

    def see(self, row: Row) -> None:
        if self.passage and row["ts"] - self.passage[-1]["ts"] > APART:
            self.judge()
        if row["reader"].startswith("door-"):
            self.passage.append(row)
        elif row["kind"] == "barcode":
            self.scan(self.names[row["tag"]])
        elif row["reader"] in ("box-reader", "returns-pad"):
            self.loans.pop(self.names[row["tag"]], None)

    def scan(self, name: str) -> None:
        if name in self.limits:
            self.card = name
        else:
            self.lend(self.card, name)

    def lend(self, patron: str, book: str) -> None:
        self.loans[book] = patron
        if list(self.loans.values()).count(patron) > self.limits[patron]:
            self.noted["over_limit", patron] += 1

    def judge(self) -> None:
        """Out is who comes to the inner sensor first and to the outer one last."""
        sides = [row["reader"] for row in self.passage if row["kind"] == "motion"]
        here = list(dict.fromkeys(self.names[row["tag"]] for row in self.passage if row["kind"] == "reading"))
        self.passage = []
        if (sides[0], sides[-1]) == ("door-inside", "door-outside"):
            cards = [name for name in here if name in self.limits]
            for book in [name for name in here if name not in self.limits and name not in self.loans]:
                self.leave(cards, book)

    def leave(self, cards: list[str], book: str) -> None:
        if len(cards) == 1:
            self.lend(cards[0], book)
        else:
            self.noted["confusion" if cards else "booklifting", book] += 1


def desk(library: Scenario) -> Desk:
    rows = library.items.to_pylist()
    return Desk(
        loans={row["id"]: row["loaned_to"] for row in rows if row["loaned_to"]},
        limits={row["id"]: row["limit"] for row in rows if row["kind"] == "patron"},
        names={row[code]: row["id"] for row in rows for code in ("tag", "barcode")},
    )


def reports(play: Play) -> Iterator[Row]:
    """All that is not said by shelves and statuses, in order."""
    for scene in play.scenes():
        said = scene.reports
        shelf = pc.starts_with(said["reader"], "shelf-")
        yield from said.filter(pc.and_not(pc.not_equal(said["kind"], "status"), shelf)).to_pylist()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_clerk_with_perfect_sensors_finds_what_the_truth_says(library: Scenario, seed: int) -> None:
    play = Play(library, seed, noise=0, length_ms=3 * HOUR, parts=("rates",))
    clerk = desk(library)
    for row in reports(play):
        clerk.see(row)
    told = [one for one in play.world.truth.incidents if one.detector in JUDGED]
    assert clerk.noted == Counter((one.detector, one.subject) for one in told)
    assert {one.detector for one in told} == set(JUDGED)
