"""The NFA^b of a conjunction (SASE+ section 3): states, moves, and the conditions on each move.

A state is the set of components that have begun, so that AND needs nothing of its own: a sequence has one
state per component, AND(A, B) has the four subsets. A Kleene component is open, able to take more events,
until a component that comes after it begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sase.plan.bytecode import Check
from sase.plan.normal import Simple
from sase.plan.roles import BACK, CLOSING, CURRENT, RANGING, Roles, roles
from sase.plan.structure import Component, Structure

STATE_LIMIT = 4096


@dataclass(frozen=True, slots=True)
class Move:
    """Select an event into `component`: begin it, or take one more into an open Kleene component."""

    component: int
    take: bool
    target: int
    proceed: bool  # begins a component after an open Kleene one, which it closes
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True)
class AutomatonState:
    begun: frozenset[int]
    moves: tuple[Move, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class Automaton:
    states: tuple[AutomatonState, ...]
    accept: tuple[Check, ...]

    @property
    def checks(self) -> tuple[Check, ...]:
        return tuple(c for s in self.states for m in s.moves for c in m.checks) + self.accept


def build(shape: Structure, conditions: tuple[Simple, ...]) -> Automaton:
    """Place every condition on the earliest move at which it is determined (SASE+ 3.2, step 2)."""
    placed = [(condition, roles(condition, shape)) for condition in conditions]
    masks = _masks(shape.components)
    number = {mask: i for i, mask in enumerate(masks)}
    everything = frozenset(range(len(shape.components)))
    states = tuple(
        AutomatonState(mask, tuple(_moves(mask, shape.components, placed, number)), mask == everything)
        for mask in masks
    )
    accept = tuple(
        Check(condition, None, False, _walked(mentioned, None))
        for condition, mentioned in placed
        if not _determined(mentioned, everything, shape.components)
    )
    return Automaton(states, accept)


def _masks(components: tuple[Component, ...]) -> list[frozenset[int]]:
    """Every reachable set of begun components, the empty one first."""
    found: dict[frozenset[int], None] = {frozenset(): None}
    queue: list[frozenset[int]] = [frozenset()]
    for mask in queue:
        for c, component in enumerate(components):
            target = mask | {c}
            if c not in mask and component.after <= mask and target not in found:
                found[target] = None
                queue.append(target)
        if len(found) > STATE_LIMIT:
            raise OverflowError("the AND patterns of this query have too many orders")
    return list(found)


def is_open(c: int, mask: frozenset[int], components: tuple[Component, ...]) -> bool:
    """Whether Kleene component c can still take events."""
    return components[c].kleene and c in mask and not any(c in components[d].after for d in mask)


def _moves(
    mask: frozenset[int],
    components: tuple[Component, ...],
    placed: list[tuple[Simple, dict[int, Roles]]],
    number: dict[frozenset[int], int],
) -> Iterator[Move]:
    for c, component in enumerate(components):
        if is_open(c, mask, components):
            checks = _checks(c, mask, mask, components, placed)
            yield Move(c, True, number[mask], False, checks)
        elif c not in mask and component.after <= mask:
            target = mask | {c}
            proceed = any(is_open(k, mask, components) for k in component.after)
            checks = _checks(c, mask, target, components, placed)
            yield Move(c, False, number[target], proceed, checks)


def _checks(
    c: int,
    source: frozenset[int],
    target: frozenset[int],
    components: tuple[Component, ...],
    placed: list[tuple[Simple, dict[int, Roles]]],
) -> tuple[Check, ...]:
    begin = source != target
    checks = []
    for condition, mentioned in placed:
        if not _determined(mentioned, target, components):
            continue
        own = mentioned.get(c, frozenset())
        fresh = not _determined(mentioned, source, components)
        vacuous = begin and bool(own & {CURRENT, BACK})  # ranges over i >= 2: nothing to test on the first
        if (fresh and not vacuous) or (not begin and own & RANGING):
            checks.append(Check(condition, c, begin, _walked(mentioned, c)))
    return tuple(checks)


def _determined(mentioned: dict[int, Roles], mask: frozenset[int], components: tuple[Component, ...]) -> bool:
    return all(
        c in mask and not (CLOSING in own and is_open(c, mask, components)) for c, own in mentioned.items()
    )


def _walked(mentioned: dict[int, Roles], current: int | None) -> tuple[int, ...]:
    return tuple(c for c, own in mentioned.items() if own & RANGING and c != current)
