"""Every marking that a process can reach, and the moves between them."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from app.constraints.token_game import TokenGame, TokenMove, Tokens
from app.constraints.xml_elements import UnusableWorkflowError

MOST_MARKINGS = 100_000
_MOST_TOKENS = 3  # at one place: more only where parallel parts pile up in a loop


@dataclass(frozen=True)
class Markings:
    """Markings are numbered, the first is 0. `moves` are (from, type or "", to); `ends` have no tokens left,
    `trapped` are those from which none of these can be reached."""

    count: int
    moves: tuple[tuple[int, str, int], ...]
    ends: tuple[int, ...]
    trapped: tuple[int, ...]


def markings(game: TokenGame) -> Markings:
    """All of them; UnusableWorkflowError if there are too many to look at."""
    by_place: dict[int, list[TokenMove]] = {}
    for move in game.moves:
        by_place.setdefault(move.takes[0], []).append(move)
    first: Tokens = (0,)
    numbers, found = {first: 0}, list[tuple[int, str, int]]()
    waiting = deque([first])
    while waiting:
        tokens = waiting.popleft()
        number = numbers[tokens]
        for place in dict.fromkeys(tokens):
            for move in by_place.get(place, ()):
                after = _after(tokens, move)
                if after is None:
                    continue
                if after not in numbers:
                    _check(after, game, len(numbers))
                    numbers[after] = len(numbers)
                    waiting.append(after)
                found.append((number, move.type, numbers[after]))
    ends = [number for tokens, number in numbers.items() if not tokens]
    return Markings(
        len(numbers), tuple(dict.fromkeys(found)), tuple(ends), _trapped(len(numbers), found, ends)
    )


def _trapped(count: int, moves: Sequence[tuple[int, str, int]], ends: Sequence[int]) -> tuple[int, ...]:
    before: dict[int, list[int]] = {}
    for start, _, end in moves:
        before.setdefault(end, []).append(start)
    free, waiting = set(ends), list(ends)
    while waiting:
        for start in before.get(waiting.pop(), ()):
            if start not in free:
                free.add(start)
                waiting.append(start)
    return tuple(number for number in range(count) if number not in free)


def _after(tokens: Tokens, move: TokenMove) -> Tokens | None:
    left = list(tokens)
    for place in move.takes:
        if place not in left:
            return None
        left.remove(place)
    if move.idle and not move.idle.isdisjoint(left):
        return None
    if move.empties:
        left = [place for place in left if place not in move.empties]
    return tuple(sorted([*left, *move.puts]))


def _check(tokens: Tokens, game: TokenGame, count: int) -> None:
    if count >= MOST_MARKINGS:
        raise UnusableWorkflowError(
            f"the process can be in more than {MOST_MARKINGS:,} states, because so much may run in parallel; "
            "constraints of its parts can be had by drawing them as processes of their own"
        )
    for place in dict.fromkeys(tokens):
        times = tokens.count(place)
        if times > 1 and place in game.once:
            raise UnusableWorkflowError(
                f"the sub-process {game.once[place]!r} may begin again while it is under way; join parallel "
                "flows with a parallel gateway before it"
            )
        if times > _MOST_TOKENS:
            raise UnusableWorkflowError(
                f"tokens pile up without end at {game.places[place]}: parallel flows meet there without a "
                "parallel gateway"
            )
