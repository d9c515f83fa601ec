"""What staff can do to alerts."""

from __future__ import annotations

TAKE = "Take"
VIEWERS_ONLY_LOOK = "You can look at alerts; taking and resolving them needs the role staff."
TAKE_HELP = "I am on it. Key: t"
WHOSE = "Who has borrowed it?"
IT_WAS = "It was {}"
IT_WAS_HELP = "Books the loan and resolves the alert."
RESOLVE = "Resolve"
OUTCOME = "What was it?"
CHOOSE_OUTCOME = "Choose what it was"
REASON_NEEDED = " (needs a reason)"
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
