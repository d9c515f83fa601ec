"""Readings of a shop at work: most items lie where they belong, one in ten is carried about.

What lies still is heard again and again and cleaned away; what is carried about goes through Spark and the
engine. That goes to and fro between fitting room and stock room: followed by detectors, never an alert.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from app.place import scenario
from app.place.find import find_scenario
from benchmarks.device import Device, Message, now_ms, reading

WALKS = 10  # one item in so many
STAY = 10  # reads in one place before it walks on
STEP_SECONDS = 0.01


class Shop:
    def __init__(self) -> None:
        store = scenario.load(find_scenario("store"))
        by_area = {reader.area: reader.name for reader in store.plan.readers}
        self.items = [(item["tag"], by_area[item["home"]]) for item in store.items.to_pylist()]

    def take(self, count: int) -> list[tuple[str, str]]:
        """Some items that are from now on not among the others."""
        taken, self.items = self.items[:count], self.items[count:]
        return taken

    def hold(self, device: Device, rate: int, seconds: float) -> Iterator[float]:
        """Readings at the rate; after each small step, the seconds that have passed."""
        began, sent = time.monotonic(), 0
        while (passed := time.monotonic() - began) < seconds:
            due = int(passed * rate)
            device.publish([self._read(n) for n in range(sent, due)])
            sent = due
            yield passed
            time.sleep(STEP_SECONDS)

    def _read(self, number: int) -> Message:
        turn, place = divmod(number, len(self.items))
        tag, home = self.items[place]
        walked = (turn + place // WALKS) // STAY  # not all at once
        where = home if place % WALKS else ("fitting-room", "stock-room")[walked % 2]
        return reading(where, tag, now_ms())
