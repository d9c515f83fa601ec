"""Reads case files of constraints: as other cases, with `-- constraints: …` below the query; what comes out
may also be `breaks e3: prior(A, B)` and `keeps e1 e2`, the events that a snapshot holds at the end."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tests.sase.case import Case, _case

FOLDER = Path(__file__).parent / "constraint_cases"
DECLARED = re.compile(r"^-- constraints: (.*)$", re.MULTILINE)
BREAKS = re.compile(r"^breaks (\w+): (.*)$", re.MULTILINE)
KEEPS = re.compile(r"^keeps (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class ConstraintCase:
    case: Case
    constraints: str
    broken: list[tuple[str, int]]
    kept: list[int] | None


def load_all() -> list[ConstraintCase]:
    return [case for path in sorted(FOLDER.glob("*.case")) for case in _load(path)]


def _load(path: Path) -> list[ConstraintCase]:
    sections = re.split(r"^== ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return [_read(path.stem, section) for section in sections]


def _read(file: str, section: str) -> ConstraintCase:
    declared, keeps = DECLARED.search(section), KEEPS.search(section)
    assert declared, f"no constraints: {section}"
    broken = [(constraint, _number(label)) for label, constraint in BREAKS.findall(section)]
    kept = (
        []
        if keeps and keeps[1] == "nothing"
        else [_number(label) for label in keeps[1].split()]
        if keeps
        else None
    )
    plain = KEEPS.sub("", BREAKS.sub("", section))
    return ConstraintCase(_case(file, plain), declared[1], broken, kept)


def _number(label: str) -> int:
    return int(label.removeprefix("e")) - 1
