"""Composite events as a DataFrame of events again: columns with types, for the queries of the next level."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import (
    ArrayType,
    BooleanType,
    DataType,
    DecimalType,
    DoubleType,
    IntegralType,
    LongType,
    StringType,
    StructField,
    StructType,
)

import sase
from sase.language import tree
from sase.language.walk import leaves
from sase.language.write import returned_name
from sase.spark.input.columns import CONTROL, PASSED, REASON, ROW, carried
from sase.spark.output.rows import COMPOSITE


def composites(result: DataFrame, shape: StructType, attributes: StructType, heartbeat: str) -> DataFrame:
    """What a level puts out as input of the next: matches are events, its clock beats, all rows pass."""
    kind = F.col("kind")
    event = F.when(kind == "time", heartbeat).when(kind == "match", F.col("event"))
    composite = F.col(COMPOSITE)
    whole = F.struct(*(name for name in result.columns if name != "clock"))
    nothing = F.lit(None).cast("string")
    return result.select(
        event.alias("event"),
        "ts",
        F.col("id").alias("_id"),
        *(
            (composite.getField(name) if name in shape.names else F.lit(None).cast(kind)).alias(carried(name))
            for name, kind in ((field.name, field.dataType) for field in attributes)
        ),
        F.when(kind == "control", F.col("reason")).alias(CONTROL),
        nothing.alias(REASON),
        nothing.alias(ROW),
        F.when(~kind.isin("time", "control"), whole).alias(PASSED),
    )


def fields(query: sase.Query, attributes: StructType) -> Iterator[StructField]:
    """What RETURN gives, with its types; `attributes` are those of the events that the query reads."""
    components = {leaf.var or "": leaf for leaf in leaves(query.tree.pattern)}
    returned = query.returned or [tree.Returned(tree.Attribute(name, "*")) for name in components]
    for item in returned:
        expression = item.expression
        if isinstance(expression, tree.Attribute) and expression.name == "*":
            for field in attributes:
                kind = _attribute(tree.Attribute(expression.var, field.name), components, attributes)
                yield StructField(f"{expression.var}.{field.name}", kind)
        else:
            yield StructField(returned_name(item), _type(expression, components, attributes))


def _type(expression: tree.Expression, components: dict[str, tree.Leaf], attributes: StructType) -> DataType:
    match expression:
        case tree.Constant(value):
            return (
                StringType()
                if isinstance(value, str)
                else LongType()
                if isinstance(value, int)
                else DoubleType()
            )
        case tree.Attribute():
            return _attribute(expression, components, attributes)
        case tree.Length() | tree.Aggregate(function="count"):
            return LongType()
        case tree.Aggregate(function="first" | "last" | "min" | "max", name=name) if name in attributes.names:
            return attributes[name].dataType
        case tree.Aggregate(function="sum", name=name) if name in attributes.names:
            return _computed("+", attributes[name].dataType, LongType())
        case tree.Minus(operand):
            return _computed("-", _type(operand, components, attributes), LongType())
        case tree.Arithmetic(op, left, right):
            return _computed(op, _type(left, components, attributes), _type(right, components, attributes))
    return DoubleType()


def _computed(op: str, left: DataType, right: DataType) -> DataType:
    """Integers stay integers and decimals decimals but for a quotient, which is a double."""
    whole = (IntegralType, BooleanType)
    if op == "/" or not all(isinstance(side, (*whole, DecimalType)) for side in (left, right)):
        return DoubleType()
    if isinstance(left, whole) and isinstance(right, whole):
        return LongType()
    scales = [side.scale if isinstance(side, DecimalType) else 0 for side in (left, right)]
    return DecimalType(38, min(sum(scales) if op == "*" else max(scales), 38))


def _attribute(
    reference: tree.Attribute, components: dict[str, tree.Leaf], attributes: StructType
) -> DataType:
    known: dict[str, DataType] = {field.name: field.dataType for field in attributes}
    own = {"ts": LongType(), "event": StringType()}
    kind = (own | known).get(reference.name, StringType())
    leaf = components.get(reference.var or "")
    return ArrayType(kind) if leaf is not None and leaf.kleene and reference.index is None else kind


def distinct(found: Iterable[StructField]) -> StructType:
    """One column per name; two queries that return it with different types would shadow each other."""
    known: dict[str, DataType] = {}
    for field in found:
        if known.setdefault(field.name, field.dataType) != field.dataType:
            raise ValueError(
                f"{field.name} is returned as {known[field.name].simpleString()} and as "
                f"{field.dataType.simpleString()}: give one of them another name with AS"
            )
    return StructType([StructField(name, kind) for name, kind in known.items()])
