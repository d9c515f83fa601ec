"""The syntax tree of a query: plain immutable data, one class per form of the language."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal as Choice

from sase.errors import TextPlace

Value = str | int | float | bool | None


def _place() -> TextPlace:
    # Places never take part in comparing trees.
    return field(default=TextPlace(), compare=False, repr=False)


# Patterns


@dataclass(frozen=True, slots=True)
class Leaf:
    """`T x`, `ANY(T1, T2) x` (several types) or `T+ a[]` (kleene). `var` is None until `check` names it."""

    types: tuple[str, ...]
    var: str | None = None
    kleene: bool = False
    place: TextPlace = _place()


@dataclass(frozen=True, slots=True)
class Seq:
    parts: tuple[Pattern, ...]
    place: TextPlace = _place()


@dataclass(frozen=True, slots=True)
class And:
    parts: tuple[Pattern, ...]
    place: TextPlace = _place()


@dataclass(frozen=True, slots=True)
class Absent:
    """`!(p)`: no such event in its place."""

    part: Pattern
    place: TextPlace = _place()


OperatorName = Choice["FOLLOWS", "PRECEDES", "NOTFOLLOWS", "NOTPRECEDES", "ANYONE", "BOTH"]


@dataclass(frozen=True, slots=True)
class Operator:
    """A TelegraphCQ operator with its own semantic window in milliseconds (ANYONE has none)."""

    name: OperatorName
    left: Pattern
    right: Pattern
    window: int | Parameter | None = None
    place: TextPlace = _place()

    @property
    def negates(self) -> bool:
        """Whether its second argument is what must be absent."""
        return self.name in ("NOTFOLLOWS", "NOTPRECEDES")


Pattern = Leaf | Seq | And | Absent | Operator


# Expressions


@dataclass(frozen=True, slots=True)
class Constant:
    value: Value
    place: TextPlace = _place()


@dataclass(frozen=True, slots=True)
class Parameter:
    """`$name`: a value given when the query is compiled, never pasted into the text."""

    name: str
    place: TextPlace = _place()


Index = Choice["first", "current", "previous", "last"]  # a[1], a[i], a[i-1], a[a.LEN]


@dataclass(frozen=True, slots=True)
class Attribute:
    """`x.price`, `a[i].price`, or a bare `price` (var None) in a query with one component."""

    var: str | None
    name: str
    index: Index | None = None
    place: TextPlace = _place()


@dataclass(frozen=True, slots=True)
class Length:
    """`a.LEN`: how many events the Kleene component holds."""

    var: str
    place: TextPlace = _place()


Function = Choice["avg", "sum", "min", "max", "count", "first", "last"]


@dataclass(frozen=True, slots=True)
class Aggregate:
    """`avg(a[..i-1].price)` (prefix: the events before the current one) or `avg(a[].price)` (all of them)."""

    function: Function
    var: str
    name: str | None  # None only for count(a[])
    prefix: bool
    place: TextPlace = _place()


Sign = Choice["+", "-", "*", "/", "%"]


@dataclass(frozen=True, slots=True)
class Arithmetic:
    op: Sign
    left: Expression
    right: Expression
    place: TextPlace = _place()


@dataclass(frozen=True, slots=True)
class Minus:
    operand: Expression
    place: TextPlace = _place()


Mention = Attribute | Length | Aggregate  # what speaks of a component
Expression = Constant | Parameter | Mention | Arithmetic | Minus


# Conditions

Comparator = Choice["=", "!=", "<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class Comparison:
    op: Comparator
    left: Expression
    right: Expression
    place: TextPlace = _place()


@dataclass(frozen=True, slots=True)
class Equivalence:
    """`[id]` or `[name = 'John']`: equal over all components, negative ones too."""

    attribute: str
    value: Constant | Parameter | None = None
    place: TextPlace = _place()


@dataclass(frozen=True, slots=True)
class AllOf:
    """A conjunction; flat, at least two parts."""

    parts: tuple[Condition, ...]
    place: TextPlace = _place()


@dataclass(frozen=True, slots=True)
class AnyOf:
    """A disjunction; flat, at least two parts."""

    parts: tuple[Condition, ...]
    place: TextPlace = _place()


@dataclass(frozen=True, slots=True)
class Not:
    part: Condition
    place: TextPlace = _place()


Condition = Comparison | Equivalence | AllOf | AnyOf | Not


# Queries


StrategyName = Choice[
    "strict_contiguity", "partition_contiguity", "skip_till_next_match", "skip_till_any_match"
]


@dataclass(frozen=True, slots=True)
class Strategy:
    name: StrategyName
    vars: tuple[str, ...] = ()
    place: TextPlace = _place()


Unit = Choice["ms", "sec", "min", "hour", "day", "events"]


@dataclass(frozen=True, slots=True)
class Within:
    """`WITHIN 12 hours` (milliseconds) or `WITHIN 500 events`; other units only as in `WITHIN $n hours`."""

    size: int | Parameter
    unit: Unit
    place: TextPlace = _place()


@dataclass(frozen=True, slots=True)
class Returned:
    """One item of RETURN or SELECT; `name` is the AS name. `R1.*` is an Attribute called `*`."""

    expression: Expression
    name: str | None = None
    place: TextPlace = _place()


@dataclass(frozen=True, slots=True)
class StreamItem:
    """An item of the TelegraphCQ FROM list: `Person P1 P2` is StreamItem('Person', ('P1', 'P2'))."""

    stream: str
    vars: tuple[str, ...]
    place: TextPlace = _place()


OutputMode = Choice["ALL", "NON-OVERLAP", "COMPRESSED"]


@dataclass(frozen=True, slots=True)
class QueryTree:
    pattern: Pattern
    condition: Condition | None = None
    strategy: Strategy | None = None
    partition_by: tuple[str, ...] = ()
    within: Within | None = None
    having: float | Parameter | None = None
    output: OutputMode = "ALL"
    returned: tuple[Returned, ...] = ()
    into: str | None = None
    stream: str | None = None
    sources: tuple[StreamItem, ...] = ()  # not empty: the TelegraphCQ form, whose RETURN is its SELECT
    place: TextPlace = _place()
    having_place: TextPlace = _place()
    output_place: TextPlace = _place()
