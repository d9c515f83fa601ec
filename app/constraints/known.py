"""Orders, exclusions and requirements between types as sets of bits, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

Bits = int  # a set of types, a bit for each
Pair = tuple[int, int]


@dataclass
class KnownConstraints:
    """By type: `prior[a]` are the types after which no `a` comes, `exclusive[a]` those that no case with an
    `a` has, `require[a]` those that every case with an `a` has."""

    types: tuple[str, ...]
    prior: list[Bits] = field(default_factory=list)
    exclusive: list[Bits] = field(default_factory=list)
    require: list[Bits] = field(default_factory=list)

    def __post_init__(self) -> None:
        for sets in (self.prior, self.exclusive, self.require):
            sets.extend([0] * (len(self.types) - len(sets)))

    def texts(self) -> list[str]:
        """In the order of the types: orders, then exclusions, then requirements."""
        names = self.types
        orders = [f"prior({names[one]}, {names[other]})" for one, other in members(self.prior)]
        either = [
            f"exclusive({names[one]}, {names[other]})"
            for one, other in members(self.exclusive)
            if one < other
        ]
        return [*orders, *either, *(f"require({names[a]}, {names[b]})" for a, b in members(self.require))]

    def __len__(self) -> int:
        return len(self.texts())


def numbers(bits: Bits) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def members(sets: list[Bits]) -> Iterator[Pair]:
    return ((one, other) for one, others in enumerate(sets) for other in numbers(others))


def needed_by(require: list[Bits]) -> list[Bits]:
    """Requirements the other way round: by type, those that require it."""
    found = [0] * len(require)
    for one, other in members(require):
        found[other] |= 1 << one
    return found


def close_requirements(require: list[Bits]) -> list[Bits]:
    """What is required of what is required (Warshall, by rows)."""
    closed = [others | 1 << one for one, others in enumerate(require)]
    for middle in range(len(closed)):
        for one in range(len(closed)):
            if closed[one] >> middle & 1:
                closed[one] |= closed[middle]
    return [others & ~(1 << one) for one, others in enumerate(closed)]


def close_exclusions(exclusive: list[Bits], require: list[Bits]) -> list[Bits]:
    """No case with an `a` has anything that what it requires excludes, or that would require such a thing."""
    needs = [others | 1 << one for one, others in enumerate(require)]
    excluded = [0] * len(needs)
    for one, other in members(exclusive):
        for a, wanted in enumerate(needs):
            if wanted >> one & 1:
                excluded[a] |= 1 << other
            if wanted >> other & 1:
                excluded[a] |= 1 << one
    closed = [sum(1 << b for b, wanted in enumerate(needs) if wanted & out) for out in excluded]
    return [others & ~(1 << one) for one, others in enumerate(closed)]


def close_orders(prior: list[Bits], require: list[Bits]) -> list[Bits]:
    """`a` before `c` before `b` orders `a` and `b` wherever a `c` must be between them."""
    closed, needed, changed = list(prior), needed_by(require), True
    while changed:
        changed = False
        for one, middle in list(members(closed)):
            kept = closed[middle] if require[one] >> middle & 1 else closed[middle] & needed[middle]
            joined = (closed[one] | kept) & ~(1 << one)
            if joined != closed[one]:
                closed[one], changed = joined, True
    return closed
