"""The place as a demo plays it: the same file with patience cut short, so that nobody has to wait."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import yaml

# People in a demo stay a seventh as long at each shelf: what is in somebody's hands is not left lying there.
HASTE = 0.15
DETECTORS: dict[str, dict[str, str]] = {
    "misplaced": {"patience": "15 seconds"},
    "misplaced_book": {"patience": "15 seconds"},
    "fitting_room_loss": {"patience": "15 seconds"},
    "shelf_sweep": {"window": "15 seconds"},
    "understocked": {"patience": "15 seconds"},
    "reader_silent": {"patience": "45 seconds"},
    "leak_untold": {"patience": "20 seconds"},
    "long_in_bathroom": {"patience": "20 seconds"},
    "missed_dose": {"grace": "30 seconds"},
}
# The more often a reader reads, the sooner is known what has left a fitting room and who is in which room.
READS = dict.fromkeys(("fitting", "hall", "living", "bedroom", "bathroom"), "2 seconds")
EVENTS: dict[str, dict[str, str]] = {"departed": {"away": "20 seconds"}}


def hurried(path: Path, folder: Path) -> Path:
    """Write the scenario of a demo into a folder; its catalog stays where it is."""
    place = _read(path)
    folder.mkdir(parents=True, exist_ok=True)
    place["catalog"] = _catalog(place.get("catalog", {}), path.parent, folder)
    for reader in place["plan"]["readers"].values():
        kind = place["plan"]["areas"][reader["area"]]["kind"]
        if kind in READS and reader.get("sensor", "rfid") == "rfid":
            reader["every"] = READS[kind]
    chosen = place.get("detectors") or {}
    place["detectors"] = {name: {**(own or {}), **DETECTORS.get(name, {})} for name, own in chosen.items()}
    if "impossible" in chosen:
        place["events"] = {**(place.get("events") or {}), **EVENTS}
    written = folder / path.name
    written.write_text(yaml.safe_dump(place, sort_keys=False, allow_unicode=True), encoding="utf-8")
    return written


def _read(path: Path) -> dict[str, Any]:
    own: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    model = own.pop("like", None)
    return own if model is None else {**_read(path.parent / model), **own}


def _catalog(catalog: dict[str, Any], beside: Path, folder: Path) -> dict[str, Any]:
    items, details = catalog.get("items", []), catalog.get("details") or {}
    found = items if isinstance(items, list) else [items]
    return {
        **catalog,
        "items": [str(_without_rounds((beside / one).resolve(), folder)) for one in found],
        "details": {name: str((beside / one).resolve()) for name, one in details.items()},
    }


def _without_rounds(items: Path, folder: Path) -> Path:
    """A round takes a ward half an hour, in which everybody would be late by a demo's patience: there a dose
    is due when somebody orders it."""
    with items.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    if not rows or "times" not in rows[0]:
        return items
    written = folder / items.name
    with written.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows({**row, "times": ""} for row in rows)
    return written
