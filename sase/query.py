"""A compiled query: the way from text to matches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import Any

from sase.check.query import check
from sase.constraints.declared import Constraints
from sase.constraints.parse import parse_constraints
from sase.errors import Problem, QueryError, TextPlace, problem
from sase.language import tree
from sase.language.parse import parse
from sase.language.walk import happening, leaves, patterns
from sase.matcher import Matcher, Snapshot
from sase.operators.coding import Coding
from sase.operators.constrained import (
    UNDECLARED,
    Declared,
    planned_for,
    pruned,
    refuse_impossible,
    watch_plans,
    watching,
)
from sase.operators.plan import Plan, operator_plan, plans
from sase.operators.pruning import explain_pruning
from sase.options import Limits, Options
from sase.plan.alternative import alternatives
from sase.plan.assembler import TooManyRanges
from sase.plan.explain import explain
from sase.plan.normal import Conjunction, conjunctions, foldable
from sase.plan.operator_alternative import operator_alternative
from sase.plan.outcome_tree import always_bound
from sase.plan.partition import same_tests
from sase.plan.structure import structure
from sase.results.match import CompositeType
from sase.results.matches import Result

NOT_TOGETHER = Problem(
    "NON-OVERLAP under partition_contiguity needs the same [attributes] on both sides of OR",
    "write a query for each side, or [attribute] before the OR",
    "",
)
TOO_COMPLEX = Problem("this query is too complex: {what}", "split it in two with INTO", "")

DISJUNCTS = 256
COMPONENTS = 20
NO_PARAMETERS: Mapping[str, tree.Value] = {}


class Query:
    """Immutable; makes any number of matchers."""

    def __init__(
        self,
        text: str,
        checked: tree.QueryTree,
        options: Options,
        limits: Limits,
        name: str,
        declared: Declared = UNDECLARED,
    ) -> None:
        self.text = text
        self.tree = checked
        self.name = checked.into or name
        self._options, self._limits = options, limits
        self.declared = declared
        self._plans = self._planned(planned_for(options, declared))
        refuse_impossible(checked, self._plans, declared)
        self._watched = watch_plans(checked, self._plans, declared)
        self._plans = pruned(checked, self._plans, self._watched, declared.early)
        happens = {leaf.var or "": leaf.kleene for leaf in happening(checked.pattern)}
        forms = {part.name for part in patterns(checked.pattern) if isinstance(part, tree.Operator)}
        self._composite = CompositeType(
            self.name,
            tuple(happens),
            tuple(happens.values()),
            checked.returned,
            recurs=forms >= {"ANYONE", "NOTFOLLOWS"},
            lasts=self._plans[0].matching.window.size if self.may_be_early else None,
        )

    def match(self, events: Any) -> Iterable[Result]:
        """All matches of a finished stream: its end is the end of time."""
        matcher = self.matcher()
        return chain(matcher.push(events), matcher.finish())

    def matcher(self, snapshot: Snapshot | None = None, coding: Coding | None = None) -> Matcher:
        """`coding` is for the members of a set."""
        return Matcher(
            self._plans, lambda: self._loose_plans, self._composite, snapshot, coding, self._watched
        )

    def explain(self) -> str:
        plans = [chain(plan.explain(), self._left_alone()) for plan in self._plans]
        return explain(self.tree, plans, self._options, self._limits)

    def explain_constraints(self) -> list[str]:
        """The part of `explain` about the constraints that serve the query, of its first alternative."""
        pruning = self._plans[0].pruning
        return [] if pruning is None else list(explain_pruning(pruning))

    def _left_alone(self) -> Iterator[str]:
        """The constraints that are watched, and do nothing for the query."""
        for number, watched in enumerate(self._watched):
            pruning = self._plans[0].pruning
            if pruning is None or number not in pruning.groups:
                by = ", ".join(watched.group.by)
                yield f"Constraints   by {by}: only watched, they do not serve the query"

    @cached_property
    def _loose_plans(self) -> tuple[Plan, ...]:
        """For a stream in which an event lacks what the query's equalities promised."""
        options = replace(planned_for(self._options, self.declared), infer_partition=False)
        return self._planned(options)

    def _planned(self, options: Options) -> tuple[Plan, ...]:
        if len({leaf.var for leaf in leaves(self.tree.pattern)}) > COMPONENTS:
            raise self._too_complex(f"more than {COMPONENTS} components", self.tree.pattern.place)
        try:
            found = self._operators(options) if self._has_operators else self._sequence(options)
            return watching(self.tree, found, self.declared)
        except OverflowError as error:
            raise self._too_complex(str(error), self.tree.pattern.place) from None
        except TooManyRanges as error:
            what = "a comparison that ranges over more than two Kleene components"
            raise self._too_complex(what, error.place) from None

    @property
    def _has_operators(self) -> bool:
        return isinstance(self.tree.pattern, tree.Operator)

    def _operators(self, options: Options) -> tuple[Plan, ...]:
        disjuncts = self._disjuncts(always_bound(self.tree.pattern))
        return (operator_plan(operator_alternative(self.tree, disjuncts, options, self._limits)),)

    def _sequence(self, options: Options) -> tuple[Plan, ...]:
        shape = structure(self.tree.pattern)
        disjuncts = self._disjuncts(foldable(self.tree, shape))
        if self._contiguous_apart and not same_tests(disjuncts):
            raise problem(NOT_TOGETHER, self.text, self.tree.place)
        return plans(alternatives(self.tree, shape, disjuncts, options, self._limits))

    @property
    def _contiguous_apart(self) -> bool:
        """Whether NON-OVERLAP and contiguity both go by partitions."""
        strategy = self.tree.strategy
        by_partition = strategy is not None and strategy.name == "partition_contiguity"
        return by_partition and self.tree.output == "NON-OVERLAP"

    def _disjuncts(self, keep: frozenset[str]) -> tuple[Conjunction, ...]:
        try:
            return conjunctions(self.tree, keep, DISJUNCTS)
        except OverflowError as error:
            place = self.tree.condition.place if self.tree.condition else self.tree.place
            raise self._too_complex(str(error), place) from None

    def _too_complex(self, what: str, place: TextPlace) -> QueryError:
        return problem(TOO_COMPLEX, self.text, place, what=what)

    @property
    def plans(self) -> tuple[Plan, ...]:
        return self._plans

    @property
    def types(self) -> frozenset[str]:
        """The event types that some component wants."""
        return frozenset().union(*(plan.scan.types for plan in self._plans))

    @property
    def attributes(self) -> frozenset[str]:
        """The attributes that matching reads; RETURN reads any."""
        return frozenset().union(*(plan.attributes for plan in self._plans))

    @property
    def partition(self) -> tuple[str, ...]:
        """Attributes on which the stream can be split without changing an answer."""
        first, *others = (plan.scan.partitioning for plan in self._plans)
        if first.inferred or any(other.inferred for other in others):
            return ()
        shared = (name for name in first.keys if all(name in other.keys for other in others))
        return tuple(name for name in shared if all(name in group.by for group in self.declared.groups))

    @property
    def window(self) -> tree.Within | None:
        return self.tree.within

    @property
    def reach(self) -> int | None:
        """For how many milliseconds an event matters (FOREVER: always); None where events are counted."""
        return None if self._counts_events else max(plan.reach for plan in self._plans)

    @property
    def reach_in_events(self) -> int | None:
        """The same for a window that counts events: for how many positions of the stream."""
        return max(plan.reach for plan in self._plans) if self._counts_events else None

    @property
    def _counts_events(self) -> bool:
        return self._plans[0].counts_events

    @property
    def may_be_early(self) -> bool:
        """Whether a match that waits for its deadline may be known before it."""
        return any(plan.pruning is not None and plan.pruning.releases for plan in self._plans)

    @property
    def has_deadlines(self) -> bool:
        """Whether time alone can complete a match."""
        return any(plan.has_deadlines for plan in self._plans)

    @property
    def replayable(self) -> bool:
        """Whether a matcher that sees the events again that still matter stands where it stood.

        Else it needs a snapshot: NON-OVERLAP knows what is used up, counting where the stream began.
        Contiguity in a partition could have either; appending events is cheaper than writing snapshots.
        """
        plan = self._plans[0]  # in this all alternatives agree
        replayed = not plan.counts_all or plan.matching.contiguity == "partition"
        return replayed and not plan.emission.once and not self.declared.groups

    @property
    def returned(self) -> tuple[tree.Returned, ...]:
        return self.tree.returned

    @property
    def counts_all(self) -> bool:
        """Whether events that no component wants matter to the answer."""
        return any(plan.counts_all for plan in self._plans)


def compile(
    text: str,
    parameters: Mapping[str, tree.Value] = NO_PARAMETERS,
    options: Options | None = None,
    limits: Limits | None = None,
    name: str = "match",
    constraints: str | Constraints | None = None,
) -> Query:
    """Compile a query; QueryError if the text is none, or the constraints are none or leave it no match."""
    return compile_declared(text, parameters, options, limits, name, declared(constraints))


def compile_declared(
    text: str,
    parameters: Mapping[str, tree.Value],
    options: Options | None,
    limits: Limits | None,
    name: str,
    declared: Declared,
) -> Query:
    checked = check(parse(text), text, parameters)
    return Query(text, checked, options or Options(), limits or Limits(), name, declared)


def declared(constraints: str | Constraints | None) -> Declared:
    """Constraints beside a query, in words or as they were read before."""
    return Declared(parse_constraints(constraints) if isinstance(constraints, str) else constraints)
