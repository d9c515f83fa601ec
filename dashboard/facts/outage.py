"""Says why nothing comes in: which part is down and since when, in the order readings travel."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from app.running.status import GONE_MS
from app.store import PartState, ReaderState

CHAIN = ("broker", "simulator", "ingest", "pipeline")
HEARING = ("broker", "ingest")


@dataclass(frozen=True)
class Outage:
    """`kind` is down, quiet or starting for a part; silent for readers, nothing if no part ever spoke."""

    kind: str
    name: str
    since_ms: int
    detail: str = ""


def outages(
    parts: Iterable[PartState],
    readers: Iterable[ReaderState],
    now_ms: int,
    without_sign: Collection[str] = (),
) -> list[Outage]:
    """What is wrong, the first in the chain first: it is usually the cause of the rest. A reader that gives
    no sign while it reads nothing is not known to be silent."""
    known = sorted(parts, key=_rank)
    troubles = [trouble for part in known if (trouble := _trouble(part, now_ms))]
    if not known:
        troubles.append(Outage("nothing", "", now_ms))
    silent = [one for one in readers if one.silent_since_ms is not None and one.reader not in without_sign]
    return troubles + [_silent(reader) for reader in sorted(silent, key=lambda one: one.reader)]


def is_deaf(found: Iterable[Outage]) -> bool:
    """Whether nobody hears the readers: what is known of them is of the past."""
    return any(
        one.kind == "nothing" or (one.name in HEARING and one.kind in ("down", "quiet")) for one in found
    )


def _silent(reader: ReaderState) -> Outage:
    return Outage("silent", reader.reader, reader.silent_since_ms or 0, reader.area)


def _rank(part: PartState) -> tuple[int, str]:
    return (CHAIN.index(part.name) if part.name in CHAIN else len(CHAIN), part.name)


def _trouble(part: PartState, now_ms: int) -> Outage | None:
    if part.state != "up":
        kind = "starting" if part.state == "starting" else "down"
        return Outage(kind, part.name, part.since_ms, part.detail)
    if now_ms - part.beat_ms > GONE_MS:
        return Outage("quiet", part.name, part.beat_ms, part.detail)
    return None
