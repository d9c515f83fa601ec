"""What the engine is measured against: plain Python, generated for one query and good for nothing else.

Each function returns source text of `match(columns)`: batches of Python lists in, tuples of positions out.
The first lists of a batch are the codes of the event types, those of the query first, in its order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from textwrap import indent
from typing import Any

import pyarrow as pa

from benchmarks.streams import Stream

Columns = Iterable[tuple[list[Any], ...]]
Match = Callable[[Columns], list[tuple[int, ...]]]

HEAD = """\
from collections import deque

def match(columns):
    found, start = [], 0
"""

PUSH = """\
{test} kind == {code}:
    mine = stack{code}.get(key)
    if mine is None:
        stack{code}[key] = deque((i,))
    else:
        while mine and mine[0] <= i - {window}:
            mine.popleft()
        mine.append(i)
"""

STOCK = """\
    runs = {{}}
    for symbols, prices, volumes in columns:
        for i, (symbol, price, volume) in enumerate(zip(symbols, prices, volumes), start):
            mine = runs.get(symbol)
            if mine:
                while mine and mine[0][0] <= i - {window}:
                    mine.popleft()
                ends = volume < {volume}
                for run in mine:
                    if ends:
                        found.append((*run[2], i))
                    if price > run[1]:
                        run[1] = price
                        run[2].append(i)
            if price % {price} == 0:
                if mine is None:
                    mine = runs[symbol] = deque()
                mine.append([i, price, [i]])
        start += len(symbols)
    return found
"""

SHOPLIFTING = """\
    shelves, register = {{}}, {{}}
    for kinds, times, tags in columns:
        for i, (kind, ts, tag) in enumerate(zip(kinds, times, tags), start):
            if kind == 0:
                mine = shelves.get(tag)
                if mine is None:
                    shelves[tag] = [(i, ts)]
                else:
                    mine.append((i, ts))
            elif kind == 1:
                register[tag] = i
            elif tag in shelves:
                last = register.get(tag, -1)
                for at, since in shelves.pop(tag):
                    if at > last and ts - since < {window}:
                        found.append((at, i))
        start += len(kinds)
    return found
"""


def sequence(length: int, window: int) -> str:
    """SEQ(E1, ..., EL) with one equivalence attribute: a stack per type and value, built backwards."""
    pushes = "".join(_push(code, window) for code in range(length - 1))
    return _stacks(length - 1, length, pushes + "else:\n" + indent(_loops(length, window), "    "))


def absence(window: int) -> str:
    """SEQ(E1, !E2, E3): of the absent type only the latest position matters."""
    construction = f"""\
elif kind == 1:
    latest[key] = i
else:
    last = latest.get(key, -1)
    for p0 in reversed(stack0.get(key, ())):
        if p0 <= i - {window} or p0 < last:
            break
        found.append((p0, i))
"""
    return _stacks(1, 3, _push(0, window) + construction, "latest = {}\n")


def stock(window: int, price: int, volume: int) -> str:
    return HEAD + STOCK.format(window=window, price=price, volume=volume)


def shoplifting(window_ms: int) -> str:
    return HEAD + SHOPLIFTING.format(window=window_ms)


def compiled(source: str) -> Match:
    scope: dict[str, Any] = {}
    exec(source, scope)
    return scope["match"]  # type: ignore[no-any-return]


def columns(stream: Stream, names: Sequence[str]) -> Columns:
    """The named columns as Python lists, batch by batch."""
    for batch in stream:
        yield tuple(_list(batch.column(name)) for name in names)


def _list(column: pa.Array) -> list[Any]:
    plain = column.indices if pa.types.is_dictionary(column.type) else column
    return plain.to_numpy().tolist()  # type: ignore[no-any-return]


def _push(code: int, window: int) -> str:
    return PUSH.format(test="elif" if code else "if", code=code, window=window)


def _loops(length: int, window: int) -> str:
    """Nested loops from the last component but one back to the first."""
    text, later = "", "i"
    for depth, code in enumerate(range(length - 2, -1, -1)):
        body = f"for p{code} in reversed(stack{code}.get(key, ())):\n"
        body += f"    if p{code} <= i - {window}:\n        break\n"
        body += f"    if p{code} >= {later}:\n        continue\n"
        text += indent(body, "    " * depth)
        later = f"p{code}"
    path = ", ".join(f"p{code}" for code in range(length - 1))
    return text + indent(f"found.append(({path}, i))\n", "    " * (length - 1))


def _stacks(stacks: int, types: int, step: str, more: str = "") -> str:
    state = "".join(f"stack{code} = {{}}\n" for code in range(stacks)) + more
    loop = f"""\
for kinds, keys in columns:
    for i, (kind, key) in enumerate(zip(kinds, keys), start):
        if kind >= {types}:
            continue
{indent(step, " " * 8)}\
    start += len(kinds)
return found
"""
    return HEAD + indent(state + loop, "    ")
