"""Constraints by their definition: a case as a word of types, every way in which it may go on tried out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

from sase.constraints.declared import Constraint

Word = tuple[str, ...]


def holds(constraint: Constraint, word: Word) -> bool:
    """Whether a finished case keeps it."""
    *body, head = constraint.types
    if constraint.form == "prior":
        return not any(word[later] == body[0] and head in word[:later] for later in range(len(word)))
    if constraint.form == "exclusive":
        return not (body[0] in word and head in word)
    there = all(name in word for name in body)
    return not there or (head in word) != constraint.denies


def continuations(types: Sequence[str]) -> Iterator[Word]:
    """Every way to go on in which no type comes twice; more events of a type never help to obey."""
    for length in range(len(types) + 1):
        yield from permutations(types, length)


def futures(word: Word, constraints: Sequence[Constraint], types: Sequence[str]) -> Iterator[Word]:
    """The ways to go on after which all constraints hold."""
    for more in continuations(types):
        if all(holds(each, word + more) for each in constraints):
            yield more


def obeys(word: Word, constraints: Sequence[Constraint], types: Sequence[str]) -> bool:
    return any(True for _ in futures(word, constraints, types))


def broken(word: Word, constraints: Sequence[Constraint]) -> list[tuple[str, int]]:
    """What a case breaks and at which of its events: of every set of constraints that it cannot obey any
    more, and of which none can be left out, the first."""
    types = sorted({name for each in constraints for name in each.types})
    told: list[tuple[str, int]] = []
    left = list(constraints)
    for end in range(1, len(word) + 1):
        named = {min(core) for core in _cores(word[:end], left, types)}
        told += [(str(left[number]), end - 1) for number in sorted(named)]
        left = [each for number, each in enumerate(left) if number not in named]
    return told


def _cores(word: Word, constraints: Sequence[Constraint], types: Sequence[str]) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    for size in range(1, len(constraints) + 1):
        for core in combinations(range(len(constraints)), size):
            chosen = [constraints[number] for number in core]
            if not any({*less} <= {*core} for less in found) and not obeys(word, chosen, types):
                found.append(core)
    return found
