"""How often something might fail that has failed so often: the exact bound of Clopper and Pearson (1934)."""

from __future__ import annotations

from math import exp, lgamma, log, log1p

CONFIDENCE = 0.95
_STEPS = 60


def upper_bound(failures: int, tries: int) -> float:
    """The share of failures above which so few would come in less than 5 of 100 such samples.

    Of no failure in n it is about 3 / n, the rule of three."""
    if failures >= tries:
        return 1.0
    if failures == 0:
        return float(1 - (1 - CONFIDENCE) ** (1 / tries))
    low, high = failures / tries, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _at_most(failures, tries, middle) > 1 - CONFIDENCE else (low, middle)
    return high


def _at_most(failures: int, tries: int, share: float) -> float:
    """The probability of so many failures or fewer."""
    if share >= 1:
        return 0.0
    return sum(exp(_log_probability(count, tries, share)) for count in range(failures + 1))


def _log_probability(count: int, tries: int, share: float) -> float:
    ways = lgamma(tries + 1) - lgamma(count + 1) - lgamma(tries - count + 1)
    return ways + count * log(share) + (tries - count) * log1p(-share)
