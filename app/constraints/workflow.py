"""The constraints that a workflow implies: from its file to a text that a query can be given."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from app.constraints.bpmn import read_process
from app.constraints.known import KnownConstraints
from app.constraints.minimal import minimal
from app.constraints.process import DrawnProcess
from app.constraints.reachable import Markings, markings
from app.constraints.runs import of_runs
from app.constraints.token_game import token_game
from app.constraints.xml_elements import UnusableWorkflowError


@dataclass(frozen=True)
class WorkflowConstraints:
    """`known` has no constraint that follows from others; `notes` are worth a look."""

    process: str
    known: KnownConstraints
    notes: tuple[str, ...]


def of_workflow(path: Path, wanted: str | None = None) -> WorkflowConstraints:
    """The constraints of a BPMN file; UnusableWorkflowError says why there are none."""
    process = read_process(path, wanted)
    try:
        graph = markings(token_game(process))
    except UnusableWorkflowError as error:
        raise UnusableWorkflowError(f"{path.name}: {error}") from None
    full = of_runs(graph, list(process.types()))
    if not full.types:
        raise UnusableWorkflowError(f"{path.name}: no task of the process {process.name!r} can be reached")
    return WorkflowConstraints(process.name, minimal(full), tuple(_notes(process, graph, full)))


def _notes(process: DrawnProcess, graph: Markings, full: KnownConstraints) -> Iterator[str]:
    never = [name for name in dict.fromkeys(process.types()) if name not in full.types]
    if never:
        yield f"no run reaches {', '.join(never)}: no constraint is told of them"
    if graph.trapped:
        yield "some runs cannot come to their end (a parallel gateway waits for a flow that was not taken)"
