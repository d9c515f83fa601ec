"""How many of many are somewhere: the sum of independent yes-or-no draws (Poisson-binomial)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sase.belief.world.motion import Floats

_DIRECT = 64  # so many draws are added one by one, exactly to the last digit
_CERTAIN = 1e-12
_MANY = 1000  # draws of which those below the next chance are not told apart
_RARE = 1e-5
_MOST_RARE = 16  # of such draws at once
_CENTRAL = 0.9


@dataclass(frozen=True)
class Count:
    """`distribution[n]` is the probability of n; `low` to `high` holds the central 90%."""

    expected: float
    distribution: list[float]
    low: int
    high: int


def count(distribution: Floats) -> Count:
    total = distribution / distribution.sum()
    up_to = np.cumsum(total)
    outside = (1 - _CENTRAL) / 2
    low, high = (int(np.searchsorted(up_to, share - 1e-12)) for share in (outside, 1 - outside))
    last = len(total) - 1
    expected = float(total @ np.arange(len(total)))
    return Count(expected, total.tolist(), min(low, last), min(high, last))


def number_of(chances: Floats) -> Floats:
    """The distribution of how many of these happen; index = number."""
    certain = _CERTAIN if len(chances) <= _MANY else _RARE
    doubtful = chances[(chances > certain) & (chances < 1 - certain)]
    there, not_there = chances[chances >= 1 - certain], chances[chances <= certain]
    some = np.convolve(_rare(float(not_there.sum())), _summed(doubtful))
    some = np.convolve(_rare(float((1 - there).sum()))[::-1], some)
    found = np.zeros(len(chances) + 1)
    first = len(there) - _MOST_RARE
    kept = some[max(-first, 0) :][: len(found) - max(first, 0)]
    found[max(first, 0) : max(first, 0) + len(kept)] = kept
    return found


def _rare(expected: float) -> Floats:
    """How many of many happen each of which hardly ever does: as good as Poisson's (Le Cam 1960)."""
    numbers = np.arange(_MOST_RARE + 1)
    return np.asarray(
        np.exp(-expected) * np.cumprod(np.where(numbers > 0, expected / np.maximum(numbers, 1), 1.0))
    )


def together(a: Floats, b: Floats) -> Floats:
    """The distribution of the sum of two independent numbers."""
    if min(len(a), len(b)) <= _DIRECT:
        return np.convolve(a, b)
    size = len(a) + len(b) - 1
    return np.maximum(np.fft.irfft(np.fft.rfft(a, size) * np.fft.rfft(b, size), size), 0.0)


def _summed(chances: Floats) -> Floats:
    if len(chances) <= _DIRECT:
        result = np.ones(1)
        for chance in chances:
            result = np.convolve(result, [1 - chance, chance])
        return result
    return _halved(chances)


def _halved(chances: Floats) -> Floats:
    """Pairs of sums are added up, all pairs of a size at once, until one is left."""
    size = 1 << int(np.ceil(np.log2(len(chances))))
    padded = np.concatenate([chances, np.zeros(size - len(chances))])
    sums = np.stack([1 - padded, padded], axis=1)
    while len(sums) > 1:
        length = 2 * sums.shape[1] - 1
        fast = 1 << int(np.ceil(np.log2(length)))
        spectrum = np.fft.rfft(sums, fast, axis=1)
        sums = np.maximum(np.fft.irfft(spectrum[::2] * spectrum[1::2], fast, axis=1)[:, :length], 0.0)
    return np.asarray(sums[0][: len(chances) + 1])
