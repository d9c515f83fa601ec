"""What RETURN gives as the columns that a level has for it; null for what a column cannot hold."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Context, Decimal
from typing import Any

from pyspark.sql.types import (
    ArrayType,
    BooleanType,
    DataType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegralType,
    StructType,
)

from sase.events.values import number
from sase.results.json_text import json_text

_LONG = range(-(2**63), 2**63)


def fitted(attributes: Mapping[str, Any], shape: StructType) -> dict[str, Any]:
    """A composite event's attributes under all names of the shape."""
    return {field.name: _cell(attributes.get(field.name), field.dataType) for field in shape}


def _cell(value: Any, type_: DataType) -> Any:
    match type_:
        case _ if value is None:
            return None
        case ArrayType():
            return [_cell(each, type_.elementType) for each in value] if isinstance(value, list) else None
        case BooleanType():
            return value if isinstance(value, bool) else None
        case IntegralType():
            return _long(value)
        case DecimalType():
            return _decimal(value, type_)
        case DoubleType() | FloatType():
            found = number(value)
            return None if found is None else float(found)
    return value if isinstance(value, str) else json_text(value)


def _long(value: Any) -> int | None:
    found = number(value)
    return int(found) if found is not None and found == found // 1 and found in _LONG else None


def _decimal(value: Any, type_: DecimalType) -> Decimal | None:
    """Exact or not at all."""
    found = number(value)
    if found is None:
        return None
    digits = Context(prec=type_.precision, traps=[])
    rounded = Decimal(found).quantize(Decimal(1).scaleb(-type_.scale), context=digits)
    return rounded if rounded == found else None
