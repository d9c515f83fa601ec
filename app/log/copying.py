"""Copies a log to another place, positions and all, so that checkpoints and the store go on with the copy."""

from __future__ import annotations

from collections.abc import Iterator

from app.log import access
from app.log.errors import LogError
from app.log_address import LogAddress


def copy(source: LogAddress, target: LogAddress) -> Iterator[tuple[int, int]]:
    """How many rows of how many are there, again and again. What a copy that was cut off has brought there
    is not brought again; LogError if the target holds anything else."""
    begin, stop = access.earliest(source), access.end(source)
    start = _start(source, target, range(begin, stop))
    yield start - begin, stop - begin
    if start < stop:
        yield from _rows(source, target, range(start, stop), begin)
    if stop > 0:
        for consumer, position in access.committed(source).items():
            access.commit(target, consumer, position)


def copy_note(source: LogAddress, target: LogAddress, name: str) -> None:
    known = access.kept(source, name)
    if known is not None:
        access.keep(target, name, known)


def _rows(source: LogAddress, target: LogAddress, rest: range, begin: int) -> Iterator[tuple[int, int]]:
    batches = access.read(source, rest.start, rest.stop)
    batch = next(batches)
    writer = access.open_writer(target, batch.drop_columns("position").schema, first=begin)
    try:
        if writer.position != rest.start:
            raise LogError(
                f"{target} goes on at {writer.position}, not at {rest.start}: copy to another place"
            )
        while batch is not None:
            writer.append(batch.drop_columns("position"))
            yield writer.position - begin, rest.stop - begin
            batch = next(batches, None)
    finally:
        writer.close()


def _start(source: LogAddress, target: LogAddress, whole: range) -> int:
    """Where a copy goes on."""
    first, there = access.earliest(target), access.end(target)
    if there == 0:
        return whole.start
    if not whole.start <= there <= whole.stop:
        raise LogError(
            f"{target} ends at position {there}, and {source} has {whole.start} to {whole.stop}: "
            "it is no earlier copy. Copy to another place."
        )
    if there > max(first, whole.start):
        [mine], [theirs] = (list(access.read(where, there - 1, there)) for where in (target, source))
        if mine.to_pylist() != theirs.to_pylist():
            raise LogError(f"{target} has other rows than {source}: it is no copy. Copy to another place.")
    return there
