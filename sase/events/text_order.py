"""Ranks of texts: numbers in the order of the texts, so that a kernel can compare codes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sase.events.growth import extended

STEP = 1 << 32  # between two ranks at first: room for others between them
FEW = 16  # times as many known texts as new ones: cheaper one by one than ranking all of them again


class TextOrder:
    """A new text takes a rank between its neighbours'; where there is none left, all are ranked again."""

    def __init__(self) -> None:
        self.ranks: NDArray[np.int64] = np.zeros(0, np.int64)  # by code
        self._texts: list[str] = []  # in their order

    def add(self, new: list[str], codes: Mapping[Any, int]) -> None:
        self.ranks = extended(self.ranks, len(codes), 0)
        if FEW * len(new) > len(self._texts):
            self._texts += new
            self._texts.sort()
            self._rank_all(codes)
        else:
            for text in new:
                self._insert(text, codes)

    def keep(self, codes: Mapping[Any, int]) -> None:
        """Only texts that have a code, which may be a new one."""
        self._texts = [text for text in self._texts if text in codes]
        self.ranks = np.zeros(len(codes), np.int64)
        self._rank_all(codes)

    def _insert(self, text: str, codes: Mapping[Any, int]) -> None:
        at = bisect_left(self._texts, text)
        self._texts.insert(at, text)
        low = self._rank(at - 1, codes) if at else None
        high = self._rank(at + 1, codes) if at + 1 < len(self._texts) else None
        if low is None or high is None:
            self.ranks[codes[text]] = high - STEP if high is not None else (low or 0) + STEP
        elif high - low > 1:
            self.ranks[codes[text]] = (low + high) // 2
        else:
            self._rank_all(codes)

    def _rank(self, at: int, codes: Mapping[Any, int]) -> int:
        return int(self.ranks[codes[self._texts[at]]])

    def _rank_all(self, codes: Mapping[Any, int]) -> None:
        places = np.fromiter((codes[text] for text in self._texts), np.int64, len(self._texts))
        self.ranks[places] = np.arange(len(places)) * STEP
