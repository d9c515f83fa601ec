"""NON-OVERLAP over several disjuncts: the one that completes a match first uses up its group for all."""

from __future__ import annotations

from collections.abc import Sequence

from sase.operators.engine import Completion, Engine
from sase.results.found import Found


def compete(engines: Sequence[Engine], clock: int) -> list[tuple[Engine, Found]]:
    """Let them run until the clock is reached; one match after the other, in the order of completion.

    Each runs ahead to the first match that it could complete. Of those the first one counts; where another
    has run past it, what it has under way is none the worse: only its matches ask what is used up.
    """
    for engine in engines:
        engine.take_turns(0)
        engine.run(clock)
    won = []
    while (first := _first(engines)) is not None:
        winner, completion = first
        winner.take_turns(1)
        found = winner.run(clock)
        assert found is not None
        won.append((winner, found))
        for other in engines:
            if other is not winner and other.yields(winner, completion):
                other.run(clock)
    return won


def first_ones(
    engines: Sequence[Engine], found: Sequence[tuple[Engine, Found]], likely: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Of matches that are likely by all disjuncts together those that complete first, in this order.

    A match is given by its place in `found`, one of the engines that have it. What it uses up counts from
    now on in all of them; here the matches are asked that they have found without it.
    """
    due = sorted((found[at][0].completed(found[at][1], i)[:-1], at, i) for at, i in likely)
    kept = []
    for _, at, i in due:
        winner, completion = found[at][0], found[at][0].completed(found[at][1], i)
        if winner.has_used_up(completion.start):
            continue
        kept.append((at, i))
        for engine in engines:
            engine.yields(winner, completion)
    return kept


def _first(engines: Sequence[Engine]) -> tuple[Engine, Completion] | None:
    """The match that completes first, and whose it is."""
    stopped = ((engine, engine.completion) for engine in engines)
    due = [(engine, completion) for engine, completion in stopped if completion is not None]
    return min(due, key=lambda each: each[1][:-1], default=None)
