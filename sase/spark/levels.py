"""Builds the Spark plan: per level filter, pack and match; the rows of a level flow into the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import StructField, StructType

import sase
from sase.language import tree
from sase.language.walk import mentions
from sase.options import Limits
from sase.spark.bucket.level import Level
from sase.spark.bucket.processor import Processor
from sase.spark.control import Rule
from sase.spark.dealing.stored import Checkpoint, checkpoint
from sase.spark.input import pack
from sase.spark.input.columns import CONTROL, DOT, MISFIT, REASON, RESERVED, ROW, packed
from sase.spark.input.fit import ColumnKind, Misfit, kind_of, misfits
from sase.spark.input.lanes import lanes
from sase.spark.input.pack import Packer
from sase.spark.input.prepare import ColumnNames, nested, prepared
from sase.spark.input.spread import laned
from sase.spark.output import rows
from sase.spark.output.composite import composites, distinct, fields


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """What `match` was asked for; durations in milliseconds."""

    names: ColumnNames
    types: frozenset[str] | None
    lateness: int
    history: int
    ahead: int | None
    limits: Limits | None
    buckets: int
    together: bool
    levels: int | None = None
    checkpoint: str | None = None
    deadlines: bool = False


def all_levels(
    events: DataFrame, rules: Mapping[str, Rule], settings: MatchSettings
) -> tuple[DataFrame, dict[str, StructType]]:
    """The output of the last level, which carries that of all others, and what each query returns."""
    queries = {name: rule.compiled(name) for name, rule in rules.items()}
    stored = _stored(events, settings)
    layers = _padded(in_layers(queries), settings, stored)
    kinds = kinds_of(events.schema, settings.names)
    base = _timed(_prepared(events, queries, kinds, settings), settings)
    stream, attributes, shape = base, _attributes(base.schema), StructType()
    returned: dict[str, StructType] = {}
    levels = list(bare_levels(events.schema, rules, layers, settings, streaming=events.isStreaming))
    levels = [
        replace(level, reads_events=_reads_events(level, queries, settings, stored)) for level in levels
    ]
    dealing = None if stored is None or stored.holds(levels) else _dealing(events, stored, settings)
    for bare in levels:
        layer = layers[bare.number - 1]
        last = bare.number == bare.levels
        own = {name: StructType([*fields(query, attributes)]) for name, query in layer.items()}
        shape = StructType() if last else distinct(chain(shape, *own.values()))
        returned |= own
        level = replace(bare, shape=shape)
        if dealing is not None:
            level = dealing.level(level, list(layer.values()), stream.schema)
        stream = _matched(stream, list(layer.values()), level, settings)
        if not last:
            attributes = distinct([*attributes, *shape])
            stream = composites(stream, shape, attributes, settings.names.heartbeat)
            if levels[level.number].reads_events:
                events_again = _again(base, settings.names.heartbeat)
                # First, so that at one moment events come before composite events.
                stream = events_again.unionByName(stream, allowMissingColumns=True)
    return stream, returned


def kinds_of(schema: StructType, names: ColumnNames) -> dict[str, ColumnKind]:
    """What the columns of the attributes hold."""
    return {name: kind_of(schema[name].dataType) for name in names.attributes(schema)}


def bare_levels(
    schema: StructType,
    rules: Mapping[str, Rule],
    layers: Sequence[Mapping[str, sase.Query]],
    settings: MatchSettings,
    *,
    streaming: bool,
) -> Iterator[Level]:
    """What the operator of each level has to do, but for what the next ones read of it."""
    made = {query.tree.into or "": at for at, layer in enumerate(layers, 1) for query in layer.values()}
    changeable = settings.names.control is not None
    for number, layer in enumerate(layers, 1):
        yield Level(
            rules={name: rules[name] for name in layer},
            lanes=lanes(layer.values(), settings.buckets, whole=changeable),
            buckets=settings.buckets,
            number=number,
            levels=len(layers),
            made=made,
            lateness=settings.lateness if number == 1 else 0,
            ordered=settings.lateness == 0,
            history=settings.history,
            limits=settings.limits,
            streaming=streaming,
            nested=nested(settings.names, schema),
            shape=StructType(),
            kinds=kinds_of(schema, settings.names) if changeable else {},
            deadlines=settings.deadlines,
        )


def _prepared(
    events: DataFrame,
    queries: Mapping[str, sase.Query],
    kinds: Mapping[str, ColumnKind],
    settings: MatchSettings,
) -> DataFrame:
    """Where queries may come and go all attributes are carried, and the operator itself looks for misfits."""
    needed: frozenset[str] | None = None
    found: list[Misfit] = []
    if settings.names.control is None:
        needed = _needed(queries.values())
        found = [each for name, query in queries.items() for each in misfits(name, query.tree, kinds)]
    return prepared(events, settings.names, needed, settings.types, settings.ahead, found)


def _matched(
    stream: DataFrame, queries: Sequence[sase.Query], level: Level, settings: MatchSettings
) -> DataFrame:
    """Filter in Catalyst, pack in Arrow, match in the stateful operator."""
    names = settings.names
    everything = names.control is not None
    sorted_out = laned(stream, names.heartbeat, queries, level.lanes, everything=everything)
    ticking = None if level.number == 1 else names.heartbeat
    packer = Packer(
        level.lanes, packed(stream.columns), names.heartbeat, ticking, level.retired, level.retired_until
    )
    clock = "clock" if level.streaming and level.number < level.levels else ""
    blobs = sorted_out.mapInArrow(packer, pack.SCHEMA)
    if settings.together:
        # Spark forgets at the watermark that there is one partition, and shuffles.
        blobs = blobs.coalesce(1)
    return blobs.groupBy("bucket").transformWithState(
        Processor(level), rows.schema(level.shape), "append", "EventTime", eventTimeColumnName=clock
    )


def _timed(events: DataFrame, settings: MatchSettings) -> DataFrame:
    """Spark's watermark follows the events; control rows may lie in the future."""
    if not events.isStreaming:
        return events
    event = F.col(CONTROL).isNull() & F.col(REASON).isNull()
    timed = events.withColumn("_time", F.when(event, F.timestamp_millis("ts")))
    return timed.withWatermark("_time", f"{settings.lateness} milliseconds").drop("_time")


