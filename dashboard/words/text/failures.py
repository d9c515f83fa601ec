"""What is said when something is wrong: the store away, a part down, readers silent."""

from __future__ import annotations

UNKNOWN_ADDRESS = "There is no such page"
UNKNOWN_ADDRESS_WORDS = "The address may be mistyped, or the page has another name now."
NOT_HERE = (
    "This place does not have it, or it is not for your role. Whoever runs Vigil here can change the role."
)
TO_LIVE = "To what is going on now"
LOST = "Vigil does not answer"
GOING = "On the way to {}"
COMES_BACK = (
    "This page comes back by itself. The detectors work on without it, unless Vigil is starting anew."
)
SO_FAR = "{} seconds so far; a start takes about half a minute."
STORE_DOWN = (
    "The alert store cannot be read since {}. Nothing here is current. Nothing is lost: the other parts keep "
    "their work until it is back."
)
STORE_DOWN_HINT = "Check that the database is running and its disk is not full, then `vigil doctor`."
STORE_BROKEN = "Waiting does not help: {}. Mend it and start Vigil again; `vigil doctor` says more."
NO_PART = (
    "No part of Vigil has reported to this store yet: nothing is being watched. Start it with "
    "`vigil run SCENARIO`, or see how it works with `vigil demo`."
)
PART_DOWN = "{} has been down since {}."
PART_QUIET = "{} has not been heard of since {}."
PART_STARTING = "{} has been starting since {}. The first alerts take about half a minute."
READERS_SILENT = (
    "Readers silent: {}. What happens there is not seen; alerts that rest on it are marked unproven."
)
READER_SINCE = "{} in {} since {}"
ALL_READERS_SILENT = (
    "All {} readers have been silent since {}. Nothing is seen; alerts that rest on it are marked unproven."
)
SWITCHED_OFF = "{title} has been off since {since}, switched off by {actor}{reason}. {back}"
OFF_BECAUSE = ": {}"
BACK_ON = "Back on at {}."
STAYS_OFF = "It stays off until somebody switches it on."
LATE_NOW = (
    "{:.0%} of the readings of the last ten minutes came too late to be checked: alerts may be missing. "
    "Health says which readers."
)
