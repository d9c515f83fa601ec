"""Where the matches of a machine go out: the kernels' tables for absence, waiting and emission."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from sase.events.growth import extended
from sase.events.table import EventTable
from sase.kernels.absence import Negatives
from sase.kernels.cells import (
    ALL_DISMISSED,
    BEFORE,
    COMPONENT_BITS,
    CUT,
    DEADLINE,
    LAST,
    LIKELY,
    MATCHES,
    NEED_MATCHES,
    NEED_PATH,
    NOTHING,
    OUTPUT,
    PREFIX,
    SIZES,
    TURN,
    USED,
    WAITING,
)
from sase.kernels.emission import Binding, Emission
from sase.kernels.likelihood import ONE
from sase.kernels.memory import lent
from sase.kernels.output import Output
from sase.kernels.pruning import NOBODY, Pruned
from sase.kernels.waiting import nobody_waiting, with_room
from sase.operators.absence import AbsencePlan
from sase.operators.emission import EmissionPlan
from sase.operators.programs import Table
from sase.operators.waiting import WaitingPlan
from sase.plan.bytecode import ByteCode
from sase.results.found import Found, Graph

Cell = TypeVar("Cell", np.int64, np.float64)

ROOM = 4096
NEW_PER_MATCH = 8  # new events, of which one may complete a match
FEW_STEPS = 1024  # are copied, so that their room can be used again
UNBOUNDED = 2**62
NO_STEPS = np.empty(0, np.int64)
NO_SPANS = np.empty((0, 3), np.int64)
NO_LIKELY_SPANS = np.empty((0, PREFIX + 1), np.int64)
NO_CHANCES = np.empty(0, np.float64)
NOT_PRUNED = Pruned(-1, np.zeros((1, 1), np.uint8), np.zeros(1, np.uint8), np.array([NOBODY, 0], np.int64))


class Stop(NamedTuple):
    """Where a machine waits for its turn: before an event, or a deadline, that completes a match."""

    event: int
    start: int  # the match's first event
    deadline: int | None


class Outlet:
    """Outlives its tables, which the kernels outgrow and the caller takes away."""

    def __init__(
        self, absence: AbsencePlan, waiting: WaitingPlan, emission: EmissionPlan, joins: ByteCode, width: int
    ) -> None:
        """`width`: how many events every match has; 0: they differ."""
        self._absence, self._joins = absence, joins
        self._negatives: Negatives | None = None
        self._likelihood = emission.likelihood.table()
        likely, size = self._likelihood.asked, np.zeros(SIZES, np.int64)
        spans = NO_LIKELY_SPANS if likely else NO_SPANS
        output = Output(NO_STEPS, spans, NO_STEPS, NO_CHANCES, size, width, waiting.waits, likely)
        self._plan = emission
        self._output, self._waiting = output, nobody_waiting()
        self._spent = np.full(1, -1, np.int64)
        self._turns = np.full(1, UNBOUNDED, np.int64)
        self.stopped: Stop | None = None
        self.cut = 0  # matches beyond the limit
        self.unlikely = 0  # those that HAVING has dropped
        self.uses_up = True  # whether NON-OVERLAP is at work
        # Where several disjuncts unite their ways to a match, only that tells whether it has completed.
        self.told_later = self._likelihood.united
        self.pruned = NOT_PRUNED  # what constraints leave no future
        self.doubted = False  # whether any event may not have happened

    def opened(
        self, heads: Table, binding: Binding, groups: int, crisp: bool = False, new: int = 0
    ) -> Emission:
        """The tables for a push; a machine's heads also tell the latest negative events of a partition.

        `crisp`: as if nobody asked how likely a match is, for all that is there is certain. `new`: how many
        events it has not seen.
        """
        self._spent = extended(self._spent, groups, -1)
        asked = self._likelihood.asked and not crisp
        self._output = _new_output(self._output._replace(likely=asked), new)
        known = self._negatives or self._absence.negatives(heads, self._joins)
        negatives = self._negatives = known._replace(heads=heads)
        plan, spent, turns, waiting = self._plan, self._spent, self._turns, self._waiting
        barred = plan.once and self.uses_up
        limits = barred and not self.told_later, barred, plan.limit, plan.at_once
        united = self._likelihood.united and not crisp
        likely = self._likelihood._replace(asked=asked, united=united, doubted=self.doubted)
        return Emission(*limits, spent, turns, negatives, waiting, self._output, binding, likely, self.pruned)

    def begin_to_doubt(self) -> None:
        """What waits so far is certain."""
        self._waiting.heap[: self.waiting, LIKELY] = ONE

    def with_room(self, emission: Emission, lacking: int) -> Emission:
        """The tables with the room that there was too little of."""
        if lacking == OUTPUT:
            self._output = _with_room(self._output)
        elif lacking == WAITING:
            self._waiting = with_room(self._waiting)
        return emission._replace(output=self._output, waiting=self._waiting)

    def stops(self, lacking: int, event: int, now: int, events: EventTable) -> bool:
        """Whether the machine must not go on: it is done, or it is not its turn to complete a match."""
        self.stopped = None
        if lacking == TURN:
            start = int(self._output.path[self._output.size[USED]]) >> COMPONENT_BITS
            clock = events.clock(event) if event < events.end else now
            deadline = self.next_deadline
            late = deadline is not None and deadline <= clock
            self.stopped = Stop(event, start, deadline if late else None)
        return lacking in (NOTHING, TURN)

    def found(self, graph: Graph | None = None) -> Found:
        """The matches of a push: they are the caller's to keep or drop."""
        output, count = self._output, self.count
        path = output.path[: output.size[USED]]
        spans, detected = output.spans[:count, : LAST + 1], output.detected[:count]
        probability = output.probability[:count] if output.likely else np.ones(count)
        self.cut += int(output.size[CUT])
        self.unlikely += int(output.size[ALL_DISMISSED])
        if len(path) <= FEW_STEPS:
            path, spans = path.copy(), spans.copy()
            detected, probability = detected.copy(), probability.copy()
        else:
            self._output = output._replace(
                path=NO_STEPS, spans=output.spans[:0], detected=NO_STEPS, probability=NO_CHANCES
            )
        return Found(
            count,
            path,
            output.width,
            None if output.width else spans,
            graph,
            detected if output.late and count else None,
            probability if self._likelihood.asked else None,
        )

    @property
    def count(self) -> int:
        """How many matches the push has found."""
        return int(self._output.size[MATCHES])

    @property
    def waiting(self) -> int:
        """How many matches wait."""
        return int(self._waiting.size[MATCHES])

    @property
    def next_deadline(self) -> int | None:
        """When time alone will next make a match known or drop it, in what the window counts."""
        return int(self._waiting.heap[0, DEADLINE]) if self.waiting else None

    def take_turns(self, count: int) -> None:
        """Let NON-OVERLAP complete so many matches, then stop before the next one."""
        self._turns[0] = count

    def spent(self, group: int) -> int:
        """The last event that NON-OVERLAP has used up in a group; -1: none."""
        return int(self._spent[group])

    def spend(self, group: int, event: int) -> None:
        """NON-OVERLAP has used up everything in a group up to this event."""
        self._spent = extended(self._spent, group + 1, -1)
        self._spent[group] = max(event, self._spent[group])


