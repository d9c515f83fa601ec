"""The automaton with the numbers of its checks and the registers they read, as the kernels' tables."""

from __future__ import annotations

from dataclasses import dataclass

from sase.kernels.runs.tables import AutomatonTables
from sase.operators.absence import AbsencePlan
from sase.operators.programs import (
    Table,
    attribute_column,
    bits,
    register_column,
    scalar_column,
    table,
)
from sase.plan.alternative import Alternative
from sase.plan.assembler import Assembler
from sase.plan.automaton import Automaton, AutomatonState, Move, build, is_open
from sase.plan.bytecode import ByteCode
from sase.plan.registers import RunSlots


@dataclass(frozen=True, slots=True)
class Transitions:
    components: int
    automaton: Automaton
    moves: tuple[tuple[range, ...], ...]  # per state, per move: its checks
    accept: range  # checks that wait for the end of the match
    slots: RunSlots
    match_slots: RunSlots  # of a finished match, for negation

    @property
    def walks(self) -> bool:
        """Whether a check ranges over the events of a Kleene component that were taken before."""
        return any(check.walked for check in self.automaton.checks)

    def table(self, joins: ByteCode, absence: AbsencePlan) -> AutomatonTables:
        moves: list[tuple[int, ...]] = []
        states: list[tuple[int, ...]] = []
        live: list[tuple[int, int]] = []
        for i, state in enumerate(self.automaton.states):
            read = self._live(i, joins)
            own = [self._row(move, checks) for move, checks in zip(state.moves, self.moves[i], strict=True)]
            wanted = bits({self._bit(move) for move in state.moves})
            ends = (len(moves), len(moves) + len(own), state.complete, len(live), len(live) + len(read))
            states.append((*ends, wanted, self._ruled_out_by(state, absence)))
            moves.extend(own)
            live.extend(read)
        return AutomatonTables(table(moves, 8), table(states, 7), table(live, 2), self.registers(self.slots))

    def _row(self, move: Move, checks: range) -> tuple[int, ...]:
        goes_on = bool(self.automaton.states[move.target].moves)
        tests = checks.start, checks.stop
        return move.component, move.take, move.target, *tests, move.proceed, self._bit(move), goes_on

    def _bit(self, move: Move) -> int:
        """Of the events that a move wants."""
        return move.component + move.take * self.components

    def _ruled_out_by(self, state: AutomatonState, absence: AbsencePlan) -> int:
        """The bits of negative events that stand against all that a run in this state may become.

        Such an event is between what it has taken and what it waits for, and nobody asks what else they have
        in common.
        """
        components, told = absence.shape.components, zip(absence.indexed, absence.checks, strict=True)
        return bits(
            2 * self.components + n
            for n, (negative, (indexed, checks)) in enumerate(zip(absence.shape.negatives, told, strict=True))
            if indexed and not checks
            if negative.low and negative.high and not negative.high & state.begun
            if negative.low <= state.begun
            if not any(is_open(c, state.begun, components) for c in negative.low)
        )

    def registers(self, slots: RunSlots) -> Table:
        """Per component the columns of its first and of its last event; or -1."""
        rows = []
        for c in range(self.components):
            places = [slots.events.get((c, which)) for which in ("first", "last")]
            rows.append([-1 if at is None else register_column(at, len(slots.scalars)) for at in places])
        return table(rows, 2)

    def _live(self, start: int, joins: ByteCode) -> list[tuple[int, int]]:
        """The values that conditions still to come in a state will read (SASE+ 5.2.2, the masks M over V)."""
        begun = self.automaton.states[start].begun
        component = {slot: c for (c, _), slot in self.slots.events.items()}
        ahead = [check for s in self._reachable(start) for own in self.moves[s] for check in own]
        read = [joins.reads(check) for check in (*ahead, *self.accept)]
        pairs = sorted({x for pair, _ in read for x in pair if component[x[0]] in begun})
        scalars = sorted({x for _, scalar in read for x in scalar})
        count = len(self.slots.scalars)
        return [
            *((register_column(slot, count), attribute_column(a)) for slot, a in pairs),
            *((scalar_column(slot) + half, -1) for slot in scalars for half in (0, 1)),  # value and kind
        ]

    def _reachable(self, start: int) -> list[int]:
        found = [start]
        for state in found:
            for move in self.automaton.states[state].moves:
                if move.target not in found:
                    found.append(move.target)
        return found


def transitions(alternative: Alternative, joiner: Assembler) -> Transitions:
    automaton = build(alternative.shape, alternative.joined)
    slots = RunSlots()
    moves = tuple(tuple(joiner.add(move.checks, slots) for move in state.moves) for state in automaton.states)
    accept = joiner.add(automaton.accept, slots)
    match_slots = RunSlots(scalars=slots.scalars)  # running values are those of the run that finished
    return Transitions(len(alternative.shape.components), automaton, moves, accept, slots, match_slots)
