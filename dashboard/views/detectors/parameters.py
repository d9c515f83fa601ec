"""A detector's parameters: a slider per parameter with its meaning, within the bounds its file gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from dashboard.words import text
from dashboard.words.escape import escaped
from detectors.detector import Detector
from detectors.parameters import DetectorParameter, Value, spell_duration

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000
# A straight scale from seconds to days cannot be aimed at: these steps can.
LADDER = (
    *(step * SECOND for step in (1, 2, 3, 5, 10, 15, 20, 30, 45)),
    *(step * MINUTE for step in (1, 2, 3, 5, 10, 15, 20, 30, 45)),
    *(step * HOUR for step in (1, 2, 3, 4, 6, 8, 12, 18)),
    *(step * DAY for step in (1, 2, 3, 5, 7, 14, 30)),
)

SHARES = (0.01, 0.05, *(tenth / 10 for tenth in range(1, 10)), 0.95, 0.98, 0.99, 1.0)


def sliders(detector: Detector, current: Mapping[str, Any]) -> dict[str, Value]:
    """What the form's sliders stand at."""
    values = detector.still_valid(current)
    return {name: _slider(one, values[name]) for name, one in detector.parameters.items()}


def _slider(parameter: DetectorParameter, value: Value) -> Value:
    label = escaped(parameter.label)
    note = text.detectors.DEFAULT_VALUE.format(parameter.shown(parameter.default))
    if parameter.kind == "text":
        return st.text_input(label, str(value), help=note)
    if parameter.kind == "duration":
        steps = durations(parameter, int(value))
        return int(st.select_slider(label, steps, int(value), format_func=spell_duration, help=note))
    if parameter.kind == "share":
        parts = shares(parameter, float(value))
        return float(st.select_slider(label, parts, float(value), format_func=parameter.shown, help=note))
    low, high = parameter.minimum or 0.0, parameter.maximum or 0.0
    shown = f"{label} ({escaped(parameter.unit)})" if parameter.unit else label
    if parameter.kind == "whole":
        return int(st.slider(shown, int(low), int(high), int(value), help=note))
    return float(st.slider(shown, float(low), float(high), float(value), help=note))


def shares(parameter: DetectorParameter, value: float) -> list[float]:
    """The same for shares: finer towards certainty."""
    low, high = parameter.minimum or 0.0, 1.0 if parameter.maximum is None else parameter.maximum
    fixed = {low, high, value, float(parameter.default)}
    return sorted(fixed | {step for step in SHARES if low <= step <= high})


def durations(parameter: DetectorParameter, value: int) -> list[int]:
    """The steps within the parameter's bounds, with its present value and its default among them."""
    low, high = int(parameter.minimum or 0), int(parameter.maximum or LADDER[-1])
    fixed = {low, high, value, int(parameter.default)}
    return sorted(fixed | {step for step in LADDER if low <= step <= high})
