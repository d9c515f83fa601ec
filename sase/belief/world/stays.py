"""How long one stays in a place of a kind: one exponential, or a mixture of several, its phases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sase.language.duration import milliseconds

Stays = (
    str | Sequence[Mapping[str, Any]]
)  # "20 minutes", or what was learned: [{"share": 0.3, "stay": "6 sec"}, …]
_UNITS = (("days", 86_400_000), ("hours", 3_600_000), ("min", 60_000), ("sec", 1000))


@dataclass(frozen=True, slots=True)
class Phase:
    """This share of the stays has a length that is exponential with this mean."""

    share: float
    stay: int  # milliseconds


def phases(stays: Stays, where: str) -> tuple[Phase, ...]:
    """The phases that a model's text or list describes."""
    if isinstance(stays, str):
        return (Phase(1.0, duration(stays, where)),)
    found = tuple(Phase(_share(row, where), duration(str(row.get("stay", "")), where)) for row in stays)
    total = sum(phase.share for phase in found)
    if not found or abs(total - 1) > 1e-6:
        raise ValueError(f"{where}: the shares of its phases add up to {total:g}; they must add up to 1")
    return tuple(Phase(phase.share / total, phase.stay) for phase in found)


def duration(text: Any, where: str) -> int:
    """The milliseconds of a duration, which must be longer than nothing."""
    found = milliseconds(text) if isinstance(text, str) else None
    if not found:
        raise ValueError(
            f"{where}: {text!r} is no length of time; write one such as '20 minutes' or '1 second'"
        )
    return found


def duration_text(length: float) -> str:
    """A duration as people write it, to four digits."""
    for unit, size in _UNITS:
        if length >= size:
            return f"{float(f'{length / size:.4g}'):.10g} {unit}"
    return f"{max(round(length), 1)} ms"


def _share(row: Mapping[str, Any], where: str) -> float:
    share = row.get("share") if isinstance(row, Mapping) else None
    if not isinstance(share, int | float) or not 0 <= share <= 1:
        raise ValueError(f"{where}: a phase needs a share from 0 to 1 and a stay, not {row!r}")
    return float(share)
