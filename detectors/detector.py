"""A detector: a query with typed parameters, and the words in which its findings are told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import sase
from detectors import explanation
from detectors.explanation import Events
from detectors.parameters import DetectorParameter, Value, given, spell_duration
from sase.language.duration import FACTORS
from sase.language.parse import parse
from sase.language.tree import Parameter, QueryTree
from sase.language.walk import absent_names, leaves

SEVERITIES = ("info", "low", "medium", "high", "critical")
# What an alert can turn out to be, by the detectors' folder: nobody should be offered a theft on a ward.
OUTCOMES = {
    "retail": ("theft", "staff", "returned", "put right"),
    "healthcare": ("treated", "staff", "put right"),
    "library": ("theft", "staff", "returned", "put right"),
    "home": ("put right", "guest", "household"),
    "infrastructure": ("put right",),
}
ALWAYS_POSSIBLE = ("false alarm", "other")


class ExplainedMatch(Protocol):
    """What a detector needs of the engine's match."""

    @property
    def events(self) -> explanation.Events: ...

    @property
    def detected_at(self) -> int: ...


@dataclass(frozen=True, slots=True)
class AbsentComponent:
    """The component that did not come, and the kinds of area whose readers would have seen it. If it comes
    after the alert and that puts things right, `put_right` says so."""

    component: str
    kinds: tuple[str, ...]
    put_right: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is more likely if those who would have seen the absent event were all watching, and if not."""

    watched: str
    unwatched: str


@dataclass(frozen=True, slots=True)
class LoanQuestion:
    """What a person must decide: to whom of these an item is lent. Each is an attribute such as `x.id`."""

    item: str
    patrons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IncidentRule:
    """Alerts that agree on these attributes, such as `z.area`, within so much time are one incident."""

    same: tuple[str, ...]
    within_ms: int


@dataclass(frozen=True, slots=True)
class Composite:
    """A query whose matches are events for the queries of the next level."""

    name: str
    title: str
    summary: str
    query: str
    parameters: Mapping[str, DetectorParameter]

    def values(self, chosen: Mapping[str, object] | None = None) -> dict[str, Value]:
        return given(self.parameters, chosen or {})

    def still_valid(self, chosen: Mapping[str, object]) -> dict[str, Value]:
        """Values that were set for an earlier version of the file: what fits no more is at its default."""
        return self.values({name: value for name, value in chosen.items() if self._takes(name, value)})

    def _takes(self, name: str, value: object) -> bool:
        try:
            self.values({name: value})
        except ValueError:
            return False
        return True

    def compile(self, chosen: Mapping[str, object] | None = None) -> sase.Query:
        return sase.compile(self.query, parameters=self.values(chosen))

    def reads(self) -> tuple[str, ...]:
        """The event types the query asks for, negative ones too."""
        return tuple(dict.fromkeys(kind for leaf in leaves(self.tree().pattern) for kind in leaf.types))

    def tree(self) -> QueryTree:
        return parse(self.query)

    @property
    def makes(self) -> str:
        """The type of the events it makes."""
        return self.tree().into or self.name


@dataclass(frozen=True, slots=True)
class Detector(Composite):
    """`subject` is the attribute, such as `x.id`, that says whom or what an alert is about. One that `breaks`
    constraints can match only where these are broken."""

    group: str
    severity: str
    breaks: str | None
    explanation: str
    verdict: Verdict | None
    absent: AbsentComponent | None
    subject: str
    incident: tuple[IncidentRule, ...]
    loan: LoanQuestion | None
    advice: str
    blind_spots: str
    version: str

    @property
    def outcomes(self) -> tuple[str, ...]:
        """As what an alert of this detector may be resolved; all there is for a folder that is not ours."""
        everything = dict.fromkeys(outcome for each in OUTCOMES.values() for outcome in each)
        return (*OUTCOMES.get(self.group, tuple(everything)), *ALWAYS_POSSIBLE)

    def subject_of(self, match: ExplainedMatch) -> str:
        return str(_first(match, self.subject) or "unknown")

    def shared(self, match: ExplainedMatch) -> Iterator[tuple[dict[str, object], int]]:
        """What ties this match to others of its incident: attributes with their values, and how long they do.

        Without the components' names: other detectors call the same thing otherwise."""
        for rule in self.incident:
            values = {each.split(".")[1]: _first(match, each) for each in rule.same}
            if None not in values.values():
                yield values, rule.within_ms

    def explain(
        self,
        match: ExplainedMatch,
        chosen: Mapping[str, object] | None = None,
        timezone: str = "UTC",
        watched: Mapping[str, str] | None = None,
        proven: bool = True,
    ) -> str:
        """`watched` says for an absent component since when it was looked for, where that is not as long as
        the query asks; `proven`, whether those who would have seen it were alive all the time."""
        values = self.values(chosen)
        shown = {name: self.parameters[name].shown(value) for name, value in values.items()}
        events = {**self._spans(values, watched or {}), **match.events}
        template = " ".join((self.explanation, *self._judged(proven)))
        return explanation.fill(template, events, shown, match.detected_at, timezone)

    def _judged(self, proven: bool) -> tuple[str, ...]:
        if self.verdict is None:
            return ()
        return (self.verdict.watched if proven else self.verdict.unwatched,)

    def _spans(self, values: Mapping[str, Value], watched: Mapping[str, str]) -> Events:
        """For `{y.span}`: how long the absent component was looked for, in words."""
        tree = self.tree()
        whole = f"in {spell_duration(window_ms(tree, values))}"
        return {name: {"span": watched.get(name, whole)} for name in absent_names(tree.pattern)}


def window_ms(query: QueryTree, values: Mapping[str, Any]) -> int:
    """The length of WITHIN; 0 if there is none or it counts events."""
    if query.within is None or query.within.unit == "events":
        return 0
    size = query.within.size
    return int(values[size.name] if isinstance(size, Parameter) else size) * FACTORS[query.within.unit]


def _first(match: ExplainedMatch, name: str) -> object:
    """The value of `x.id`: of the first event, if the component may repeat."""
    component, attribute = name.split(".")
    bound = explanation.each(match.events.get(component, ()))
    return next((event.get(attribute) for event in bound), None)