def _again(base: DataFrame, heartbeat: str) -> DataFrame:
    """The events themselves for a later level, which learns all else, the time too, from the level before."""
    events = base.where(F.col(CONTROL).isNull() & F.col(REASON).isNull() & (F.col("event") != heartbeat))
    return events.withColumn("_id", F.col("_id").cast("string")).drop(CONTROL, REASON, ROW, MISFIT)


def _attributes(schema: StructType) -> StructType:
    found = [field for field in schema if field.name not in RESERVED]
    return StructType([StructField(field.name.replace(DOT, "."), field.dataType) for field in found])


def _needed(queries: Iterable[sase.Query]) -> frozenset[str] | None:
    """The attributes that some query reads or returns; None: one returns all."""
    found: set[str] = {"prob"}
    for query in queries:
        if not query.returned:
            return None
        found |= query.attributes
        for item in query.returned:
            for part in mentions(item.expression):
                found |= (
                    {part.name} if isinstance(part, tree.Attribute | tree.Aggregate) and part.name else set()
                )
    return None if "*" in found else frozenset(found)


def _reads_events(
    level: Level, queries: Mapping[str, sase.Query], settings: MatchSettings, stored: Checkpoint | None
) -> bool:
    """Whether a level reads the events themselves: if a query does, or if one may that comes later.

    Spark counts how often the source is read, and wants it as the checkpoint has it."""
    if level.number == 1:
        return True
    needing = [name for name in level.rules if queries[name].types - level.made.keys()]
    known = None if stored is None else stored.read_events(level.number)
    if known is None:
        return bool(needing) or settings.levels is not None
    if needing and not known:
        raise ValueError(
            f"{', '.join(needing)} would read plain events on level {level.number}, which did not when the "
            "checkpoint began: begin a new checkpoint with `levels`, so that every level reads them"
        )
    return known


def _stored(events: DataFrame, settings: MatchSettings) -> Checkpoint | None:
    """What the checkpoint holds, if the stream goes on from one."""
    if settings.checkpoint is None or not events.isStreaming:
        return None
    return checkpoint(events.sparkSession, settings.checkpoint)


def _dealing(events: DataFrame, stored: Checkpoint, settings: MatchSettings) -> Any:
    from sase.spark.dealing.deal import Dealing  # it knows the engine, which few drivers need

    names = settings.names
    return Dealing(events.sparkSession, stored, names.heartbeat, everything=names.control is not None)


def _padded(
    layers: list[dict[str, sase.Query]], settings: MatchSettings, stored: Checkpoint | None
) -> list[dict[str, sase.Query]]:
    """With levels for queries to come: Spark wants as many operators as the checkpoint has."""
    number = settings.levels if stored is None else stored.levels
    if number is None or len(layers) == number:
        return layers
    if len(layers) > number:
        raise ValueError(
            f"the queries need {len(layers)} levels, not {number}: "
            + ("begin with more `levels`" if stored is None else "begin a new checkpoint with more `levels`")
        )
    return layers + [{} for _ in range(number - len(layers))]


def in_layers(queries: Mapping[str, sase.Query]) -> list[dict[str, sase.Query]]:
    """Queries in layers: each reads composite events of earlier layers only."""
    left: dict[str, sase.Query] = dict(queries)
    layers: list[dict[str, sase.Query]] = [] if left else [{}]
    while left:
        made = {query.tree.into for query in left.values()}
        layer = {name: query for name, query in left.items() if not query.types & made}
        if not layer:
            raise ValueError(f"the queries {', '.join(left)} read each other's composite events in a circle")
        layers.append(layer)
        left = {name: query for name, query in left.items() if name not in layer}
    return layers
