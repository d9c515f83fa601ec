"""Every word that the dashboard says, in one place: to translate it, translate this file."""

from __future__ import annotations

PRODUCT = "Vigil"

# Times
MILLISECONDS = "{:.0f} ms"
SECONDS = "{} s"
MINUTES = "{} min"
HOURS = "{} h"
DAYS = "{} days"
JUST_NOW = "just now"
AGO = "{} ago"
NEVER = "never"

# Severities, states
CRITICAL, HIGH, MEDIUM, LOW, INFO = "Critical", "High", "Medium", "Low", "Info"
STATES = {"new": "New", "taken": "Taken", "resolved": "Resolved"}
TAKEN_BY = "Taken by {}"
SNOOZED_UNTIL = "Snoozed until {}"
RESOLVED_AS = "Resolved as {}"
UNPROVEN = "Unproven: a reader that would have seen the missing event was silent"

# Signing in
SIGN_IN = "Sign in"
SIGN_OUT = "Sign out"
ACCOUNT_NAME = "Name"
PASSWORD = "Password"
WRONG_PASSWORD = "Name or password is wrong, or the account is closed."
FORM_EXPIRED = "This form has expired. Please try again."
TOO_MANY_ATTEMPTS = "Too many attempts. Wait five minutes and try again."
SIGNED_OUT = "You are signed out."
SIGN_IN_AGAIN = "You are signed out. [Sign in again](/login)."

# Pages
LIVE, ALERTS, ALERT, DETECTORS, DEMO, HEALTH, ACCOUNT, WALL = (
    "Live", "Alerts", "Alert", "Detectors", "Demo", "Health", "Account", "Wall",
)  # fmt: skip

# When something is wrong
STORE_DOWN = (
    "The alert store cannot be read since {}. Nothing here is current. Nothing is lost: the other parts keep "
    "their work until it is back."
)
STORE_DOWN_HINT = "Check that the database is running and its disk is not full, then `vigil doctor`."
NO_PART = (
    "No part of Vigil has reported to this store yet: nothing is being watched. Start it with "
    "`vigil run SCENARIO`, or see how it works with `vigil demo`."
)
PART_DOWN = "{} is down since {}."
PART_QUIET = "{} has not been heard of since {}."
PART_STARTING = "{} is starting since {}. The first alerts take about half a minute."
READERS_SILENT = (
    "Readers silent: {}. What happens there is not seen; alerts that rest on it are marked unproven."
)
READER_SINCE = "{} since {}"
PARTS = {
    "broker": "The MQTT broker",
    "simulator": "The simulator",
    "ingest": "Ingest",
    "pipeline": "The Spark pipeline",
    "dashboard": "The dashboard",
}

# Live
OPEN_ALERTS = "Open alerts"
READINGS_RATE = "Readings per second"
DELAY = "Delay"
DELAY_HELP = "From a reading's arrival to the moment at which it has been checked."
READERS_ONLINE = "Readers online"
ONLINE_OF = "{} of {}"
UNKNOWN_FIGURE = "–"
FLOOR_PLAN = "Floor plan with readers, items and open alerts; the list beside it says the same in words"
FEED = "Open alerts, newest first"
NO_OPEN_ALERTS = "Nothing open. All quiet."
MORE_OPEN = "{} more open alerts: see Alerts."
TAKE = "Take"
SOUND = "Sound"
SOUND_HELP = "A chime when an alert comes in."
WALL_MODE = "Wall mode"
LEAVE_WALL = "Leave wall mode"
TOAST = "{sign} {title}: {subject}, {area}"
MORE_NEW = "{} more new alerts"
NEWS = "{count} new: {title}"
ITEMS = "Items"
READER_ALIVE = "Reader"
READER_SILENT = "Silent reader"
READER_UNKNOWN = "Reader not heard of yet"
LEGEND = "▲ reader · ✖ silent reader · • item · alerts: {}"
PATH = "Path"
FOLLOWED = "Followed item"

# Alert
NO_SUCH_ALERT = (
    "There is no such alert. It may have been deleted after its time; or choose one from the list."
)
ALL_ALERTS = "All alerts"
ALERT_LINE = "{} · {} · {}"
WHAT_TO_DO = "What to do."
WHY = "Why it fired"
HISTORY = "History"
SAME_SUBJECT = "Also about this"
DETAILS = {
    "owner": "owner", "resolution": "as", "reason": "because", "snoozed_until_ms": "until", "text": "note",
}  # fmt: skip
VIEWERS_ONLY_LOOK = "You can look at alerts; taking and resolving them needs the role staff."
TAKE_HELP = "I am on it. Key: t"
RESOLVE = "Resolve"
OUTCOME = "What was it?"
REASON = "Reason"
REASON_NEEDED = " (needs a reason)"
OUTCOMES = {
    "theft": "Theft",
    "staff": "Our own staff",
    "returned": "Returned",
    "put right": "Put right",
    "treated": "Treated",
    "false alarm": "False alarm",
    "other": "Something else",
}
SNOOZE = "Snooze"
SNOOZE_FOR = "Hide it from the feed for"
SNOOZES = {15: "15 minutes", 60: "1 hour", 240: "4 hours", 1440: "1 day"}
WAKE = "End the snooze"
HAND_OVER = "Hand over"
HAND_OVER_TO = "To"
NOTE = "Note"
NOTE_TEXT = "What should others know?"
ADD_NOTE = "Add the note"
REOPEN = "Re-open"
EVENT_SEEN = "{} at {} in {}: {}"
ABSENT_ROW = "no {}: {}"
ABSENT_FROM_TO = "No {} between {} and {}."
WATCH_ALIVE = "{} was listening."
WATCH_SILENT = "{} was silent for {} of it, so this is not proven."
SHOW_READINGS = "Show the raw readings behind each event"
NO_READINGS = "The log no longer holds the readings of this event, or it was made from other events."
QUERY = "The query"
PARAMETER, VALUE = "Parameter", "Value"
TIME, READER, ANTENNA, TAG, STRENGTH, POSITION = (
    "Time",
    "Reader",
    "Antenna",
    "Tag",
    "Strength (dBm)",
    "Log position",
)
REPLAY = "Replay"
REPLAY_AT = "Moment"
NO_MOVES = "No movements are recorded for these minutes."
