"""A tree of operators as the tables that its kernel reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sase.kernels import cells
from sase.kernels.likelihood import Likelihood
from sase.kernels.tree.tables import TreeShape
from sase.operators.programs import bits, table
from sase.plan.bytecode import ByteCode
from sase.plan.outcome_tree import OutcomeNode, OutcomeTree
from sase.plan.window import FOREVER

FORMS = {
    "LEAF": cells.LEAF,
    "FOLLOWS": cells.FOLLOWS,
    "BOTH": cells.BOTH,
    "NOTFOLLOWS": cells.NOTFOLLOWS,
    "NOTPRECEDES": cells.NOTPRECEDES,
    "ANYONE": cells.ANYONE,
}
CELLS = cells.LEAF_BIT + 1
NONE = -1


@dataclass(frozen=True, slots=True)
class OperatorShape:
    tree: OutcomeTree
    checks: tuple[range, ...]  # per node
    pushed: bool  # conditions on one event are the scan's
    pruned: bool  # what has left a window is dropped
    bits: tuple[int, ...]  # per leaf
    limit: int  # outcomes of a node in one partition
    doubted: bool  # how likely an outcome is counts

    @property
    def united(self) -> bool:
        """Whether there may be several ways to an outcome that not the same events would close."""
        nodes = self.tree.nodes
        absent = any(node.happens and node.negates for node in nodes)
        return self.doubted and absent and any(map(self._comes_twice, range(len(nodes)), nodes))

    @property
    def kept_for(self) -> tuple[int, ...]:
        """Per node for how long its outcomes are kept; without pruning for ever."""
        kept = zip(self.tree.kept_for, self.latest, strict=True)
        return tuple(
            0 if latest else FOREVER if length and not self.pruned else length for length, latest in kept
        )

    @property
    def latest(self) -> tuple[bool, ...]:
        """Per node whether all that its parents ask is when it last happened: nothing else is kept."""
        asks: list[list[bool]] = [[] for _ in self.tree.nodes]
        for node in self.tree.nodes:
            plain = node.form == "NOTPRECEDES" and not node.tests and not any(self._apart(node))
            plain = plain and not self.doubted  # each event that rules out leaves a share
            for child, asked in zip(node.below, (False, plain), strict=False):
                asks[child].append(asked)
        kept = zip(asks, self.tree.kept_for, strict=True)
        return tuple(length > 0 and all(asked) for asked, length in kept)

    @property
    def chains(self) -> tuple[int, ...]:
        """Per node its columns among the chains of a partition, two each."""
        found = _numbered(kept > 0 for kept in self.tree.kept_for)
        return tuple(2 * number if number >= 0 else NONE for number in found)

    @property
    def counted(self) -> tuple[int, ...]:
        """Per node its column among the counts: leaves are as few as their events."""
        nodes = zip(self.kept_for, self.tree.nodes, strict=True)
        return _numbered(kept > 0 and bool(node.below) for kept, node in nodes)

    def tables(self, joins: ByteCode, matches: int, likelihood: Likelihood) -> TreeShape:
        """`matches`: how many of them one moment may have."""
        columns: list[tuple[int, int, int]] = []
        apart: list[tuple[int, int]] = []
        rows: list[tuple[int, ...]] = []
        for number, node in enumerate(self.tree.nodes):
            first, second = len(columns), len(apart)
            columns.extend(self._columns(node))
            apart.extend(self._apart(node))
            ranges = (first, len(columns), second, len(apart))
            rows.append(self._row(number, node, ranges, matches))
        waits = [number for number, node in enumerate(self.tree.nodes) if node.form == "NOTFOLLOWS"]
        return TreeShape(
            table(rows, CELLS),
            table(columns, 3),
            table(apart, 2),
            np.array(waits, np.int64),
            self._needs(joins),
            self.pruned,
            likelihood,
        )

    def _row(
        self, number: int, node: OutcomeNode, ranges: tuple[int, int, int, int], matches: int
    ) -> tuple[int, ...]:
        kept = self.kept_for[number]
        return (
            FORMS[node.form],
            *(node.below or (NONE, NONE)),
            node.window,
            self.checks[number].start,
            self.checks[number].stop,
            *ranges,
            int(node.happens),
            int(self._repeats(number, node)),
            kept,
            self.chains[number],
            int(self.latest[number]),
            self.counted[number],
            self.limit if kept else matches,
            cells.BOUND + len(node.names) + (cells.OPPOSED_CELLS if self.doubted else 0),
            self.bits[number],
        )

    def _repeats(self, number: int, node: OutcomeNode) -> bool:
        """Whether the same outcome may come about twice; with several ways to those below also by one."""
        if self.united and node.happens and node.below:
            return self.tree.varies[number]
        return self._comes_twice(number, node)

    def _comes_twice(self, number: int, node: OutcomeNode) -> bool:
        if node.form == "ANYONE":
            left, right = (self.tree.nodes[child].names for child in node.below)
            return not {*left}.isdisjoint(right)
        return node.form in ("FOLLOWS", "BOTH") and self.tree.varies[number]

    def _columns(self, node: OutcomeNode) -> Iterator[tuple[int, int, int]]:
        """The aliases of a node's outcomes, and where they stand below it."""
        sides = [self.tree.nodes[child].names for child in node.below] or [(), ()]
        for name in node.names:
            left, right = (side.index(name) if name in side else NONE for side in sides)
            yield self.tree.names.index(name), left, right

    def _apart(self, node: OutcomeNode) -> Iterator[tuple[int, int]]:
        """Columns of left and right that stand for different aliases and might be one event."""
        if node.form in ("LEAF", "ANYONE") or self._later_is_one_event(node):
            return
        left, right = (self.tree.nodes[child].names for child in node.below)
        types = {leaf.names[0]: {*leaf.types} for leaf in self.tree.nodes if not leaf.below}
        for i, one in enumerate(left):
            for j, other in enumerate(right):
                if one != other and types[one] & types[other]:
                    yield i, j

    def _later_is_one_event(self, node: OutcomeNode) -> bool:
        """What comes after an outcome is none of its events."""
        later = {"FOLLOWS": 1, "NOTFOLLOWS": 1, "NOTPRECEDES": 0}.get(node.form)
        return later is not None and not self.tree.nodes[node.below[later]].below

    def _needs(self, joins: ByteCode) -> NDArray[np.int64]:
        return np.array(
            [bits({slot for slot, _ in joins.reads(i)[0]}) for i in range(len(joins.checks))], np.int64
        )


def _numbered(chosen: Iterator[bool]) -> tuple[int, ...]:
    count, found = 0, []
    for each in chosen:
        found.append(count if each else NONE)
        count += each
    return tuple(found)
