"""Reads case files: `== title`, a query, a blank line, events, `----`, and what must come out.

An event is `[label:] TYPE ts attr=value ...`; values are JSON, a name with blanks stands in
backticks; without labels events are e1, e2, ... in turn.
What comes out is one line a match, `a=[e1 e2] b=e6 [@detected] [~probability] [-> TYPE attr=value ...]`, or
`no match`, or `error: words of the message`. Lines that begin with # explain.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "cases"
EVENT = re.compile(r"(?:(?P<label>\w+): )?(?P<type>\S+) +(?P<ts>-?\d+)(?P<attributes>.*)")
ATTRIBUTE = re.compile(r'\s+([\w.]+|`[^`]+`)=("(?:[^"\\]|\\.)*"|\[[^\]]*\]|\S+)')
MATCH = re.compile(
    r"(?P<events>.*?)(?: @(?P<detected_at>\d+))?(?: ~(?P<probability>[\d.]+))?"
    r"(?: -> (?P<type>\S+)(?P<attributes>.*))?"
)
COMPONENT = re.compile(r"([\w-]+)=(?:\[([\w ]+)\]|(\w+))")


@dataclass(frozen=True)
class Expected:
    events: dict[str, int | list[int]]  # positions in the stream
    detected_at: int | None = None
    probability: float | None = None
    type: str | None = None
    attributes: dict[str, Any] | None = None


@dataclass(frozen=True)
class Case:
    name: str  # file and title
    query: str
    events: list[dict[str, Any]]
    matches: list[Expected]
    error: str | None = None


def load_all() -> list[Case]:
    return [case for path in sorted(FOLDER.glob("*.case")) for case in load(path)]


def load(path: Path) -> list[Case]:
    sections = re.split(r"^== ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return [_case(path.stem, section) for section in sections]


def _case(file: str, section: str) -> Case:
    title, text = section.split("\n", 1)
    question, answer = re.split(r"^----$", text, maxsplit=1, flags=re.MULTILINE)
    query, *stream = question.strip().split("\n\n")
    lines = "\n".join(stream).splitlines()
    labels = [_match(EVENT, line)["label"] or f"e{number}" for number, line in enumerate(lines, 1)]
    outcome = [line for line in answer.splitlines() if line and not line.startswith("#")]
    assert outcome, f"{title}: nothing is expected; write `no match` if that is meant"
    error = outcome[0].removeprefix("error: ") if outcome[0].startswith("error: ") else None
    found = [] if error or outcome == ["no match"] else [_expected(line, labels) for line in outcome]
    return Case(f"{file}: {title.strip()}", query, [_event(line) for line in lines], found, error)


def _match(pattern: re.Pattern[str], line: str) -> re.Match[str]:
    found = pattern.fullmatch(line.strip())
    assert found, f"not readable: {line}"
    return found


def _event(line: str) -> dict[str, Any]:
    found = _match(EVENT, line)
    return {"event": found["type"], "ts": int(found["ts"])} | _attributes(found["attributes"])


def _attributes(text: str) -> dict[str, Any]:
    assert ATTRIBUTE.sub("", text) == "", f"not readable: {text}"
    return {name.strip("`"): json.loads(value) for name, value in ATTRIBUTE.findall(text)}


def _expected(line: str, labels: list[str]) -> Expected:
    found = _match(MATCH, line)
    assert COMPONENT.sub("", found["events"]).strip() == "", f"not readable: {line}"
    events = {var: _positions(many, one, labels) for var, many, one in COMPONENT.findall(found["events"])}
    detected_at = int(found["detected_at"]) if found["detected_at"] else None
    attributes = _attributes(found["attributes"]) if found["type"] else None
    probability = float(found["probability"]) if found["probability"] else None
    return Expected(events, detected_at, probability, found["type"], attributes)


def _positions(many: str, one: str, labels: list[str]) -> int | list[int]:
    unknown = {*many.split(), *one.split()} - {*labels}
    assert not unknown, f"no such event: {unknown} among {labels}"
    return labels.index(one) if one else [labels.index(label) for label in many.split()]
