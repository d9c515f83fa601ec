"""What is believed of every tag now: also of those that are not due, and with a lone stray read."""

from __future__ import annotations

from app.cleaning.tables import LAST_TICK, READER, SEEN, TICK_MS, UP_SINCE, Floor
from app.cleaning.whereabouts.belief import let_pass, nearest_second, weigh_read
from app.cleaning.whereabouts.tables import (
    BELIEVED_AT,
    FIRST,
    SETTLED,
    STRAY_AT,
    STRAY_READER,
    STRAY_STRENGTH,
    UNSETTLED,
    Shares,
    Whereabouts,
)
from sase.kernels.jit import kernel, part

_QUIET = 2  # periods of silence, up to which a settled tag is where it was


@kernel
def ask(floor: Floor, here: Whereabouts, found: Shares) -> None:
    """Brings `found`, a copy of the tags' beliefs, to the last second that has passed; all else stays."""
    _ask(floor, here, found)


@part
def _ask(floor, here, found):
    now = floor.clock[LAST_TICK] // TICK_MS
    for tag in range(found.shape[0]):
        if here.known[tag, FIRST] > 0:
            _bring(tag, now, found[tag], floor, here)


@part
def _bring(tag, now, belief, floor, here):
    """As unsettling and looking at the tag would."""
    known, state = here.known[tag], floor.tags[tag]
    at = known[BELIEVED_AT]
    if known[SETTLED] != UNSETTLED:
        since = max(state[SEEN], floor.readers[state[READER], UP_SINCE])
        silent = now * TICK_MS - since > _QUIET * here.rules.period[state[READER]]
        if known[STRAY_AT] == 0 and not silent:
            return
        at = max(at, nearest_second(since))
        heard = nearest_second(known[STRAY_AT])
        if heard >= at:
            reader = known[STRAY_READER]
            let_pass(belief, tag, at, heard, here)
            weigh_read(belief, tag, reader, floor.reader_area[reader], known[STRAY_STRENGTH], here)
            at = heard
    let_pass(belief, tag, at, now, here)
