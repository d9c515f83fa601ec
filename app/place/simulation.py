"""The simulation section of a scenario: its start, its radio, who comes and what goes wrong."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from app.place import radio, script
from app.place.radio import RadioDials
from detectors.document import Entry, Section

# How many an hour; the words before the dash of the docs' table.
RATES = (
    "shopper",
    "restock",
    "shoplift",
    "misplace",
    "misplace_briefly",
    "sweep",
    "fitting_loss",
    "copied_tag",
    "buy_up",
    "as_needed_dose",
    "overdose",
    "interaction",
    "missed_dose",
    "wrong_patient",
    "patron",
    "turbo",
    "couple",
    "return_books",
    "reshelve",
    "booklift",
    "confusion",
    "over_limit",
    "misplace_book",
    "misplace_book_briefly",
    "leak",
    "leak_untold",
    "long_in_bathroom",
    "intruder",
    "reader_down",
)


@dataclass(frozen=True, slots=True)
class Simulation:
    start: int
    length_ms: int
    radio: RadioDials
    rates: Mapping[str, float]
    opens: int
    closes: int
    script: tuple[script.Action, ...]
    expectation: Mapping[str, int] | None


def parse(section: Section, timezone: str, names: script.Names) -> Simulation:
    section.only("start", "length", "hours", "radio", "noise", "rates", "script", "expectation")
    rates = section.section("rates").only(*RATES)
    opens, closes = _hours(section.get("hours"))
    return Simulation(
        start=_start(section.need("start"), timezone),
        length_ms=section.need("length").duration(),
        radio=radio.parse(section.get("radio"), section.section("noise")),
        rates={name: entry.number(minimum=0) for name, entry in rates.items()},
        opens=opens,
        closes=closes,
        script=tuple(script.parse(entry, names) for entry in section.entries("script")),
        expectation=_expectation(section.get("expectation")),
    )


def midnight(ts: int, timezone: str) -> int:
    """The start of the local day of a moment, in milliseconds."""
    local = datetime.datetime.fromtimestamp(ts / 1000, ZoneInfo(timezone))
    return int(local.replace(hour=0, minute=0, second=0, microsecond=0).timestamp() * 1000)


def _start(entry: Entry, timezone: str) -> int:
    if not isinstance(entry.data, datetime.datetime):
        entry.fault("a date and time such as 2026-03-02 09:00:00 expected")
        return 0
    return int(entry.data.replace(tzinfo=ZoneInfo(timezone)).timestamp() * 1000)


def _hours(entry: Entry | None) -> tuple[int, int]:
    """Opening hours as milliseconds of the day; a place without them is always open."""
    if entry is None:
        return 0, 24 * 3_600_000
    try:
        opens, closes = (datetime.time.fromisoformat(part) for part in entry.text().split("-"))
    except ValueError:
        entry.fault("opening hours such as 09:00-20:00 expected")
        return 0, 24 * 3_600_000
    return _of_day(opens), _of_day(closes)


def _of_day(time: datetime.time) -> int:
    return (time.hour * 60 + time.minute) * 60_000


def _expectation(entry: Entry | None) -> dict[str, int] | None:
    """How many alerts of each detector the script must give; left out, nothing is promised."""
    if entry is None:
        return None
    return {name: count.whole(minimum=0) for name, count in entry.section().items()}
