"""The words of the language: keywords, and the names of strategies, functions, operators and outputs."""

from __future__ import annotations

from typing import Literal, get_args

_Operator = Literal["FOLLOWS", "PRECEDES", "NOTFOLLOWS", "NOTPRECEDES", "ANYONE", "BOTH"]
_Strategy = Literal[
    "strict_contiguity", "partition_contiguity", "skip_till_next_match", "skip_till_any_match"
]
_Function = Literal["avg", "sum", "min", "max", "count", "first", "last"]
_Output = Literal["ALL", "NON-OVERLAP", "COMPRESSED"]

OPERATORS: dict[str, _Operator] = {name: name for name in get_args(_Operator)}
STRATEGIES: dict[str, _Strategy] = {name: name for name in get_args(_Strategy)}
FUNCTIONS: dict[str, _Function] = {name: name for name in get_args(_Function)}
OUTPUTS: dict[str, _Output] = {name: name for name in get_args(_Output)}

OPENINGS = ("EVENT", "PATTERN", "FROM", "SELECT")
CLAUSES = ("WHERE", "PARTITION", "WITHIN", "HAVING", "OUTPUT", "RETURN", "INTO")
# These end an expression, so no attribute can be called so unless its component stands before it.
ENDS = frozenset((*CLAUSES, "AND", "OR", "NOT", "AS"))
# A component may be called Return or Into where no clause can begin: inside parentheses.
FENCED = frozenset(("RETURN", "INTO"))
RESERVED = ENDS - FENCED
