"""Every message a bad query can get: the user's text, its hint, and a query that provokes it."""

from __future__ import annotations

from sase.errors import Problem
from sase.language.words import CLAUSES

_CLAUSES = f"{', '.join(CLAUSES[:-1])} and {CLAUSES[-1]}".replace("PARTITION", "PARTITION BY")

# Words and marks

STRAY_CHARACTER = Problem("{found} has no place in a query", "", "EVENT A x WHERE x.id @ 1")
OPEN_STRING = Problem(
    "this string is not closed",
    "strings stand in '…', a quote inside is doubled: 'it''s'",
    "EVENT A x WHERE x.id = 'abc",
)
OPEN_NAME = Problem(
    "this name is not closed",
    "names stand in `…`, a backtick inside is doubled",
    "EVENT A x WHERE x.`shelf id = 1",
)
OPEN_COMMENT = Problem("this comment is not closed", "end it with */", "EVENT A x /* all of them")
NUMBER_SIZE = Problem("this number is too big", "", "EVENT A x WHERE x.id = 1e999")

# The shape of a query

NO_QUERY = Problem(
    "this is no query", "a query begins with EVENT, PATTERN, FROM or SELECT{near}", "EVNT SEQ(A x, B y)"
)
EMPTY = Problem(
    "there is no query here", "the shortest query is: EVENT SomeType", "  -- nothing but a comment"
)
EXPECTED = Problem("expected {wanted}, found {found}", "{hint}", "EVENT SEQ(A x, B y WITHIN 3 sec")
NO_CLAUSE = Problem(
    "expected {wanted}, found {found}",
    f"after the pattern come {_CLAUSES}{{near}}",
    "EVENT SEQ(A x, B y) WHER x.id = y.id",
)
TWICE = Problem("{clause} is given twice", "join both into one", "EVENT A x WITHIN 3 sec WITHIN 4 sec")
TOO_DEEP = Problem(
    "this is nested more than {limit} levels deep",
    "take some parentheses out, or split the query in two with INTO",
    "EVENT A x WHERE " + "(" * 100 + "x.id = 1" + ")" * 100,
)

# Patterns

EMPTY_LIST = Problem("{name} holds no component", "name at least one: {name}(SomeType x)", "EVENT SEQ()")
NO_OPERATOR = Problem("{found} is no pattern operator", "{near}", "EVENT SQE(A x, B y)")
KLEENE_FORM = Problem("a component of many events is written {right}", "", "EVENT SEQ(A x, B+ y)")
OPERATOR_WINDOW = Problem("{name} needs a window", "write {name}(E1, E2, '3 sec')", "EVENT FOLLOWS(A x, B y)")
OPERATOR_PARTS = Problem("{name} takes two patterns", "write {right}", "EVENT ANYONE(A x)")

# Conditions and expressions

NOT_A_VALUE = Problem("a value is needed here, not a condition", "", "EVENT A x WHERE (x.id = 1) + 2 = 3")
NOT_A_CONDITION = Problem(
    "a condition is needed here, not a value",
    "compare it with something, as in x.id = 1",
    "EVENT A x WHERE x.id",
)
BAD_INDEX = Problem(
    "{var}[…] knows no such index",
    "use {var}[1], {var}[i], {var}[i-1] or {var}[{var}.LEN]",
    "EVENT SEQ(A+ a[], B b) WHERE a[2].id = b.id",
)
PREFIX_FORM = Problem(
    "an aggregate takes all events, {var}[], or those before the current one, {var}[..i-1]",
    "",
    "EVENT SEQ(A+ a[], B b) WHERE avg(a[1..3].price) > b.price",
)
NO_FUNCTION = Problem(
    "there is no function or strategy {found}", "{near}", "EVENT SEQ(A+ a[], B b) WHERE agv(a[].p) > b.p"
)
AGGREGATE_FORM = Problem(
    "{function} needs the events of a Kleene component",
    "write {function}(a[].price) or {function}(a[..i-1].price)",
    "EVENT A x WHERE sum('abc') > 3",
)
LITERAL_NEEDED = Problem(
    "expected a value such as 'abc', 12 or $name, found {found}", "", "EVENT A x WHERE [id = x.id]"
)

