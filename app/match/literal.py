"""What a plain text stands for where nothing says its type: cells of a CSV file, parameters of a command."""

from __future__ import annotations

import re

# Numbers as programs print them. `007` and `12E4` stay texts: they are more likely somebody's id.
_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,999})")
_DECIMAL = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?(e[+-][0-9]{1,3})?", re.IGNORECASE)
_TRUTH = {"true": True, "false": False}


def value(text: str) -> str | int | float | bool:
    """An integer, a decimal number, true or false if the text is spelt like one, else the text."""
    if _INTEGER.fullmatch(text):
        return int(text)
    if _DECIMAL.fullmatch(text):
        return float(text)
    return _TRUTH.get(text.lower(), text)
