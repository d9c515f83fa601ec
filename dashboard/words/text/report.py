"""Report: what managers ask for, and a shift on one page."""

from __future__ import annotations

TITLE = "Report"
PERIOD = "Of"
PERIODS = {
    8: "the last 8 hours (a shift)",
    24: "the last day",
    168: "the last 7 days",
    720: "the last 30 days",
}
FROM_TO = "{}: {} to {}"
PRINT = "Print"
INCIDENTS = "Incidents"
LOST, RECOVERED, UNDECIDED = "Value lost", "Value recovered", "Value still open"
LOST_HELP = "At retail, of items in alerts resolved as theft."
RECOVERED_HELP = "At retail, of items in alerts resolved as returned or put right."
UNDECIDED_HELP = "At retail, of items in alerts that nobody has resolved yet."
TO_TAKE, TO_RESOLVE = "Time to take", "Time to resolve"
MEDIAN_HELP = "The median of {} alerts, from the moment at which they were raised."
FALSE_ALARMS = "False alarms"
FALSE_OF = "{} of {}"
FALSE_HELP = "Of those that were resolved in this time."
PER_EXITS = "Alerts at exits per 1,000 that went out"
PER_EXITS_HELP = "{} times something was seen at an exit. Movements are kept for some days only."
PER_DAY, PER_HOUR = "Alerts per day", "Alerts by hour of the day"
PER_AREA, PER_DETECTOR = "Alerts by area", "Alerts by detector"
FALSE_TREND = "Share of false alarms per day"
AVAILABILITY = "Share of the time in which each reader was heard"
NOTHING = "Nothing happened in this time."
NEXT_SHIFT = "For the next shift"
STILL_OPEN = "Still open"
NOTHING_OPEN = "Nothing is open."
MORE = "and {} more"
EVERYTHING_WATCHED = "Every detector is on and every reader is heard."
NO_AREA = "Nowhere in particular"
