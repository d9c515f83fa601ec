"""Health: parts, figures, readers, and what was set aside."""

from __future__ import annotations

TITLE = "Health"
NEVER = "never"
SINCE = "Since"
ALL_WELL = "Every part is running and every reader is heard."
PARTS_TITLE, PART = "Parts", "Part"
PART_STATES = {"up": "well", "starting": "starting", "down": "✖ down", "quiet": "✖ not heard of"}
NO_SIGN = "not known: it reads nothing and gives no other sign"
NOT_KNOWN = "not known: nobody hears it"
NO_PARTS = "No part has reported yet."
NO_READERS = "No reader has been heard yet."
LAST_SIGN, DETAIL = "Last sign of life", "Detail"
TOTALS = {
    "readings": ("Readings so far", "Grows as long as tags are read."),
    "late": ("Late", "Readings that came after their time was over. Normal: none, or a few after an outage."),
    "dead": ("Unreadable", "Messages that could not be understood. Normal: none. Look inside below."),
}
FIGURES = {
    "readings_per_s": ("Readings per second", "Normal: steady while the place is open."),
    "delay_ms": ("Delay", "From arrival to checked. Normal: under 1 s, more in the first minute."),
    "lag_rows": ("Waiting in the log", "Readings not yet checked. Normal: about one second's worth."),
    "batch_ms": ("Spark batch", "How long one takes. Normal: under 700 ms."),
    "state_rows": ("Entries in the state", "Normal: levels out once the longest window has passed."),
    "state_bytes": ("Size of the state", "Normal: levels out as well."),
}  # fmt: skip
NO_FIGURES = "The pipeline has reported no figures in the last ten minutes."
MEGABYTES = "{:,.1f} MB"
READERS = "Readers"
READERS_NORMAL = (
    "Normal: every reader is heard at least once a minute, with no overflows and no antenna faults."
)
CLOCK, LATE = "Clock", "Late"
CLOCK_UNKNOWN, CLOCK_RIGHT = "not known yet", "right"
READER_AHEAD, READER_BEHIND, CLOCK_SET = "{} ahead", "{} behind", ", set {} times"
MANY_LATE = (
    "{:.0%} of the readings of the last ten minutes came too late to be checked. Look at the clocks of the "
    "readers below, and at the network."
)
HELD = "{} delivered {:,} readings at {} that it had held back for up to {}: they are looked at again."
CLOCK_BEHIND = (
    "The clock of Vigil's machine was set ahead by {}. Vigil follows slowly, so that nothing seems late or "
    "missing; after a restart of the machine it goes by the new time."
)
CLOCK_AHEAD = (
    "The clock of Vigil's machine was set back by {}. Vigil follows slowly, so that no moment comes twice."
)
SILENT_SINCE = "✖ silent since {}"
READINGS, OVERFLOWS, ANTENNA_FAULTS = "Readings", "Overflows", "Antenna faults"
SET_ASIDE = "Set aside"
SET_ASIDE_HELP = "Rows that were not checked, with the reason. Select one to look inside."
KIND = "Kind"
KINDS = {"dead": "Unreadable", "late": "Late", "unsent": "Not sent"}
NOTHING_ASIDE = "None. That is normal."
ORIGIN, PAYLOAD = "Topic", "Payload"
LEARNED_TITLE = "What the place has taught"
LEARNED_BY_ITSELF = (
    "Learned by itself, {} of watching so far. It began with rates that are usual in such a place."
)
LEARNED_VERSION = "Rates of version {} of `vigil learn` count, and what came since."
LEARNED_NOTHING = "Nothing yet that differs from what one would guess."
