"""Detectors: switches, parameters, record and history."""

from __future__ import annotations

TITLE = "Detectors"
DETECTORS_OF = "What is watched for in {}. A change takes effect within seconds, without a restart."
OTHER_DETECTORS = "Also those for other kinds of places ({})"
NO_DETECTORS = "This scenario switches no detector on. Add one to its file."
ON, OFF = "on", "off"
SWITCH_OFF, SWITCH_ON = "Switch off", "Switch on"
WHY_OFF = "Why?"
WHY_OFF_HINT = "Everybody who relies on it reads this: on Live, on the wall and under Health."
SAY_WHY = "Say why it is to be off."
HOW_LONG = "For how long?"
HOW_LONGS = {
    15: "15 minutes",
    60: "1 hour",
    240: "4 hours",
    720: "12 hours",
    0: "until somebody switches it on",
}
BECAUSE, UNTIL = "because: {}", "until {}"
ITSELF = "Vigil, by itself"
FIRED, FIRED_LATELY = "Fired", "Last day"
RESOLVED, FALSE_SHARE = "Resolved", "False alarms"
FALSE_HELP = "Of the resolved ones, {} were false alarms."
NO_PARAMETERS = "This detector has nothing to turn."
DEFAULT_VALUE = "By default {}."
APPLY = "Apply"
TRY = "What would it have meant?"
TRY_HELP = (
    "Counts over the recording of the last day, with these values and with those in force; changes nothing."
)
PREVIEWING = "Reading the recording: {:.0%}"
PREVIEW = "{values}: {other} since {since} instead of {present}."
VALUE_OF = "“{}” at {}"
ONE_ALERT, MANY_ALERTS = "1 alert", "{} alerts"
NO_PREVIEW = "The recording of the last day could not be read: vigil doctor says more."
BLIND_SPOTS = "What it cannot see"
CONSTRAINTS = "What can never happen here"
CONSTRAINTS_HELP = "Declared for this place. What this detector looks for is possible where they hold."
CONSTRAINTS_BROKEN = "Declared for this place. This detector tells when one of these is broken."
CONSTRAINTS_SPARE = (
    "They spare it work: a match that has begun is dropped after an event that fails it, and everything of "
    "an item is forgotten once nothing can come of it."
)
CONSTRAINTS_SPARE_NOTHING = "They spare it no work: its query runs as it would without them."
CONSTRAINTS_REMEMBERED = (
    "It keeps no events for this. Of each item that has gone it remembers that it has, and since when, for "
    "as long as the parameter says; once it is back, nothing."
)
FIGURES_OF_BREACHES = {
    "cases": ("Remembered now", "Items of which something is remembered."),
    "broken": ("Broken", "How often one of these has happened all the same, since Vigil was set up."),
}
FIGURES_OF_SPARED = {
    "pruned": ("Events dropped", "Events of which nothing could come any more, since Vigil was set up."),
    "early": ("Told early", "Alerts that did not have to wait for their deadline, since Vigil was set up."),
    "cases": ("Remembered now", "Items of which something is remembered."),
}
PLAN = "How it is evaluated"
PLAN_PARTS = ("Part", "How")
NO_CHANGES = "Nobody has changed it yet."
APPLIED = ":material/check: in effect after {}"
NOT_APPLIED = ":material/hourglass_empty: waiting for the pipeline"
FROM_FILE = "as it came with the place"
SETTING = "{}: {}"
UNDOES = "(undoes {})"
UNDO = "Undo"
