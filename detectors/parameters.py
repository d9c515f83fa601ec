"""The typed knobs of a detector: what an admin may turn, within which bounds, and how it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from detectors.document import Entry, Section
from sase.language.duration import FACTORS, TimeUnit, milliseconds

Value = str | int | float
KINDS = ("whole", "number", "share", "duration", "text")


@dataclass(frozen=True, slots=True)
class DetectorParameter:
    """Durations are milliseconds here, shares from 0 to 1; `unit` is what the label counts in."""

    name: str
    kind: str
    default: Value
    minimum: float | None
    maximum: float | None
    label: str
    unit: str

    def value(self, given: object) -> Value:
        """The value as the query takes it; ValueError says what would be allowed."""
        if self.kind == "text":
            return str(given)
        number = milliseconds(given) if self.kind == "duration" and isinstance(given, str) else given
        if isinstance(number, bool) or not isinstance(number, int | float) or self._is_broken(number):
            raise ValueError(f"{self.name}: {given!r} is no {self.kind}")
        if not self._low() <= number <= self._high():
            raise ValueError(
                f"{self.name}: {self.shown(number)} is outside "
                f"{self.shown(self._low())} to {self.shown(self._high())}"
            )
        return int(number) if self.kind == "duration" else number

    def shown(self, value: Value) -> str:
        """The value in words, for explanations and faults."""
        if self.kind == "share":
            return f"{100 * float(value):g}%"
        return spell_duration(int(value)) if self.kind == "duration" else f"{value} {self.unit}".strip()

    def _is_broken(self, number: float) -> bool:
        return self.kind not in ("number", "share") and number != int(number)

    def _low(self) -> float:
        return float("-inf") if self.minimum is None else self.minimum

    def _high(self) -> float:
        return float("inf") if self.maximum is None else self.maximum


def spell_duration(length: int) -> str:
    """`15 minutes` for 900,000: the largest unit that leaves nothing over."""
    words: dict[TimeUnit, str] = {"day": "day", "hour": "hour", "min": "minute", "sec": "second"}
    for unit, word in words.items():
        if length % FACTORS[unit] == 0:
            count = length // FACTORS[unit]
            return f"{count} {word}" if count == 1 else f"{count} {word}s"
    return f"{length} ms"


def rounded_duration(length: int) -> str:
    """`5 minutes` for 312,000: in the largest unit of which there are two, cut off."""
    units: tuple[TimeUnit, ...] = ("day", "hour", "min", "sec")
    unit = next((one for one in units if length >= 2 * FACTORS[one]), units[-1])
    return spell_duration(max(1, length // FACTORS[unit]) * FACTORS[unit])


def given(known: Mapping[str, DetectorParameter], values: Mapping[str, object]) -> dict[str, Value]:
    """Every parameter's value, defaults filled in; ValueError for an unknown name or a value not allowed."""
    for name in values:
        if name not in known:
            raise ValueError(f"unknown parameter {name!r}: one of {', '.join(known) or 'none'}")
    return {name: one.value(values.get(name, one.default)) for name, one in known.items()}


def parse(section: Section) -> dict[str, DetectorParameter]:
    return {name: _parameter(name, entry) for name, entry in section.items()}


def _parameter(name: str, entry: Entry) -> DetectorParameter:
    fields = entry.section().ordered("type", "default", "minimum", "maximum", "label", "unit")
    kind = fields.need("type").choice(KINDS)
    unit = fields.get("unit")
    made = DetectorParameter(
        name=name,
        kind=kind,
        default=_value(fields.need("default"), kind),
        minimum=_bound(fields, "minimum", kind),
        maximum=_bound(fields, "maximum", kind),
        label=fields.text("label"),
        unit=unit.text() if unit else "",
    )
    try:
        made.value(made.default)
    except ValueError as error:
        entry.fault(f"the default is not allowed: {error}")
    return made


def _value(entry: Entry, kind: str) -> Value:
    if kind == "duration":
        return entry.duration()
    if kind == "share":
        return entry.number(0, 1)
    return entry.whole() if kind == "whole" else entry.number() if kind == "number" else entry.text()


def _bound(fields: Section, key: str, kind: str) -> float | None:
    return None if kind == "text" else float(_value(fields.need(key), kind))
