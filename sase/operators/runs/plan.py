"""Runs: the automaton of a pattern for Kleene, AND and the event selection strategies (SASE+ 3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sase.kernels.runs.form import form_of
from sase.kernels.runs.tables import ANY_MATCH, NEXT_MATCH, STRICT, RunPlan
from sase.operators.absence import AbsencePlan
from sase.operators.emission import EmissionPlan
from sase.operators.machine import Contiguity, Matching, PartialStates
from sase.operators.outlet import Outlet
from sase.operators.runs.machine import RunMachine
from sase.operators.runs.transitions import Transitions, transitions
from sase.operators.waiting import WaitingPlan
from sase.plan.alternative import Alternative
from sase.plan.assembler import Assembler
from sase.plan.bytecode import ByteCode
from sase.plan.explain import together
from sase.plan.normal import Simple
from sase.plan.registers import RegisterSlots

STRATEGIES = {
    "strict_contiguity": STRICT,
    "partition_contiguity": STRICT,
    "skip_till_next_match": NEXT_MATCH,
    "skip_till_any_match": ANY_MATCH,
}
CONTIGUITY: dict[str, Contiguity] = {"strict_contiguity": "strict", "partition_contiguity": "partition"}


@dataclass(frozen=True, slots=True)
class RunsPlan(Matching):
    strategy: str
    transitions: Transitions
    share: bool  # runs share their common past in one buffer
    merge: bool  # runs that can no longer differ become one
    limit: int  # partial matches per partition

    @property
    def conditions(self) -> tuple[Simple, ...]:
        return tuple(check.condition for check in self.transitions.automaton.checks)

    @property
    def kernel(self) -> str:
        return "runs of the automaton over one match buffer"

    @property
    def contiguity(self) -> Contiguity | None:
        return CONTIGUITY.get(self.strategy)

    @property
    def doubted_at(self) -> str:
        return "at every event that a run takes or passes over, and at every event that would rule out"

    @property
    def partial(self) -> PartialStates:
        states = self.transitions.automaton.states
        moves = (
            (i, move.component + move.take * len(self.names), move.target)
            for i, state in enumerate(states)
            for move in state.moves
        )
        begun = tuple(state.begun for state in states)
        return PartialStates(begun, tuple(state.complete for state in states), tuple(moves))

    @property
    def match_slots(self) -> RegisterSlots:
        return self.transitions.match_slots

    @property
    def scalars(self) -> tuple[tuple[int, int, str], ...]:
        return tuple(self.transitions.slots.scalars)

    def explain(self) -> Iterator[str]:
        automaton = self.transitions.automaton
        yield f"Window        {self.window.explain()}"
        yield f"Strategy      {self.strategy}"
        yield f"States        {len(automaton.states)}"
        for i, state in enumerate(automaton.states):
            begun = ", ".join(self.names[c] for c in sorted(state.begun)) or "nothing yet"
            yield f"  {i:>2} {begun}{'  (complete)' if state.complete else ''}"
            for move in state.moves:
                verb = "take" if move.take else ("proceed to" if move.proceed else "begin")
                tests = together(check.condition for check in move.checks)
                yield f"       {verb} {self.names[move.component]} -> {move.target}: {tests}"
        if automaton.accept:
            yield f"   at the end: {together(check.condition for check in automaton.accept)}"

    def _is_bare(self, absence: AbsencePlan, waiting: WaitingPlan, emission: EmissionPlan) -> bool:
        """Whether it skips till the next match, and the kernel may leave out what more a query can ask."""
        asks_more = absence.joins or waiting.waits or emission.once or emission.compressed
        values = self.transitions.slots.scalars or self.transitions.accept
        return self.strategy == "skip_till_next_match" and not asks_more and not values

    def machine(
        self, joins: ByteCode, absence: AbsencePlan, waiting: WaitingPlan, emission: EmissionPlan
    ) -> RunMachine:
        walks, accept = self.transitions.walks, self.transitions.accept
        likelihood, bare = emission.likelihood.table(), self._is_bare(absence, waiting, emission)
        plan = RunPlan(
            len(self.names),
            self.window.size,
            STRATEGIES[self.strategy],
            accept.start,
            accept.stop,
            self.window.pruned or self.strategy != "skip_till_any_match",
            self.merge and not walks,
            emission.once or self.contiguity is not None,
            emission.compressed,
            self.limit,
            likelihood,
            form_of(likelihood.asked, walks, not self.share, bare),
        )
        outlet = Outlet(absence, waiting, emission, joins, 0)
        crisp = form_of(False, walks, not self.share, bare)
        return RunMachine(plan, self.window, self.transitions, joins, absence, outlet, crisp)


def plan_runs(alternative: Alternative, joiner: Assembler) -> RunsPlan:
    return RunsPlan(
        tuple(component.name for component in alternative.shape.components),
        alternative.window,
        alternative.strategy,
        transitions(alternative, joiner),
        alternative.options.share_buffer,
        alternative.options.merge_runs,
        alternative.limits.partial_matches,
    )
