"""Likelihood: HAVING PROBABILITY, which every part of a plan that builds matches takes as a bound."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sase.events.ts_and_prob import CHANCE
from sase.kernels import likelihood
from sase.operators.part import PlanPart
from sase.operators.programs import attribute_column
from sase.plan.assembler import Assembler

_TOLERANCE = 1e-12  # a probability so near the bound, relatively, counts as it


@dataclass(frozen=True, slots=True)
class LikelihoodPlan(PlanPart):
    least: float | None  # None: nobody asks
    united: bool  # another disjunct may reach the same match: only its own events bound it
    attribute: int  # of the table of events
    tested: str  # where, in the words of `explain`

    @property
    def attributes(self) -> frozenset[str]:
        return frozenset() if self.least is None else frozenset({"prob"})

    @property
    def bound(self) -> float:
        return (self.least or 0.0) * (1 - _TOLERANCE)

    def table(self) -> likelihood.Likelihood:
        """As the kernels know it."""
        asked = self.least is not None
        return likelihood.Likelihood(asked, self.bound, self.united, attribute_column(self.attribute))

    def explain(self) -> Iterator[str]:
        if self.least is None:
            return
        by = (
            "its own events; the ways to it are united at the end"
            if self.united
            else "all that is known of it"
        )
        yield f"Probability   at least {self.least:g}: a partial match is dropped by {by}"
        yield f"  tested      {self.tested}"


CERTAIN = LikelihoodPlan(None, False, 0, "")


def plan_likelihood(least: float | None, united: bool, tested: str, joiner: Assembler) -> LikelihoodPlan:
    return CERTAIN if least is None else LikelihoodPlan(least, united, joiner.attribute(CHANCE), tested)
