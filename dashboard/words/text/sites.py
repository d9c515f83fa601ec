"""Sites: all of them at a glance, and what goes across them."""

from __future__ import annotations

TITLE = "Sites"
PART = "What of the sites"
PARTS = {"overview": "Overview", "alerts": "Alerts", "report": "Report", "detectors": "Detectors"}
HEADINGS = ("Site", "Open incidents", "Readers", "Connection")
NONE_OPEN = "nothing open"
READERS = "{} of {} readers heard"
NO_READERS = "no readers known yet"
CUT_OFF = "Cut off since {}"
NEVER_HEARD = "Not heard of yet"
CONNECTED = "Connected"
OPEN_SITE = "Go to {}"
NOT_YOURS = "There is no such site, or your account does not belong to it."
EXPLAINED = "Open incidents by severity, readers that are heard, and whether the site reaches the store."
SITES, ALL = "Sites", "all of them"
ALERT_HEADINGS = ("What", "Site", "When", "Severity", "State")
FIGURE_HEADINGS = (
    "Site",
    "Incidents",
    "Value lost",
    "Value recovered",
    "Value still open",
    "Time to take",
    "Time to resolve",
    "False alarms",
)
TOGETHER = "Together"
FIGURES_EXPLAINED = (
    "Values at retail. Times are medians, from the moment at which an alert was raised. False alarms are "
    "counted among those that were resolved."
)
NO_DETECTORS = "No site has told its detectors yet: each does when it is started for the first time."
SWITCH_HEADINGS = ("Site", "State", "Set otherwise than by default", "Why it is off")
CHANGE = "Change it"
CHANGE_AT = "At"
CHOOSE = "choose one, some or all"
CHANGE_HELP = "The change is made at all of them or, if you may not at one of them, at none."
SWITCH_ON, SWITCH_OFF, SET_PARAMETERS = "Switch on", "Switch off", "Set parameters"
HISTORY_HEADINGS = ("When", "Site", "Who", "To what")
