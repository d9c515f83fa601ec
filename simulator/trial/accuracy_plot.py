"""The picture of accuracy: precision and recall of each detector over the noise of the radios."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from app.detection.score import Score


def draw(title: str, levels: Mapping[float, Mapping[str, Score]], path: Path) -> None:
    """Written as one HTML file that needs no network."""
    figure(title, levels).write_html(path, include_plotlyjs=True)


def figure(title: str, levels: Mapping[float, Mapping[str, Score]]) -> go.Figure:
    drawn = make_subplots(rows=1, cols=2, subplot_titles=("Precision", "Recall"), shared_yaxes=True)
    names = next(iter(levels.values()), {})
    for colour, name in zip(_COLOURS * 3, names, strict=False):
        for column, measure in ((1, "precision"), (2, "recall")):
            heights = [getattr(scores[name], measure) for scores in levels.values()]
            line = go.Scatter(
                x=list(levels),
                y=heights,
                name=name,
                legendgroup=name,
                showlegend=column == 1,
                line={"color": colour},
            )
            drawn.add_trace(line, row=1, col=column)
    drawn.update_xaxes(title="noise (1 is the default)")
    drawn.update_layout(title=f"{title}: accuracy over noise", yaxis={"range": [0, 1.02]})
    return drawn


_COLOURS = ("#3366cc", "#dc3912", "#109618", "#990099", "#ff9900", "#0099c6")
