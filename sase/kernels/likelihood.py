"""How likely a match is: that its events happened, and that what would have prevented it did not.

Events happen or not independently of each other, so both are products, and as all factors are at most 1 what
is known of a partial match bounds all that it can become.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sase.kernels.cells import COMPONENT_BITS, COMPONENTS
from sase.kernels.jit import inlined

TOLERANCE = 1e-9
ONE = int(np.float64(1.0).view(np.int64))
"""What is certain, as bits."""
NOT_HAPPENED = COMPONENTS
"""Takes the place of the component in a step of a path: the match is there only if this event is not."""


class Likelihood(NamedTuple):
    asked: bool  # the query has HAVING
    least: float  # a match that is less likely is none
    united: bool  # there may be several ways to a match: they are kept, and only its own events bound it
    column: int  # of an event's probability in its row, as a float
    doubted: bool  # some event may not have happened; until then nobody need look each of them up


@inlined
def happens(event, events, likelihood):
    """The probability of an event."""
    return np.int64(events.rows[event - events.base, likelihood.column]).view(np.float64)


@inlined
def factor(step, events, likelihood):
    """What a step of a path leaves of a match's probability; of several ways the events that prevent one
    are not known to count."""
    probability = happens(step >> COMPONENT_BITS, events, likelihood)
    if step & COMPONENTS != NOT_HAPPENED:
        return probability
    return 1.0 if likelihood.united else 1.0 - probability


@inlined
def suffices(probability, likelihood):
    return probability >= likelihood.least


@inlined
def may_suffice(bound, likelihood):
    """The same for a bound that was multiplied in another order than the probability will be."""
    return bound >= likelihood.least * (1.0 - TOLERANCE)


@inlined
def bits_of(probability):
    return np.float64(probability).view(np.int64)


@inlined
def from_bits(bits):
    return np.int64(bits).view(np.float64)
