"""What all possible runs of a process have in common: which orders, which exclusions, which requirements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from app.constraints.known import Bits, KnownConstraints
from app.constraints.reachable import Markings

Edge = tuple[int, int, Bits, Bits]  # from, to, what it adds, what it lets through


def of_runs(graph: Markings, order: Sequence[str]) -> KnownConstraints:
    """Everything that holds in every run: prior(A, B) if no run has an A after a B, exclusive(A, B) if none
    has both, require(A, B) if every run that has an A, and can go no further, has a B.

    By fixpoints over the markings: what may follow each, and what a way through it can avoid."""
    occurring = {type_ for _, type_, _ in graph.moves}
    types = tuple(name for name in dict.fromkeys(order) if name in occurring)
    bit = {name: 1 << number for number, name in enumerate(types)} | {"": 0}
    moves = [(start, bit[type_], end) for start, type_, end in graph.moves]
    every = (1 << len(types)) - 1
    follow = _spread(graph.count, {}, [(end, start, one, every) for start, one, end in moves])
    avoided = _spread(graph.count, {0: every}, [(start, end, 0, ~one) for start, one, end in moves])
    ends = dict.fromkeys([*graph.ends, *graph.trapped], every)
    avoidable = _spread(graph.count, ends, [(end, start, 0, ~one) for start, one, end in moves])
    after, without = [0] * len(types), [0] * len(types)
    for start, one, end in moves:
        if one:
            after[one.bit_length() - 1] |= follow[end]
            without[one.bit_length() - 1] |= avoided[start] & avoidable[end]
    return _known(types, after, without)


def _known(types: tuple[str, ...], after: list[Bits], without: list[Bits]) -> KnownConstraints:
    """`after` may still come once a type has come; `without` are those that a run with it may lack."""
    numbers = range(len(types))
    prior = [sum(1 << b for b in numbers if a != b and not after[b] >> a & 1) for a in numbers]
    exclusive = [sum(1 << b for b in numbers if prior[a] >> b & 1 and prior[b] >> a & 1) for a in numbers]
    require = [((1 << len(types)) - 1) & ~(without[a] | 1 << a) for a in numbers]
    return KnownConstraints(types, prior, exclusive, require)


def _spread(count: int, first: dict[int, Bits], edges: Iterable[Edge]) -> list[Bits]:
    """The least sets with set(to) ⊇ (set(from) & passes) | added for every edge."""
    out: list[list[tuple[int, Bits, Bits]]] = [[] for _ in range(count)]
    for start, end, added, passes in edges:
        out[start].append((end, added, passes))
    sets = [first.get(number, 0) for number in range(count)]
    waiting = list(first) or list(range(count))
    while waiting:
        here = waiting.pop()
        for end, added, passes in out[here]:
            joined = sets[end] | sets[here] & passes | added
            if joined != sets[end]:
                sets[end] = joined
                waiting.append(end)
    return sets
