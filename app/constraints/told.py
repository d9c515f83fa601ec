"""Constraints as a person reads and pastes them: one a line, with what is known of each behind it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.constraints.candidates import LearnedConstraint, Observed
from app.constraints.case_history import CaseHistory
from sase.language.words import written_name

_INDENT = "  "


def group(by: Sequence[str], memory: str | None) -> str:
    """The end of a group: whose cases they are, and how long a case is remembered."""
    cases = f"BY {', '.join(map(written_name, by))}"
    return f"{cases} FOR {memory}" if memory else cases


def listed(texts: Sequence[str], remarks: Sequence[str], end: str) -> list[str]:
    """The constraints with a comma between them and a remark behind each, then the end of the group."""
    marks = [*[","] * (len(texts) - 1), ""]
    written = [text + mark for text, mark in zip(texts, marks, strict=True)]
    width = max(map(len, written), default=0)
    lines = [
        f"{text:<{width}}  -- {remark}" if remark else text
        for text, remark in zip(written, remarks, strict=True)
    ]
    return [*lines, end]


def learned(history: CaseHistory, found: Sequence[LearnedConstraint], end: str) -> list[str]:
    """What was learned and how much it is worth; apart from it, what the cases held back have refuted."""
    good = [one for one in found if one.holds]
    lines = [
        f"-- {history.learned.cases:,} cases to learn from, {history.held_back.cases:,} held back to check",
        *listed([one.text for one in good], [_worth(one) for one in good], end),
    ]
    return [*(lines if good else lines[:1]), *_refuted(found)]


def section(lines: Sequence[str]) -> list[str]:
    """As a section to paste into a scenario's file: there it counts as accepted."""
    return ["constraints: |", *(_INDENT + line for line in lines)]


def _refuted(found: Sequence[LearnedConstraint]) -> Iterator[str]:
    for one in found:
        if not one.holds:
            yield f"-- left out: {one.text}: kept by {one.learned.tries:,}, {_share(one.held_back)} held back"


def _worth(one: LearnedConstraint) -> str:
    seen = f"{one.learned.tries:,} cases, fails in at most {one.learned.bound:.2%}"
    return f"{seen}; {_share(one.held_back)} held back"


def _share(observed: Observed) -> str:
    return f"broken by {observed.failures:,} of {observed.tries:,}"
