"""People on a ward: patients in their beds, nurses, and the doses that are taken, skipped or mixed up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from app.place.doses import due
from simulator.worlds.world import MINUTE, SECOND, Agent, World

Fits = Callable[[str], bool]
HOUR = 60 * MINUTE
_EARLY, _LATE = 10, 20  # minutes around the due time at which a patient sets out


class Ward:
    """What the ward's people share: which cabinet is taken until when, and which doses will be skipped."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.skipped: set[tuple[str, str]] = set()
        self._free = {area.name: 0 for area in world.scenario.plan.of_kind("cabinet")}
        self._planned: dict[tuple[str, str], int] = {}
        self._chosen: set[str] = set()
        kinds = zip(world.rows["kind"], world.rows["patient"], strict=True)
        self.patients = [str(name) for kind, name in kinds if kind == "patient"]
        self._nurses = [row for row, kind in enumerate(world.rows["kind"]) if kind == "nurse"]
        self._station = world.scenario.plan.of_kind("station")[0].name
        self._settle()

    def rounds(self) -> Agent:
        """Every dose that falls due, taken around its time by each patient in one visit to the cabinet."""
        while True:
            soon = self.world.now + _EARLY * MINUTE
            for moment, bottles in self._due_between(soon, soon + MINUTE):
                for patient in self.patients:
                    self._send(patient, moment, [b for b in bottles if self._owner(b) == patient])
            yield MINUTE

    def visit(self, patient: str, bottles: Sequence[int], cabinet: str | None = None) -> Agent:
        """To a cabinet when it is free, the bottles lifted one after the other, and back to bed."""
        place = cabinet or self._nearest(patient)
        if self.world.stories.is_told:
            place = min(self._free, key=self._free.__getitem__)
        length = (30 + 25 * len(bottles)) * SECOND + MINUTE
        if self.world.stories.is_told:
            length = (25 + 12 * len(bottles)) * SECOND
        start = max(self.world.now, self._free[place])
        self._free[place] = start + length
        yield start - self.world.now
        yield from self._walk(patient, place)
        self._call_nurse(place, place)
        yield self._seconds(8, 12)
        for bottle in bottles:
            yield from self._lift(patient, bottle, place)
        self._call_nurse(place, self._station)
        yield from self._walk(patient, self._bed(patient))

    def _walk(self, patient: str, area: str) -> Agent:
        self.world.go(patient, None)
        length = self._seconds(4, 8)
        self.world.head_for(patient, area, length)
        yield length
        self.world.go(patient, area)

    def as_needed(self) -> Agent:
        """A harmless medicine that the patient has not had for long."""
        free = [patient for patient in self.patients if self._is_free_of(patient, self._harmless(patient))]
        if free:
            patient = self.world.rng.choice(free)
            yield from self._swallow(patient, [self._harmless(patient)])

    def overdose(self, pause: tuple[float, float] = (20, 35)) -> Agent:
        """The same medicine again and again, with so many minutes between."""
        patient = self._choose(lambda one: self._is_free_of(one, self._harmless(one)))
        if not patient:
            return
        bottle = self._harmless(patient)
        for _ in range(self._doses_to_many(bottle)):
            yield from self._swallow(patient, [bottle])
            yield self._seconds(pause[0] * 60, pause[1] * 60)

    def handful(self) -> Agent:
        """The same medicine again and again in one visit, of those that reach their limit soonest."""
        patient = self._choose(lambda one: self._is_free_of(one, self._harmless(one)))
        if patient:
            bottle = min((b for b in self._as_needed(patient)), key=self._doses_to_many)
            yield from self._swallow(patient, [bottle] * self._doses_to_many(bottle))

    def _doses_to_many(self, bottle: int) -> int:
        return int(self.world.rows["limit_1"][bottle] // self.world.rows["dose"][bottle]) + 1

    def interaction(self) -> Agent:
        """A medicine that clashes with what was taken some hours ago."""
        while not (patient := self._choose(self._has_clash)):
            yield 10 * MINUTE
        yield from self._swallow(patient, [self._clashing(patient)])

    def mixture(self) -> Agent:
        """Two medicines that clash, in one visit."""
        patient = self._choose(lambda _: True)
        clashing = self._clashing(patient)
        regular = [b for b in self._bottles(patient) if self._clashes(b, clashing)]
        yield from self._swallow(patient, [*regular[:1], clashing])

    def wrong_patient(self) -> Agent:
        """A bottle that is somebody else's."""
        patient = self._choose(lambda one: self._is_free_of(one, self._harmless(one)))
        others = [other for other in self.patients if other != patient]
        if patient:
            yield from self._swallow(patient, [self._harmless(self.world.rng.choice(others))])

    def missed_dose(self) -> Agent:
        """A patient sleeps through the next round."""
        patient = self._choose(lambda _: True)
        self.skipped |= {
            (patient, self._medicine(b)) for b in self._bottles(patient) if self.world.rows["times"][b]
        }
        yield SECOND

    def asleep(self, name: str) -> Agent:
        """A dose of this bottle is due now, and its patient sleeps on; LookupError for what is no bottle."""
        bottle = next((row for row, one in enumerate(self.world.rows["id"]) if one == name), None)
        if bottle is None or not self.world.rows["medicine"][bottle]:
            raise LookupError(f"there is no bottle {name}")
        return self._asleep(bottle, name)

    def _asleep(self, bottle: int, name: str) -> Agent:
        owner = self._owner(bottle)
        self.world.truth.doses.due(bottle, self.world.now)
        self.world.stories.tell(self.world.now, "ordered", owner, self._bed(owner), (name,))
        yield 3 * SECOND
        self.world.stories.tell(self.world.now, "sleeps", owner, self._bed(owner), ())

    def bottle(self, owner: str, medicine: str) -> int:
        """LookupError if the owner has none."""
        found = [b for b in self._bottles(owner) if self._medicine(b) == medicine]
        if not found:
            raise LookupError(f"{owner} has no {medicine}")
        return found[0]

    def _settle(self) -> None:
        for row, kind in enumerate(self.world.rows["kind"]):
            if kind == "patient":
                patient = self.world.rows["patient"][row]
                self.world.take(patient, row)
                self.world.go(patient, self._bed(patient))
            elif kind == "nurse":
                self.world.put(row, self._station)

    def _call_nurse(self, cabinet: str, area: str) -> None:
        """Each cabinet has its nurse, who hands out the bottles there and else is at the station."""
        self.world.put(self._nurses[sorted(self._free).index(cabinet) % len(self._nurses)], area)

    def _send(self, patient: str, moment: int, bottles: list[int]) -> None:
        for bottle in bottles:
            self.world.truth.doses.due(bottle, moment)
        taken = [b for b in bottles if (patient, self._medicine(b)) not in self.skipped]
        self.skipped -= {(patient, self._medicine(bottle)) for bottle in bottles}
        if taken:
            at = moment + round(self.world.rng.uniform(-_EARLY + 1, _LATE) * MINUTE)
            self.world.begin(self.visit(patient, taken), at)

    def _lift(self, patient: str, bottle: int, cabinet: str) -> Agent:
        self.world.lift(patient, bottle, cabinet)
        self.world.truth.doses.took(patient, bottle, self.world.now)
        yield (4 if self.world.stories.is_told else 8) * SECOND
        self.world.put(bottle, None)
        # Long enough that the bottle counts as put back, before it is lifted again.
        yield 8 * SECOND if self.world.stories.is_told else self._seconds(10, 14)

    def _swallow(self, patient: str, bottles: list[int]) -> Agent:
        for bottle in bottles:
            self._planned[patient, self._medicine(bottle)] = self.world.now
        yield from self.visit(patient, bottles)

    def _choose(self, fits: Fits) -> str:
        """A patient to whom nothing has happened yet, so that incidents stay apart."""
        fitting = [patient for patient in self.patients if fits(patient)]
        if self._chosen.issuperset(self.patients):
            self._chosen.clear()
        free = [patient for patient in fitting if patient not in self._chosen]
        chosen = self.world.rng.choice(free) if free else ""
        self._chosen.add(chosen)
        return chosen

    def _is_free_of(self, patient: str, bottle: int) -> bool:
        medicine = self._medicine(bottle)
        last = max(
            self._planned.get((patient, medicine), 0), self.world.truth.doses.last(patient, medicine) or 0
        )
        return self.world.now - last > 6 * HOUR

    def _has_clash(self, patient: str) -> bool:
        regular = [b for b in self._bottles(patient) if self._clashes(b, self._clashing(patient))]
        times = [self.world.truth.doses.last(patient, self._medicine(bottle)) for bottle in regular]
        return any(last and HOUR // 2 < self.world.now - last < 4 * HOUR for last in times)

    def _clashes(self, bottle: int, other: int) -> bool:
        return bool(self.world.rows["class"][bottle] == self.world.rows["avoid"][other])

    def _due_between(self, after: int, until: int) -> Iterator[tuple[int, list[int]]]:
        found: dict[int, list[int]] = {}
        for moment, dose in due(self.world.scenario.doses, after, until, self.world.scenario.timezone):
            found.setdefault(moment, []).append(dose.bottle)
        yield from found.items()

    def _bottles(self, patient: str) -> list[int]:
        kinds = zip(self.world.rows["kind"], self.world.rows["patient"], strict=True)
        return [row for row, pair in enumerate(kinds) if pair == ("medicine", patient)]

    def _as_needed(self, patient: str) -> list[int]:
        return [bottle for bottle in self._bottles(patient) if not self.world.rows["times"][bottle]]

    def _harmless(self, patient: str) -> int:
        return next(b for b in self._as_needed(patient) if self.world.rows["avoid"][b] == "none")

    def _clashing(self, patient: str) -> int:
        return next(b for b in self._as_needed(patient) if self.world.rows["avoid"][b] != "none")

    def _owner(self, bottle: int) -> str:
        return str(self.world.rows["patient"][bottle])

    def _medicine(self, bottle: int) -> str:
        return str(self.world.rows["medicine"][bottle])

    def _bed(self, patient: str) -> str:
        beds = self.world.scenario.plan.of_kind("bed")
        return beds[self.patients.index(patient) % len(beds)].name

    def _nearest(self, patient: str) -> str:
        return sorted(self._free)[self.patients.index(patient) % len(self._free)]

    def _seconds(self, low: float, high: float) -> int:
        return round(self.world.rng.uniform(low, high) * SECOND)
