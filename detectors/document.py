"""YAML files read with the line of every value: all faults of a file are told at once, each in its place."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import yaml

from sase.errors import did_you_mean
from sase.language.duration import milliseconds

Data = str | int | float | bool | None | datetime.date | list["Entry"] | dict[str, "Entry"]
Wanted = TypeVar("Wanted")


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    file: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}"


class FaultyFileError(ValueError):
    """Files that cannot be used as they are, with everything that is wrong in them."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(sorted(set(faults)))
        super().__init__("\n".join(map(str, self.faults)))


@dataclass(frozen=True, slots=True)
class Entry:
    """One value of a document. Reading it as the wrong kind notes a fault and gives a stand-in."""

    data: Data
    file: str
    line: int
    faults: list[Fault] = field(repr=False)

    def fault(self, message: str) -> None:
        self.faults.append(Fault(self.file, self.line, message))

    def _expect(self, kind: type[Wanted] | tuple[type, ...], words: str, stand_in: Wanted) -> Wanted:
        if isinstance(self.data, kind) and not (isinstance(self.data, bool) and kind is not bool):
            return self.data  # type: ignore[return-value]
        self.fault(f"{words} expected, not {_shown(self.data)}")
        return stand_in

    def text(self) -> str:
        value = self._expect(str, "text", "?")
        if not value.strip():
            self.fault("text expected, but it is empty")
        return value.strip()

    def number(self, minimum: float | None = None, maximum: float | None = None) -> float:
        value = float(self._expect((int, float), "a number", 0.0))
        if (minimum is not None and value < minimum) or (maximum is not None and value > maximum):
            self.fault(f"{value:g} is outside {_span(minimum, maximum)}")
        return value

    def whole(self, minimum: int | None = None) -> int:
        value = self._expect(int, "a whole number", 0)
        if minimum is not None and value < minimum:
            self.fault(f"{value} is outside {_span(minimum, None)}")
        return value

    def flag(self) -> bool:
        return self._expect(bool, "true or false", False)

    def duration(self) -> int:
        """Milliseconds of `90 seconds`, `5 min` and the like."""
        value = milliseconds(self.data) if isinstance(self.data, str) else None
        if value is None:
            self.fault(f"a duration such as '5 minutes' expected, not {_shown(self.data)}")
        return value or 0

    def choice(self, known: Sequence[str]) -> str:
        value = self.text()
        if value not in known:
            self.fault(f"unknown {value!r}: one of {', '.join(known)}. {did_you_mean(value, known)}".strip())
        return value

    def entries(self) -> list[Entry]:
        return self._expect(list, "a list", [])

    def section(self) -> Section:
        return Section(self, self._expect(dict, "a mapping of names to values", {}))


@dataclass(frozen=True, slots=True)
class Section:
    """A mapping of a document: asked for by key, with every missing or unknown key noted."""

    entry: Entry
    values: dict[str, Entry]

    def fault(self, message: str) -> None:
        self.entry.fault(message)

    def only(self, *known: str) -> Section:
        for key, value in self.values.items():
            if key not in known:
                value.fault(f"unknown field {key!r}. {did_you_mean(key, known)}".strip())
        return self

    def ordered(self, *known: str) -> Section:
        """The known fields stand in this order, so that every file of a kind reads alike."""
        found = [key for key in self.values if key in known]
        for key, wanted in zip(found, sorted(found, key=known.index), strict=True):
            if key != wanted:
                self.values[key].fault(f"field {key!r} stands where {wanted!r} belongs")
                break
        return self.only(*known)

    def get(self, key: str) -> Entry | None:
        return self.values.get(key)

    def need(self, key: str) -> Entry:
        if key not in self.values:
            self.fault(f"field {key!r} is missing")
            return Entry("?", self.entry.file, self.entry.line, [])
        return self.values[key]

    def text(self, key: str) -> str:
        return self.need(key).text()

    def section(self, key: str) -> Section:
        """A section that may be left out: then it is empty."""
        found = self.values.get(key)
        return found.section() if found else Section(self.entry, {})

    def entries(self, key: str) -> list[Entry]:
        found = self.values.get(key)
        return found.entries() if found else []

    def items(self) -> Iterator[tuple[str, Entry]]:
        yield from self.values.items()


def read(path: Path, faults: list[Fault], shown: str | None = None) -> Section:
    """The document of a file; one that is no YAML, or no mapping, is noted as a fault and reads as empty."""
    name = shown or path.name
    try:
        root = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    except (yaml.YAMLError, OSError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        faults.append(Fault(name, mark.line + 1 if mark else 1, f"cannot be read: {_reason(error)}"))
        return Section(Entry({}, name, 1, faults), {})
    if root is None:
        faults.append(Fault(name, 1, "the file is empty"))
        return Section(Entry({}, name, 1, faults), {})
    return _entry(root, name, faults).section()


def _entry(node: yaml.Node, file: str, faults: list[Fault]) -> Entry:
    line = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        return Entry(_mapping(node, file, faults), file, line, faults)
    if isinstance(node, yaml.SequenceNode):
        return Entry([_entry(child, file, faults) for child in node.value], file, line, faults)
    return Entry(_scalar(node), file, line, faults)


def _mapping(node: yaml.MappingNode, file: str, faults: list[Fault]) -> dict[str, Entry]:
    values: dict[str, Entry] = {}
    for key_node, value_node in node.value:
        key = str(key_node.value)
        if key in values:
            faults.append(Fault(file, key_node.start_mark.line + 1, f"field {key!r} is given twice"))
        values[key] = _entry(value_node, file, faults)
    return values


def _scalar(node: yaml.Node) -> Data:
    # 08:00 is a number to base 60 in YAML 1.1; in these files it is always a time of day.
    if node.tag == "tag:yaml.org,2002:int" and ":" in node.value:
        return str(node.value)
    loader = yaml.SafeLoader("")
    value: Data = loader.construct_object(node, deep=True)
    loader.dispose()
    return value


def _reason(error: Exception) -> str:
    return str(getattr(error, "problem", None) or getattr(error, "strerror", None) or error)


def _shown(data: Data) -> str:
    if isinstance(data, dict):
        return "a mapping"
    return "a list" if isinstance(data, list) else "nothing" if data is None else repr(data)


def _span(minimum: float | None, maximum: float | None) -> str:
    low = "" if minimum is None else f"at least {minimum:g}"
    high = "" if maximum is None else f"at most {maximum:g}"
    return " and ".join(part for part in (low, high) if part)
