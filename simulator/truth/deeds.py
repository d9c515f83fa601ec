"""What really happened, told by those who did it: the measure against which alerts are scored."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import detectors
from app.place.scenario import Scenario
from detectors.parameters import Value
from simulator.truth.doses_taken import DosesTaken
from simulator.truth.household import HouseholdTruth
from simulator.truth.incident import Incident
from simulator.truth.loans import Loans
from simulator.truth.shelf_stock import StockTruth

_STRAYS = ("misplaced", "misplaced_book")  # what lies on a foreign shelf is told by the place's own detector


class Truth:
    """Judges deeds, not readings: it sees what the agents do, and knows nothing of radios."""

    def __init__(self, scenario: Scenario) -> None:
        self.incidents: list[Incident] = []
        self._scenario = scenario
        self._rows = {name: scenario.items.column(name).to_pylist() for name in scenario.items.column_names}
        self._kinds = {area.name: area.kind for area in scenario.plan.areas}
        self._settings = {name: one.values() for name, one in detectors.load().items()}
        self._settings.update({name: dict(values) for name, values in scenario.detectors.items()})
        self._paid: set[int] = set()
        self._astray: dict[int, int] = {}
        self._taken: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._walked: set[int] = set()
        self._down: dict[str, tuple[int, int]] = {}  # readers, from when to when
        self._clocks: dict[str, tuple[int, float, int]] = {}  # ahead by how much at a moment, and the drift
        self._stray = next((name for name in _STRAYS if name in scenario.detectors), _STRAYS[0])
        self.doses = DosesTaken(self._rows, self._settings, self._note)
        self.loans = Loans(self._rows, self._note, self._note_item)
        self.household = self._household()
        self.stock = StockTruth(self._rows, self._kinds, self.setting, self._note)

    def advance(self, now: int) -> None:
        """Note what only time makes true."""
        patience = self.setting(self._stray, "patience")
        for tag, since in list(self._astray.items()):
            if now - since >= patience:
                del self._astray[tag]
                self._note_item(self._stray, tag, since)
        patience = self.setting("reader_silent", "patience")
        for reader, (since, until) in list(self._down.items()):
            if min(now, until) - since >= patience:
                del self._down[reader]
                self._note("reader_silent", reader, since)
            elif now >= until:
                del self._down[reader]
        self._judge_clocks(now)
        self.doses.advance(now)
        self.household.advance(now)
        self.stock.advance(now)

    def picked_up(self, tag: int, now: int) -> None:
        self.stock.taken(tag, now)
        self._astray.pop(tag, None)
        self._walked.discard(tag)

    def put_down(self, tag: int, area: str, now: int) -> None:
        self._astray.pop(tag, None)
        self.stock.lies(tag, area)
        if self._kinds[area] == "shelf" and self._rows["home"][tag] != area:
            self._astray[tag] = now

    def walked_off(self, tags: Sequence[int], area: str, now: int) -> None:
        """Somebody leaves an area with these; what leaves its own shelf may be a sweep."""
        if "product" not in self._rows:
            return
        home = self._rows["home"]
        own = [tag for tag in tags if home[tag] == area and tag not in self._walked]
        products = {self._rows["product"][tag] for tag in own}
        for tag in own:
            self._walked.add(tag)
            self._taken[self._rows["product"][tag], area].append(now)
        for product in sorted(products):
            self._judge_sweep(product, area, now)

    def paid(self, tags: Iterable[int]) -> None:
        self._paid.update(tags)

    def left_store(self, tags: Iterable[int], now: int) -> None:
        for tag in tags:
            if tag not in self._paid:
                self._note_item("shoplifting", tag, now)

    def hid(self, tag: int, area: str | None, now: int) -> None:
        if area is not None and self._kinds[area] == "fitting":
            self._note_item("fitting_room_loss", tag, now)

    def copied(self, tag: int, now: int) -> None:
        self.stock.lies(tag, self._rows["home"][tag])
        self._note_item("impossible", tag, now)

    def reader_down(self, reader: str, now: int, length: int) -> None:
        self._down[reader] = now, now + length

    def reader_up(self, reader: str, now: int) -> None:
        """Sooner than was said."""
        if reader in self._down:
            self._down[reader] = self._down[reader][0], now

    def clock_runs(self, reader: str, ahead_ms: int, drift: float, now: int) -> None:
        """Not a deed, but as true: the reader's clock is so far ahead, and gains so much of the time."""
        self._clocks[reader] = ahead_ms, drift, now
        self._judge_clocks(now)

    def _judge_clocks(self, now: int) -> None:
        """Once for each, when it comes to be far off."""
        far = self.setting("clock", "far")
        for reader, (ahead, drift, since) in list(self._clocks.items()):
            if abs(ahead + drift * (now - since)) >= far:
                del self._clocks[reader]
                short = max(far - abs(ahead), 0)
                self._note("clock", reader, since + round(short / abs(drift) if short else 0))

    def _household(self) -> HouseholdTruth:
        lived = self._scenario.household
        display = lived.display.area if lived and lived.display else ""
        roles = dict(zip(self._rows["id"], self._rows.get("role", ()), strict=False))
        return HouseholdTruth(roles, self._kinds, display, self.setting, self._note)

    def _judge_sweep(self, product: str, area: str, now: int) -> None:
        window = self.setting("shelf_sweep", "window")
        recent = [ts for ts in self._taken[product, area] if now - ts < window]
        if len(recent) >= self.setting("shelf_sweep", "count"):
            self._note("shelf_sweep", product, now)
            recent = []
        self._taken[product, area] = recent

    def event_setting(self, event: str, name: str) -> int:
        """Of a composite event, as this place has it."""
        chosen = self._scenario.events.get(event, detectors.composites()[event].values())
        return int(chosen[name])

    def set(self, detector: str, values: Mapping[str, Value]) -> None:
        """Somebody has changed a detector: from now on the truth goes by that."""
        if detector in self._settings:
            self._settings[detector] = {**self._settings[detector], **values}

    def setting(self, detector: str, name: str) -> int:
        value: Value = self._settings[detector][name]
        return int(value)

    def _note_item(self, detector: str, row: int, ts: int) -> None:
        self.incidents.append(Incident(detector, self._rows["id"][row], ts, self._rows["tag"][row]))

    def _note(self, detector: str, subject: str, ts: int) -> None:
        self.incidents.append(Incident(detector, subject, ts))
