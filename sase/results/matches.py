"""All matches of a push as a lazy sequence, built from what was found only when looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, overload

import pyarrow as pa

from sase.events.table import EventReader
from sase.results.arrow import table
from sase.results.match import Group, Match
from sase.results.plan_matches import Compressed, PlanMatches

_BLOCK = 1024  # matches whose events are read at once

Result = Match | Compressed | Group


class Matches(Sequence[Any]):
    """A lazy sequence: len() is cheap, iterating builds one match after the other."""

    def __init__(self, pieces: Sequence[PlanMatches], chosen: list[tuple[int, int]] | None = None) -> None:
        self._pieces = pieces
        self._chosen = chosen  # (piece, match) where matches of several disjuncts were merged

    def __len__(self) -> int:
        return sum(map(len, self._pieces)) if self._chosen is None else len(self._chosen)

    def __iter__(self) -> Iterator[Any]:
        places: Iterable[tuple[int, int]] = (
            ((s, i) for s, piece in enumerate(self._pieces) for i in range(len(piece)))
            if self._chosen is None
            else self._chosen
        )
        places = iter(places)
        while block := list(islice(places, _BLOCK)):
            readers = [EventReader(piece.origin) for piece in self._pieces]
            for s, reader in enumerate(readers):
                reader.read(self._pieces[s].found.events([i for at, i in block if at == s]))
            yield from (self._pieces[s].match(i, readers[s]) for s, i in block)

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        at = range(len(self))[index]
        if self._chosen is not None:
            s, i = self._chosen[at]
            return self._pieces[s].match(i)
        for piece in self._pieces:
            if at < len(piece):
                return piece.match(at)
            at -= len(piece)
        raise IndexError(index)

    def to_arrow(self) -> pa.Table:
        """One row per match: event, ts, start, end, probability, and the attributes with other names."""
        return table(
            match
            for result in self
            for match in (result.enumerate() if isinstance(result, Compressed | Group) else (result,))
        )


class Groups(Matches):
    """OUTPUT COMPRESSED without a graph: the matches that end on one event, together."""

    def __init__(self, matches: Matches) -> None:
        by_end: dict[tuple[int, int], list[Match]] = {}
        for match in matches:
            by_end.setdefault((match.positions[-1], match.detected_at), []).append(match)
        self._groups = [Group(found[0].end, at, tuple(found)) for (_, at), found in by_end.items()]

    def __len__(self) -> int:
        return len(self._groups)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._groups)

    def __getitem__(self, index: int | slice) -> Any:
        return self._groups[index]


def distinct(pieces: Sequence[PlanMatches]) -> list[tuple[int, int]]:
    """Every match of several plans once, by the moment it was known."""
    seen: set[tuple[int, ...]] = set()
    chosen = []
    for s, piece in enumerate(pieces):
        moments = known_at(piece)
        for i, key in enumerate(piece.numbers()):
            if key not in seen:
                seen.add(key)
                chosen.append((*moments[i], s, i))
    return [(s, i) for *_, s, i in sorted(chosen)]


def known_at(piece: PlanMatches) -> list[tuple[int, int]]:
    """Of every match when it was known, and the position of its last event."""
    lasts = piece.found.lasts()
    detected = piece.found.detected
    times = piece.origin.all_ts(lasts) if detected is None else detected
    return list(zip(times.tolist(), piece.origin.all_positions(lasts).tolist(), strict=True))
