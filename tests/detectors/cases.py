"""Reads the detectors' cases: a title, the events with their times, and what must be reported, if anything.

    == fires: An item leaves without being paid
    with memory=12 hours
    09:00 SHELF-READING id=JEAN-1 area=denim
    09:20 EXIT-READING  id=JEAN-1 area=main-exit
    -> JEAN-1 at 09:20: and, if given, the explanation in full

`until` ends event time; without it, the end of the events is the end of time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from app.place.limits import COLUMNS, LIMITS, with_limits
from detectors.document import Entry, Fault, Section

HERE = Path(__file__).parent / "cases"
_TITLE = re.compile(r"== (fires|silent): (.+)")
_EXPECTED = re.compile(r"-> (\S+) at ([0-9:]+)(?<!:)(?:: (.+))?")
_PAIR = re.compile(r"(\w+)=('[^']*'|\S+)")
_SETTING = re.compile(r"(\w+)=(.+?)(?= \w+=|$)")


@dataclass(frozen=True)
class Report:
    subject: str
    at: int
    words: str | None


@dataclass(frozen=True)
class Case:
    detector: str
    title: str
    fires: bool
    settings: dict[str, object]
    until: int | None
    events: list[dict[str, object]]
    expected: list[Report]


def every_case() -> list[Case]:
    return [case for path in sorted(HERE.glob("*.case")) for case in _cases(path)]


def _cases(path: Path) -> Iterator[Case]:
    for block in re.split(r"\n(?=== )", path.read_text().strip()):
        title, *lines = [line.strip() for line in block.strip().splitlines()]
        found = _TITLE.fullmatch(title)
        assert found, f"{path.name}: {title}"
        yield Case(
            detector=path.stem,
            title=found[2],
            fires=found[1] == "fires",
            settings={k: v for line in lines if line.startswith("with ") for k, v in _settings(line)},
            until=next((clock(line.split()[1]) for line in lines if line.startswith("until ")), None),
            events=[event(line) for line in lines if line[:1].isdigit()],
            expected=[_report(line) for line in lines if line.startswith("->")],
        )


def _settings(line: str) -> Iterator[tuple[str, object]]:
    for name, value in _SETTING.findall(line.removeprefix("with ")):
        yield name, _value(value)


def event(line: str) -> dict[str, object]:
    time, kind, *_ = line.split()
    values = {name: _value(text.strip("'")) for name, text in _PAIR.findall(line)}
    return {"event": kind, "ts": clock(time), **values, **_limits(values)}


def _limits(values: dict[str, int | str]) -> dict[str, object]:
    """What the catalog makes of limits."""
    faults: list[Fault] = []
    table = pa.table({name: [value] for name, value in values.items() if name == LIMITS} or {"x": [0]})
    [row] = with_limits(Section(Entry({}, "case", 1, faults), {}), table).to_pylist()
    assert faults == []
    return {name: value for name, value in row.items() if name in COLUMNS}


def _value(text: str) -> float | str:
    if re.fullmatch(r"\d\.\d+", text):
        return float(text)
    return int(text) if text.removeprefix("-").isdigit() else text


def _report(line: str) -> Report:
    found = _EXPECTED.fullmatch(line)
    assert found, line
    return Report(found[1], clock(found[2]), found[3])


def clock(text: str) -> int:
    """Milliseconds after midnight of 1 January 1970, UTC."""
    parts = [int(part) for part in text.split(":")]
    return sum(part * size for part, size in zip(parts, (3_600_000, 60_000, 1000), strict=False))
