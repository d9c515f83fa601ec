"""Emission: which of the matches that end on an event come out, and in what form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sase.operators.likelihood import LikelihoodPlan, plan_likelihood
from sase.operators.part import PlanPart
from sase.plan.alternative import Alternative
from sase.plan.assembler import Assembler


@dataclass(frozen=True, slots=True)
class EmissionPlan(PlanPart):
    output: str
    compressed: bool  # as a shared graph
    limit: int  # matches per event
    at_once: int  # matches of one push, or that wait
    likelihood: LikelihoodPlan  # a match that is less likely has not completed

    @property
    def once(self) -> bool:
        """Whether an event is used up by the first match of its group."""
        return self.output == "NON-OVERLAP"

    @property
    def in_groups(self) -> bool:
        """Whether matches that end on one event come out together, from a list instead of a graph."""
        return self.output == "COMPRESSED" and not self.compressed

    @property
    def attributes(self) -> frozenset[str]:
        return self.likelihood.attributes

    def explain(self) -> Iterator[str]:
        yield from self.likelihood.explain()
        yield f"Output        {self.output}{' as a shared graph' if self.compressed else ''}"


def plan_emission(alternative: Alternative, tested: str, joiner: Assembler) -> EmissionPlan:
    """`tested`: where the matching part tests HAVING."""
    limits = alternative.limits
    likelihood = plan_likelihood(alternative.least, alternative.rivals > 0, tested, joiner)
    return EmissionPlan(
        alternative.output,
        alternative.compressed,
        limits.matches_per_event,
        limits.matches_at_once,
        likelihood,
    )
