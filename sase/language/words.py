"""The words of the language: keywords, and the names of strategies, functions, operators and outputs."""

from __future__ import annotations

import re
from typing import get_args

from sase.language.tree import Function, OperatorName, OutputMode, StrategyName

OPERATORS: dict[str, OperatorName] = {name: name for name in get_args(OperatorName)}
STRATEGIES: dict[str, StrategyName] = {name: name for name in get_args(StrategyName)}
FUNCTIONS: dict[str, Function] = {name: name for name in get_args(Function)}
OUTPUTS: dict[str, OutputMode] = {name: name for name in get_args(OutputMode)}

OPENINGS = ("EVENT", "PATTERN", "FROM", "SELECT")
CLAUSES = ("WHERE", "PARTITION", "WITHIN", "HAVING", "OUTPUT", "RETURN", "INTO")
# These end an expression, so no attribute can be called so unless its component stands before it.
ENDS = frozenset((*CLAUSES, "AND", "OR", "NOT", "AS"))
# A component may be called Return or Into where no clause can begin: inside parentheses.
FENCED = frozenset(("RETURN", "INTO"))
RESERVED = ENDS - FENCED

_PLAIN = re.compile(r"[^\W\d]\w*")
_TAKEN = ENDS | {"LEN", "TRUE", "FALSE"}


def written_name(name: str) -> str:
    """An attribute's name as it stands in a query: in backticks if it would be read as something else."""
    plain = _PLAIN.fullmatch(name) and name.upper() not in _TAKEN
    return name if plain else "`" + name.replace("`", "``") + "`"
