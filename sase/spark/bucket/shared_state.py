"""The state of one stream among many: a text that says all of it, and the blobs of all its levels."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa
from pyspark.sql.streaming.stateful_processor import StatefulProcessorHandle
from pyspark.sql.types import BinaryType, IntegerType, LongType, StringType, StructField, StructType

from sase.spark.blob import decode, encode
from sase.spark.bucket.state import Head

_KEY = StructType([StructField("level", IntegerType()), StructField("number", LongType())])
_BLOB = StructType([StructField("blob", BinaryType())])
_TEXT = StructType([StructField("text", StringType())])


class SharedState:
    """Of whichever stream Spark is working on."""

    def __init__(self, handle: StatefulProcessorHandle) -> None:
        self._text = handle.getValueState("stream", _TEXT)
        self._blobs = handle.getMapState("stream_blobs", _KEY, _BLOB)

    def load(self) -> str | None:
        """What was said last, if the stream has been here before."""
        found = self._text.get()
        return str(found[0]) if found else None

    def save(self, text: str) -> None:
        self._text.update((text,))

    def clear(self) -> None:
        """Nothing is left of the stream."""
        self._text.clear()
        self._blobs.clear()

    def read(self, level: int, number: int) -> bytes:
        found = self._blobs.getValue((level, number))
        assert found is not None, f"the state has lost blob {number} of level {level}"
        return bytes(found[0])

    def write(self, level: int, number: int, blob: bytes) -> None:
        self._blobs.updateValue((level, number), (blob,))

    def drop(self, level: int, number: int) -> None:
        self._blobs.removeKey((level, number))


class LevelState:
    """The blobs of one level; its head goes into the text, and nobody calls it at a time."""

    def __init__(self, shared: SharedState, level: int) -> None:
        self._shared, self._level = shared, level

    def save(self, head: Head) -> None:
        """The stream keeps it, with those of the other levels."""

    def write(self, head: Head, table: pa.Table) -> tuple[int, int]:
        return self.write_bytes(head, encode(table))

    def write_bytes(self, head: Head, blob: bytes) -> tuple[int, int]:
        head.numbers += 1
        self._shared.write(self._level, head.numbers, blob)
        return head.numbers, len(blob)

    def read(self, number: int) -> pa.Table:
        return decode(self.read_bytes(number))

    def read_bytes(self, number: int) -> bytes:
        return self._shared.read(self._level, number)

    def drop(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            self._shared.drop(self._level, number)

    def wake_at(self, head: Head, time: int | None) -> None:
        """Rows of the stream itself let its time pass."""
