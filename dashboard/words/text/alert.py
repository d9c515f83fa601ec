"""Alert: why it fired, its history, its replay."""

from __future__ import annotations

TITLE = "Alert"
SNOOZED_UNTIL = "Snoozed until {}"
RESOLVED_AS = "Resolved: {}"
UNPROVEN = "Unproven: a reader that would have seen the missing event was not watched all the time"
NO_SUCH_ALERT = (
    "There is no such alert. It may have been deleted after its time; or choose one from the list."
)
ALL_ALERTS = "All alerts"
STEPS_NAV = "Other alerts of the list"
TO_LIST, PREVIOUS, NEXT = "Back to the list (u)", "Previous (k)", "Next (j)"
PLACE_IN_LIST = "{} of {}"
ALERT_LINE = "{} · {} · {}"
WHAT_TO_DO = "What to do."
WHY = "Why it fired"
SAME_SUBJECT = "Also about this"
STEPS = {
    "raised": "Raised", "taken": "Taken", "handed over": "Handed over", "resolved": "Resolved",
    "reopened": "Re-opened", "snoozed": "Snoozed", "woken": "Snooze ended", "noted": "Noted",
    "unproven": "No longer proven", "proven": "Proven after all", "withdrawn": "Withdrawn",
}  # fmt: skip
ITSELF = "Vigil"
DETAILS = {
    "owner": "owner", "resolution": "as", "reason": "because", "snoozed_until_ms": "until", "text": "note",
    "readers": "not watched all the time",
}  # fmt: skip
EVENT_SEEN = "{event}: {area}, {time}, {name}"
COMPARED = "{}: {}"
AND_SO_ON, BESIDE = ", ", " · "
TOOK = "It took {}."
SO_OFTEN = "{} ({} times)"
THERE_WERE = "There were {}."
FROM_TO = "{} to {}"
WATCH_ALIVE = "The reader of {} was listening."
WATCH_SILENT = "The reader of {} was not watched for {} of it, so this is not proven."
SHOW_READINGS = "Show the raw readings behind each event"
NO_READINGS = "The log no longer holds the readings of this event, or it was made from other events."
PARAMETER, VALUE = "Parameter", "Value"
ANTENNA = "Antenna"
TAG = "Tag"
STRENGTH = "Strength (dBm)"
POSITION = "Log position"
REPLAY = "Path and replay"
REPLAY_AT, REPLAY_SPEED = "Moment", "Speed"
PLAY, PAUSE = "▶ Play", "❚❚ Pause"
TICK_ALERT = "{}, alert"
NO_MOVES = "No movements are recorded for these minutes."
