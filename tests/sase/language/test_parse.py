"""Every form of the language is read, and forms that mean the same give the same tree."""

from pathlib import Path

import pytest

from sase.check.query import check
from sase.language.parse import parse
from sase.language.tree import (
    Absent,
    AllOf,
    And,
    AnyOf,
    Arithmetic,
    Attribute,
    Comparison,
    Constant,
    Equivalence,
    Leaf,
    Length,
    Minus,
    Not,
    Operator,
    Parameter,
    QueryTree,
    Returned,
    Seq,
    Strategy,
    StreamItem,
    Within,
)
from sase.language.write import write

PAPERS = Path(__file__).with_name("papers.sase").read_text(encoding="utf-8").split("\n\n")
ID = Attribute("x", "id")


def where(condition: str):
    """The condition of a query over one component x."""
    return parse(f"EVENT A x WHERE {condition}").condition


def checked(text: str, **parameters):
    return check(parse(text), text, parameters)


@pytest.mark.parametrize("text", PAPERS, ids=range(len(PAPERS)))
def test_a_query_of_the_papers_runs_as_it_stands(text):
    query = checked(text)
    assert checked(write(query)) == query


def test_shoplifting_is_read_as_printed():
    text = "EVENT SEQ(SHELF-READING x, ! (COUNTER-READING y)) WHERE [id] ∧ x.n ≠ ‘1’ WITHIN 12 hours"
    assert parse(text) == QueryTree(
        Seq((Leaf(("SHELF-READING",), "x"), Absent(Leaf(("COUNTER-READING",), "y")))),
        AllOf((Equivalence("id"), Comparison("!=", Attribute("x", "n"), Constant("1")))),
        within=Within(43_200_000, "ms"),
    )


def test_a_strategy_holds_its_condition_in_braces():
    query = parse("PATTERN SEQ(Stock+ a[ ], Stock b) WHERE SKIP_till_next_match(a[ ], b) { [symbol] }")
    assert query.strategy == Strategy("skip_till_next_match", ("a", "b"))
    assert query.condition == Equivalence("symbol")


def test_the_telegraph_form_names_streams_and_aliases():
    query = parse(
        "SELECT R1.*, R2.id AS other FROM S R1 R2 PARTITION BY tag EVENT NOTPRECEDES(R1, R2, '1 sec')"
    )
    assert query == QueryTree(
        Operator("NOTPRECEDES", Leaf(("R1",)), Leaf(("R2",)), 1000),
        partition_by=("tag",),
        returned=(Returned(Attribute("R1", "*")), Returned(Attribute("R2", "id"), "other")),
        sources=(StreamItem("S", ("R1", "R2")),),
    )


def test_checking_resolves_aliases_and_folds_the_partition():
    query = checked("SELECT R1.* FROM S R1 R2 PARTITION BY tag EVENT FOLLOWS(R1, R2, 3 sec)")
    assert query.pattern == Operator("FOLLOWS", Leaf(("S",), "R1"), Leaf(("S",), "R2"), 3000)
    assert query.condition == Equivalence("tag")
    assert query.partition_by == ()


def test_all_clauses_together():
    text = """
        from Store
        event seq(A x, B y) where x.id = y.id partition by shelf, aisle within 90 sec
        having probability >= 0.5 output non-overlap return x.id as id, y.* into Found-It
    """
    query = parse(text)
    assert (query.stream, query.partition_by, query.within) == (
        "Store",
        ("shelf", "aisle"),
        Within(90_000, "ms"),
    )
    assert (query.having, query.output, query.into) == (0.5, "NON-OVERLAP", "Found-It")
    assert query.returned == (Returned(Attribute("x", "id"), "id"), Returned(Attribute("y", "*")))


@pytest.mark.parametrize(
    "text",
    [
        "x.a = 1 AND (NOT x.b = 2 OR x.c <= 3)",
        "x.a == 1 && (¬ x.b == 2 || x.c ≤ 3)",
        "x.a = 1 ∧ (not (x.b = 2) ∨ x.c <= 3)",
        "((x.a) = (1)) and /* a comment */ ((not x.b = 2) or x.c <= 3) -- the end",
    ],
)
def test_all_spellings_of_a_condition_are_one(text):
    a, b, c = (Attribute("x", name) for name in "abc")
    either = AnyOf((Not(Comparison("=", b, Constant(2))), Comparison("<=", c, Constant(3))))
    assert where(text) == AllOf((Comparison("=", a, Constant(1)), either))


