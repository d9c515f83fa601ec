"""Any DataFrame of events in the columns that packing expects: type, milliseconds, id, attributes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import (
    BinaryType,
    BooleanType,
    DataType,
    FractionalType,
    NullType,
    NumericType,
    StringType,
    StructType,
    TimestampNTZType,
    TimestampType,
)

from sase.spark.input.columns import CONTROL, MISFIT, REASON, RESERVED, ROW, carried, column
from sase.spark.input.fit import NESTED, Misfit


@dataclass(frozen=True, slots=True)
class ColumnNames:
    """Which column is what; see `match`."""

    event: str
    ts: str
    seq: str | None
    id: str | None
    control: str | None
    heartbeat: str

    def attributes(self, schema: StructType) -> list[str]:
        """The columns that are attributes; columns without a type hold nothing."""
        own = {self.event, self.ts, self.seq, self.control}
        return [f.name for f in schema if f.name not in own and not isinstance(f.dataType, NullType)]


def nested(names: ColumnNames, schema: StructType) -> frozenset[str]:
    """The attributes that travel as JSON text."""
    return frozenset(name for name in names.attributes(schema) if isinstance(schema[name].dataType, NESTED))


def prepared(
    events: DataFrame,
    names: ColumnNames,
    needed: Collection[str] | None,
    types: Collection[str] | None,
    ahead: int | None,
    misfits: Sequence[Misfit],
) -> DataFrame:
    """One row per event, control row or bad row; `needed` are the attributes to carry (None: all)."""
    attributes = names.attributes(events.schema)
    if clash := sorted({*attributes, *filter(None, [names.control])} & set(RESERVED)):
        raise ValueError(f"the columns {', '.join(clash)} have names that are taken: rename them")
    row = F.to_json(F.struct(*(column(name) for name in attributes)))
    reason = _reason(events.schema, names, types, ahead)
    misfit = F.when(reason.isNull(), _misfit(names, misfits))
    aside = reason if not misfits else F.coalesce(reason, misfit)
    chosen = attributes if needed is None else [name for name in attributes if name in needed]
    # What is made of many columns comes after them: what Spark infers of a column that stands before its
    # parts is doubled by each of them that gets a new name, until the planning ends for want of memory.
    return events.select(
        _type(names).alias("event"),
        _milliseconds(names.ts, events.schema[names.ts].dataType).alias("ts"),
        *(_carried(name, events.schema[name].dataType) for name in chosen),
        (F.lit(None).cast("string") if names.control is None else column(names.control)).alias(CONTROL),
        *([] if names.seq is None else [_sequence(names.seq).alias("_seq")]),
        _identity(events.schema, names).alias("_id"),
        reason.alias(REASON),
        F.when(aside.isNotNull(), row).alias(ROW),
        *([misfit.alias(MISFIT)] if misfits else []),
    )


def _reason(
    schema: StructType, names: ColumnNames, types: Collection[str] | None, ahead: int | None
) -> Column:
    """Why a row is no event, or null."""
    event, ts = _type(names), _milliseconds(names.ts, schema[names.ts].dataType)
    reason = F.when(ts.isNull(), "no time")
    if names.control is not None:
        reason = reason.when(column(names.control).isNotNull(), None)
    reason = reason.when(event.isNull(), "no type")
    if ahead is not None:
        clock = F.unix_millis(F.current_timestamp())  # of the micro-batch, and the same when it runs again
        reason = reason.when(ts > clock + ahead, f"more than {ahead:,} ms ahead of the clock")
    if types is not None:
        reason = reason.when(~event.isin(*types, names.heartbeat), "unknown type")
    if "prob" in schema.names:
        number = isinstance(schema["prob"].dataType, NumericType)
        inside = (F.col("prob") > 0) & (F.col("prob") <= 1) if number else F.lit(False)
        reason = reason.when(F.col("prob").isNotNull() & ~inside, "prob is not in (0, 1]")
    return reason


def _misfit(names: ColumnNames, misfits: Iterable[Misfit]) -> Column:
    """Why a row does not fit the queries, all reasons in one, or null."""
    event = _type(names)
    reasons = (
        F.when(event.isin(*each.types) & column(each.attribute).isNotNull(), each.reason) for each in misfits
    )
    return F.nullif(F.concat_ws("; ", *reasons), F.lit(""))


def _type(names: ColumnNames) -> Column:
    """The event's type, letter by letter, whatever the column's collation."""
    return column(names.event).cast("string")


def _milliseconds(name: str, type_: DataType) -> Column:
    """Event time; null where there is none, or none that can be read."""
    found = column(name)
    if isinstance(type_, TimestampType | TimestampNTZType):
        return _moment(found, type_)
    if isinstance(type_, StringType):
        return F.unix_millis(found.try_cast("timestamp"))
    whole = found.try_cast("bigint")
    return F.when(whole == found, whole) if isinstance(type_, FractionalType) else whole


def _moment(found: Column, type_: TimestampType | TimestampNTZType) -> Column:
    """The milliseconds of a timestamp; without a zone it is UTC, whatever the session's is."""
    if isinstance(type_, TimestampType):
        return F.unix_millis(found)
    passed = (found - F.expr("timestamp_ntz'1970-01-01'")).cast("interval second")
    return F.floor(passed.cast("decimal(20, 6)") * 1000).cast("bigint")


def _sequence(name: str) -> Column:
    return F.coalesce(column(name).try_cast("bigint"), F.lit(0))


def _identity(schema: StructType, names: ColumnNames) -> Column:
    """The event's id; without one a hash of the whole row, so that a row read again is the same event."""
    hashed = F.xxhash64(
        *(_plain(field.name, field.dataType) for field in schema if not isinstance(field.dataType, NullType))
    )
    if names.id is None:
        return hashed
    return F.coalesce(column(names.id).cast("string"), hashed.cast("string"))


def _carried(name: str, type_: DataType) -> Column:
    """An attribute as it travels; one that is fit already is no new column to reason about."""
    found = _plain(name, type_)
    return found if _is_plain(type_) and carried(name) == name else found.alias(carried(name))


def _plain(name: str, type_: DataType) -> Column:
    """An attribute as text or number; a text without its collation: the language goes by letters."""
    found = column(name)
    if isinstance(type_, NESTED):
        return F.to_json(found)
    if isinstance(type_, TimestampType | TimestampNTZType):
        return _moment(found, type_)
    if isinstance(type_, BinaryType):
        return F.base64(found)
    return found if _is_plain(type_) else found.cast("string")


def _is_plain(type_: DataType) -> bool:
    """A collated text is another type than a text."""
    return isinstance(type_, NumericType | BooleanType) or type_ == StringType()
