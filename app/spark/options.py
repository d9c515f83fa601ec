"""Options of Vigil's data sources, which come as text."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def folder(options: Mapping[str, str]) -> Path:
    if "path" not in options:
        raise ValueError('the source "vigil" needs the folder of the log: .load("FOLDER")')
    return Path(options["path"])


def number(options: Mapping[str, str], name: str, default: int) -> int:
    text = options.get(name, str(default))
    try:
        return int(text)
    except ValueError:
        raise ValueError(f'option {name} of the source "vigil" is not a whole number: {text!r}') from None
