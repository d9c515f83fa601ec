"""What learning changed, in words: before and after, the largest changes first."""

from __future__ import annotations

import math
from collections.abc import Iterator

from sase.belief.world.model import Model
from sase.belief.world.sensors import Gate, Watch
from sase.belief.world.stays import duration_text, phases

_WORTH_TELLING = 1.1  # times as much, or as little
_LEAST = 0.001  # a rate below this is as good as none


def findings(before: Model, after: Model) -> list[str]:
    """A sentence for each rate that is another one now."""
    found = [*_heard(before, after), *_stays(before, after), *_ways(before, after)]
    return [words for change, words in sorted(found, key=lambda each: -each[0]) if change > _WORTH_TELLING]


def _heard(before: Model, after: Model) -> Iterator[tuple[float, str]]:
    for name, sensor in after.sensors.items():
        old = before.sensors[name]
        if isinstance(sensor, Gate) and isinstance(old, Gate):
            yield (
                _change(old.hit, sensor.hit),
                f"{name} sees {_share(sensor.hit)} of the moves, not {_share(old.hit)}",
            )
        elif isinstance(sensor, Watch) and isinstance(old, Watch):
            was, now = _by_place(old), _by_place(sensor)
            for place, rate in now.items():
                words = f"{name} hears {_share(rate)} of what is in {place} at a poll"
                yield _change(was.get(place, 0.0), rate), f"{words}, not {_share(was.get(place, 0.0))}"


def _stays(before: Model, after: Model) -> Iterator[tuple[float, str]]:
    for kind, stays in after.stays.items():
        old, new = (
            sum(phase.share * phase.stay for phase in phases(each, kind))
            for each in (before.stays[kind], stays)
        )
        parts = ", ".join(
            f"{_share(phase.share)} {duration_text(phase.stay)}" for phase in phases(stays, kind)
        )
        words = f"one stays {duration_text(new)} in a place of kind {kind}, not {duration_text(old)}"
        yield _change(old, new), f"{words} ({parts})"


def _ways(before: Model, after: Model) -> Iterator[tuple[float, str]]:
    for place, shares in after.shares.items():
        near = before.adjoining(place)
        for target, share in shares.items():
            was = before.shares.get(place, {}).get(target, 1 / len(near))
            words = f"{_share(share)} of those who leave {place} go to {target}, not {_share(was)}"
            yield _change(was, share), words


def _by_place(sensor: Watch) -> dict[str, float]:
    return {sensor.place: sensor.hit, **sensor.stray}


def _change(before: float, after: float) -> float:
    return math.exp(abs(math.log(max(after, _LEAST) / max(before, _LEAST))))


def _share(share: float) -> str:
    return f"{100 * share:.3g}%"