def test_not_binds_tighter_than_and_and_and_tighter_than_or():
    one, two, three = (Comparison("=", ID, Constant(n)) for n in (1, 2, 3))
    assert where("x.id = 1 OR NOT x.id = 2 AND x.id = 3") == AnyOf((one, AllOf((Not(two), three))))


def test_conjunctions_and_disjunctions_are_flat():
    tests = tuple(Equivalence(name) for name in "abcd")
    assert where("[a] AND ([b, c] AND [d])") == AllOf(tests)
    assert where("[a] OR ([b] OR ([c] OR [d]))") == AnyOf(tests)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("'it''s'", "it's"),
        ('"a ""quote"""', 'a "quote"'),
        ("‘food’", "food"),
        ("“food”", "food"),
        ("'two\nlines'", "two\nlines"),
        ("123456789012345678901234567890", 123456789012345678901234567890),
        ("-5", -5),
        ("−5", -5),
        ("1.5e3", 1500.0),
        ("True", True),
        ("false", False),
        ("80%", 0.8),
        ("12.5%", 0.125),
    ],
)
def test_a_literal_is_the_value_it_shows(text, value):
    constant = where(f"x.id = {text}").right
    assert repr(constant) == repr(Constant(value))


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("80%*x.id", Arithmetic("*", Constant(0.8), ID)),
        ("80% - 5", Arithmetic("-", Constant(0.8), Constant(5))),
        ("80 % 5", Arithmetic("%", Constant(80), Constant(5))),
        ("80%5", Arithmetic("%", Constant(80), Constant(5))),
        ("80%x.id", Arithmetic("%", Constant(80), ID)),
        ("80%(5)", Arithmetic("%", Constant(80), Constant(5))),
        ("80 % -5", Arithmetic("%", Constant(80), Constant(-5))),
        ("x.id % 500", Arithmetic("%", ID, Constant(500))),
    ],
)
def test_percent_is_a_hundredth_before_an_operator_and_modulo_between_operands(text, expression):
    assert where(f"x.id = {text}").right == expression


def test_products_bind_tighter_than_sums_and_both_go_left():
    one, two, three = map(Constant, (1, 2, 3))
    assert where("x.id = 1 - 2 - 3").right == Arithmetic("-", Arithmetic("-", one, two), three)
    assert where("x.id = 1 + 2 * 3").right == Arithmetic("+", one, Arithmetic("*", two, three))
    assert where("x.id = -x.id * 2").right == Arithmetic("*", Minus(ID), two)


def test_true_stands_for_a_condition_that_always_holds():
    assert where("true AND x.id = 1").parts[0] == Comparison("=", Constant(True), Constant(True))


@pytest.mark.parametrize(
    ("text", "index"),
    [
        ("a[1].p", "first"),
        ("a[i].p", "current"),
        ("a[ i - 1 ].p", "previous"),
        ("a[a.len].p", "last"),
        ("a.p", None),
    ],
)
def test_an_index_says_which_event_of_a_kleene_component(text, index):
    query = parse(f"EVENT SEQ(A+ a[], B b) WHERE {text} = 1")
    assert query.condition.left == Attribute("a", "p", index)


def test_len_is_a_length_of_many_events_and_an_attribute_of_one():
    query = parse("EVENT SEQ(A+ a[], B b) WHERE a.len > 2 AND b.len > 2")
    assert [part.left for part in query.condition.parts] == [Length("a"), Attribute("b", "len")]


def test_attributes_may_be_called_like_keywords():
    condition = where("x.type = x.from AND x.where = x.AND AND x.event = 'A' AND from = 1")
    assert condition.parts[1] == Comparison("=", Attribute("x", "where"), Attribute("x", "AND"))


def test_types_may_be_called_like_keywords():
    assert parse("EVENT (Return)").pattern == Leaf(("Return",))
    assert parse("EVENT SEQ(Return r, Event e)").pattern == Seq(
        (Leaf(("Return",), "r"), Leaf(("Event",), "e"))
    )


