"""Options of Vigil's data sources, which come as text."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from app.log_address import ACCESS, LogAddress, address

# Spark hides the values of options that are called so, in plans and on its pages.
_PREFIX = "secret."


def log_address(options: Mapping[str, str]) -> LogAddress:
    if "path" not in options:
        raise ValueError('the source "vigil" needs the folder of the log: .load("FOLDER")')
    return address(options["path"], access(options))


def access(options: Mapping[str, str]) -> dict[str, str]:
    """Who may read a log, as `log_address` wants it."""
    return {name: options.get(f"{_PREFIX}{name}", "") for name in ACCESS}


def access_options(given: Mapping[str, str]) -> dict[str, str]:
    return {f"{_PREFIX}{name}": value for name, value in given.items() if value}


def log_options(where: LogAddress) -> dict[str, str]:
    """What `log_address` makes the address of again, in whatever process of Spark's."""
    if isinstance(where, Path):
        return {"path": str(where)}
    return {"path": str(where), **access_options({name: getattr(where, name) for name in ACCESS})}


def number(options: Mapping[str, str], name: str, default: int) -> int:
    text = options.get(name, str(default))
    try:
        return int(text)
    except ValueError:
        raise ValueError(f'option {name} of the source "vigil" is not a whole number: {text!r}') from None
