"""How strongly a tag is heard, in dBm: about normal, or with heavy tails and a lasting offset of its own."""

from __future__ import annotations

from simulator.sensors.chance import Bits, bell, mixed, student
from simulator.sensors.reads import Strength

_NEAR, _OVERHEARD, _GHOST, _SPREAD = -52.0, -70.0, -68.0, 3.0
_FAR_NEAR, _FAR_OVERHEARD = (-52.0, 4.0), (-64.0, 5.0)  # mean and scale of Student's t with 3 degrees
_LASTING = 4.0  # the deviation of what a tag and a reader always have between them
_WEAKEST, _STRONGEST = -95.0, -20.0


def kind(of: str, luck: Bits) -> Strength:
    mean = {"near": _NEAR, "overheard": _OVERHEARD, "ghost": _GHOST}[of]
    return (mean + _SPREAD * bell(luck)).round(1)


def heavy(of: str, luck: Bits, pairs: Bits) -> Strength:
    """`pairs` has the same bits whenever the same tag meets the same reader."""
    mean, scale = _FAR_NEAR if of == "near" else _FAR_OVERHEARD
    rssi = mean + scale * student(luck) + _LASTING * bell(mixed(pairs, 1))
    return rssi.clip(_WEAKEST, _STRONGEST).round(1)
