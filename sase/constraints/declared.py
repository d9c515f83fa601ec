"""Constraints as they were declared: what can never happen in a case, and what a case is."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from sase.errors import TextPlace
from sase.language.words import written_name

ConstraintForm = Literal["prior", "exclusive", "require", "clause"]


@dataclass(frozen=True, slots=True)
class Constraint:
    """One of them; its text is how a breach names it."""

    form: ConstraintForm
    types: tuple[str, ...]  # in the order of the text; of a clause the last one is its head
    denies: bool = False  # a clause that ends in NOT
    place: TextPlace = field(default=TextPlace(), compare=False)

    def __str__(self) -> str:
        if self.form != "clause":
            return f"{self.form}({', '.join(self.types)})"
        *body, head = self.types
        return f"{' AND '.join(body)} => {'NOT ' if self.denies else ''}{head}"


@dataclass(frozen=True, slots=True)
class CaseGroup:
    """Constraints that hold for each case, the events that agree on some attributes."""

    constraints: tuple[Constraint, ...]
    by: tuple[str, ...]
    remembered: int | None = None  # milliseconds after a case's last event; None: FOR is not there
    until: tuple[str, ...] = ()  # an event of these types is the first one of another case

    @property
    def types(self) -> tuple[str, ...]:
        """The event types that are spoken of."""
        spoken_of = (name for each in self.constraints for name in each.types)
        return tuple(dict.fromkeys((*spoken_of, *self.until)))

    def __str__(self) -> str:
        kept = "" if self.remembered is None else f" FOR {self.remembered} ms"
        ends = f" UNTIL {', '.join(self.until)}" if self.until else ""
        by = ", ".join(map(written_name, self.by))
        return f"{', '.join(map(str, self.constraints))} BY {by}{kept}{ends}"


@dataclass(frozen=True, slots=True)
class Constraints:
    """All groups; those with the same cases are one."""

    text: str
    groups: tuple[CaseGroup, ...]

    def __str__(self) -> str:
        return "; ".join(map(str, self.groups))

    @property
    def types(self) -> frozenset[str]:
        return frozenset(name for group in self.groups for name in group.types)

    @property
    def attributes(self) -> frozenset[str]:
        return frozenset(name for group in self.groups for name in group.by)


def united(text: str, groups: tuple[CaseGroup, ...]) -> Constraints:
    """Groups that speak of the same cases become one, in the order of the text; what is said twice, once."""
    found: dict[tuple[tuple[str, ...], int | None, tuple[str, ...]], CaseGroup] = {}
    for group in groups:
        cases = group.by, group.remembered, group.until
        known = found.setdefault(cases, replace(group, constraints=()))
        found[cases] = replace(known, constraints=tuple(dict.fromkeys(known.constraints + group.constraints)))
    return Constraints(text, tuple(found.values()))
