"""A set of constraints without those that follow from the others: shorter to read, and it says the same."""

from __future__ import annotations

from app.constraints.known import (
    Bits,
    KnownConstraints,
    close_exclusions,
    close_orders,
    close_requirements,
    members,
    needed_by,
    numbers,
)

_MOST_TRIED = 400  # orders that are tried one by one against all others


def minimal(full: KnownConstraints) -> KnownConstraints:
    """Some of `full`, from which all the others follow."""
    needs = close_requirements(full.require)
    exclusive = _exclusions(full.exclusive, needs)
    return KnownConstraints(full.types, _orders(full, needs), exclusive, _requirements(needs))


def _requirements(needs: list[Bits]) -> list[Bits]:
    """Types that require each other in a ring; between rings, what leads to the next one."""
    equal = [
        sum(1 << b for b in numbers(others) if needs[b] >> a & 1) | 1 << a for a, others in enumerate(needs)
    ]
    firsts = sum(1 << a for a, ring in enumerate(equal) if ring & -ring == 1 << a)
    kept = [0] * len(needs)
    for one in numbers(firsts):
        ring = list(numbers(equal[one]))
        for this, following in zip(ring, [*ring[1:], one], strict=True):
            kept[this] |= 1 << following if this != following else 0
        beyond = needs[one] & firsts & ~(1 << one)
        kept[one] |= sum(
            1 << b for b in numbers(beyond) if not any(needs[c] >> b & 1 for c in numbers(beyond))
        )
    return kept


def _exclusions(full: list[Bits], require: list[Bits]) -> list[Bits]:
    """One follows from another between what its two types require."""
    needs = [others | 1 << one for one, others in enumerate(require)]
    kept = list(full)
    for one, other in [(a, b) for a, b in members(full) if a < b]:
        kept[one] &= ~(1 << other)
        kept[other] &= ~(1 << one)
        if not any(kept[a] & needs[other] for a in numbers(needs[one])):
            kept[one] |= 1 << other
            kept[other] |= 1 << one
    return kept


def _orders(full: KnownConstraints, require: list[Bits]) -> list[Bits]:
    """First those with a type in between by the order of the types, which cannot lean on each other; what is
    left is tried one by one."""
    kept = [others & ~full.exclusive[one] for one, others in enumerate(full.prior)]
    needed = needed_by(require)
    for one, other in list(members(kept)):
        if _has_between(full.prior, require, needed, one, other):
            kept[one] &= ~(1 << other)
    left = list(members(kept))
    for one, other in left if len(left) <= _MOST_TRIED else ():
        kept[one] &= ~(1 << other)
        given = [others | full.exclusive[a] for a, others in enumerate(kept)]
        if not close_orders(given, require)[one] >> other & 1:
            kept[one] |= 1 << other
    return kept


def _has_between(prior: list[Bits], require: list[Bits], needed: list[Bits], one: int, other: int) -> bool:
    low, high = min(one, other), max(one, other)
    return any(
        low < middle < high
        and prior[middle] >> other & 1
        and (require[one] >> middle & 1 or needed[middle] >> other & 1)
        for middle in numbers(prior[one])
    )


def closed(given: KnownConstraints) -> KnownConstraints:
    """All that follows from these."""
    require = close_requirements(given.require)
    exclusive = close_exclusions(given.exclusive, require)
    ordered = [given.prior[one] | exclusive[one] for one in range(len(given.types))]
    prior = close_orders(ordered, require)
    both = [
        others | sum(1 << b for b in range(len(prior)) if b != a and prior[a] >> b & 1 and prior[b] >> a & 1)
        for a, others in enumerate(exclusive)
    ]
    if both != exclusive:
        return closed(KnownConstraints(given.types, prior, both, require))
    return KnownConstraints(given.types, prior, exclusive, require)
