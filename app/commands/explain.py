"""`vigil explain QUERY`: show how a query is evaluated."""

from __future__ import annotations

import argparse
import sys

from app.match.query import UnusableQueryError, add_query, compiled_query


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_query(parser)


def run(arguments: argparse.Namespace) -> int:
    try:
        query = compiled_query(arguments)
    except UnusableQueryError as error:
        print(f"vigil explain: {error}", file=sys.stderr)
        return 2
    print(query.explain())
    return 0