def test_a_hyphen_belongs_to_a_name_only_if_there_is_such_a_component():
    query = parse("EVENT SEQ(SHELF-READING, B b) WHERE SHELF-READING.id-1 = b.id-b.n")
    assert query.condition.left == Arithmetic("-", Attribute("SHELF-READING", "id"), Constant(1))
    assert query.condition.right == Arithmetic("-", Attribute("b", "id"), Attribute("b", "n"))


def test_of_several_hyphenated_components_the_longest_name_is_meant():
    query = parse("EVENT SEQ(A, A-B, A-B-C) WHERE A-B-C.n - A-B.n > A.n-B.n")
    left, right = query.condition.left, query.condition.right
    assert left == Arithmetic("-", Attribute("A-B-C", "n"), Attribute("A-B", "n"))
    assert right == Arithmetic("-", Attribute("A", "n"), Attribute("B", "n"))


def test_patterns_nest():
    text = "EVENT SEQ(AND(SEQ(A, B b), C+ c[]), !(ANY(D, E-1) d), (F))"
    inner = And((Seq((Leaf(("A",)), Leaf(("B",), "b"))), Leaf(("C",), "c", kleene=True)))
    assert parse(text).pattern == Seq((inner, Absent(Leaf(("D", "E-1"), "d")), Leaf(("F",))))


def test_components_without_a_variable_get_a_name():
    query = checked("EVENT SEQ(A, A, ANY(B, C), A x, A_2)")
    assert [leaf.var for leaf in query.pattern.parts] == ["A", "A_2", "B_or_C", "x", "A_2_2"]


def test_a_bare_attribute_belongs_to_the_only_component():
    query = checked("EVENT SHELF-READING WHERE category = 'food'")
    assert query.condition.left == Attribute("SHELF-READING", "category")


@pytest.mark.parametrize(
    ("text", "window"),
    [
        ("500 events", Within(500, "events")),
        ("250 ms", Within(250, "ms")),
        ("1 second", Within(1000, "ms")),
        ("2 secs", Within(2000, "ms")),
        ("3 MINUTES", Within(180_000, "ms")),
        ("'5 min'", Within(300_000, "ms")),
        ("‘1.5 hours’", Within(5_400_000, "ms")),
        ("1.5 hours", Within(5_400_000, "ms")),
        ("2days", Within(172_800_000, "ms")),
        ("$w", Within(Parameter("w"), "ms")),
        ("$w hours", Within(Parameter("w"), "hour")),
    ],
)
def test_a_window_is_a_duration_or_a_number_of_events(text, window):
    assert parse(f"EVENT A x WITHIN {text}").within == window


@pytest.mark.parametrize(
    ("text", "value", "window"),
    [
        ("$w", 1500, Within(1500, "ms")),
        ("$w", "5 min", Within(300_000, "ms")),
        ("$w hours", 1.5, Within(5_400_000, "ms")),
        ("$w events", 7, Within(7, "events")),
    ],
)
def test_a_window_may_be_a_parameter(text, value, window):
    assert checked(f"EVENT A x WITHIN {text}", w=value).within == window


def test_parameters_are_data_wherever_a_value_may_stand():
    text = "EVENT FOLLOWS(A x, B y, $t) WHERE x.id = $v AND [n = $v] HAVING PROBABILITY >= $p RETURN $v AS v"
    nasty = "' OR 1 = 1 --"
    query = checked(text, v=nasty, p=0.25, t="2 sec")
    assert query.condition == AllOf((Comparison("=", ID, Constant(nasty)), Equivalence("n", Constant(nasty))))
    assert (query.pattern.window, query.having, query.returned[0].expression) == (2000, 0.25, Constant(nasty))


def test_a_star_stands_for_every_component_that_happens():
    query = checked("EVENT SEQ(A x, !(B y), C z) RETURN *")
    assert query.returned == (Returned(Attribute("x", "*")), Returned(Attribute("z", "*")))


def test_checking_twice_changes_nothing():
    text = "EVENT SEQ(A, !(B), A) WHERE [id] OR A.n > 3 PARTITION BY id, shelf WITHIN 3 sec RETURN *"
    once = checked(text)
    assert check(once, text) == once
