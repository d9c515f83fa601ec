"""One step of one bucket: new rows in, time forward, queries changed on the way, matches out."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from typing import Any
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

import sase
from sase.matcher import Counted
from sase.plan.window import FOREVER, NEVER
from sase.spark import control
from sase.spark.bucket import past, waiting
from sase.spark.bucket.incoming import Incoming
from sase.spark.bucket.level import Level
from sase.spark.bucket.outgoing import Outgoing
from sase.spark.bucket.past import Reach
from sase.spark.bucket.queries import BucketQueries
from sase.spark.bucket.state import Head, StepState
from sase.spark.input.columns import CONTROL, MISFIT, POSITION, REASON
from sase.spark.input.lanes import Lane

Raised = dict[str, Exception]

_STEPS = 128  # a worker that is further behind starts anew


class BucketStep:
    """Works on the state of the bucket that Spark has chosen; used once."""

    def __init__(
        self, level: Level, key: int, lane: Lane, head: Head | None, state: StepState, watermark: int
    ) -> None:
        self.level, self.state, self.watermark = level, state, watermark
        self.head = head or Head(level.buckets, uuid4().hex)
        self.head.made, self.head.reads_events = dict(level.made), level.reads_events
        self.queries = BucketQueries(level, lane, self.head, state)
        self.out = Outgoing(level, key)

    def run(self, incoming: Incoming) -> list[dict[str, Any]]:
        """Everything that happens to the bucket in this micro-batch; the rows that come out."""
        before, now = self.head.now, self._now(incoming.top)
        self._hear(incoming)
        new = self._timely(incoming.tables, before)
        ready = self._numbered(waiting.release(self.head, self.state, new, self._border(now)))
        for until, text in self._due(now):
            count = int(np.searchsorted(ready["ts"].to_numpy(), until)) if ready.num_rows else 0
            self._push(ready.slice(0, count))
            ready = ready.slice(count)
            self.queries.change(text)
        self._push(ready)
        self._advance(now)
        self._save()
        self._report()
        return self.out.rows

    # Time

    def _now(self, top: int | None) -> int | None:
        """Event time after this step: the watermark's, or later if the rows themselves say so."""
        times = [FOREVER] if not self.level.streaming else [self.watermark] if self.watermark > 0 else []
        times += [] if top is None else [top - self.level.lateness]
        times += [] if self.head.now is None else [self.head.now]
        return max(times, default=None)

    def _border(self, now: int | None) -> int | None:
        """Whose turn has come: the events before this time."""
        return now if now is None or not self.level.ordered else now + 1

    def _due(self, now: int | None) -> Iterator[tuple[int, str]]:
        """The control rows whose time has come."""
        while self.head.coming and now is not None and self.head.coming[0][0] <= now:
            yield self.head.coming.pop(0)

    # Rows

    def _hear(self, incoming: Incoming) -> None:
        """Control rows wait for their time; what is bad, or from an earlier level, comes out."""
        self.out.figures["kept"] = incoming.kept if self.level.number == 1 else 0
        self.out.pass_through(incoming.passed)
        for said in incoming.said:
            if misfit := said.get(MISFIT):
                self.out.figures["misfit"] += 1
                self.out.refuse(said, misfit)
            elif reason := said.get(REASON) or _unreadable(said[CONTROL]):
                self.out.refuse(said, reason)
            else:
                self.head.coming.append((said["ts"], said[CONTROL]))
                self.out.pass_on(said)
        self.head.coming.sort(key=lambda each: each[0])

    def _timely(self, tables: list[pa.Table], before: int | None) -> pa.Table | None:
        """The new events but those that are late: these come out aside."""
        table = pa.concat_tables(tables) if tables else None
        if table is None or before is None or pc.min(table["ts"]).as_py() >= before:
            return table
        late = pc.less(table["ts"], before)
        self.out.late(table.filter(late))
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
        self._ask(lambda together, raised: together.push(batch, raised))
        self.head.position += events.num_rows
        self.head.now = max(int(batch["ts"][-1].as_py()), self.head.now or NEVER)
        self._retain(batch)

    def _put_aside(self, events: pa.Table) -> None:
        """The events that do not fit the queries of this moment."""
        queries = self.queries.by_name.items()
        found = (each for name, query in queries for each in self.level.misfits(name, query.compiled))
        self.out.misfits(events, found)

    def _advance(self, now: int | None) -> None:
        self.head.now = now
        if now is not None:
            self._ask(
                lambda together, raised: (
                    together.finish(raised) if now >= FOREVER else together.advance(now, raised)
                )
            )

    def _ask(self, question: Callable[[sase.SetMatcher, Raised], Mapping[str, sase.Matches]]) -> None:
        """Ask all queries for their matches; one that raises is put aside, and the others go on."""
        before = {name: query.matcher.counted for name, query in self.queries.by_name.items()}
        dropped = {name: query.matcher.dropped for name, query in self.queries.by_name.items()}
        raised: Raised = {}
        found = question(self.queries.together, raised)
        for name, error in raised.items():
            self.queries.put_aside(name, error)
        for name, query in [*self.queries.by_name.items()]:
            try:
                self.out.matches(name, found[name])
            except Exception as error:
                self.queries.put_aside(name, error)
            else:
                since = zip(query.matcher.counted, before[name], strict=True)
                self.out.counted(name, Counted(*(now - then for now, then in since)))
                self.out.violations(name, query.matcher.take_violations())
                self.out.pruned(name, query.matcher.dropped - dropped[name])

    # State

    def _horizon(self) -> int:
        """Events at or before this time are needed no more."""
        recent = NEVER if self.head.now is None else self.head.now - max(self.level.history, 1)
        times = (query.horizon(self.head) for query in self.queries.by_name.values())
        return min([recent, *times])

    def _retain(self, batch: pa.Table) -> None:
        """Keep the events that a query may still need, or that are kept for queries to come."""
        old = int(np.searchsorted(batch["ts"].to_numpy(), self._horizon(), side="right"))
        queries = list(self.queries.by_name.values())
        needed = np.full(batch.num_rows, self.level.history > 0)
        for query in queries:
            asked = query.needs(batch)
            query.fresh += int(np.count_nonzero(asked >= old))
            needed[asked] = True
        needed[:old] = False
        reach = reduce(operator.or_, (query.reach for query in queries), Reach(self.level.history, 0))
        past.append(self.head, self.state, batch.filter(pa.array(needed)), reach)

    def _save(self) -> None:
        head = self.head
        past.drop(head, self.state, self._horizon())
        token = uuid4().hex[:12]
        self.queries.save(token)
        head.steps = [*head.steps, (token, head.position)][-_STEPS:]
        if self.level.streaming:
            self.state.wake_at(head, self._wake())
        self.state.save(head)

    def _deadline(self) -> int | None:
        """The next moment at which something may happen without any event."""
        times = [blob.low + 1 for blob in self.head.waiting] + [at for at, _ in self.head.coming]
        waiting = (query.matcher.next_deadline for query in self.queries.by_name.values())
        times += [deadline for deadline in waiting if deadline is not None]
        return min(times, default=None)

    def _wake(self) -> int | None:
        """The same as a moment that the watermark has not reached."""
        deadline = self._deadline()
        return None if deadline is None else max(deadline, self.watermark + 1)

    def _report(self) -> None:
        head, queries = self.head, self.queries
        self.out.raised(queries.raised, head.now)
        self.out.time(head.now)
        self.out.deadline(self._deadline())
        self.out.figures |= {
            "live": sum(blob.rows for blob in head.past),
            "bytes": sum(blob.size for blob in head.past),
            "waiting": sum(blob.rows for blob in head.waiting),
            "replayed": queries.replayed,
            "replay_ms": round(queries.replay_time * 1000),
            "aside": len(head.aside),
        }
        self.out.report({name: query.matcher for name, query in queries.by_name.items()})


def _unreadable(text: str) -> str | None:
    try:
        control.read(text)
    except (ValueError, sase.QueryError) as error:
        return f"unreadable control row: {error}"
    return None
