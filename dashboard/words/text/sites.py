"""Sites: all of them at a glance."""

from __future__ import annotations

TITLE = "Sites"
NONE_OPEN = "nothing open"
READERS = "{} of {} readers heard"
NO_READERS = "no readers known yet"
CUT_OFF = "Cut off since {}"
NEVER_HEARD = "Not heard of yet"
CONNECTED = "Connected"
OPEN_SITE = "Go to {}"
NOT_YOURS = "There is no such site, or your account does not belong to it."
EXPLAINED = "Open incidents by severity, readers that are heard, and whether the site reaches the store."
