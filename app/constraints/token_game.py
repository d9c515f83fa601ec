"""The token game of a process: places for tokens, and the moves that take and put them.

Dijkman, Dumas and Ouyang, "Semantics and analysis of business process models in BPMN" (2008), with moves that
empty a whole part of the process at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from app.constraints.process import DrawnProcess, FlowNode, Repeats, Role, Way
from app.constraints.xml_elements import UnusableWorkflowError

Tokens = tuple[int, ...]
_MOST_CONDITIONS = 6


@dataclass(frozen=True, slots=True)
class TokenMove:
    """Takes and puts tokens; `type` is the event that goes with it. `empties` are places that lose all they
    have, `idle` those that must have none."""

    takes: Tokens
    puts: Tokens
    type: str = ""
    empties: frozenset[int] = frozenset()
    idle: frozenset[int] = frozenset()


@dataclass
class TokenGame:
    """The places by name, the moves, and where the first token lies; `once` are places for one token only."""

    places: list[str] = field(default_factory=list)
    moves: list[TokenMove] = field(default_factory=list)
    once: dict[int, str] = field(default_factory=dict)

    def place(self, name: str) -> int:
        self.places.append(name)
        return len(self.places) - 1


def token_game(process: DrawnProcess) -> TokenGame:
    """The game of a process, whose first place is where it begins."""
    game = TokenGame()
    _lay(game, process, game.place("the beginning"))
    return game


def _lay(game: TokenGame, process: DrawnProcess, start: int) -> None:
    """The moves of a process that begins with a token at `start`; its places are that and all laid since."""
    layer = _Layer(game, process, {way.id: game.place(f"the flow {way.id}") for way in process.ways})
    layer.begin(start)
    for step in process.steps.values():
        layer.enter(step, [layer.at[way.id] for way in process.into(step)])
    inside = frozenset(range(start, len(game.places)))
    game.moves += [TokenMove((place,), (), empties=inside) for place in layer.stops]


@dataclass
class _Layer:
    """One process among those that it stands in; `at` are the places of its flows, `stops` those of them that
    lead to the end of all."""

    game: TokenGame
    process: DrawnProcess
    at: dict[str, int]
    stops: list[int] = field(default_factory=list)

    def begin(self, start: int) -> None:
        """With one of the start events; where there is none, with everything that nothing leads to."""
        firsts = self.process.first()
        if any(step.role is Role.START for step in firsts):
            for step in firsts:
                self.move((start,), step)
            return
        entries = [self.game.place(f"the beginning of {step.id}") for step in firsts]
        self._add(TokenMove((start,), tuple(entries)))
        for step, entry in zip(firsts, entries, strict=True):
            self.enter(step, [entry])

    def enter(self, step: FlowNode, incoming: Sequence[int]) -> None:
        """The moves by which a token that comes in goes on."""
        if not incoming:
            return
        if step.role is Role.ALL:
            self.move(tuple(incoming), step)
        elif step.role is Role.PART:
            self._part(step, incoming)
        elif step.role is Role.TASK:
            self._task(step, incoming)
        elif step.role is Role.STOP:
            self.stops += incoming
        else:
            for place in incoming:
                self.move((place,), step)

    def move(self, takes: Tokens, step: FlowNode, type_: str = "") -> None:
        self._add(*(TokenMove(takes, puts, type_) for puts in self._ways_out(step)))

    def _task(self, step: FlowNode, incoming: Sequence[int]) -> None:
        """Interrupted, it may have submitted its event or not."""
        if step.repeats is Repeats.ONCE:
            for place in incoming:
                self.move((place,), step, step.type)
                self._interrupted((place,), step, ("", step.type))
            return
        busy = self.game.place(f"the repetition of {step.id}")
        first = "" if step.repeats is Repeats.ANY_NUMBER else step.type
        self._add(*(TokenMove((place,), (busy,), first) for place in incoming))
        self._add(TokenMove((busy,), (busy,), step.type))
        self.move((busy,), step)
        for place in (*incoming, busy):
            self._interrupted((place,), step, ("",))

    def _interrupted(self, takes: Tokens, step: FlowNode, types: Sequence[str]) -> None:
        for border in self.process.interrupts(step):
            for type_ in types:
                self.move(takes, border, type_)

    def _part(self, step: FlowNode, incoming: Sequence[int]) -> None:
        """Under way as long as a token is inside of it."""
        assert step.inner is not None
        busy = self.game.place(f"the sub-process {step.id}")
        self.game.once[busy] = step.id
        start = self.game.place(f"the beginning of {step.id}")
        _lay(self.game, step.inner, start)
        inside = frozenset(range(start, len(self.game.places)))
        for place in incoming:
            self._add(TokenMove((place,), (busy, start)))
            if step.repeats is Repeats.ANY_NUMBER:
                self.move((place,), step)
        if step.repeats is not Repeats.ONCE:
            self._add(TokenMove((busy,), (busy, start), idle=inside))
        self._add(*(TokenMove((busy,), puts, idle=inside) for puts in self._ways_out(step)))
        for border in self.process.interrupts(step):
            self._add(*(TokenMove((busy,), puts, empties=inside) for puts in self._ways_out(border)))

    def _add(self, *moves: TokenMove) -> None:
        self.game.moves += moves

    def _ways_out(self, step: FlowNode) -> list[Tokens]:
        """Each way in which a token may go on."""
        ways = self.process.out(step)
        if step.role is Role.CHOICE:
            return [(self.at[way.id],) for way in ways] or [()]
        if step.role is Role.ALL:
            return [tuple(self.at[way.id] for way in ways)]
        return [tuple(self.at[way.id] for way in chosen) for chosen in _chosen(step, ways)]


def _chosen(step: FlowNode, ways: Sequence[Way]) -> Iterator[tuple[Way, ...]]:
    """Without a gateway all flows are taken; of those with a condition any, and the default if none is."""
    default = [way for way in ways if way.id == step.default]
    doubtful = [way for way in ways if way.conditional and way not in default]
    always = [way for way in ways if way not in doubtful and way not in default]
    if len(doubtful) > _MOST_CONDITIONS:
        raise UnusableWorkflowError(
            f"line {step.line}: {step.id!r} has {len(doubtful)} flows with conditions; at most "
            f"{_MOST_CONDITIONS} are followed in all their combinations: draw an exclusive gateway"
        )
    for count in range(len(doubtful) + 1):
        for some in combinations(doubtful, count):
            if some or always or default or not doubtful:
                yield (*always, *some, *(() if some else default))
