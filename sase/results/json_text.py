"""What a match holds as JSON text: numbers as exact as they are, null for a number that is none."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from typing import Any


def json_text(value: Any) -> str:
    """JSON has neither NaN nor infinity; decimals are numbers there, dates and the like texts."""
    try:
        return _encode(value)
    except (TypeError, ValueError):  # something that Python's own writer does not know, or writes wrongly
        return _piecewise(value)


def _piecewise(value: Any) -> str:
    match value:
        case dict():
            parts = (f"{_encode(str(name))}: {_piecewise(part)}" for name, part in value.items())
            return f"{{{', '.join(parts)}}}"
        case list() | tuple():
            return f"[{', '.join(map(_piecewise, value))}]"
        case float() | Decimal() if not math.isfinite(value):
            return "null"
        case Decimal():
            return str(value)
        case None | str() | int() | float():
            return _encode(value)
    return _encode(str(value))


_encode = json.JSONEncoder(allow_nan=False).encode
