"""Draws the curves of the engine's benchmark into one HTML file that needs no network."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from benchmarks.curves import Curve

ACROSS = 2
ROW_HEIGHT = 380
GAP = 0.3  # of a row
COLOURS = ("#3366cc", "#dc3912", "#109618")


def draw(curves: Sequence[Curve], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    figure(curves).write_html(path, include_plotlyjs=True)


def figure(curves: Sequence[Curve]) -> go.Figure:
    rows = -(-len(curves) // ACROSS)
    titles = [curve.title for curve in curves]
    drawn = make_subplots(rows=rows, cols=ACROSS, subplot_titles=titles, vertical_spacing=GAP / rows)
    for number, curve in enumerate(curves):
        _add(drawn, curve, number // ACROSS + 1, number % ACROSS + 1)
    drawn.update_layout(title="The engine on one core", height=ROW_HEIGHT * rows, showlegend=False)
    return drawn


def _add(drawn: go.Figure, curve: Curve, row: int, column: int) -> None:
    for colour, (name, ys) in zip(COLOURS, curve.lines.items(), strict=False):
        # The name stands at the end of its line: one legend could not serve all pictures.
        labels = [""] * (len(ys) - 1) + [name if len(curve.lines) > 1 else ""]
        line = go.Scatter(
            x=list(curve.xs),
            y=list(ys),
            name=name,
            text=labels,
            mode="lines+markers+text",
            textposition="top left",
            line={"color": colour},
        )
        drawn.add_trace(line, row=row, col=column)
    wide = max(curve.xs) > 50 * max(min(curve.xs), 1e-9)
    drawn.update_xaxes(title=curve.across, type="log" if wide else "linear", row=row, col=column)
    drawn.update_yaxes(title=curve.unit, rangemode="tozero", row=row, col=column)
