"""The state of the world as far as it is known: sightings in, answers and changes out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from sase.belief.answers import questions
from sase.belief.answers.counting import Count
from sase.belief.answers.questions import Shares
from sase.belief.filters.belief import Belief
from sase.belief.filters.fast import FastFilter
from sase.belief.filters.full import FullFilter
from sase.belief.filters.intake import BeliefIntake, Entry, Sign
from sase.belief.filters.snapshot import Parts, packed, together, unpacked
from sase.belief.filters.telling import Telling
from sase.belief.sightings.reading import backwards, entity, moment, sightings
from sase.belief.world.checks import probability
from sase.belief.world.hearing import Hearing
from sase.belief.world.hours import Hours
from sase.belief.world.model import Model
from sase.belief.world.motion import Floats, Motion
from sase.belief.world.stays import duration

ABOVE, BELOW = 0.9, 0.5
MANY = 2000  # entities beyond which the fast filter takes over

Start = Mapping[str, str | Mapping[str, float]]
Entities = Iterable[str] | Mapping[str, Mapping[str, Any]]


class State:
    """`start`: of an entity a place, or probabilities by place; without it, anywhere. `keep`: a duration."""

    def __init__(
        self, model: Model, entities: Entities, start: Start | None = None, keep: str | None = None
    ) -> None:
        self._model, self._keep = model, keep
        self._attributes = _attributes(entities)
        self._names = list(self._attributes)
        self._number = {name: i for i, name in enumerate(self._names)}
        self._motion = Motion(model)
        hearing = Hearing(model, self._motion)
        beginning = self._beginning(start or {})
        belief = Belief(self._motion, hearing, beginning)
        intake = BeliefIntake(self._names, Hours(self._names, model.hours))
        kept = None if keep is None else duration(keep, "keep")
        self._filter: FullFilter | FastFilter
        if len(self._names) > MANY:
            self._filter = FastFilter(belief, intake, ABOVE, BELOW, kept)
        else:
            telling = Telling(self._motion, hearing, beginning, ABOVE, BELOW)
            self._filter = FullFilter(belief, intake, telling, kept)

    @staticmethod
    def resume(model: Model, snapshot: bytes) -> State:
        """The state that `snapshot` wrote, under the same model."""
        facts, arrays = unpacked(snapshot)
        state = State(model, facts["entities"], keep=facts["keep"])
        if (
            arrays["crowd.believed" if len(state._names) > MANY else "now.alone"].shape[1]
            != state._motion.size
        ):
            raise ValueError("resume: the snapshot is of a model with other places or stays; start anew")
        state._filter.restore((facts, arrays))
        return state

    def snapshot(self) -> bytes:
        """All that is believed, kept and still to be told, for another process to go on with."""
        own: Parts = ({"entities": self._attributes, "keep": self._keep}, {})
        return packed(together(own, self._filter.parts()))

    @property
    def clock(self) -> int | None:
        """The time that the state has reached; None before anything came."""
        return self._filter.clock

    @property
    def approximate(self) -> bool:
        """Whether a joint distribution has become too large, so that a product stands for it since."""
        return self._filter.belief().approximate

    def see(self, rows: Any) -> None:
        """Take in sightings, dicts or Arrow, in the order of ts. If one is wrong, none is taken."""
        if isinstance(self._filter, FastFilter) and self._filter.take_batch(rows):
            return
        self._take(list(sightings(rows, self._model, self._number)), "sighting")

    def alive(self, sensor: str, ts: int) -> None:
        """The sensor was working at ts: whom a Watch did not hear is less likely to be where it listens."""
        self._model.sensor(sensor, "alive")
        self._take([Sign(moment(ts, "alive"), sensor)], "alive")

    def advance(self, ts: int) -> None:
        """Time has passed, up to ts."""
        self._take([Sign(moment(ts, "advance"), None)], "advance")

    def where(self, entity: str, at: int | None = None) -> Shares[str]:
        """The places where it probably is; with `at`, was at that moment, with all that was seen since."""
        one = self._one(entity)
        hidden = self._filter.marginal(one) if at is None else self._past(one, moment(at, "where"))
        return questions.shares(self._motion.places, hidden @ self._motion.membership)

    def is_in(self, entity: str, place: str) -> float:
        """The probability that it is there."""
        inside = self._motion.membership[:, self._place(place)]
        return float(min(self._filter.marginal(self._one(entity)) @ inside, 1.0))

    def present(self, place: str) -> Shares[str]:
        """Each entity's probability of being there."""
        chances = questions.chances_in(self._filter.belief(), [self._place(place)])
        return questions.shares(self._names, chances)

    def who(self, place: str, top: int = 10) -> list[tuple[set[str], float]]:
        """The likeliest sets of those who are there, together with their probabilities."""
        found = questions.who(self._filter.belief(), self._place(place), top)
        return [({self._names[e] for e in each}, share) for each, share in found]

    def how_many(self, *places: str) -> Count:
        """How many are there; of several places, in all of them together."""
        return questions.how_many(self._filter.belief(), [self._place(place) for place in places])

    def joint(self, *entities: str) -> Shares[tuple[str, ...]]:
        """The probabilities of where several are at once."""
        found = questions.joint(self._filter.belief(), [self._one(name) for name in entities])
        places = self._motion.places
        cells = [(tuple(places[i] for i in at), float(found[at])) for at in np.ndindex(found.shape)]
        likely = [cell for cell in cells if cell[1] > questions.NEGLIGIBLE]
        return Shares(sorted(likely, key=lambda cell: -cell[1]), [at for at, _ in cells])

    def changes(self, above: float = ABOVE, below: float = BELOW) -> list[dict[str, Any]]:
        """ENTERED and LEFT since the last call, as events."""
        if probability(below, "below") > probability(above, "above"):
            raise ValueError(f"changes: below ({below}) must not be above ({above})")
        return [
            change.event(
                self._names[change.entity],
                self._motion.places[change.place],
                self._attributes[self._names[change.entity]],
            )
            for change in self._filter.changes(above, below)
        ]

    def _take(self, entries: list[Entry], where: str) -> None:
        clock = self._filter.clock
        for number, entry in enumerate(entries, 1):
            if clock is not None and entry.ts < clock:
                raise backwards(entry.ts, clock, f"{where} {number}" if where == "sighting" else where)
            clock = entry.ts
        self._filter.take(entries)

    def _past(self, one: int, ts: int) -> Floats:
        clock, earliest = self._filter.clock, self._filter.earliest()
        if clock is None or ts > clock:
            raise ValueError(
                f"where at {ts}: that has not been yet, the state is at {clock}; advance it first"
            )
        if earliest is None or ts < earliest:
            raise ValueError(
                f"where at {ts}: nothing is kept from before {earliest}; "
                "make the state with a longer keep=, such as keep='1 hour'"
            )
        return self._filter.at(one, ts)

    def _one(self, name: str) -> int:
        return self._number[entity(name, "asked", self._number)]

    def _place(self, name: str) -> int:
        return self._motion.places.index(self._model.place(name, "asked"))

    def _beginning(self, start: Start) -> Floats:
        places = self._motion.places
        rows = np.full((len(self._names), len(places)), 1 / len(places))
        for name, where in start.items():
            one = self._number[entity(name, "start", self._number)]
            rows[one] = self._distribution(f"start of {name!r}", where)
        return self._motion.hidden(rows)

    def _distribution(self, what: str, given: str | Mapping[str, float]) -> Floats:
        shares = {given: 1.0} if isinstance(given, str) else given
        row = np.zeros(len(self._motion.places))
        for place, share in shares.items():
            row[self._motion.places.index(self._model.place(place, what))] = probability(share, what)
        if abs(row.sum() - 1) > 1e-6:
            raise ValueError(f"{what}: its probabilities add up to {row.sum():g}; they must add up to 1")
        return np.asarray(row / row.sum())


def _attributes(entities: Entities) -> dict[str, dict[str, Any]]:
    if isinstance(entities, Mapping):
        return {name: dict(attributes or {}) for name, attributes in entities.items()}
    if isinstance(entities, str):
        raise ValueError(f"entities: {entities!r} is one text; give a list of names")
    names = list(entities)
    if len(set(names)) < len(names):
        raise ValueError("entities: a name comes twice; each must be one of its own")
    return {name: {} for name in names}
