"""What the things of a catalog are called, and which of them somebody means by some words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from app.cleaning.tables import Table

_NAMES = ("name", "product", "patient", "medicine", "author", "category", "kind")
_CODES = ("tag", "id", "barcode")
_TITLES = ("name", "medicine", "id", "tag")  # the first that stands there
Chosen = NDArray[np.bool_]


class CatalogNames:
    """Made once for a catalog: reading all its words takes longer than looking for one."""

    def __init__(self, items: pa.Table) -> None:
        self.items = items

    @cached_property
    def titles(self) -> pa.DictionaryArray:
        known = [self._text(name) for name in _TITLES if name in self.items.column_names]
        filled = [pc.if_else(pc.equal(text, ""), None, text) for text in known]
        return pc.coalesce(*filled).dictionary_encode()

    @cached_property
    def homes(self) -> pa.Array:
        """Where each belongs; empty where the catalog does not say."""
        if "home" not in self.items.column_names:
            return pa.array([""] * self.items.num_rows, pa.string())
        return pc.fill_null(self._text("home"), "")

    def find(self, what: str) -> list[int]:
        """Rows of the catalog: those whose tag, id or barcode it is; else whose words contain all of it."""
        known = [name for name in _CODES if name in self.items.column_names]
        exact = [pc.equal(pc.utf8_lower(self._text(name)), what.strip().lower()) for name in known]
        return _rows(np.logical_or.reduce([mask(found) for found in exact])) or self._worded(what.split())

    def _worded(self, words: Sequence[str]) -> list[int]:
        each = [mask(pc.match_substring(self._words, word.lower())) for word in words]
        return _rows(np.logical_and.reduce(each)) if each else []

    @cached_property
    def _words(self) -> pa.Array:
        known = [name for name in (*_CODES, *_NAMES) if name in self.items.column_names]
        texts = [pc.fill_null(self._text(name), "") for name in known]
        return pc.utf8_lower(pc.binary_join_element_wise(*texts, " "))

    def _text(self, column: str) -> pa.Array:
        return self.items.column(column).cast(pa.string()).combine_chunks()


def mask(found: pa.Array) -> Chosen:
    chosen: Chosen = pc.fill_null(found, False).to_numpy(zero_copy_only=False).astype(bool)
    return chosen


def _rows(chosen: Chosen) -> list[int]:
    rows: Table = np.flatnonzero(chosen)
    return [int(row) for row in rows]
