"""Which patient is due which bottle at which time of day, read from the catalog's column `times`."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from zoneinfo import ZoneInfo

import pyarrow as pa

from detectors.document import Section


@dataclass(frozen=True, slots=True)
class Dose:
    """Rows of the catalog: the patient's wristband and the bottle; `minute` counts from local midnight."""

    patient: int
    bottle: int
    minute: int


def wristbands(items: pa.Table) -> dict[str, int]:
    """The row of each patient's wristband."""
    if "patient" not in items.column_names or "kind" not in items.column_names:
        return {}
    rows = items.select(["patient", "kind"]).to_pylist()
    return {row["patient"]: index for index, row in enumerate(rows) if row["kind"] == "patient"}


def doses(section: Section, items: pa.Table) -> tuple[Dose, ...]:
    """`times` is a list of clock times such as `08:00 20:00`; a bottle without any is taken as needed."""
    if "times" not in items.column_names:
        return ()
    rows = items.select(["patient", "times"]).to_pylist()
    bands = wristbands(items)
    found = []
    for bottle, row in enumerate(rows):
        for text in (row["times"] or "").split():
            if row["patient"] in bands:
                found.append(Dose(bands[row["patient"]], bottle, _minute(section, text)))
            else:
                section.fault(f"a bottle has times, but {row['patient']!r} has no wristband")
    return tuple(sorted(found, key=lambda dose: (dose.minute, dose.bottle)))


def due(doses: tuple[Dose, ...], after: int, until: int, timezone: str) -> Iterator[tuple[int, Dose]]:
    """The doses due after one moment and up to another, in order of time."""
    zone = ZoneInfo(timezone)
    day = datetime.datetime.fromtimestamp(after / 1000, zone).date() if doses else None
    while day is not None and _moment(day, 0, zone) <= until:
        for dose in doses:
            moment = _moment(day, dose.minute, zone)
            if after < moment <= until:
                yield moment, dose
        day += datetime.timedelta(days=1)


def _moment(day: datetime.date, minute: int, zone: ZoneInfo) -> int:
    time = datetime.time(minute // 60, minute % 60)
    return int(datetime.datetime.combine(day, time, zone).timestamp() * 1000)


def _minute(section: Section, text: str) -> int:
    try:
        time = datetime.time.fromisoformat(text)
    except ValueError:
        section.fault(f"times: {text!r} is no clock time such as 08:00")
        return 0
    return time.hour * 60 + time.minute
