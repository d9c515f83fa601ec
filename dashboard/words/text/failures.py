"""What is said when something is wrong: the store away, a part down, readers silent."""

from __future__ import annotations

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
PART_DOWN = "{} is down since {}."
PART_QUIET = "{} has not been heard of since {}."
PART_STARTING = "{} is starting since {}. The first alerts take about half a minute."
READERS_SILENT = (
    "Readers silent: {}. What happens there is not seen; alerts that rest on it are marked unproven."
)
READER_SINCE = "{} in {} since {}"
