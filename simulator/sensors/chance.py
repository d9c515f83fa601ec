"""Randomness by hashing: a read's luck depends on the seed and the read, not on how time is sliced."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Bits = npt.NDArray[np.uint64]
Shares = npt.NDArray[np.float64]
_STEP = np.uint64(0x9E3779B97F4A7C15)


def mixed(values: npt.NDArray[np.int64] | Bits, salt: int) -> Bits:
    """64 well-mixed bits for each value (splitmix64)."""
    bits: Bits = values.astype(np.uint64) * _STEP + np.uint64((salt * 0xBF58476D1CE4E5B9) % 2**64)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed_bits: Bits = bits ^ (bits >> np.uint64(31))
    return mixed_bits


def share(bits: Bits, part: int) -> Shares:
    """A number in [0, 1) from one of the four quarters of the bits."""
    quarter = (bits >> np.uint64(16 * part)) & np.uint64(0xFFFF)
    return quarter.astype(np.float64) / 65536.0


def bell(bits: Bits) -> Shares:
    """About normal, mean 0 and deviation 1: the sum of the four quarters."""
    total: Shares = share(bits, 0) + share(bits, 1) + share(bits, 2) + share(bits, 3)
    return (total - 2.0) * float(np.sqrt(3.0))


def student(bits: Bits) -> Shares:
    """Student's t with 3 degrees of freedom, by Bailey's polar method (Math. Comp. 62, 1994)."""
    radius = ((bits >> np.uint64(32)).astype(np.float64) + 1.0) / 2.0**32
    angle = (bits & np.uint64(0xFFFFFFFF)).astype(np.float64) / 2.0**32
    drawn: Shares = np.sqrt(3.0 * (radius ** (-2.0 / 3.0) - 1.0)) * np.cos(2.0 * np.pi * angle)
    return drawn
