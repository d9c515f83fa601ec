"""The JSON values in a payload: one, an array, one a line, or several with nothing between them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Never

from app.ingest.payloads.fields import UnreadableError

_SPACE = re.compile(r"[\s\x1e]*")  # \x1e: the record separator of JSON text sequences


@dataclass(frozen=True, slots=True)
class Values:
    """What could be read in order, and what was left: its text and why it is not JSON."""

    values: list[object]
    rest: str = ""
    reason: str = ""


def _refuse(word: str) -> Never:
    raise UnreadableError(f"{word} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def parse(text: str) -> Values:
    values: list[object] = []
    at = _skip(text, 0)
    while at < len(text):
        try:
            value, after = _DECODER.raw_decode(text, at)
        except UnreadableError as error:
            return Values(values, text[at:], str(error))
        except json.JSONDecodeError as error:
            return Values(values, text[at:], f"not JSON: {error.msg} at character {error.pos}")
        except (ValueError, RecursionError) as error:
            return Values(values, text[at:], f"JSON out of bounds: {error}")
        values.extend(value if isinstance(value, list) else [value])
        at = _skip(text, after)
    return Values(values)


def _skip(text: str, at: int) -> int:
    return _SPACE.match(text, at).end()  # type: ignore[union-attr]  # it matches the empty text, too
