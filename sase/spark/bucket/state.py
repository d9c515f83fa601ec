"""What a bucket keeps in Spark's state store: a small head, rewritten, and Arrow blobs, written once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

import pyarrow as pa
from pyspark.sql.streaming.stateful_processor import StatefulProcessorHandle
from pyspark.sql.types import BinaryType, LongType, StringType, StructField, StructType

from sase.spark.blob import decode, encode

VERSION = 2  # of the head; 0 are those that do not say

_KEY = StructType([StructField("number", LongType())])
_BLOB = StructType([StructField("blob", BinaryType())])
_TEXT = StructType([StructField("text", StringType())])


@dataclass(frozen=True, slots=True)
class PastBlob:
    """Events in one blob that have been matched and may be needed again."""

    number: int
    low: int  # the first event's time
    high: int
    first: int  # its place in the bucket's order
    last: int
    rows: int
    size: int
    slice: int  # the slice of time that it is dropped with
    rank: int = 0  # how often it was merged


@dataclass(frozen=True, slots=True)
class WaitingBlob:
    """Events in one blob whose turn has not come."""

    number: int
    low: int  # the earliest event's time
    rows: int


@dataclass(slots=True)
class Head:
    """Everything about a bucket but its events."""

    buckets: int
    lineage: str  # of this bucket's state, ever since it was created
    now: int | None = None  # event time as far as it has come
    position: int = 0  # how many events have been matched
    numbers: int = 0  # how many blobs have been written
    steps: list[tuple[str, int]] = field(default_factory=list)  # the latest: (token, position after it)
    past: list[PastBlob] = field(default_factory=list)
    waiting: list[WaitingBlob] = field(default_factory=list)
    changes: dict[str, tuple[str, int]] = field(default_factory=dict)  # query -> (control text, since where)
    coming: list[tuple[int, str]] = field(default_factory=list)  # control rows whose time has not come
    snapshots: dict[str, int] = field(default_factory=dict)  # query -> blob
    bases: dict[str, int] = field(default_factory=dict)  # query -> its snapshot knows all before this place
    snapshot_rules: dict[str, str] = field(default_factory=dict)  # query -> the rule whose snapshot it is
    aside: dict[str, str] = field(default_factory=dict)  # query -> the rule that was put aside, for it raised
    timer: int | None = None
    made: dict[str, int] | None = None  # composite event type -> its level; None: the head does not say
    reads_events: bool | None = None  # whether its level reads the stream's own events; None: not said
    dealt: str = ""  # the dealing that the bucket began with
    version: int = VERSION


class BlobReader(Protocol):
    """Where the blobs of a bucket can be read."""

    def read(self, number: int) -> pa.Table: ...


class BlobStore(BlobReader, Protocol):
    """Where the blobs of a bucket are."""

    def write(self, head: Head, table: pa.Table) -> tuple[int, int]: ...

    def drop(self, numbers: Iterable[int]) -> None: ...


class StepState(BlobStore, Protocol):
    """What a step of a bucket asks of its state."""

    def save(self, head: Head) -> None: ...

    def write_bytes(self, head: Head, blob: bytes) -> tuple[int, int]: ...

    def read_bytes(self, number: int) -> bytes: ...

    def wake_at(self, head: Head, time: int | None) -> None: ...


class BucketState:
    """The head and the blobs of whichever bucket Spark is working on."""

    def __init__(self, handle: StatefulProcessorHandle) -> None:
        self._handle = handle
        self._head = handle.getValueState("head", _TEXT)
        self._blobs = handle.getMapState("blobs", _KEY, _BLOB)

    def load(self) -> Head | None:
        """The head, if the bucket has been here before."""
        found = self._head.get()
        return read_head(found[0]) if found else None

    def clear(self, timer: int | None) -> None:
        """Nothing is left of the bucket, nor its timer."""
        if timer is not None:
            self._handle.deleteTimer(timer)
        self._head.clear()
        self._blobs.clear()

    def take_over(self, blobs: Mapping[int, bytes]) -> None:
        """Begin with what was dealt to the bucket."""
        for number, blob in blobs.items():
            self._blobs.updateValue((number,), (blob,))

    def save(self, head: Head) -> None:
        self._head.update((written_head(head),))

    def write(self, head: Head, table: pa.Table) -> tuple[int, int]:
        """Keep the table; its number and its size in bytes."""
        return self.write_bytes(head, encode(table))

    def write_bytes(self, head: Head, blob: bytes) -> tuple[int, int]:
        head.numbers += 1
        self._blobs.updateValue((head.numbers,), (blob,))
        return head.numbers, len(blob)

    def read(self, number: int) -> pa.Table:
        return decode(self.read_bytes(number))

    def read_bytes(self, number: int) -> bytes:
        found = self._blobs.getValue((number,))
        assert found is not None, f"the state has lost blob {number}"
        return bytes(found[0])

    def drop(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            self._blobs.removeKey((number,))

    def wake_at(self, head: Head, time: int | None) -> None:
        """Have Spark call again once the watermark reaches `time`."""
        if time == head.timer:
            return
        if head.timer is not None:
            self._handle.deleteTimer(head.timer)
        if time is not None:
            self._handle.registerTimer(time)
        head.timer = time


def written_head(head: Head) -> str:
    """Checkpoints name the past "segments"."""
    saved = asdict(head)
    saved["segments"] = saved.pop("past")
    return json.dumps(saved)


def read_head(text: str) -> Head:
    """JSON knows no tuples and no classes."""
    saved: dict[str, Any] = json.loads(text)
    version = saved.pop("version", 0)
    if version > VERSION:
        raise ValueError(
            f"the checkpoint was written by a later version of sase (its state has version {version}, "
            f"this one reads {VERSION}): go on with that version, or start with a new checkpoint"
        )
    past = saved.pop("segments")
    return Head(
        **saved
        | {
            "steps": [(token, position) for token, position in saved["steps"]],
            "past": [PastBlob(**blob) for blob in past],
            "waiting": [WaitingBlob(**blob) for blob in saved["waiting"]],
            "changes": {name: (text, since) for name, (text, since) in saved["changes"].items()},
            "coming": [(time, text) for time, text in saved["coming"]],
        }
    )
