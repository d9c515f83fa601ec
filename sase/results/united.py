"""The ways in which several disjuncts reach the same match, united: how likely it is that one is open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from sase.events.table import EventReader
from sase.results.matches import known_at
from sase.results.plan_matches import PlanMatches

Way = frozenset[int]  # the events that must not have happened, by their positions in the stream


def united(pieces: Sequence[PlanMatches], least: float) -> tuple[list[tuple[int, int]], int]:
    """Every match of several plans that is likely enough, once, by the moment it was known; how many are not.

    A plan has told of each match how likely its events are, and what must not have happened besides: that is
    one way to the match. Here it gets the probability of all worlds in which some way is open.
    """
    ways: dict[tuple[int, ...], list[tuple[int, int]]] = {}
    for s, piece in enumerate(pieces):
        for i, key in enumerate(piece.numbers()):
            ways.setdefault(key, []).append((s, i))
    chances: dict[int, float] = {}
    readers = [EventReader(piece.origin) for piece in pieces]
    chosen = []
    for found in ways.values():
        open_ways = [_way(pieces[s], i, readers[s], chances) for s, i in found]
        s, i = found[0]
        probability = pieces[s].found.probability
        assert probability is not None
        probability[i] *= any_open(open_ways, chances)
        if probability[i] >= least:
            chosen.append((s, i))
    moments = [known_at(piece) for piece in pieces]
    chosen.sort(key=lambda place: (*moments[place[0]][place[1]], *place))
    return chosen, len(ways) - len(chosen)


def _way(piece: PlanMatches, i: int, reader: EventReader, chances: dict[int, float]) -> Way:
    positions = []
    for number in piece.found.prevented_by(i):
        event, _, position = reader[number]
        chances[position] = float(event["prob"])
        positions.append(position)
    return frozenset(positions)


def any_open(ways: Iterable[Way], chances: Mapping[int, float]) -> float:
    """The probability that of some ways at least one is open: that nothing has happened which closes it.

    By cases: the event that closes most ways has happened, or it has not.
    """
    rest = _least(ways)
    if not rest:
        return 0.0
    if not rest[0]:
        return 1.0
    counts = Counter(position for way in rest for position in sorted(way))
    event = counts.most_common(1)[0][0]
    without = any_open([way - {event} for way in rest], chances)
    with_it = any_open([way for way in rest if event not in way], chances)
    return chances[event] * with_it + (1 - chances[event]) * without


def _least(ways: Iterable[Way]) -> list[Way]:
    """The shortest first, without those that are open only where another one is open too."""
    kept: list[Way] = []
    for way in sorted(set(ways), key=lambda way: (len(way), sorted(way))):
        if not any(other <= way for other in kept):
            kept.append(way)
    return kept
