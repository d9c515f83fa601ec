"""The components of a checked pattern, and the ties between them and whatever mentions one."""

from __future__ import annotations

from dataclasses import replace

from sase.errors import Problem, QueryError, TextPlace, did_you_mean, problem
from sase.language.messages import (
    BARE_ATTRIBUTE,
    COMPONENT_ALONE,
    MIXED_INDEX,
    NOT_KLEENE,
    STAR_PLACE,
    UNKNOWN_COMPONENT,
)
from sase.language.tree import (
    Aggregate,
    Attribute,
    Comparison,
    Expression,
    Leaf,
    Length,
    Mention,
    Pattern,
)
from sase.language.walk import absent_names, leaves, mentions
from sase.language.words import written_name


class Components:
    """Looks names up among the components of a pattern whose leaves all have one."""

    def __init__(self, pattern: Pattern, text: str) -> None:
        self.by_name: dict[str, Leaf] = {leaf.var or "": leaf for leaf in leaves(pattern)}
        self.absent = absent_names(pattern)
        self._text = text

    def tied(self, expression: Expression) -> Expression:
        """A mention with its component known, and known to have what is asked of it."""
        match expression:
            case Attribute():
                return self._attribute(expression)
            case Length(var, place):
                self._many(var, place, f"{var}.LEN")
            case Aggregate(function, var, _, _, place):
                self._many(var, place, f"{function}({var}[]…)")
        return expression

    def named(self, name: str, place: TextPlace) -> Leaf:
        leaf = self.by_name.get(name)
        if leaf is None:
            raise self._error(UNKNOWN_COMPONENT, place, name=name, near=self._near(name))
        return leaf

    def check_indexes(self, comparison: Comparison) -> None:
        """`a.x` ranges over all events and `a[i].x` over the later ones: one comparison cannot do both."""
        moving = {_moving(mention) for mention in mentions(comparison)}
        for mention in mentions(comparison):
            if isinstance(mention, Attribute) and mention.var in moving and mention.index is None:
                raise self._error(MIXED_INDEX, mention.place, var=mention.var, name=mention.name)

    def _attribute(self, attribute: Attribute) -> Attribute:
        if attribute.name == "*":
            raise self._error(STAR_PLACE, attribute.place)
        if attribute.var is None:
            return self._bare(attribute)
        if attribute.index is None:
            self.named(attribute.var, attribute.place)
        else:
            self._many(attribute.var, attribute.place, f"{attribute.var}[…]")
        return attribute

    def _bare(self, attribute: Attribute) -> Attribute:
        names = list(self.by_name)
        if self._is_component(attribute.name):
            raise self._error(COMPONENT_ALONE, attribute.place, name=attribute.name)
        if len(names) > 1:
            example = f"{names[0]}.{written_name(attribute.name)}"
            raise self._error(BARE_ATTRIBUTE, attribute.place, name=attribute.name, example=example)
        return replace(attribute, var=names[0])

    def _is_component(self, name: str) -> bool:
        # `EVENT temperature WHERE temperature > 30` means the attribute: nobody named the component.
        leaf = self.by_name.get(name)
        return leaf is not None and (len(self.by_name) > 1 or name not in leaf.types)

    def _many(self, var: str, place: TextPlace, what: str) -> None:
        if not self.named(var, place).kleene:
            raise self._error(NOT_KLEENE, place, var=var, what=what)

    def _near(self, name: str) -> str:
        by_type = {type_: var for var, leaf in self.by_name.items() for type_ in leaf.types}
        if name in by_type:
            return f"the {name} of this pattern is called {by_type[name]}"
        return did_you_mean(name, self.by_name)

    def _error(self, row: Problem, place: TextPlace, **details: object) -> QueryError:
        return problem(row, self._text, place, **details)


def _moving(mention: Mention) -> str | None:
    """The component whose current event the mention depends on."""
    match mention:
        case Attribute(var=var, index="current" | "previous") | Aggregate(var=var, prefix=True):
            return var
    return None
