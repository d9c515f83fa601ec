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
RAISED = "{}, raised {}"
NEVER = "never"

# Severities, states
CRITICAL, HIGH, MEDIUM, LOW, INFO = "Critical", "High", "Medium", "Low", "Info"
STATES = {"new": "New", "taken": "Taken", "resolved": "Resolved"}
TAKEN_BY = "Taken by {}"
SNOOZED_UNTIL = "Snoozed until {}"
RESOLVED_AS = "Resolved: {}"
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
READER_SINCE = "{} in {} since {}"
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
PICTURE = "Picture"
FLOOR_PLAN = "Floor plan with readers, items and open alerts; the list beside it says the same in words"
FEED = "Open alerts, newest first"
NO_OPEN_ALERTS = "Nothing open. All quiet."
NOT_WATCHED = "Nothing open, but not everything is being watched right now: see above."
MORE_OPEN = "And {} more that are open: see Alerts."
TAKE = "Take"
SOUND = "Sound"
SOUND_HELP = "A chime when an alert comes in."
WALL_MODE = "Wall mode"
LEAVE_WALL = "Leave wall mode"
TOAST = "{sign} {title}: {subject}, {area}"
MORE_NEW = "And {} more that are new"
NEWS = "{count} new: {title}"
ITEMS = "Items"
READER_ALIVE = "Reader"
READER_SILENT = "Silent reader"
READER_UNKNOWN = "Reader not heard of"
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
TIMELINE = (
    "The alert's events, absences and readers on a line of time; the clauses above say the same in words"
)
HISTORY = "History"
SAME_SUBJECT = "Also about this"
STEPS = {
    "raised": "Raised", "taken": "Taken", "handed over": "Handed over", "resolved": "Resolved",
    "reopened": "Re-opened", "snoozed": "Snoozed", "woken": "Snooze ended", "noted": "Noted",
}  # fmt: skip
ITSELF = "Vigil"
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
EVENT_SEEN = "{event}: {area}, {time}, {name}"
COMPARED = "{}: {}"
AND_SO_ON = ", "
TOOK = "It took {}."
SO_OFTEN = "{} ({} times)"
THERE_WERE = "There were {}."
FROM_TO = "{} to {}"
ABSENT_FROM_TO = "{} between {} and {}."
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

# What happened, in words: present and absent
SEEN = ("seen {}", "not seen {}")
GONE = ("gone from {}", "not gone from {}")
KINDS_OF_AREA = {
    "shelf": ("on a shelf", "a shelf"),
    "counter": ("at a checkout", "a checkout"),
    "exit": ("at an exit", "an exit"),
    "fitting": ("in the fitting room", "the fitting room"),
    "stock": ("in the stock room", "the stock room"),
    "cabinet": ("at a medicine cabinet", "a medicine cabinet"),
    "bed": ("at a bed", "a bed"),
    "station": ("at the nurses' station", "the nurses' station"),
}
IN_AREA = "in an area for {}"
HAPPENINGS = {
    "READER-ALIVE": ("reader heard", "reader not heard"),
    "DOSE-DUE": ("dose due", "no dose due"),
    "MEDICINE-TAKEN": ("medicine taken", "no medicine taken"),
}
NO_SUCH = "no {}"
OR, AND, OR_ELSE, NOT = "{} or {}", " and ", ", or ", "not: {}"

# The clauses of a query, in words
ALL_WITHIN = "All within {}"
BEFOREHAND, IN_BETWEEN, AFTERWARDS = "{} beforehand", "{} in between", "{} afterwards"
AGAIN_AND_AGAIN = "{}, once or more often"
ALL_SAME = {
    "id": "All the same item",
    "area": "All in the same area",
    "product": "All the same product",
    "patient": "All the same patient",
    "medicine": "All the same medicine",
    "reader": "All the same reader",
}
ALL_SAME_OTHER = "All with the same {}"
ALL_EQUAL = "All with {} {}"
KNOWN_CONDITIONS = {
    ("dwell", "=", 0): "it has just come there",
    ("area", "!=", "home"): "this is not where it belongs",
    ("area", "=", "home"): "this is where it belongs",
    ("patient", "!=", "prescribed_to"): "the medicine is prescribed to somebody else",
}
COMPARISONS = {
    "=": "{} is {}",
    "!=": "{} is not {}",
    "<": "{} is less than {}",
    "<=": "{} is at most {}",
    ">": "{} is more than {}",
    ">=": "{} is at least {}",
}
THEIR_NUMBER = "their number"
EVENTS = "events"
AGGREGATES = {
    "sum": "the total {}", "avg": "the average of {}", "min": "the least {}", "max": "the greatest {}",
    "count": "the number of {}", "first": "the first {}", "last": "the last {}",
}  # fmt: skip
INDEXES = {
    "first": "the first {}",
    "last": "the latest {}",
    "previous": "the {} before",
    "current": "each {}",
}
OF_EVENT = "{} of {}"
ORDINALS = ("the first", "the second", "the third", "the fourth", "the fifth")
ATTRIBUTES = {
    "id": "item", "home": "belongs to", "dwell": "there for (ms)", "avoid": "class to avoid",
    "prescribed_to": "prescribed to", "dose": "dose", "limit": "limit", "class": "class",
}  # fmt: skip

