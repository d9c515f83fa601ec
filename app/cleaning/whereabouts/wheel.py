"""Which tags must be looked at in which second: a list for each slot of a wheel: idle tags cost nothing."""

from __future__ import annotations

from app.cleaning.whereabouts.tables import DUE_AT, WHEEL
from sase.kernels.jit import kernel, part

NEXT, PREVIOUS = range(2)


@part
def put(tag, second, here):
    """From now on the tag is due then, and in no other second."""
    here.known[tag, DUE_AT] = second
    remove(tag, here)
    links = here.links
    slot = here.known.shape[0] + second % WHEEL
    last = links[PREVIOUS, slot]
    links[NEXT, last] = tag
    links[PREVIOUS, tag] = last
    links[NEXT, tag] = slot
    links[PREVIOUS, slot] = tag


@part
def remove(tag, here):
    links = here.links
    before, after = links[PREVIOUS, tag], links[NEXT, tag]
    links[NEXT, before] = after
    links[PREVIOUS, after] = before
    links[NEXT, tag] = tag
    links[PREVIOUS, tag] = tag


@kernel
def wind(here):
    """Every tag that is due some time into its slot; the order within a slot does not matter."""
    for tag in range(here.known.shape[0]):
        if here.known[tag, DUE_AT] > 0:
            put(tag, here.known[tag, DUE_AT], here)
