"""The one protocol of the machines that match, and of the parts of a plan that make them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Protocol

from sase.events.dictionary import Tagged
from sase.events.table import EventTable
from sase.kernels.program import Program
from sase.operators.absence import AbsencePlan
from sase.operators.emission import EmissionPlan
from sase.operators.outlet import Outlet
from sase.operators.part import PlanPart
from sase.operators.waiting import WaitingPlan
from sase.plan.bytecode import ByteCode
from sase.plan.registers import RegisterSlots
from sase.plan.window import Window
from sase.results.found import Found

Contiguity = Literal["partition", "strict"]


@dataclass(frozen=True, slots=True)
class PartialStates:
    """How far a partial match may have come: what has begun in each state, and how events take it on."""

    begun: tuple[frozenset[int], ...]
    complete: tuple[bool, ...]
    moves: tuple[tuple[int, int, int], ...]  # from a state, by a bit of an event, to a state
    idle: bool = False  # a partial match that is offered no event costs nothing: it need not be dropped


class Machine(Protocol):
    """Holds what is under way between two pushes: partial matches, and matches that wait."""

    outlet: Outlet  # where its matches go out: those that wait, and what NON-OVERLAP has used up

    def run(
        self, first: int, now: int, events: EventTable, program: Program, keys: int, groups: int
    ) -> Found:
        """Take the table's events from number `first` on, then let the clock reach `now`.

        Stops before a match for which the outlet has no turn left; `outlet.stopped` then tells where.

        `keys` and `groups` tell how many partitions there are by now, for matching and for NON-OVERLAP.
        """
        ...

    def sweep(self, now: int) -> None:
        """Drop what has expired where no event comes any more, if that is worth the trouble."""
        ...

    def forget(self, before: int) -> None:
        """Events numbered below `before` are gone."""
        ...

    @property
    def live(self) -> int:
        """Partial matches and matches that wait."""
        ...

    @property
    def held(self) -> Iterable[Tagged]:
        """The running values, where codes of the dictionary may be: to be changed in place."""
        ...

    @property
    def cut(self) -> int:
        """How many partial and finished matches the limits have cut off."""
        ...

    @property
    def unlikely(self) -> int:
        """How many partial and finished matches were dropped because they are not likely enough."""
        ...


@dataclass(frozen=True, slots=True)
class Matching(PlanPart, ABC):
    """The part that matches: stacks or runs. Another one is another file that fulfils this."""

    names: tuple[str, ...]  # of the positive components
    window: Window

    @property
    @abstractmethod
    def kernel(self) -> str:
        """What it is, in the words of `explain`."""

    @property
    @abstractmethod
    def doubted_at(self) -> str:
        """Where it tests whether a partial match is likely enough, in the words of `explain`."""

    @property
    @abstractmethod
    def match_slots(self) -> RegisterSlots:
        """Where the events of a finished match stand, for the conditions of absence."""

    @abstractmethod
    def machine(
        self, joins: ByteCode, absence: AbsencePlan, waiting: WaitingPlan, emission: EmissionPlan
    ) -> Machine:
        """The machine that runs it; what it finds goes on to absence, to waiting and to emission."""

    @property
    def reach(self) -> int:
        return self.window.size

    @property
    def contiguity(self) -> Contiguity | None:
        """Whether events that nobody wants break a match: those of its partition, or any."""
        return None

    @property
    def partial(self) -> PartialStates | None:
        """The states of its partial matches, that of nothing begun first; None: it has others."""
        return None

    @property
    def scalars(self) -> tuple[tuple[int, int, str], ...]:
        """The running values that it keeps: component, kind, attribute."""
        return ()
