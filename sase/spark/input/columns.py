"""The columns of a row on its way to a bucket, and any column as Catalyst knows it."""

from __future__ import annotations

from collections.abc import Iterable

from pyspark.sql import Column
from pyspark.sql import functions as F

LANE = "_lane{}"  # the bucket's number in this lane; null: the event is not wanted there
CONTROL = "_control"  # the text of a control row
REASON, ROW = "_reason", "_row"  # why the row is bad, and all of it as JSON
MISFIT = "_misfit"  # why the row is bad but an event all the same; no such column: all types fit
PASSED = "_passed"  # a row that an earlier level has put out, as a struct
NOTICES = (CONTROL, REASON, ROW, PASSED, MISFIT)  # what is said beside the events
EVENT = ("event", "ts", "_id", "_seq")  # what every event carries besides its attributes
RESERVED = (*EVENT, *NOTICES)  # names that no attribute may have
POSITION = "_position"  # added by the bucket: the event's place in its order

DOT = "\x1f"  # stands for a dot in the names of columns, which Spark would take for a field of a struct


def packed(names: Iterable[str]) -> tuple[str, ...]:
    """The columns of these that go into a bucket, in the order in which every blob has them."""
    found = list(names)
    own = (name for name in EVENT if name in found)
    return (*own, *(name for name in found if name not in RESERVED))


def column(name: str) -> Column:
    """The column of this name, whatever it is made of."""
    return F.col("`" + name.replace("`", "``") + "`")


def carried(name: str) -> str:
    """The name of the column in which an attribute travels."""
    return name.replace(".", DOT)


def attribute(name: str) -> Column:
    """The column in which an attribute travels."""
    return column(carried(name))
