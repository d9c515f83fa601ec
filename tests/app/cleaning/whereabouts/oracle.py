"""What whereabouts should be by the definition: all states, all moves, exact in time; readers are all up."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from app.cleaning.whereabouts import company, kinds, learning
from app.cleaning.whereabouts.kinds import MODELS, SLOW, WAY_OUT
from app.place.scenario import Scenario

Floats = NDArray[np.float64]
State = tuple[str, str]  # area, phase; ("", "carried") and its like


@dataclass
class Oracle:
    """`strays[reader][area]`: reads a second; everything else comes from the table of kinds."""

    place: Scenario
    strays: dict[str, dict[str, float]]
    strength: float  # own over overheard, of every read
    trips: dict[str, float]  # by area: round trips by the only gate
    first: dict[State, float]
    polls: int = 0
    hits: int = 0
    last: tuple[str, float] = ("", -1e9)
    states: list[State] = field(default_factory=list)
    chances: Floats = field(default_factory=lambda: np.zeros(0))
    now: float = 0.0
    visit: tuple[str, float, int] = ("", 0.0, 0)  # of the gate: whence, since when, how often read there

    def __post_init__(self) -> None:
        self.readers = {reader.name: reader for reader in self.place.plan.readers}
        self.kinds = {area.name: area.kind for area in self.place.plan.areas}
        [self.gate] = [name for name, kind in self.kinds.items() if MODELS[kind].pace == WAY_OUT]
        for area, kind in self.kinds.items():
            slow = ("hidden", "burst") if MODELS[kind].pace == SLOW else ()
            self.states += [(area, phase) for phase in ("0", "1", "2", *slow)]
        self.states += [("", phase) for phase in ("carried", "lost", "out")]
        self.chances = np.array([self.first.get(state, 0.0) for state in self.states])

    @property
    def reads(self) -> float:
        rate = (7.5 + self.hits) / (10 + self.polls)
        return -float(np.log(1 - min(max(rate, 0.25), 0.97)))

    def pass_to(self, seconds: float) -> None:
        """When a visit of the gate is old enough, it is known that nobody else is heard there."""
        area, began, reads = self.visit
        known = float(np.ceil(began + company.KNOWN_MS / 1000))
        if area and reads > 1 and known <= seconds:
            self._move_to(known)
            alone = company.ALONE_AT_FIRST / company.TRIPS_AT_FIRST
            self.chances *= np.array([alone if place == area else 1.0 for place, _ in self.states])
            self.visit = "", began, reads
        self._move_to(seconds)

    def _move_to(self, seconds: float) -> None:
        moves = self._generator() - np.diag([self._heard(state) for state in self.states])
        self.chances = self.chances @ _exponential(moves * (seconds - self.now))
        self.chances /= self.chances.sum()
        self.now = seconds

    def see(self, seconds: float, reader: str) -> None:
        """Time is counted in whole seconds, as the filter has it."""
        self.pass_to(float(int(seconds + 0.5)))
        name, before = self.last
        period = self.readers[reader].every_ms / 1000
        if name == reader and seconds - before < learning.GAP_PERIODS * period:
            self.hits, self.polls = self.hits + 1, self.polls + max(1, round((seconds - before) / period))
        self.last = reader, seconds
        self._visit(seconds, self.readers[reader].area)
        weights = [self._rate(reader, state, self.strength) for state in self.states]
        self.chances *= np.array(weights)
        self.chances /= self.chances.sum()

    def _visit(self, seconds: float, area: str) -> None:
        whence, began, reads = self.visit
        if area != self.gate:
            self.visit = "", 0.0, 0
        elif reads:
            self.visit = whence, began, reads + 1
        else:
            lies = [one for one, kind in self.kinds.items() if MODELS[kind].pace == SLOW]
            told = [one for one in lies if self.where()[one] > 0.05]  # nobody was told that it left
            self.visit = (*told, "")[0], seconds, 1

    def where(self) -> dict[str, float]:
        places = [area or phase for area, phase in self.states]
        return {place: float(self.chances[[p == place for p in places]].sum()) for place in set(places)}

    def _heard(self, state: State) -> float:
        if state[1] in ("hidden", "lost", "out"):
            return 0.0
        return sum(self._silent(reader, state) for reader in self.readers)

    def _silent(self, reader: str, state: State) -> float:
        """Reads a second that are missed; a burst's strays count for nothing."""
        area, phase = state
        foreign = self.readers[reader].area not in (area, self.gate)
        return 0.0 if phase == "burst" and foreign else self._rate(reader, state, None)

    def _rate(self, reader: str, state: State, strength: float | None) -> float:
        area, phase = state
        own = self.readers[reader].area
        fo = 1.0 if strength is None else strength
        if phase in ("lost", "out"):
            return kinds.GHOST
        if phase == "hidden":
            return 10 * kinds.GHOST
        if phase == "carried":
            rate = kinds.AT_TILL if MODELS[self.kinds[own]].reads else kinds.IN_PASSING
            return rate * (1.0 if strength is None else (fo + 1) / 2)
        if phase == "burst" and own == self.gate:
            return kinds.BURST_RATE * fo
        if own != area:
            return self.strays[reader][area]
        model, polls = MODELS[self.kinds[area]], 1000 / self.readers[reader].every_ms
        shade = kinds.SHADE if model.reads and phase == "1" else 1.0
        return fo * polls * (model.reads * shade if model.reads else self.reads)

    def _generator(self) -> Floats:
        at = {state: number for number, state in enumerate(self.states)}
        rates = np.zeros((len(at), len(at)))
        weights = {
            area: MODELS[kind].weight / list(self.kinds.values()).count(kind)
            for area, kind in self.kinds.items()
        }
        carried, lost, out = (at["", phase] for phase in ("carried", "lost", "out"))
        for area, kind in self.kinds.items():
            model = MODELS[kind]
            for number in range(3):
                here = at[area, str(number)]
                share = weights[area] / sum(weights.values()) * model.begins[number]
                rates[carried, here] = kinds.ARRIVING * share
                gone = kinds.OUT if model.pace == WAY_OUT else 0.0
                rates[here, out] = model.leaving[number] * gone
                rates[here, carried] = model.leaving[number] * (1 - gone)
            if model.pace == SLOW:
                hidden, burst, lies = at[area, "hidden"], at[area, "burst"], at[area, "2"]
                shelf = self.trips[area] / (learning.TRIP_HOURS + learning.STRAY_SECONDS / 3600)
                for phase in ("1", "2"):
                    rates[at[area, phase], hidden] = kinds.HIDING
                    rates[at[area, phase], burst] = shelf / 3600
                rates[hidden, lies], rates[burst, lies] = kinds.SHOWING, kinds.BURST_END
                rates[hidden, carried] = model.leaving[2]
        rates[carried, lost] = kinds.LOSING
        rates[lost, carried] = rates[out, carried] = kinds.RETURNING
        balanced: Floats = rates - np.diag(rates.sum(axis=1))
        return balanced


def _exponential(matrix: Floats) -> Floats:
    """By its series, on a matrix made small."""
    halvings = max(0, int(np.ceil(np.log2(max(np.abs(matrix).sum(axis=1).max(), 1e-9)))) + 4)
    term = total = np.eye(len(matrix))
    for power in range(1, 12):
        term = term @ (matrix / 2**halvings) / power
        total = total + term
    return np.asarray(np.linalg.matrix_power(total, 2**halvings), float)
