"""Streams with the parameters of the papers' evaluations, as Arrow batches; one seed, one stream."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

Stream = list[pa.RecordBatch]

BATCH = 250_000
HIGHEST_PRICE = 1_000
HIGHEST_VOLUME = 1_000
VISIT = ("Shelf", "Register", "Exit")


def uniform(events: int, types: int, domains: Mapping[str, int], seed: int = 1, each_ms: int = 1) -> Stream:
    """SASE section 5.1: types and attributes uniform and independent, one event per millisecond or more."""
    chance = np.random.default_rng(seed)
    names = [f"E{number}" for number in range(1, types + 1)]
    columns = {name: chance.integers(0, size, events) for name, size in domains.items()}
    return _stream(names, chance.integers(0, types, events), np.arange(events) // each_ms, columns)


def stock(events: int, symbols: int, rising: float = 0.7, seed: int = 1) -> Stream:
    """SASE+ section 6: prices walk up with probability `rising`, else down or not at all, and start over."""
    chance = np.random.default_rng(seed)
    symbol = chance.integers(0, symbols, events)
    falling = (1 - rising) / 2
    step = chance.choice([1, -1, 0], events, p=[rising, falling, 1 - rising - falling])
    price = (chance.integers(0, HIGHEST_PRICE, symbols)[symbol] + _summed(step, symbol)) % HIGHEST_PRICE + 1
    volume = chance.integers(1, HIGHEST_VOLUME + 1, events)
    columns = {"symbol": symbol, "price": price, "volume": volume}
    return _stream(["Stock"], np.zeros(events, np.int64), np.arange(events), columns)


def shop(events: int, tags: int, spacing_ms: int, theft: float = 0.05, seed: int = 1) -> Stream:
    """Every tag goes from shelf to register to exit, over and over; a thief stays at the shelf instead."""
    chance = np.random.default_rng(seed)
    tag = chance.integers(0, tags, events)
    step = (_summed(np.ones(events, np.int64), tag) - 1) % len(VISIT)
    stolen = chance.random(events) < theft
    kind = np.where((step == 1) & stolen, 0, step)
    return _stream(list(VISIT), kind, np.arange(events) * spacing_ms, {"tag_id": tag})


def _summed(values: NDArray[np.int64], group: NDArray[np.int64]) -> NDArray[np.int64]:
    """The running sum of the values within each group."""
    order = np.argsort(group, kind="stable")
    total = np.cumsum(values[order])
    first = np.flatnonzero(np.diff(group[order], prepend=-1))
    before = (total - values[order])[first]
    sizes = np.diff(np.append(first, len(group)))
    summed = np.empty_like(total)
    summed[order] = total - np.repeat(before, sizes)
    return summed


def _stream(
    names: Sequence[str],
    kind: NDArray[np.int64],
    ts: NDArray[np.int64],
    columns: Mapping[str, NDArray[np.int64]],
) -> Stream:
    event = pa.DictionaryArray.from_arrays(pa.array(kind.astype(np.int32)), pa.array(names))
    batch = pa.record_batch({"event": event, "ts": ts, **columns})
    return [batch.slice(at, BATCH) for at in range(0, len(batch), BATCH)]
