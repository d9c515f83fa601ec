"""Constraints against runs: what is derived from random processes is what their enumerated runs say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.constraints.bpmn import read_process
from app.constraints.known import KnownConstraints, members
from app.constraints.minimal import minimal
from app.constraints.reachable import markings
from app.constraints.runs import of_runs
from app.constraints.token_game import token_game
from tests.app.constraints.drawn import write

Run = tuple[str, ...]
NAMES = "ABCD"


def derived(inner: str) -> KnownConstraints:
    with TemporaryDirectory() as folder:
        process = read_process(write(Path(folder), inner))
    return of_runs(markings(token_game(process)), list(process.types()))


def enumerated(runs: set[Run], types: tuple[str, ...]) -> set[str]:
    """All that the runs say, by the definition of each form."""
    found = set()
    for one, other in product(types, types):
        if one == other:
            continue
        if not any(one in run[run.index(other) :] for run in runs if other in run):
            found.add(f"prior({one}, {other})")
        if types.index(one) < types.index(other) and not any(one in run and other in run for run in runs):
            found.add(f"exclusive({one}, {other})")
        if all(other in run for run in runs if one in run):
            found.add(f"require({one}, {other})")
    return found


def obeys(run: Run, known: KnownConstraints) -> bool:
    names = known.types
    late = any(
        names[other] in run and names[one] in run[run.index(names[other]) :]
        for one, other in members(known.prior)
    )
    met = any(names[one] in run and names[other] in run for one, other in members(known.exclusive))
    lacking = any(names[one] in run and names[other] not in run for one, other in members(known.require))
    return not (late or met or lacking)


@dataclass
class Drawing:
    """A process built block by block, as BPMN and as the set of its runs; a loop is taken up to twice, which
    shows every order and absence that more turns could show."""

    rng: Random
    parts: list[str] = field(default_factory=list)

    def block(self, depth: int) -> tuple[str, str, set[Run]]:
        """The first and the last node of a block, and its runs."""
        kind = self.rng.choice(["task", "seq", "either", "both", "loop", "skip"]) if depth else "task"
        if kind == "task":
            id_ = self.node("task", name=self.rng.choice(NAMES))
            return id_, id_, {(self.parts[-1].split('name="')[1][0],)}
        first, last, runs = self.block(depth - 1)
        if kind == "loop":
            begin, end = self.node("exclusiveGateway"), self.node("exclusiveGateway")
            self.flow(begin, first)
            self.flow(last, end)
            self.flow(end, begin)
            return begin, end, runs | {one + other for one in runs for other in runs}
        if kind == "skip":
            begin, end = self.node("exclusiveGateway"), self.node("exclusiveGateway")
            for source, target in ((begin, first), (last, end), (begin, end)):
                self.flow(source, target)
            return begin, end, runs | {()}
        second, final, more = self.block(depth - 1)
        if kind == "seq":
            self.flow(last, second)
            return first, final, {one + other for one in runs for other in more}
        begin, end = (self.node(f"{'exclusive' if kind == 'either' else 'parallel'}Gateway") for _ in "xy")
        for source, target in ((begin, first), (begin, second), (last, end), (final, end)):
            self.flow(source, target)
        mixed = {run for one in runs for other in more for run in interleaved(one, other)}
        return begin, end, runs | more if kind == "either" else mixed

    def node(self, tag: str, name: str = "") -> str:
        id_ = f"n{len(self.parts)}"
        self.parts.append(f'<{tag} id="{id_}" name="{name}"/>')
        return id_

    def flow(self, source: str, target: str) -> None:
        self.parts.append(
            f'<sequenceFlow id="f{len(self.parts)}" sourceRef="{source}" targetRef="{target}"/>'
        )


def interleaved(one: Run, other: Run) -> Iterator[Run]:
    if not one or not other:
        yield one + other
        return
    yield from ((one[0], *rest) for rest in interleaved(one[1:], other))
    yield from ((other[0], *rest) for rest in interleaved(one, other[1:]))


@given(st.integers(0, 10_000))
def test_a_process_of_blocks_says_what_its_runs_say(seed: int) -> None:
    drawing = Drawing(Random(seed))
    first, last, runs = drawing.block(2)
    drawing.flow(drawing.node("startEvent"), first)
    drawing.flow(last, drawing.node("endEvent"))
    known = derived("".join(drawing.parts))
    assert set(known.texts()) == enumerated(runs, known.types)


@given(st.integers(0, 10_000))
def test_a_process_of_arrows_says_what_its_walks_say(seed: int) -> None:
    """Tasks and exclusive gateways with flows wherever chance puts them; walks of eight are enough."""
    rng = Random(seed)
    names = NAMES[: rng.randint(2, 3)]
    flows = [(one, other) for one in names for other in names if rng.random() < 0.45]
    ends = [name for name in names if rng.random() < 0.5] or [names[-1]]
    parts = ['<startEvent id="s"/>', '<endEvent id="e"/>', '<exclusiveGateway id="x0"/>']
    for name in names:
        parts.append(f'<task id="{name}"/><exclusiveGateway id="x{name}"/>')
    lines = [("s", "x0"), *((name, f"x{name}") for name in names)]
    lines += [("x0", name) for name in names if name == "A" or rng.random() < 0.3]
    begins = {target for source, target in lines if source == "x0"}
    lines += [(f"x{one}", other) for one, other in flows] + [(f"x{name}", "e") for name in ends]
    for number, (source, target) in enumerate(lines):
        parts.append(f'<sequenceFlow id="f{number}" sourceRef="{source}" targetRef="{target}"/>')
    known = derived("".join(parts))
    assert set(known.texts()) == enumerated(walks(begins, set(flows), set(ends), names), known.types)


def walks(begins: set[str], flows: set[tuple[str, str]], ends: set[str], names: str) -> set[Run]:
    """Every walk that has come to an end, or can never come to one."""
    ends = ends | {name for name in names if not any(one == name for one, _ in flows)}
    free = set(ends)
    for _ in names:
        free |= {one for one, other in flows if other in free}
    found, growing = set[Run](), {(name,) for name in begins}
    for _ in range(8):
        found |= {run for run in growing if run[-1] in ends or run[-1] not in free}
        growing = {(*run, other) for run in growing for one, other in flows if one == run[-1]}
    return found


@given(st.integers(0, 10_000))
def test_what_is_left_out_follows_from_what_is_not(seed: int) -> None:
    drawing = Drawing(Random(seed))
    first, last, _ = drawing.block(2)
    drawing.flow(drawing.node("startEvent"), first)
    drawing.flow(last, drawing.node("endEvent"))
    full = derived("".join(drawing.parts))
    shorter = minimal(full)
    assert set(shorter.texts()) <= set(full.texts())
    runs = (run for length in range(5) for run in product(full.types, repeat=length))
    assert [run for run in runs if obeys(run, full) != obeys(run, shorter)] == []


@pytest.mark.parametrize("dropped", ["prior", "exclusive", "require"])
def test_nothing_more_can_be_left_out_of_a_chain(dropped: str) -> None:
    """The whole set of ten tasks in a row has 135 constraints; nine orders and a ring of ten say the same."""
    row = "".join(f'<task id="T{n}"/>' for n in range(10))
    flows = "".join(f'<sequenceFlow id="f{n}" sourceRef="T{n}" targetRef="T{n + 1}"/>' for n in range(9))
    counted = [text.split("(")[0] for text in minimal(derived(row + flows)).texts()]
    assert counted.count(dropped) == {"prior": 9, "exclusive": 0, "require": 10}[dropped]