def _new_output(last: Output, new: int) -> Output:
    """The last one if nobody has it, or one as large as its matches were, at least as many as so many new
    events often complete: only what is used costs memory, and making room stops the kernel."""
    count, used = int(last.size[MATCHES]), int(last.size[USED])
    size = np.zeros(SIZES, np.int64)
    size[BEFORE] = last.size[BEFORE] + count
    if last.path.size:
        return last._replace(size=size)
    matches = max(count + count // 4, new // NEW_PER_MATCH) + ROOM
    return last._replace(
        path=lent(max(used + used // 4, new) + ROOM, np.int64),
        spans=NO_SPANS if last.width else lent((matches, last.spans.shape[1]), np.int64),
        detected=lent(matches if last.late else 0, np.int64),
        probability=lent(matches if last.likely else 0, np.float64),
        size=size,
    )


def _with_room(output: Output) -> Output:
    path, matches = int(output.size[NEED_PATH]), int(output.size[NEED_MATCHES])
    return output._replace(
        path=_longer(output.path, path),
        spans=output.spans if output.width else _longer(output.spans, matches),
        detected=_longer(output.detected, matches) if output.late else output.detected,
        probability=_longer(output.probability, matches) if output.likely else output.probability,
    )


def _longer(array: NDArray[Cell], rows: int) -> NDArray[Cell]:
    """With room for so many rows: in new memory, for what is found is the caller's to keep."""
    if rows <= len(array):
        return array
    new = lent((max(rows, 4 * len(array)), *array.shape[1:]), array.dtype.type)
    new[: len(array)] = array
    return new
