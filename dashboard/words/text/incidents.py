"""Incidents: alerts that belong together."""

from __future__ import annotations

AND = ", "
NAMED = "{} ({})"
SO_MANY = "{} × {}"
MORE = "{} more"
WORTH = "worth {}"
UNPROVEN = "Unproven"
PARTLY_UNPROVEN = "{} unproven"
PART_OF = "Part of an incident of {} alerts: {}"
COUNTS_FOR = "What I do here is for"
ALL_OF_IT = "the whole incident ({})"
ONLY_THIS = "this alert only"
MEMBERS = "This incident"
