"""`match`: a DataFrame of events in, a DataFrame of composite events out."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from sase.constraints.parse import parse_constraints
from sase.language.duration import milliseconds
from sase.options import Limits
from sase.spark.control import Rule
from sase.spark.input.prepare import ColumnNames
from sase.spark.levels import MatchSettings, all_levels
from sase.spark.output import metrics

COLUMNS = (
    *("kind", "query", "event", "id", "ts", "start", "end"),
    *("probability", "attributes", "events", "reason"),
)

_KINDS = ("match", "late", "bad", "violation")


def match(
    events: DataFrame,
    queries: Mapping[str, Rule | str],
    *,
    event: str = "event",
    ts: str = "ts",
    seq: str | None = None,
    id: str | None = None,
    control: str | None = None,
    heartbeat: str = "HEARTBEAT",
    types: Collection[str] | None = None,
    lateness: str = "0 seconds",
    history: str = "0 seconds",
    ahead: str | None = None,
    limits: Limits | None = None,
    buckets: int = 2,
    levels: int | None = None,
    checkpoint: str | None = None,
    together: bool = False,
    observe: bool = True,
    deadlines: bool = False,
    figures: bool = False,
    constraints: str | None = None,
) -> DataFrame:
    """Match `queries` (name -> text or `Rule`) on `events`, streaming or batch, in one Spark job.

    Columns of `events`
      event      the event's type, a string
      ts         event time: a timestamp, or a number of milliseconds
      seq        breaks ties of `ts`; without it rows of equal time count in the order of their arrival
      id         names the event for ever; without it a hash of the row does
      control    control rows: where this column is not null, the row is no event but a change of the queries
                 (`change(name, rule)`, `switch_off(name)`) that holds from the row's `ts` on
      all others are attributes; `prob` is the event's probability.

    MatchSettings
      heartbeat  rows of this type are no events: they say that time has passed
      types      the types of the stream; an event of another type is bad. None: any type may come
      lateness   how much later than younger events an event may arrive and still count; rows wait that long
                 for their turn. With "0 seconds" the stream is trusted to be in order and nothing waits
      history    how much of the past is kept for queries that control rows will add
      ahead      an event dated further than this ahead of the clock is bad. None: every time is believed,
                 and one event dated 2099 makes all that come after it late
      limits     bounds on the matches of queries whose `Rule` has none; None: `LIMITS`
      buckets    into how many parts the values of a partition attribute are hashed
      levels     how many levels there are at least: queries that a restart adds may read composite events of
                 the others, up to so many levels; every one then reads the source anew. None: as many as the
                 queries need
      checkpoint where the stream's checkpoint is (`checkpointLocation`): what its buckets hold is dealt out
                 anew if `buckets`, partition attributes or the levels of queries are others than before
      together   read, pack and match in one task, without a shuffle: faster for a stream of few rows in one
                 partition, if `spark.sql.shuffle.partitions` is 1 too
      observe    put the operator's figures into Spark's progress, for `Listener`; planning them takes time in
                 every micro-batch
      deadlines  with rows of kind "deadline": their `ts` is when time alone may bring something about. A
                 source that sends heartbeats can spare those before the earliest of a micro-batch
      figures    with rows of kind "metric", what `observe` would sum up: one for each query and part of the
                 work, the figures in `attributes`
      constraints  what can never happen, as for `sase.compile`: they prune the queries that they serve, and
                 what breaks them comes out as rows of kind "violation"

    The result has one row per match, late event, bad row or breach of a constraint:
      kind         "match", "late", "bad" or "violation"; see `matches`, `late`, `bad`, `violations`
      query        the query's name
      event        the composite event's type: INTO's name, or the query's
      id           of a match: a hash of the query's name and the ids of its events, the same in every replay;
                   of a late or bad row: the event's id
      ts           event time: of a match when it was known, else that of the row
      start, end   the times of the first and the last event of the match
      probability  of the match
      attributes   JSON object: what RETURN names, or else `var.attr` of every positive event;
                   of a late or bad row: the row's own attributes
      events       JSON object: the positive events by variable, with their ids
                   of a violation: `case`, when its event before came (`since`), whether it had broken nothing
                   yet (`first`); the event that broke it is the row's own
      reason       why a row is bad; of a violation the constraint
    A query that reads the INTO type of another runs on the next level: both are in the same result.
    """
    rules = bounded(queries, limits, constraints, changeable=control is not None)
    settings = MatchSettings(
        ColumnNames(event, ts, seq, id, control, heartbeat),
        None if types is None else frozenset(types),
        _milliseconds("lateness", lateness),
        _milliseconds("history", history),
        None if ahead is None else _milliseconds("ahead", ahead),
        limits,
        buckets,
        together,
        levels,
        checkpoint,
        deadlines,
    )
    rows, returned = all_levels(events, rules, settings)
    shown = [*_KINDS, *(["deadline"] if deadlines else []), *(["metric"] if figures else [])]
    rows = rows.withColumn("attributes", _or_figures()) if figures else rows
    return _shown(metrics.observed(rows, rules) if observe else rows, returned, shown)


def bounded(
    queries: Mapping[str, Rule | str], limits: Limits | None, constraints: str | None, *, changeable: bool
) -> dict[str, Rule]:
    """The queries as rules with limits, and with the constraints beside them."""
    rules = {
        name: (Rule(rule) if isinstance(rule, str) else rule).within(limits) for name, rule in queries.items()
    }
    if constraints is None:
        return rules
    from sase.spark.beside import beside  # it knows the operators, which few processes of Spark need

    return beside(parse_constraints(constraints), rules, changeable=changeable)


def _or_figures() -> Column:
    return F.when(F.col("kind") == "metric", F.to_json("figures")).otherwise(F.col("attributes"))


def _shown(rows: DataFrame, returned: Mapping[str, StructType], kinds: Iterable[str]) -> DataFrame:
    """Without what the operator says about itself, with times as Spark knows them, and types on record."""
    times = {name: F.timestamp_millis(name) for name in ("ts", "start", "end")}
    found = rows.where(F.col("kind").isin(*kinds)).select(*COLUMNS).withColumns(times)
    return found.withMetadata("attributes", {name: shape.json() for name, shape in returned.items()})


def _milliseconds(name: str, text: str) -> int:
    length = milliseconds(text)
    if length is None:
        raise ValueError(f"{name} is {text!r}, which is no duration such as '5 seconds'")
    return length


def matches(result: DataFrame, query: str | None = None, *, typed: bool = False) -> DataFrame:
    """The matches in a result of `match`, of one query or of all.

    With `typed` the column `attributes` is no JSON text but a struct of what the query returns, a field for
    each, with its type: `matches(found, "bulk", typed=True).select("ts", "attributes.*")`.
    """
    found = result.where("kind = 'match'").drop("kind", "reason")
    if query is not None:
        found = found.where(found["query"] == query)
    return found.withColumn("attributes", _struct(result, query)) if typed else found


def _struct(result: DataFrame, query: str | None) -> Column:
    known = result.schema["attributes"].metadata
    if query not in known:
        raise ValueError(
            f"typed=True needs one of the queries of the call of `match` ({', '.join(known)}), not {query}"
        )
    return F.from_json("attributes", StructType.fromJson(json.loads(known[query])))


def late(result: DataFrame) -> DataFrame:
    """The events that came later than `lateness` allows, and took part in nothing."""
    return result.where("kind = 'late'").select("event", "id", "ts", "attributes")


def bad(result: DataFrame) -> DataFrame:
    """The rows that are no events, with the reason."""
    return result.where("kind = 'bad'").select("event", "id", "ts", "attributes", "reason")


def violations(result: DataFrame) -> DataFrame:
    """What has broken the constraints: the event, the case in the order of BY, and the constraint."""
    found = result.where("kind = 'violation'").withColumnRenamed("reason", "constraint")
    case = F.get_json_object("events", "$.case").alias("case")
    return found.select("event", "id", "ts", "attributes", case, "constraint")
