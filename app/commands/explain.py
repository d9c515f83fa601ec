"""`vigil explain QUERY`: show how a query is evaluated."""

from __future__ import annotations

import argparse
import sys

from app.match import query as query_argument
from app.match.query import UnusableQueryError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    query_argument.add_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    try:
        query = query_argument.compiled(arguments)
    except UnusableQueryError as error:
        print(f"vigil explain: {error}", file=sys.stderr)
        return 2
    print(query.explain())
    return 0