# Durations, probabilities, output

NO_UNIT = Problem(
    "a window needs a unit",
    "units are ms, sec, min, hours, days, and events as in WITHIN 500 events",
    "EVENT A x WITHIN 10",
)
BAD_UNIT = Problem(
    "{found} is no unit", "units are ms, sec, min, hours, days and events{near}", "EVENT A x WITHIN 10 hurs"
)
BAD_DURATION = Problem("{found} is no duration", "write it as in '5 min'", "EVENT FOLLOWS(A x, B y, 'soon')")
WINDOW_EMPTY = Problem("nothing fits into a window of length zero", "", "EVENT SEQ(A x, B y) WITHIN 0 sec")
WINDOW_LONG = Problem(
    "a window can be at most {limit} {unit} long", "", "EVENT SEQ(A x, B y) WITHIN 99999999999999 days"
)
WHOLE_EVENTS = Problem("a window in events needs a whole number", "", "EVENT A x WITHIN 2.5 events")
PROBABILITY = Problem(
    "a probability lies above 0 and is at most 1", "", "EVENT A x HAVING PROBABILITY >= 1.5"
)
PROBABILITY_COUNTED = Problem(
    "HAVING PROBABILITY cannot be computed where the window counts events, which may not have happened",
    "give the window a length in time, as in WITHIN 10 sec",
    "EVENT SEQ(A x, B y) WITHIN 10 events HAVING PROBABILITY >= 0.5",
)
PROBABILITY_COMPOSED = Problem(
    "HAVING PROBABILITY cannot be computed where what is absent is composed: here {name}",
    "write {name} as a query of its own with INTO, and that stream here",
    "EVENT NOTFOLLOWS(A x, FOLLOWS(B y, C z, 1 sec), 5 sec) HAVING PROBABILITY >= 0.5",
)
BAD_OUTPUT = Problem(
    "{found} is no output mode",
    "modes are ALL, NON-OVERLAP and COMPRESSED{near}",
    "EVENT A x OUTPUT NONOVERLAP",
)
STAR_PLACE = Problem("all attributes at once can only be returned", "", "EVENT A x WHERE x.* = 1")
STAR_NAME = Problem("all attributes cannot share one name", "leave AS out", "EVENT A x RETURN x.* AS y")

# Names

DUPLICATE = Problem(
    "two components are called {name}", "give one of them another name", "EVENT SEQ(A x, B x)"
)
UNKNOWN_COMPONENT = Problem(
    "no component is called {name}", "{near}", "EVENT SEQ(Shelf shelf, Exit exit) WHERE shelf.id = exot.id"
)
BARE_ATTRIBUTE = Problem(
    "{name} does not say whose attribute it is",
    "with several components write {example}",
    "EVENT SEQ(A x, B y) WHERE id = 3",
)
COMPONENT_ALONE = Problem(
    "{name} is a component, not a value",
    "name one of its attributes, as in {name}.id",
    "EVENT SEQ(A x, B y) WHERE x = 3",
)
UNKNOWN_STREAM = Problem(
    "FROM names no {name}", "{near}", "SELECT R1.* FROM Readings R1 R2 EVENT FOLLOWS(R1, R3, '1 sec')"
)
MISSING_PARAMETER = Problem("no value is given for ${name}", "{near}", "EVENT A x WHERE x.id = $id")
UNKNOWN_PARAMETER = Problem(
    "the query has no parameter ${name}", "{near}", "EVENT A x WHERE x.id = $id", {"id": 1, "ids": 2}
)
PARAMETER_VALUE = Problem(
    "${name} cannot be {value}", "here it must be {wanted}", "EVENT A x WHERE x.id = $id", {"id": None}
)
DUPLICATE_RETURN = Problem(
    "two results are called {name}", "name one with AS", "EVENT SEQ(A x, B y) RETURN x.id AS id, y.id AS id"
)
PROBABILITY_RETURNED = Problem(
    "a composite event carries its own probability as prob",
    "choose another name with AS",
    "EVENT A x RETURN x.chance AS prob INTO Seen",
)

