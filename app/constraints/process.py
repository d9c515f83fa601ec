"""A process: its nodes and the flows between them, as drawn; sub-processes hold processes of their own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum


class Repeats(Enum):
    """How often an activity is done once it is reached."""

    ONCE = "once"
    AT_LEAST_ONCE = "at least once"
    ANY_NUMBER = "any number of times"


class Role(Enum):
    """What a token does at a node."""

    START = "start"
    TASK = "task"
    PASS = "pass"  # an event on the way, or an end
    STOP = "stop"  # ends everything around it
    CHOICE = "choice"
    ALL = "all"  # waits for all its flows, goes out by all
    PART = "part"  # a sub-process
    INTERRUPT = "interrupt"  # at the border of an activity


@dataclass(frozen=True, slots=True)
class Way:
    """A sequence flow; one with a condition may be left out."""

    id: str
    source: str
    target: str
    conditional: bool


@dataclass(frozen=True)
class FlowNode:
    """A flow node. `type` is the event that a task submits, `of` the activity that an interruption ends."""

    id: str
    role: Role
    line: int
    type: str = ""
    repeats: Repeats = Repeats.ONCE
    default: str = ""
    of: str = ""
    inner: DrawnProcess | None = None


@dataclass(frozen=True)
class DrawnProcess:
    """The nodes by id, and the flows in the order of the file."""

    name: str
    steps: dict[str, FlowNode] = field(default_factory=dict)
    ways: list[Way] = field(default_factory=list)

    def out(self, step: FlowNode) -> list[Way]:
        return [way for way in self.ways if way.source == step.id]

    def into(self, step: FlowNode) -> list[Way]:
        return [way for way in self.ways if way.target == step.id]

    def interrupts(self, step: FlowNode) -> list[FlowNode]:
        return [each for each in self.steps.values() if each.of == step.id]

    def first(self) -> list[FlowNode]:
        """Its start events, of which one begins a run; without any, all nodes that nothing leads to."""
        starts = [step for step in self.steps.values() if step.role is Role.START]
        loose = [one for one in self.steps.values() if not one.of and not self.into(one)]
        return starts or loose

    def types(self) -> Iterator[str]:
        """The types of all tasks, also inside of sub-processes, in the order of the file."""
        for step in self.steps.values():
            if step.role is Role.TASK:
                yield step.type
            elif step.inner is not None:
                yield from step.inner.types()
