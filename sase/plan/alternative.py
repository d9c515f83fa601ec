"""One disjunct of a query's condition: what the operators of its plan are made from."""

from __future__ import annotations

from dataclasses import dataclass

from sase.language import tree
from sase.options import Limits, Options
from sase.plan.normal import Conjunction, Simple, names
from sase.plan.partition import Partitioning, partitioning, shared_tests
from sase.plan.roles import is_local, roles
from sase.plan.structure import Structure
from sase.plan.window import Window, window_of


@dataclass(frozen=True, slots=True)
class Alternative:
    shape: Structure
    strategy: str
    output: str
    compressed: bool  # results are graphs; where negation or OR looks at whole matches, they are lists
    window: Window
    least: float | None  # HAVING: how likely a match must be
    rivals: int  # how many other disjuncts may reach the same match
    partitioning: Partitioning
    options: Options
    limits: Limits

    @property
    def scanned(self) -> tuple[Simple, ...]:
        """The conditions over positive components that one event alone decides (SASE 4.3)."""
        return tuple(c for c in self._positive if self._is_scanned(c))

    @property
    def joined(self) -> tuple[Simple, ...]:
        """The conditions over positive components that take several events."""
        return tuple(c for c in self._positive if not self._is_scanned(c))

    @property
    def negative(self) -> tuple[Simple, ...]:
        """The conditions that mention a negative component."""
        return tuple(c for c in self.partitioning.conditions if names(c) & self._absent)

    @property
    def _positive(self) -> tuple[Simple, ...]:
        return tuple(c for c in self.partitioning.conditions if not names(c) & self._absent)

    @property
    def _absent(self) -> frozenset[str]:
        return frozenset(negative.name for negative in self.shape.negatives)

    def _is_scanned(self, condition: Simple) -> bool:
        mentioned = roles(condition, self.shape)
        return not mentioned or (self.options.push_predicates and is_local(mentioned))


def alternatives(
    query: tree.QueryTree,
    shape: Structure,
    disjuncts: tuple[Conjunction, ...],
    options: Options,
    limits: Limits,
) -> tuple[Alternative, ...]:
    strategy = query.strategy.name if query.strategy else "skip_till_any_match"
    least = query.having if isinstance(query.having, float) else None
    as_graph = not shape.negatives and len(disjuncts) == 1 and least is None
    compressed = query.output == "COMPRESSED" and as_graph
    window = window_of(query, options.push_window)
    shared = shared_tests(disjuncts) if query.output == "NON-OVERLAP" else None
    return tuple(
        Alternative(
            shape,
            strategy,
            query.output,
            compressed,
            window,
            least,
            len(disjuncts) - 1,
            partitioning(shape, disjunct, strategy, options).among(shared),
            options,
            limits,
        )
        for disjunct in disjuncts
    )
