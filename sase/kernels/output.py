"""What a machine finds: steps of paths, one stretch after the other, and which stretch is which match.

A step is `event << 8 | component`. Where all matches have as many steps (`width`) they follow one another and
need no spans: writing those would double what a match of three events costs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.cells import BEGIN, LAST, MATCHES, NEED_MATCHES, NEED_PATH, STOP
from sase.kernels.jit import inlined


class Output(NamedTuple):
    path: NDArray[np.int64]  # steps
    spans: NDArray[np.int64]  # per match begin, stop, last; none with a width
    detected: NDArray[np.int64]  # per match the clock at which it was known; none unless `late`
    probability: NDArray[np.float64]  # per match; none unless `likely`
    size: NDArray[np.int64]
    width: int  # steps of every match; 0: they differ
    late: bool  # matches are known at a deadline, not when their last event comes
    likely: bool  # their probability is asked for


@inlined
def has_place(end, more, output):
    """Whether there is room for steps up to `end` and so many more matches; if not, notes the need."""
    matches = output.size[MATCHES] + more
    if (
        end <= output.path.size
        and (output.width > 0 or matches <= output.spans.shape[0])
        and (not output.late or matches <= output.detected.size)
        and (not output.likely or matches <= output.probability.size)
    ):
        return True
    output.size[NEED_PATH] = end
    output.size[NEED_MATCHES] = matches
    return False


@inlined
def note_span(match, begin, stop, last, output):
    if output.width == 0:
        output.spans[match, BEGIN] = begin
        output.spans[match, STOP] = stop
        output.spans[match, LAST] = last


@inlined
def begin_of(match, output):
    """Where the steps of a match begin."""
    return output.spans[match, BEGIN] if output.width == 0 else match * output.width


@inlined
def length_of(match, output):
    """How many steps it has; negation, NON-OVERLAP and deadlines see them side by side, the last one too."""
    if output.width > 0:
        return np.int64(output.width)
    return output.spans[match, STOP] + 1 - output.spans[match, BEGIN]
