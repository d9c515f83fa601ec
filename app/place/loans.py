"""Which patron has which item at the beginning, read from the catalog's column `loaned_to`."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from detectors.document import Section


@dataclass(frozen=True, slots=True)
class KnownLoan:
    """Rows of the catalog: the patron's card and the item that is out."""

    patron: int
    item: int


def known_loans(section: Section, items: pa.Table) -> tuple[KnownLoan, ...]:
    """In the order of the catalog; an item that nobody has leaves `loaned_to` empty."""
    if "loaned_to" not in items.column_names:
        return ()
    cards = {name: row for row, name in enumerate(items["id"].to_pylist())}
    found = []
    for item, patron in enumerate(items["loaned_to"].to_pylist()):
        if patron in cards:
            found.append(KnownLoan(cards[patron], item))
        elif patron:
            section.fault(f"an item is loaned to {patron!r}, who is not in the catalog")
    return tuple(found)
