"""The QUERY of `vigil match` and `vigil explain`, its parameters, and what can never happen beside it."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import sase
from app.match import literal


class UnusableQueryError(Exception):
    """Says where the query came from and what is wrong with it."""


def add_query(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", metavar="QUERY", help="a query, or a file that holds one")
    parser.add_argument(
        "--param",
        action="append",
        default=[],
        type=_parameter,
        metavar="NAME=VALUE",
        help="a value for $NAME in the query; may be given several times",
    )
    parser.add_argument(
        "--constraints",
        metavar="TEXT|FILE",
        help="what can never happen, as in 'prior(A, B) BY order_id', or a file that holds it",
    )


def compiled_query(arguments: argparse.Namespace) -> sase.Query:
    """The query that the arguments ask for; UnusableQueryError if there is none."""
    origin, text = _text(arguments.query, "in the query, ")
    beside, declared = _beside(arguments.constraints)
    try:
        return sase.compile(text, dict(arguments.param), constraints=declared)
    except sase.QueryError as error:
        where = beside if error.text == declared else origin
        raise UnusableQueryError(f"{where}{error}") from None


def _beside(given: str | None) -> tuple[str, str | None]:
    return ("", None) if given is None else _text(given, "in the constraints, ")


def _text(given: str, otherwise: str) -> tuple[str, str]:
    if not os.path.isfile(given):
        if len(given.split()) == 1 and (os.sep in given or Path(given).suffix):
            raise UnusableQueryError(f"{given}: there is no such file")
        return otherwise, given
    try:
        return f"{given}, ", Path(given).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UnusableQueryError(f"{given} cannot be read: {error}") from None


def _parameter(given: str) -> tuple[str, str | int | float | bool]:
    name, equals, text = given.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(f"{given!r} is not of the form NAME=VALUE")
    return name.removeprefix("$"), literal.value(text)
