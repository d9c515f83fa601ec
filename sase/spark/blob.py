"""A table of events as bytes, for the way to a bucket and for its state."""

from __future__ import annotations

import pyarrow as pa


def encode(table: pa.Table) -> bytes:
    """The table as one Arrow stream, its event types as codes."""
    place = table.schema.get_field_index("event")
    column = table.column(place).combine_chunks()
    if not pa.types.is_dictionary(column.type):
        table = table.set_column(place, "event", column.dictionary_encode())
    return written(table.combine_chunks())


def written(table: pa.Table) -> bytes:
    """Any table as one Arrow stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()  # type: ignore[no-any-return]


def decode(blob: bytes) -> pa.Table:
    """What was written."""
    return pa.ipc.open_stream(blob).read_all()
