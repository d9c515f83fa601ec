"""Walks over patterns: what stands where, and the same shape with other parts."""

from __future__ import annotations

from sase.language.parse import parse
from sase.language.tree import Leaf, Operator, Pattern
from sase.language.walk import absent_names, leaves, mapped_pattern, patterns, standings
from sase.language.write import write_pattern


def pattern(text: str) -> Pattern:
    return parse(f"EVENT {text}").pattern


def surroundings(text: str) -> dict[str | None, tuple[str, str]]:
    return {
        one.leaf.var: ("".join(map(name, one.before)), "".join(map(name, one.after)))
        for one in standings(pattern(text))
    }


def name(leaf: Leaf) -> str:
    return leaf.var or ""


def test_every_part_comes_once_in_the_order_of_the_text() -> None:
    parts = [*patterns(pattern("SEQ(A a, AND(B b, !(C c)), FOLLOWS(D d, E e, 3 sec))"))]
    assert [type(part).__name__ for part in parts] == [
        *("Seq", "Leaf", "And", "Leaf", "Absent", "Leaf"),
        *("Operator", "Leaf", "Leaf"),
    ]


def test_what_surrounds_a_component_is_the_nearest_that_happens() -> None:
    assert surroundings("SEQ(!(A a), B b, !(C c), !(D d), AND(E e, SEQ(F f, G g)), H h)") == {
        "a": ("", "b"),
        "b": ("", "efg"),
        "c": ("b", "efg"),
        "d": ("b", "efg"),
        "e": ("b", "h"),
        "f": ("b", "g"),
        "g": ("f", "h"),
        "h": ("efg", ""),
    }


def test_only_what_stands_under_a_negation_is_absent() -> None:
    assert absent_names(pattern("SEQ(A a, AND(B b, !(C c)), !(D d))")) == {"c", "d"}


def test_parts_are_changed_from_the_inside_out_in_the_order_of_the_text() -> None:
    seen: list[str] = []

    def change(part: Pattern) -> Pattern:
        seen.append(part.name if isinstance(part, Operator) else name(next(leaves(part))))
        return Leaf(("X",), part.var) if isinstance(part, Leaf) else part

    changed = mapped_pattern(pattern("BOTH(A a, FOLLOWS(B b, C c, '3 ms'), '4 ms')"), change)
    assert write_pattern(changed) == "BOTH(X a, FOLLOWS(X b, X c, '3 ms'), '4 ms')"
    assert seen == ["a", "b", "c", "FOLLOWS", "BOTH"]
