"""Constraints that a history has kept, each with how much that is worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from app.constraints.bound import upper_bound
from app.constraints.case_history import CaseCounts, CaseHistory, Counts
from app.constraints.known import KnownConstraints
from app.constraints.minimal import minimal
from app.constraints.type_names import is_type

LEAST_SUPPORT = 30
_FORMS = ("prior", "exclusive", "require")


@dataclass(frozen=True, slots=True)
class Observed:
    """In how many cases a constraint could have been broken, and in how many it was."""

    tries: int
    failures: int

    @property
    def bound(self) -> float:
        """The share of cases in which it might fail, at 95%."""
        return upper_bound(self.failures, self.tries) if self.tries else 1.0


@dataclass(frozen=True, slots=True)
class LearnedConstraint:
    """A constraint that was never broken in the cases learned from, and how it did in those held back."""

    form: str
    pair: tuple[int, int]
    text: str
    learned: Observed
    held_back: Observed

    @property
    def holds(self) -> bool:
        return not self.held_back.failures


def candidates(history: CaseHistory, least: int = LEAST_SUPPORT) -> list[LearnedConstraint]:
    """Those that at least so many cases could have broken, without those that follow from others; what was
    broken in the cases held back comes last, and nothing is left out for it."""
    types = tuple(filter(is_type, sorted(history.types)))
    found = list(_found(history, types, least))
    shorter = minimal(_known(types, [one for one in found if one.holds]))
    by_text = {one.text: one for one in found}
    return [*(by_text[text] for text in shorter.texts()), *(one for one in found if not one.holds)]


def _found(history: CaseHistory, types: Sequence[str], least: int) -> Iterator[LearnedConstraint]:
    numbers = np.array([history.types[name] for name in types], np.int64)
    for form in _FORMS:
        tries, failures = _observed(form, history.learned, numbers)
        later_tries, later_failures = _observed(form, history.held_back, numbers)
        for one, other in np.argwhere((tries >= least) & (failures == 0)).tolist():
            if one != other and (form != "exclusive" or one < other):
                learned = Observed(int(tries[one, other]), 0)
                checked = Observed(int(later_tries[one, other]), int(later_failures[one, other]))
                text = f"{form}({types[one]}, {types[other]})"
                yield LearnedConstraint(form, (one, other), text, learned, checked)


def _observed(form: str, counts: CaseCounts, numbers: Counts) -> tuple[Counts, Counts]:
    """By pairs of types, how many cases could have broken it, and how many have. Of two that exclude each
    other the rarer one says how often they could have met."""
    where = np.ix_(numbers, numbers)
    both, after = counts.both[where], counts.after[where]
    having = np.diag(both)
    if form == "prior":
        return both, after
    if form == "exclusive":
        return np.minimum(having[:, None], having[None, :]), both
    single = np.repeat(having[:, None], len(numbers), axis=1)
    return single, single - both


def _known(types: tuple[str, ...], found: Sequence[LearnedConstraint]) -> KnownConstraints:
    known = KnownConstraints(types)
    sets = {"prior": known.prior, "exclusive": known.exclusive, "require": known.require}
    for one in found:
        first, second = one.pair
        sets[one.form][first] |= 1 << second
        if one.form == "exclusive":
            sets[one.form][second] |= 1 << first
    return known
