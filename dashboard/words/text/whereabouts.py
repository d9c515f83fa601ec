"""Whereabouts: where things and people probably are, what is in an area, and what is missing there."""

from __future__ import annotations

TITLE = "Whereabouts"
SEARCH = "What or whom do you look for?"
SEARCH_HINT = "A name, an id, a tag or a barcode"
AREA = "Or what is where?"
ANY_AREA = "The whole place"
AS_OF = "As of {}."
OLD = "This is how it was {}: the pipeline has not told anything newer."
NOT_YET = (
    "Where things are is not known yet. The pipeline tells it a few seconds after its start, to pages on the "
    "same machine."
)
UNKNOWN = "Nothing in the catalog is called {}."
NEVER_HEARD = "Vigil has not heard of it since it began to watch {}."
NEVER_HEARD_AT_ALL = "Vigil has never heard of it."
NONE_HEARD = "Vigil has not heard of any of them since it began to watch {}."
CERTAIN = "Certain"
SINCE = "There since {clock} ({length})."
LAST_READ = "Last read {ago}, at {clock}, by the reader of {reader}."
BELONGS = "It belongs in: {}."
ELSEWHERE = {
    "on its way": "On its way",
    "not heard any more": "Not heard any more",
    "out": "Out of the house",
}
PLACE, CHANCE, NUMBER, THING = "Where", "How likely", "How many", "What"
WAY_HOURS = "Its way in the last {} hours"
WAY_WORDS = "The same in words"
WAY_STEP = "{clock}: {place}, for {length}"
SEVERAL = "{count} are called {what}"
ONE_OF = "{thing}: {place}, {chance}"
FIRST_OF = "The first {}"
AND_MORE = "And {} more."
BETWEEN = "{low} to {high}"
IN_AREA = "{number} in all, most likely {expected}."
NOTHING_THERE = "Probably nothing is there."
MISSING = "What belongs there and probably is not: {}"
NOTHING_MISSING = "Nothing that belongs there is known to be elsewhere."
OVERVIEW = "How much is where"
OVERVIEW_HINT = "Type what you look for, or choose an area here or on the map."
NOBODY_HEARD = "Nothing has been heard yet. As soon as a reader hears a tag, this page says where it is."
MAP = (
    "Floor plan; how dark an area is says how likely it is there. The table beside it says the same in words"
)
MAP_ALL = "Floor plan; how dark an area is says how much is there. The table says the same in words"
TIMELINE = "Where it was over time; the list below says the same in words"
REPLENISH = "What to replenish"
REPLENISH_WORDS = "Products of which, with nine chances of ten, less than a quarter is on its shelf."
REPLENISH_NOTHING = "No shelf is running out."
ON_SHELF, CARRY, OF = "On the shelf", "Carry from", "{} of {}"
CARRY_FROM = "{place}: {number}"
