"""One step of one bucket: new rows in, time forward, queries changed on the way, matches out."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from functools import reduce
from typing import Any
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

import sase
from sase.matcher import NEVER
from sase.plan.plan import FOREVER
from sase.spark import control, output, segments, waiting
from sase.spark.pack import CONTROL, MISFIT, PASSED, REASON
from sase.spark.roster import Roster
from sase.spark.segments import POSITION, Span
from sase.spark.state import Head, Store
from sase.spark.work import Incoming, Work

_STEPS = 128  # a worker that is further behind starts anew


class Step:
    """Works on the state of the bucket that Spark has chosen; used once."""

    def __init__(self, work: Work, key: int, store: Store, watermark: int) -> None:
        self.work, self.key, self.store, self.watermark = work, key, store, watermark
        self.lane = work.lane(key)
        self.head = self._head()
        self.roster = Roster(work, self.lane, self.head, store)
        self.writer = output.Writer(work.nested)
        self.rows: list[dict[str, Any]] = []
        self.figures = dict.fromkeys(output.FIGURES, 0)
        self.matched: dict[str, int] = {}

    def run(self, incoming: Incoming) -> list[dict[str, Any]]:
        """Everything that happens to the bucket in this micro-batch; the rows that come out."""
        before, now = self.head.now, self._now(incoming.top)
        self._hear(incoming)
        new = self._timely(incoming.tables, before)
        ready = self._numbered(waiting.release(self.head, self.store, new, self._border(now)))
        for until, text in self._due(now):
            count = int(np.searchsorted(ready["ts"].to_numpy(), until)) if ready.num_rows else 0
            self._push(ready.slice(0, count))
            ready = ready.slice(count)
            self.roster.change(text)
        self._push(ready)
        self._advance(now)
        self._save()
        self._report()
        return self.rows

    def _head(self) -> Head:
        head = self.store.load()
        if head is None:
            return Head(self.work.buckets, uuid4().hex)
        if head.buckets != self.work.buckets:
            raise ValueError(
                f"the checkpoint was written with {head.buckets} buckets, not {self.work.buckets}: "
                "keep `buckets` as it was, or start with a new checkpoint"
            )
        return head

    # Time

    def _now(self, top: int | None) -> int | None:
        """Event time after this step: the watermark's, or later if the rows themselves say so."""
        times = [FOREVER] if not self.work.streaming else [self.watermark] if self.watermark > 0 else []
        times += [] if top is None else [top - self.work.lateness]
        times += [] if self.head.now is None else [self.head.now]
        return max(times, default=None)

    def _border(self, now: int | None) -> int | None:
        """Whose turn has come: the events before this time."""
        return now if now is None or not self.work.ordered else now + 1

    def _due(self, now: int | None) -> Iterator[tuple[int, str]]:
        """The control rows whose time has come."""
        while self.head.coming and now is not None and self.head.coming[0][0] <= now:
            yield self.head.coming.pop(0)

    # Rows

    def _hear(self, incoming: Incoming) -> None:
        """Control rows wait for their time; what is bad, or from an earlier level, comes out."""
        self.figures["kept"] = incoming.kept if self.work.level == 1 else 0
        for said in incoming.said:
            if said.get(PASSED) is not None:
                self.rows.append(output.passed(said[PASSED]))
            elif misfit := said.get(MISFIT):
                self.figures["misfit"] += 1
                self._refuse(said, misfit)
            elif reason := said.get(REASON) or _unreadable(said[CONTROL]):
                self._refuse(said, reason)
            else:
                self.head.coming.append((said["ts"], said[CONTROL]))
                self._pass_on(said)
        self.head.coming.sort(key=lambda each: each[0])

    def _refuse(self, said: dict[str, Any], reason: str) -> None:
        if self.key == self.work.first:
            self.figures["bad"] += 1
            self.rows.append(output.bad(said, reason))

    def _pass_on(self, said: dict[str, Any]) -> None:
        if self.key == self.work.first and self.work.level < self.work.levels:
            self.rows.append(output.row("control", ts=said["ts"], reason=said[CONTROL]))

    def _timely(self, tables: list[pa.Table], before: int | None) -> pa.Table | None:
        """The new events but those that are late: these come out aside."""
        table = pa.concat_tables(tables) if tables else None
        if table is None or before is None or pc.min(table["ts"]).as_py() >= before:
            return table
        late = pc.less(table["ts"], before)
        self.figures["late"] = int(pc.sum(late).as_py())
        self.rows.extend(output.late(table.filter(late), self.work.nested))
        return table.filter(pc.invert(late))

    def _numbered(self, events: pa.Table) -> pa.Table:
        """With the places of the events in the bucket's order."""
        places = np.arange(self.head.position, self.head.position + events.num_rows, dtype=np.int64)
        return events.append_column(POSITION, pa.array(places)) if events.num_rows else events

    # Matching

    def _push(self, events: pa.Table) -> None:
        if not events.num_rows:
            return
        batch = events.combine_chunks()
        self._put_aside(batch)
        for name, live in self.roster.live.items():
            self._emit(name, live.matcher.push(batch))
        self.head.position += events.num_rows
        self.head.now = max(int(batch["ts"][-1].as_py()), self.head.now or NEVER)
        self._retain(batch)

    def _put_aside(self, events: pa.Table) -> None:
        """The events with values that the queries of this moment take for something else; they go on, too."""
        reasons: dict[int, list[str]] = {}
        for name, live in self.roster.live.items():
            for misfit in self.work.misfits(name, live.query):
                for place in _carrying(events, misfit.types, misfit.attribute):
                    reasons.setdefault(place, []).append(misfit.reason)
        self.figures["bad"] += len(reasons)
        self.figures["misfit"] += len(reasons)
        for place, found in sorted(reasons.items()):
            (event,) = events.slice(place, 1).to_pylist()
            self.rows.append(output.misfit(event, self.work.nested, "; ".join(found)))

    def _advance(self, now: int | None) -> None:
        self.head.now = now
        for name, live in self.roster.live.items():
            if now is not None:
                found = live.matcher.finish() if now >= FOREVER else live.matcher.advance(now)
                self._emit(name, found)

    def _emit(self, name: str, found: sase.Matches) -> None:
        rows = [self.writer.matched(name, match) for match in output.singly(found)]
        self.matched[name] = self.matched.get(name, 0) + len(rows)
        self.rows.extend(rows)

    # State

    def _horizon(self) -> int:
        """Events at or before this time are needed no more."""
        past = NEVER if self.head.now is None else self.head.now - max(self.work.history, 1)
        times = (live.horizon(self.head) for live in self.roster.live.values())
        return min([past, *times])

    def _retain(self, batch: pa.Table) -> None:
        """Keep the events that a query may still need, or that are kept for queries to come."""
        recent = batch.slice(int(np.searchsorted(batch["ts"].to_numpy(), self._horizon(), side="right")))
        lives = list(self.roster.live.values())
        needed = np.full(recent.num_rows, self.work.history > 0)
        for live in lives:
            asked = live.needs(recent)
            live.fresh += int(asked.sum())
            needed |= asked
        span = reduce(operator.or_, (live.span for live in lives), Span(self.work.history, 0))
        segments.append(self.head, self.store, recent.filter(pa.array(needed)), span)

    def _save(self) -> None:
        head = self.head
        segments.drop(head, self.store, self._horizon())
        token = uuid4().hex[:12]
        self.roster.save(token)
        head.steps = [*head.steps, (token, head.position)][-_STEPS:]
        if self.work.streaming:
            self.store.wake_at(head, self._wake())
        self.store.save(head)

    def _wake(self) -> int | None:
        """The next moment of the watermark at which something may happen without any event."""
        times = [each.low + 1 for each in self.head.waiting] + [at for at, _ in self.head.coming]
        if any(live.waits for live in self.roster.live.values()):
            times.append(self.watermark + 1)
        return max(min(times), self.watermark + 1) if times else None

    def _report(self) -> None:
        head, roster = self.head, self.roster
        if self.work.level < self.work.levels and head.now is not None:
            self.rows.append(output.row("time", ts=head.now))
        self.figures |= {
            "live": sum(segment.rows for segment in head.segments),
            "bytes": sum(segment.size for segment in head.segments),
            "waiting": sum(each.rows for each in head.waiting),
            "replayed": roster.replayed,
            "replay_ms": round(roster.replay_time * 1000),
        }
        self.rows.append(output.metric(self.figures))
        for name, live in roster.live.items():
            figures = (self.matched.get(name, 0), live.matcher.live_matches, live.matcher.live_events)
            self.rows.append(output.metric(dict(zip(output.OF_QUERY, figures, strict=True)), name))


def _carrying(events: pa.Table, types: tuple[str, ...], attribute: str) -> list[int]:
    """The places of the events of these types that have the attribute."""
    if attribute not in events.column_names:
        return []
    among = pc.is_in(events["event"].cast(pa.string()), pa.array(types))
    found = pc.and_(among, pc.is_valid(events[attribute]))
    return np.flatnonzero(found.to_numpy()).tolist()


def _unreadable(text: str) -> str | None:
    try:
        control.read(text)
    except (ValueError, sase.QueryError) as error:
        return f"unreadable control row: {error}"
    return None