# Kleene components

NOT_KLEENE = Problem(
    "{var} is one event, not many",
    "only a Kleene component, written T+ {var}[], has {what}",
    "EVENT SEQ(A a, B b) WHERE a[i].id = b.id",
)
MIXED_INDEX = Problem(
    "{var}.{name} means every event of {var}, and {var}[i] one of them",
    "use {var}[1] and {var}[i] for both sides",
    "EVENT SEQ(A+ a[], B b) WHERE a.price > a[i-1].price",
)
NO_CURRENT = Problem(
    "there is no current event of {var} in RETURN",
    "use {var}[1], {var}[{var}.LEN] or an aggregate such as avg({var}[].price)",
    "EVENT SEQ(A+ a[], B b) RETURN a[i].price",
)
MANY_VALUES = Problem(
    "{var}.{name} is a list in RETURN and cannot be computed with",
    "use an aggregate such as sum({var}[].{name})",
    "EVENT SEQ(A+ a[], B b) RETURN a.price + 1",
)

# Negation

NEGATION_ALONE = Problem(
    "a pattern needs at least one event that happens", "", "EVENT SEQ(!(A x)) WITHIN 3 sec"
)
NEGATED_FORM = Problem(
    "only a single event can be negated",
    "write !(T x) or !(ANY(T1, T2) x)",
    "EVENT SEQ(A x, !(SEQ(B y, C z)), D w)",
)
NEGATED_EDGE = Problem(
    "{name} is absent at an edge of the pattern, which needs a WITHIN",
    "say for how long it must be absent, as in WITHIN 1 hour",
    "EVENT SEQ(A x, !(B y))",
)
TWO_NEGATIVES = Problem(
    "{first} and {second} are both absent and cannot be compared",
    "compare each with an event that happens",
    "EVENT SEQ(A x, !(B y), !(C z), D w) WHERE y.id = z.id",
)
NEGATIVE_RETURNED = Problem(
    "{name} is absent from every match, so nothing of it can be returned",
    "",
    "EVENT SEQ(A x, !(B y), C z) RETURN y.id",
)
NOT_EQUIVALENCE = Problem(
    "[{name}] cannot stand under NOT: it also says which events take part",
    "compare the attributes themselves, as in x.{name} != y.{name}",
    "EVENT SEQ(A x, B y) WHERE NOT [id]",
)
MIXED_OPERATORS = Problem(
    "{name} combines single events and operators like itself only",
    "use either SEQ and AND, or FOLLOWS and its kin, in one pattern",
    "EVENT SEQ(A x, FOLLOWS(B y, C z, '1 sec'))",
)

# Operators with windows of their own

OPERATOR_CLAUSE = Problem(
    "{name} has a window of its own and does not mix with {clause}",
    "leave it out, or give the outcome a name with INTO and read it in another query",
    "EVENT FOLLOWS(A x, B y, '1 sec') WITHIN 3 sec",
)
ALIAS_NEEDED = Problem(
    "{name} takes part twice, and nothing tells one from the other",
    "give each an alias, as in FOLLOWS({name} x, {name} y, '3 sec')",
    "EVENT FOLLOWS(A, A, '5 sec')",
)
HAPPENS_AND_ABSENT = Problem(
    "{name} both happens and is absent",
    "give what is absent an alias of its own",
    "EVENT FOLLOWS(A x, NOTFOLLOWS(B y, A x, '1 sec'), '3 sec')",
)
ABSENT_TIE = Problem(
    "{absent} is absent, and its {operator} knows nothing of {other}",
    "compare it with what stands on the other side of its operator",
    "EVENT FOLLOWS(A x, NOTFOLLOWS(B y, C z, '1 sec'), '3 sec') WHERE x.id = z.id",
)

# Kinds of values

ARITHMETIC_ON_TEXT = Problem("{op} needs numbers, and this is text", "", "EVENT A x WHERE x.id = 'abc' + 1")
DIFFERENT_KINDS = Problem(
    "a text and a number are never equal and have no order",
    "write both as numbers or both as text",
    "EVENT A x WHERE 'abc' = x.price * 2",
)
