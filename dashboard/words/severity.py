"""How severities look: Okabe and Ito's colours, which the colour-blind tell apart, and a shape for each."""

from __future__ import annotations

from dataclasses import dataclass

from dashboard.words import text


@dataclass(frozen=True)
class Look:
    """`symbol` is Plotly's name of the shape, `sign` the same shape as a character, `rank` 0 the worst."""

    name: str
    colour: str
    symbol: str
    sign: str
    rank: int


_LOOKS = (
    Look(text.terms.CRITICAL, "#d55e00", "diamond", "◆", 0),
    Look(text.terms.HIGH, "#e69f00", "triangle-up", "▲", 1),
    Look(text.terms.MEDIUM, "#0072b2", "square", "■", 2),
    Look(text.terms.LOW, "#56b4e9", "circle", "●", 3),
    Look(text.terms.INFO, "#7f7f7f", "circle-open", "○", 4),
)
SEVERITIES = dict(zip(("critical", "high", "medium", "low", "info"), _LOOKS, strict=True))
ALIVE, SILENT = "#009e73", "#d55e00"


def look(severity: str) -> Look:
    return SEVERITIES.get(severity, SEVERITIES["info"])


def badge(severity: str) -> str:
    """Shape and word, for text."""
    shown = look(severity)
    return f"{shown.sign} {shown.name}"
