"""Words that several pages share: units of time, severities, states, outcomes, and the headings of tables."""

from __future__ import annotations

PRODUCT = "Vigil"
MILLISECONDS = "{:.0f} ms"
SECONDS = "{} s"
MINUTES = "{} min"
HOURS = "{} h"
DAYS = "{} days"
JUST_NOW = "just now"
AGO = "{} ago"
CRITICAL, HIGH, MEDIUM, LOW, INFO = "Critical", "High", "Medium", "Low", "Info"
STATES = {"new": "New", "taken": "Taken", "resolved": "Resolved"}
TAKEN_BY = "Taken by {}"
PARTS = {
    "broker": "The MQTT broker",
    "simulator": "The simulator",
    "ingest": "Ingest",
    "pipeline": "The Spark pipeline",
    "dashboard": "The dashboard",
}
READINGS_RATE = "Readings per second"
DELAY = "Delay"
UNKNOWN_FIGURE = "–"
HISTORY = "History"
REASON = "Reason"
OUTCOMES = {
    "theft": "Theft",
    "staff": "Our own staff",
    "returned": "Returned",
    "put right": "Put right",
    "borrowed": "Borrowed",
    "treated": "Treated",
    "false alarm": "False alarm",
    "withdrawn": "Withdrawn: refuted later",
    "other": "Something else",
}
QUERY = "The query"
TIME = "Time"
READER = "Reader"
STATE = "State"
DETECTOR = "Detector"
AREA = "Area"
PARAMETERS = "Parameters"
