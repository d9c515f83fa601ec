"""The truth about shelves: of which product too few have lain there for too long."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.cleaning.shelf_stock import BELONG
from app.place.floor_plan import SHELF

Note = Callable[[str, str, int], None]
_NAME = "understocked"


class StockTruth:
    """Counts what lies on its own shelf and is in nobody's hands."""

    def __init__(
        self,
        rows: Mapping[str, Sequence[Any]],
        kinds: Mapping[str, str],
        setting: Callable[[str, str], int],
        note: Note,
    ) -> None:
        self._products, self._homes = rows.get("product", ()), rows.get("home", ())
        self._kinds, self._setting, self._note = kinds, setting, note
        self._belong = Counter(self._products)
        self._there: dict[str, set[int]] = {product: set() for product in self._belong}
        self._low: dict[str, int] = {}  # products of which there are too few, since when

    def lies(self, tag: int, area: str) -> None:
        if self._products and self._homes[tag] == area and self._kinds[area] == SHELF:
            product = self._products[tag]
            self._there[product].add(tag)
            if len(self._there[product]) >= self._count:
                self._low.pop(product, None)

    def taken(self, tag: int, now: int) -> None:
        if not self._products:
            return
        product = self._products[tag]
        there = self._there[product]
        enough = len(there) >= self._count
        there.discard(tag)
        if enough and len(there) < self._count <= self._belong[product] // BELONG:
            self._low[product] = now

    def advance(self, now: int) -> None:
        """What only time makes true."""
        patience = self._setting(_NAME, "patience")
        for product, since in list(self._low.items()):
            if now - since >= patience:
                del self._low[product]
                self._note(_NAME, product, since)

    @property
    def _count(self) -> int:
        return self._setting(_NAME, "count")
