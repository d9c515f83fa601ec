"""Reads what mentions a component: `x.id`, `a[i].price`, `a.LEN`, `avg(a[..i-1].price)`."""

from __future__ import annotations

from collections.abc import Mapping

from sase.language.cursor import Cursor
from sase.language.messages import AGGREGATE_FORM, BAD_INDEX, PREFIX_FORM
from sase.language.tree import Aggregate, Attribute, Index, Leaf, Length
from sase.language.words import ENDS, FUNCTIONS

_INDEXES: dict[str, Index] = {"1": "first", "i": "current", "i-1": "previous"}


class Mentions:
    """Reads mentions against the components of the pattern, which tell `A-B` from `A - B`."""

    def __init__(self, cursor: Cursor, components: Mapping[str, Leaf]) -> None:
        self._cursor = cursor
        self._components = components
        self._hyphens = sorted({name.count("-") for name in components if "-" in name}, reverse=True)

    def mention(self) -> Attribute | Length:
        cursor = self._cursor
        place = cursor.place
        if cursor.token.kind == "quoted":
            return Attribute(None, cursor.name("a value"), None, place)
        if cursor.token.kind != "name" or (cursor.token.word in ENDS and not self._is_owner()):
            raise cursor.expected("a value")
        name = self.component()
        index = self._index(name) if cursor.at("[") else None
        if index is not None:
            cursor.expect(".", f"write an attribute, as in {name}[i].price")
        elif not cursor.skip("."):
            return Attribute(None, name, None, place)
        if index is None and self._is_length(name):
            cursor.next()
            return Length(name, place)
        if index is None and cursor.skip("*"):
            return Attribute(name, "*", None, place)
        return Attribute(name, cursor.name("an attribute"), index, place)

    def aggregate(self) -> Aggregate:
        cursor = self._cursor
        opening = cursor.next()
        cursor.expect("(")
        function = FUNCTIONS[opening.text.lower()]
        if cursor.token.kind != "name":
            raise cursor.error(AGGREGATE_FORM, function=function)
        place = cursor.place
        var = self.component()
        if not cursor.skip("["):
            raise cursor.error(AGGREGATE_FORM, place, function=function)
        prefix = not cursor.at("]") and self._prefix(var)
        cursor.expect("]")
        name = cursor.name("an attribute") if cursor.skip(".") else None
        if name is None and function != "count":
            raise cursor.expected(".", f"say of which attribute, as in {function}({var}[].price)")
        cursor.expect(")")
        return Aggregate(function, var, name, prefix, opening.place)

    def component(self) -> str:
        """The name of a component: with its hyphens if there is such a one, else the first word."""
        words = self._cursor.longest().split("-") if self._hyphens else []
        written = ("-".join(words[: hyphens + 1]) for hyphens in self._hyphens)
        known = (name for name in written if name in self._components)
        return self._cursor.take(next(known, self._cursor.token.text))

    def _is_owner(self) -> bool:
        return self._cursor.after().text in (".", "[")

    def _is_length(self, var: str) -> bool:
        # Attributes keep their case, so `x.len` is a length only where x is many events.
        leaf = self._components.get(var)
        return self._cursor.token[:2] == ("name", "LEN") or (
            self._cursor.at("LEN") and leaf is not None and leaf.kleene
        )

    def _index(self, var: str) -> Index:
        """`[1]`, `[i]`, `[i-1]` or `[a.LEN]`."""
        cursor = self._cursor
        place = cursor.next().place
        words = []
        while cursor.token.kind != "end" and not cursor.at("]"):
            words.append(cursor.next().text)
        inside = "".join(words)
        found: Index | None = _INDEXES.get(inside)
        if inside.upper() == f"{var}.LEN".upper() and inside.startswith(var):
            found = "last"
        if found is None:
            raise cursor.error(BAD_INDEX, place, var=var)
        cursor.expect("]")
        return found

    def _prefix(self, var: str) -> bool:
        cursor = self._cursor
        place = cursor.place
        for text in ("..", "i", "-", "1"):
            if cursor.next().text != text:
                raise cursor.error(PREFIX_FORM, place, var=var)
        return True
