"""What is done to a belief, step by step: enough to go back over it, and to do the same to another one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sase.belief.filters.testimony import Testimony
from sase.belief.world.motion import Floats


@dataclass(frozen=True)
class Passed:
    """Time went by."""

    since: int
    until: int


@dataclass(frozen=True)
class Unheard:
    """A working sensor did not hear each entity for so many polls; less than none undoes one."""

    sensor: int
    polls: NDArray[np.int64]


@dataclass(frozen=True)
class Surprise:
    """Somebody was seen where the model had it that nobody could be; nothing before tells where it is now."""

    entity: int
    told: Floats
    sure: float


Step = Passed | Unheard | Testimony | Surprise
