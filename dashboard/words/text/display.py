"""Display: what a screen in a room says."""

from __future__ import annotations

TITLE = "Display"
NONE = "This place has no display: `household: display:` in its file says which room has one."
NOT_YET = "Nothing is known yet of where anybody is. That comes with the first readings."
NOBODY = "Nobody is here, probably."
LEAK = "**Water in: {}.** Close the main valve, then look where it comes from."
WAITING = "Something urgent is waiting for a senior of the household."
EVERYBODY = "Where everybody probably is"
HEADINGS = ("Who", "Where", "How sure")
OUT = "Out"
AS_OF = "As of {}. Shown is what is meant for those who are here with at least {}."
