"""What the graph component draws: Plotly's traces and layout as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Trace = dict[str, Any]


@dataclass(frozen=True)
class Picture:
    """`label` says in words what can be seen."""

    traces: list[Trace]
    layout: dict[str, Any]
    label: str
