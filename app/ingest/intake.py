"""Turns groups of messages into rows of the log: decoded, without duplicates, durable when `take` returns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from app import log
from app.clock import SYSTEM_CLOCK, Clock
from app.ingest import dead_letters, duplicates, payloads
from app.ingest.arrival import ArrivalClock, ArrivalTime, as_text, last_anchor
from app.ingest.dead_letters import Letter, PendingLetter
from app.ingest.payloads import Route
from app.ingest.payloads.decoding import Decoded, Rejected
from app.ingest.reader_clocks import ReaderClocks
from app.ingest.reader_health import ReaderHealth
from app.ingest.simulated_clock import SimulatedClock
from app.log import LogAddress, LogRetention
from app.log.row import STORED_SCHEMA, Row, heartbeat_row, status_row, to_batch
from app.mqtt.message import Message
from app.mqtt.signing import opened
from app.mqtt.topics import CONTROL, SIMULATOR_CLOCK

RECALLED_ROWS = 200_000
TRIM_EVERY_S = 60.0
# On a quiet log time follows the clock this far behind: what a network or a broker holds up for less is not
# late when it comes.
STALL_MS = 5_000
UNSIGNED = "a command that Vigil has not signed is not believed"
LIVE_S = 1.0  # who has not listened for longer may be taking in what a broker has kept
KEEP_A_MONTH = LogRetention(max_age_ms=30 * 86_400_000)


@dataclass(frozen=True, slots=True)
class Counts:
    messages: int = 0
    rows: int = 0
    rejected: int = 0
    duplicates: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.messages + other.messages,
            self.rows + other.rows,
            self.rejected + other.rejected,
            self.duplicates + other.duplicates,
        )


@dataclass(frozen=True, slots=True)
class IngestSettings:
    log: LogAddress
    routes: tuple[Route, ...] = payloads.DEFAULT
    retention: LogRetention = KEEP_A_MONTH
    silence_s: float = 60.0
    lateness_ms: int = 500
    heartbeat_ms: int = 1_000
    segment_bytes: int = 64 << 20
    control_key: bytes | None = None  # None: commands are believed unsigned
    simulated: bool = False  # time is what a simulation says


@dataclass(slots=True)
class _Group:
    """The outcome of a group of messages before it is written."""

    rows: list[Row] = field(default_factory=list)
    letters: list[Letter] = field(default_factory=list)
    row_keys: set[int] = field(default_factory=set)
    letter_keys: set[int] = field(default_factory=set)
    duplicates: int = 0


class Ingest:
    """Owns the log and the dead letters, and remembers enough of both to know a repetition."""

    def __init__(self, settings: IngestSettings, clock: Clock = SYSTEM_CLOCK) -> None:
        self.settings = settings
        self.counts = Counts()
        self._clock = clock
        known = last_anchor(settings.log)
        self._simulated = SimulatedClock(clock, known) if settings.simulated else None
        self._arrival: ArrivalTime = self._simulated or ArrivalClock(clock, known)
        self._clocks = ReaderClocks(settings.lateness_ms)
        self._log = log.open_writer(settings.log, STORED_SCHEMA, settings.segment_bytes)
        self._letters = dead_letters.open_writer(settings.log)
        self.repairs = [repair for repair in (self._log.repair, self._letters.repair) if repair]
        self._seen, self._seen_letters = duplicates.Memory(), duplicates.Memory()
        self._health = ReaderHealth(self._clocks, settings.silence_s)
        self._trimmed_at = self._beaten_at = clock.monotonic_s()
        self._listened_at = -LIVE_S
        # The first conversion makes pyarrow import pandas: some seconds, better spent before a broker waits.
        to_batch([heartbeat_row(0, 0)])
        self._recall()

    @property
    def position(self) -> int:
        return self._log.position

    def take(self, messages: Sequence[Message]) -> None:
        """Write and sync what the messages hold; after an OSError they may all come again."""
        group = self._sort(messages)
        if group.letters:
            dead_letters.append(self._letters, group.letters)
            self._seen_letters.add(group.letter_keys)
        if group.rows:
            self._write(group.rows)
            self._seen.add(group.row_keys)
        self.counts = Counts(
            self.counts.messages + len(messages),
            self.counts.rows + len(group.rows),
            self.counts.rejected + len(group.letters),
            self.counts.duplicates + group.duplicates,
        )

    def listen(self) -> None:
        """Up to now nothing was missed: now and then the log says so, and time passes for those who read it.
        While nobody listens none passes: nothing has failed to happen, what the broker keeps is not late."""
        self._listened_at, every_s = self._clock.monotonic_s(), self.settings.heartbeat_ms / 1000
        if every_s and self._listened_at - self._beaten_at >= every_s:
            self._beaten_at = self._listened_at
            now = self._arrival.now_ms()
            self._log.append(to_batch([heartbeat_row(now - STALL_MS, now, as_text(self._arrival))]))

    def note(self, status: str) -> None:
        """Put a word about ingest itself on the stream; the reader is the empty one."""
        now = self._arrival.now_ms()
        self._write([status_row("", now, now, json.dumps({"status": status}))])

    def tick(self) -> None:
        """What is due now and then: the readers' health to the log, old segments out of it."""
        now, monotonic = self._arrival.now_ms(), self._clock.monotonic_s()
        events = self._health.events(now, self._passed_s())
        if events:
            self._log.append(to_batch(events))
        if monotonic - self._trimmed_at >= TRIM_EVERY_S:
            self._trimmed_at = monotonic
            self._trim(self._clock.now_ms())  # by the files' times, which the machine's clock stamps

    def replay(self) -> Counts:
        """Try the dead letters again: those that can be read now move to the log."""
        portions = dead_letters.in_portions(dead_letters.pending(self.settings.log))
        counts = Counts()
        for letters in portions:
            counts += self._replayed(letters)
        dead_letters.settle(self.settings.log)
        return counts

    def _replayed(self, letters: Sequence[PendingLetter]) -> Counts:
        rescued, rows = [], []
        for entry in letters:
            letter = entry.letter
            decoded = self._decoded(letter.topic, letter.payload, letter.received)
            if not decoded.rejected:
                rescued.append(entry)
                rows += decoded.rows
        if rescued:
            self._write([*rows, dead_letters.replayed_mark(rescued, self._arrival.now_ms())])
        return Counts(len(letters), len(rows), len(letters) - len(rescued))

    def give_up(self) -> None:
        """Do not wait for the log any longer: what it has not taken stays with the broker."""
        self._log.give_up()
        self._letters.give_up()

    def close(self) -> None:
        self._log.close()
        self._letters.close()

    def _sort(self, messages: Sequence[Message]) -> _Group:
        group, now_ms = _Group(), self._arrival.now_ms()
        for message in messages:
            if self._simulated and message.topic == SIMULATOR_CLOCK:
                self._simulated.hear(message.payload)
                now_ms = self._simulated.now_ms()
                continue
            decoded = self._decoded(message.topic, message.payload, now_ms)
            rows = self._simulated.moved(decoded.rows) if self._simulated else decoded.rows
            self._sort_rows(rows, message.repeated, group)
            if decoded.rejected:
                letters = [dead_letters.letter(message.topic, part, now_ms) for part in decoded.rejected]
                self._sort_letters(letters, message.repeated, group)
        return group

    def _decoded(self, topic: str, payload: bytes, received: int) -> Decoded:
        """A command counts only if it is signed: readers share the broker with whoever commands."""
        key = self.settings.control_key
        if key is not None and topic == CONTROL:
            found = opened(payload, key)
            if found is None:
                return Decoded(rejected=[Rejected(payload, UNSIGNED)])
            payload = found
        return payloads.decode(topic, payload, received, self.settings.routes)

    def _sort_rows(self, rows: list[Row], repeated: bool, group: _Group) -> None:
        """A sequence number tells a repetition; without one, only what the broker delivers again is one."""
        unnumbered: set[int] = set()  # two equal rows in one message are two readings
        for row in rows:
            key = duplicates.key(row)
            if (row.seq is not None or repeated) and (key in group.row_keys or key in self._seen):
                group.duplicates += 1
                continue
            group.rows.append(row)
            (unnumbered if row.seq is None else group.row_keys).add(key)
        group.row_keys |= unnumbered

    def _sort_letters(self, letters: list[Letter], repeated: bool, group: _Group) -> None:
        keys = [dead_letters.key(letter) for letter in letters]
        known = [repeated and (key in group.letter_keys or key in self._seen_letters) for key in keys]
        group.letters += [letter for letter, old in zip(letters, known, strict=True) if not old]
        group.letter_keys.update(keys)
        group.duplicates += sum(known)

    def _write(self, rows: list[Row]) -> None:
        monotonic = self._clock.monotonic_s()
        live = monotonic - self._listened_at <= LIVE_S
        batch = self._clocks.correct(to_batch(rows), live=live)
        news = list(self._clocks.news(batch))
        self._log.append(pa.concat_batches([batch, to_batch(news)]) if news else batch)
        self._health.observe(rows, self._passed_s())

    def _passed_s(self) -> float:
        """Seconds of the time that passes where the readers are."""
        return self._arrival.now_ms() / 1000 if self._simulated else self._clock.monotonic_s()

    def _recall(self) -> None:
        """After a restart the tail of the log says what was seen and how the readers were."""
        now, passed_s = self._arrival.now_ms(), self._passed_s()
        for rows in _tail(self.settings.log):
            self._seen.add(duplicates.key(row) for row in rows)
            self._health.recall(rows, now, passed_s)
        letters = dead_letters.recent(self.settings.log, RECALLED_ROWS)
        self._seen_letters.add(dead_letters.key(letter) for letter in letters)

    def _trim(self, now_ms: int) -> None:
        letters = log.beside(self.settings.log, dead_letters.FOLDER)
        log.trim(self.settings.log, self.settings.retention, now_ms)
        log.commit(letters, "ingest", self._letters.position)  # nobody else consumes them
        log.trim(letters, self.settings.retention, now_ms)


def _tail(where: LogAddress) -> Iterator[list[Row]]:
    for batch in log.tail(where, RECALLED_ROWS):
        columns = [column.to_pylist() for column in batch.columns[1:]]
        yield [Row(*values) for values in zip(*columns, strict=True)]