# Alerts
SEARCH = "Search"
SEARCH_HINT = "words of the alert, an item, a person, a place"
STATE, SEVERITY, DETECTOR, AREA, PERSON, SINCE = "State", "Severity", "Detector", "Area", "Taken by", "Since"
ANY = "any"
WHEN = "When"
SINCES = {
    0: "any time",
    1: "in the last hour",
    24: "in the last day",
    168: "in the last week",
    720: "in the last 30 days",
    -1: "between two days",
}
DAYS_BETWEEN = "First and last day"
FOUND = "**{}** alerts found"
FOUND_ONE = "**1** alert found"
NOTHING_FOUND = "No alert fits. Take away a filter, or wait: this is a list of what has happened."
AS_CSV, AS_JSON = "CSV", "JSON"
REFRESH = "Changed since: {}. Show"
ABOUT, OUTCOME_SHORT, EXPLANATION = "About", "Outcome", "Explanation"
ALERTS_TABLE = "Alerts that fit the filters, newest first"
SELECT_ROWS = "Select rows to open or change them. In the table: arrow keys to move, space to select."
CHOSEN = "{} selected"
OPEN = "Open the first"

# Detectors
DETECTORS_OF = "What is watched for in {}. A change takes effect within seconds, without a restart."
OTHER_DETECTORS = "Also those for other kinds of places ({})"
NO_DETECTORS = "This scenario switches no detector on. Add one to its file."
ON, OFF = "on", "off"
SWITCHED_ON = "Switched on"
FIRED, FIRED_LATELY = "Fired", "Last day"
RESOLVED, FALSE_SHARE = "Resolved", "False alarms"
FALSE_HELP = "Of the resolved ones, {} were false alarms."
PARAMETERS = "Parameters"
NO_PARAMETERS = "This detector has nothing to turn."
DEFAULT_VALUE = "By default {}."
APPLY = "Apply"
BLIND_SPOTS = "What it cannot see"
PLAN = "How it is evaluated"
NO_CHANGES = "Nobody has changed it yet."
APPLIED = ":material/check: in effect after {}"
NOT_APPLIED = ":material/hourglass_empty: waiting for the pipeline"
FROM_FILE = "as it came with the place"
SETTING = "{}: {}"
UNDOES = "(undoes {})"
UNDO = "Undo"

# Account
ROLES = {"viewer": "viewer", "staff": "staff", "admin": "admin"}
SIGNED_IN_AS = "Signed in as **{}** ({})."
DEMO_ACCOUNT = "The demo signs in whoever sits at this machine. A real installation asks for a password."
CHANGE_PASSWORD = "Change password"
OLD_PASSWORD, NEW_PASSWORD, FIRST_PASSWORD = "Present password", "New password", "First password"
WRONG_OLD_PASSWORD = "The present password is wrong."
PASSWORD_CHANGED = "Your password is changed. Please sign in again with the new one."
ACCOUNTS = "Accounts"
ROLE = "Role"
OPEN_ACCOUNT, CLOSED_ACCOUNT = "open", "closed"
ADD_ACCOUNT, CHANGE_ACCOUNT = "Add an account", "Change an account"
NEW_ROLE, MAY_SIGN_IN, UNCHANGED = "New role", "May sign in", "unchanged"
MAY_SIGN_INS = {None: "unchanged", True: "yes", False: "no longer"}
CHANGE, BY = "Change", "By"
ACCOUNT_CHANGES = {
    "added": "added", "role": "role changed", "opened": "may sign in again", "closed": "closed",
    "password": "password changed",
}  # fmt: skip

# Health
ALL_WELL = "Every part is running and every reader is heard."
PARTS_TITLE, PART = "Parts", "Part"
PART_STATES = {"up": "well", "starting": "starting", "down": "✖ down", "quiet": "✖ not heard of"}
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
SILENT_SINCE = "✖ silent since {}"
READINGS, OVERFLOWS, ANTENNA_FAULTS = "Readings", "Overflows", "Antenna faults"
SET_ASIDE = "Set aside"
SET_ASIDE_HELP = "Rows that were not checked, with the reason. Select one to look inside."
KIND = "Kind"
KINDS = {"dead": "Unreadable", "late": "Late"}
NOTHING_ASIDE = "None. That is normal."
ORIGIN, PAYLOAD = "Topic", "Payload"

# Demo
DEMO_OF = "**{}.** {} Everything here is played by the simulator; everything after the reader is the product."
OTHER_PLACE = "Another place"
OTHER_PLACE_HELP = "The demo starts anew there: what is open here is forgotten. It takes about a minute."
GOING = "On the way to {}. This page comes back by itself in about a minute."
STAGE = "Stage an incident now"
INCIDENTS = {
    "shoplift": ("Shoplifting", ":material/shopping_bag:"),
    "misplace": ("Misplaced item", ":material/wrong_location:"),
    "sweep": ("Shelf sweep", ":material/cleaning_services:"),
    "fitting_loss": ("Fitting-room loss", ":material/checkroom:"),
    "overdose": ("Overdose", ":material/medication:"),
    "interaction": ("Drug interaction", ":material/vaccines:"),
    "wrong_patient": ("Wrong patient", ":material/person_alert:"),
    "reader_down": ("Reader down", ":material/sensors_off:"),
}
SENT = "{}: told to the simulator"
DIALS = "The world's dials"
SPEED, NOISE = "Speed", "Noise of the radios"
SPEEDS = [1, 2, 5, 10, 20]
TIMES_AS_FAST = "{}x"
TIMES_AS_MUCH = "{} times that of a real shop"
NOISES = {0.0: "none", 0.5: "half", 1.0: "as in a real shop", 2.0: "twice that", 4.0: "four times that"}
TURN = "Turn the dials"
ANSWERED = "The simulator at {}: {}"
SCORE = "Detectors against the truth"
SCORE_SINCE = "Counted since {}, when this dashboard began to listen to the simulator."
NO_WITNESS = "This dashboard does not listen to a simulator, so it cannot know what really happened."
HAPPENED, SCORE_FOUND, NOT_FOUND, FALSELY = "Happened", "Found", "Not found (yet)", "False alarms"
PRECISION, RECALL = "Alarms right", "Incidents found"
