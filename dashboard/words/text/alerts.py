"""Alerts: search, filters, the table."""

from __future__ import annotations

TITLE = "Alerts"
SEARCH = "Search"
SEARCH_HINT = "words of the alert or a note, an item, a person, an outcome, a place"
FILTERS = "Filters and order"
SEVERITY = "Severity"
PERSON = "Taken by"
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
SURE = "How sure"
SURES = {0: "any", 50: "at least 50%", 80: "at least 80%", 90: "at least 90%", 99: "at least 99%"}
ORDER = "In order"
ORDERS = {"newest": "newest first", "surest": "surest first", "most doubtful": "most doubtful first"}
HEADINGS = ("What", "Where", "When", "Severity", "State", "Doubts")
CHOOSE = "Choose"
ALERTS_TABLE = "Alerts that fit the filters"
SELECT_ROWS = "Click a row to open it; tick rows to change several. Keys: j and k walk, x ticks, / searches."
CHOSEN = "{} selected"
