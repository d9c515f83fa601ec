"""Reads the text of a query into its tree: clauses here, their contents in the parsers beside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sase.errors import QueryError, did_you_mean
from sase.language.condition_parser import ConditionParser
from sase.language.cursor import Cursor
from sase.language.literal_parser import literal, probability
from sase.language.mention_parser import Mentions
from sase.language.messages import BAD_OUTPUT, EMPTY, NO_CLAUSE, NO_QUERY, TWICE
from sase.language.names import components
from sase.language.pattern_parser import pattern
from sase.language.tree import Attribute, Condition, Parameter, QueryTree, Returned, Strategy, StreamItem
from sase.language.window_parser import window
from sase.language.words import CLAUSES, ENDS, OPENINGS, OUTPUTS, RESERVED, STRATEGIES


def parse(text: str) -> QueryTree:
    """The tree of a query as it is written; `check` resolves its names. QueryError if it is no query."""
    cursor = Cursor(text)
    if cursor.token.kind == "end":
        raise cursor.error(EMPTY)
    if not cursor.at(*OPENINGS):
        near = did_you_mean(cursor.token.text, OPENINGS)
        raise cursor.error(NO_QUERY, near=near and f"; {near}")
    head = _selected(cursor) if cursor.at("SELECT") else _headed(cursor)
    return _Clauses(cursor, head).read()


def _headed(cursor: Cursor) -> QueryTree:
    place = cursor.place
    stream = _stream(cursor) if cursor.skip("FROM") else None
    _event(cursor)
    return QueryTree(pattern(cursor), stream=stream, place=place)


def _event(cursor: Cursor) -> None:
    if not (cursor.skip("EVENT") or cursor.skip("PATTERN")):
        raise cursor.expected("EVENT or PATTERN", did_you_mean(cursor.token.text, OPENINGS))


def _selected(cursor: Cursor) -> QueryTree:
    place = cursor.next().place
    returned = _items(cursor, ConditionParser(cursor, Mentions(cursor, {})))
    if not cursor.skip("FROM"):
        raise cursor.expected("FROM", did_you_mean(cursor.token.text, ("FROM", "AS")))
    sources = [_source(cursor)]
    while cursor.skip(","):
        sources.append(_source(cursor))
    partition_by = _partition(cursor) if cursor.at("PARTITION") else ()
    _event(cursor)
    return QueryTree(
        pattern(cursor), partition_by=partition_by, returned=returned, sources=tuple(sources), place=place
    )


def _source(cursor: Cursor) -> StreamItem:
    place = cursor.place
    stream = _stream(cursor)
    names = []
    while cursor.token.kind == "name" and not cursor.at(*ENDS, *OPENINGS):
        names.append(cursor.hyphenated("a variable"))
    return StreamItem(stream, tuple(names), place)


def _stream(cursor: Cursor) -> str:
    if cursor.token.word in RESERVED:
        raise cursor.expected("the name of a stream")
    return cursor.hyphenated("the name of a stream")


def _partition(cursor: Cursor) -> tuple[str, ...]:
    cursor.expect("PARTITION")
    cursor.expect("BY")
    names = [cursor.name("an attribute")]
    while cursor.skip(","):
        names.append(cursor.name("an attribute"))
    return tuple(names)


def _items(cursor: Cursor, conditions: ConditionParser) -> tuple[Returned, ...]:
    found = [_item(cursor, conditions)]
    while cursor.skip(","):
        found.append(_item(cursor, conditions))
    return tuple(found)


def _item(cursor: Cursor, conditions: ConditionParser) -> Returned:
    place = cursor.place
    expression = Attribute(None, "*", None, place) if cursor.skip("*") else conditions.expression()
    return Returned(expression, cursor.name("a name") if cursor.skip("AS") else None, place)


class _Clauses:
    """Reads the clauses after the pattern into the query, each at most once, in any order."""

    def __init__(self, cursor: Cursor, query: QueryTree) -> None:
        self._cursor = cursor
        self._query = query
        self._mentions = Mentions(cursor, components(query.pattern))
        self._conditions = ConditionParser(cursor, self._mentions)
        self._given = {"PARTITION": bool(query.partition_by), "RETURN": bool(query.returned)}

    def read(self) -> QueryTree:
        readers: dict[str, Callable[[], QueryTree]] = {
            "WHERE": self._where,
            "PARTITION": self._partition_by,
            "WITHIN": self._within,
            "HAVING": self._having,
            "OUTPUT": self._output,
            "RETURN": self._return,
            "INTO": self._into,
        }
        while self._cursor.token.kind != "end":
            word = self._cursor.token.word
            if word not in readers or self._cursor.token.kind != "name":
                raise self._no_clause()
            if self._given.get(word):
                raise self._cursor.error(TWICE, clause=word)
            self._given[word] = True
            self._query = readers[word]()
        return self._query

    def _where(self) -> QueryTree:
        cursor = self._cursor
        cursor.next()
        if cursor.token.kind != "name" or cursor.after().text != "(":
            return replace(self._query, condition=self._conditions.condition())
        if cursor.token.text.lower() in STRATEGIES:
            strategy = self._strategy()
            return replace(self._query, strategy=strategy, condition=self._braced())
        return replace(self._query, condition=self._conditions.condition())

    def _strategy(self) -> Strategy:
        cursor = self._cursor
        opening = cursor.next()
        cursor.expect("(")
        names = [] if cursor.at(")") else [self._strategy_variable()]
        while names and cursor.skip(","):
            names.append(self._strategy_variable())
        cursor.expect(")")
        return Strategy(STRATEGIES[opening.text.lower()], tuple(names), opening.place)

    def _strategy_variable(self) -> str:
        cursor = self._cursor
        if cursor.token.kind != "name":
            raise cursor.expected("a variable")
        name = self._mentions.component()
        if cursor.skip("["):
            cursor.expect("]")
        return name

    def _braced(self) -> Condition | None:
        cursor = self._cursor
        cursor.expect("{", "a strategy holds its condition in braces: skip_till_next_match(a, b) { … }")
        condition = None if cursor.at("}") else self._conditions.condition()
        if not cursor.skip("}"):
            raise cursor.expected("}", did_you_mean(cursor.token.text, ("AND", "OR")))
        return condition

    def _partition_by(self) -> QueryTree:
        return replace(self._query, partition_by=_partition(self._cursor))

    def _within(self) -> QueryTree:
        self._cursor.next()
        return replace(self._query, within=window(self._cursor))

    def _having(self) -> QueryTree:
        cursor = self._cursor
        self._query = replace(self._query, having_place=cursor.next().place)
        cursor.expect("PROBABILITY")
        cursor.expect(">=")
        place = cursor.place
        limit = literal(cursor)
        if isinstance(limit, Parameter):
            return replace(self._query, having=limit)
        return replace(self._query, having=probability(limit.value, cursor.text, place))

    def _output(self) -> QueryTree:
        cursor = self._cursor
        cursor.next()
        token = cursor.token
        mode = cursor.hyphenated("an output mode")
        if mode.upper() not in OUTPUTS:
            near = did_you_mean(mode, OUTPUTS)
            raise cursor.error(BAD_OUTPUT, token.place, found=mode, near=near and f"; {near}")
        return replace(self._query, output=OUTPUTS[mode.upper()], output_place=token.place)

    def _return(self) -> QueryTree:
        self._cursor.next()
        return replace(self._query, returned=_items(self._cursor, self._conditions))

    def _into(self) -> QueryTree:
        self._cursor.next()
        return replace(self._query, into=self._cursor.hyphenated("a type name"))

    def _no_clause(self) -> QueryError:
        # A misspelt keyword after a type has been read as its variable: look at that word too.
        cursor = self._cursor
        words = (cursor.token, cursor.before())
        near = next(
            (hint for token in words if (hint := did_you_mean(token.text, (*CLAUSES, "AND", "OR")))), ""
        )
        return cursor.error(
            NO_CLAUSE, found=cursor.found(), wanted="a clause or the end", near=near and f"; {near}"
        )
