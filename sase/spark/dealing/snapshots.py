"""The snapshots of several buckets as one: the events and cases of each that are dealt to a new bucket."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sase.constraints.obeying import CaseState
from sase.kernels.cases import BROKE_AT, CASE_STATE, UNBROKEN, UNBROKEN_YET
from sase.matcher import Snapshot
from sase.operators.kept import Kept
from sase.operators.watch import KeptCases

Chosen = NDArray[np.bool_]
Numbers = NDArray[np.int64]
_STATES = 2  # the columns of verdicts that say states; the third says what the event may be


@dataclass(frozen=True, slots=True)
class Share:
    """What of a snapshot goes to a bucket: rows of each batch that is kept, cases of each group."""

    snapshot: Snapshot
    kept: tuple[tuple[Chosen, ...], ...]
    cases: tuple[Chosen, ...]


def united(shares: Sequence[Share], *, counted: bool) -> Snapshot:
    """One snapshot; places in the stream are given anew, `counted` ones in a partition stay."""
    own = [_of(share) for share in shares]
    places = _places(own)
    disjuncts = zip(*(each.kept for each in own), strict=True)
    return Snapshot(
        position=sum(len(new) for _, new in places),
        time=max(each.time for each in own),
        kept=tuple(_kept(parts, places, counted) for parts in disjuncts),
        loose=any(each.loose for each in own),
        cases=tuple(_cases(groups, places) for groups in zip(*(each.cases for each in own), strict=True)),
    )


def _of(share: Share) -> Snapshot:
    """The snapshot with its share alone."""
    pairs = zip(share.snapshot.kept, share.kept, strict=True)
    kept = tuple(
        tuple(_rows(each, np.flatnonzero(rows)) for each, rows in zip(*pair, strict=True) if rows.any())
        for pair in pairs
    )
    cases = tuple(
        replace(
            each,
            values=tuple(value for value, taken in zip(each.values, rows, strict=True) if taken),
            rows=each.rows[rows],
        )
        for each, rows in zip(share.snapshot.cases, share.cases, strict=True)
    )
    return replace(share.snapshot, kept=kept, cases=cases)


def _rows(kept: Kept, rows: Numbers) -> Kept:
    return replace(
        kept,
        source=_batch(kept).take(pa.array(rows)),
        positions=kept.positions[rows],
        orders=kept.orders[rows],
        spent=kept.spent[rows],
        places=kept.places[rows],
        verdicts=None if kept.verdicts is None else kept.verdicts[rows],
    )


def _batch(kept: Kept) -> pa.RecordBatch:
    assert isinstance(kept.source, pa.RecordBatch), "a bucket's events come in batches"
    return kept.source


def _places(snapshots: Sequence[Snapshot]) -> list[tuple[Numbers, Numbers]]:
    """Per snapshot its positions and what they are in the order of them all: by time."""
    positions, times, owners = [], [], []
    for owner, snapshot in enumerate(snapshots):
        kept = [each for disjunct in snapshot.kept for each in disjunct]
        every = [each.positions for each in kept] or [np.zeros(0, np.int64)]
        own, first = np.unique(np.concatenate(every), return_index=True)
        clocks = [_batch(each)["ts"].to_numpy() for each in kept] or [np.zeros(0, np.int64)]
        positions.append(own)
        times.append(np.concatenate(clocks)[first])
        owners.append(np.full(len(own), owner))
    order = np.lexsort((np.concatenate(positions), np.concatenate(owners), np.concatenate(times)))
    new = np.empty(len(order), np.int64)
    new[order] = np.arange(len(order))
    borders = np.cumsum([len(each) for each in positions])[:-1]
    return list(zip(positions, np.split(new, borders), strict=True))


def _kept(
    parts: Sequence[tuple[Kept, ...]], places: Sequence[tuple[Numbers, Numbers]], counted: bool
) -> tuple[Kept, ...]:
    """The events of one disjunct as one batch."""
    found = [
        (each, new[np.searchsorted(old, each.positions)])
        for part, (old, new) in zip(parts, places, strict=True)
        for each in part
    ]
    if not found:
        return ()
    positions = np.concatenate([at for _, at in found])
    order = np.argsort(positions, kind="stable")
    tables = [pa.Table.from_batches([_batch(each)]) for each, _ in found]
    table = pa.concat_tables(tables, promote_options="permissive")
    orders = np.concatenate([each.orders for each, _ in found]) if counted else positions
    verdicts, said = _verdicts([each for each, _ in found])
    return (
        Kept(
            table.take(order).combine_chunks().to_batches()[0],
            positions[order],
            orders[order],
            np.concatenate([each.spent for each, _ in found])[order],
            np.concatenate([each.places for each, _ in found])[order],
            None if verdicts is None else verdicts[order],
            said,
        ),
    )


def _verdicts(kept: Sequence[Kept]) -> tuple[Numbers | None, tuple[tuple[CaseState, ...], ...]]:
    """Verdicts name states by their place in a list: the lists one after the other."""
    found, said = list[Numbers](), list[tuple[CaseState, ...]]()
    for each in kept:
        if each.verdicts is None:
            return None, ()
        verdicts = each.verdicts.copy()
        verdicts[:, :_STATES] += len(said)
        found.append(verdicts)
        said.extend(each.said)
    return np.concatenate(found), tuple(said)


def _cases(groups: Sequence[KeptCases], places: Sequence[tuple[Numbers, Numbers]]) -> KeptCases:
    values, states, found = list[tuple[Any, ...]](), list[CaseState](), list[Numbers]()
    total = sum(len(new) for _, new in places)
    for group, (old, new) in zip(groups, places, strict=True):
        rows = group.rows.copy()
        rows[:, [CASE_STATE, UNBROKEN]] += len(states)
        broke = rows[:, BROKE_AT]
        later = np.append(new, total)[np.searchsorted(old, broke)]
        rows[:, BROKE_AT] = np.where(broke == UNBROKEN_YET, broke, later)
        values.extend(group.values)
        states.extend(group.states)
        found.append(rows)
    return KeptCases(tuple(values), tuple(states), np.concatenate(found))
