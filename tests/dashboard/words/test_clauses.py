"""The clauses of queries in plain words: what a shop assistant reads before the query itself."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

import detectors
from dashboard.words.clauses import Words
from dashboard.words.events import happened, missing
from detectors.detector import Detector
from sase.language.names import named
from sase.language.parse import parse
from sase.language.walk import conjuncts, steps
from sase.language.write import write_condition, write_pattern

SHIPPED = detectors.load()
OF_THE_LANGUAGE = re.compile(r"[\[\]{}!$]|[A-Z]{2,}|\b\w+\.\w+\b|[<>=]")
TOLD = {
    "shoplifting": [
        "Not seen at a checkout beforehand",
        "Seen on a shelf, in the fitting room or in the stock room",
        "Not seen at a checkout in between",
        "Seen at an exit",
        "All the same item",
    ],
    "misplaced": [
        "Seen on a shelf",
        "Not gone from a shelf afterwards",
        "All the same item",
        "All in the same area",
        "It has just come there",
        "This is not where it belongs",
    ],
    "overdose": [
        "Medicine taken, once or more often",
        "All the same patient",
        "All the same medicine",
        ", or ".join(
            f"{total} dose is more than the latest limit {n} "
            f"and the latest time - the first time is less than the latest time of limit {n}"
            for n, total in ((1, "The total"), (2, "the total"), (3, "the total"))
        ),
    ],
    "drug_interaction": [
        "Medicine taken",
        "Medicine taken",
        "All the same patient",
        "Class to avoid of the first is class of the second, "
        "or class to avoid of the second is class of the first",
    ],
    "shelf_sweep": [
        "Gone from a shelf, once or more often",
        "Not gone from a shelf afterwards",
        "All the same product",
        "All in the same area",
        "This is where it belongs",
        "Their number is at least 5 items",
    ],
    "booklifting": [
        "A book left that nobody has borrowed",
        "No person left with a card within 3 seconds before that",
        "No person left with a card within 3 seconds after that",
        "All at the same door",
    ],
    "confusion": [
        "Either a book left that nobody has borrowed, and within 3 seconds after that "
        "a person left with a card and a person left with a card, within 3 seconds of each other; "
        "or a person left with a card and a person left with a card, within 3 seconds of each other, "
        "and within 3 seconds after that a book left that nobody has borrowed",
        "All at the same door",
        "The two are different persons, told once",
    ],
    "over_limit": [
        "A book was lent or given back, once or more often",
        "All the same patron",
        "The total number of books is more than the latest limit",
    ],
    "misplaced_book": [
        "Seen on a shelf",
        "Not gone from a shelf within 15 minutes after that",
        "All the same item",
        "All in the same area",
        "It is a book",
        "It has just come there",
        "This is not where it belongs",
    ],
}


def clauses(query: str) -> list[str]:
    tree = parse(query)
    parts = steps(named(tree.pattern))
    return [*map(write_pattern, parts), *map(write_condition, conjuncts(tree.condition))]


def shown(detector: Detector) -> Mapping[str, str]:
    return {name: detector.parameters[name].shown(value) for name, value in detector.values().items()}


def told(query: str, values: Mapping[str, str] | None = None) -> list[str]:
    words = Words(query, values or {})
    return [words.say(clause) for clause in clauses(query)]


@pytest.mark.parametrize("name", SHIPPED)
def test_no_clause_of_a_shipped_detector_is_told_in_the_language(name: str) -> None:
    said = told(SHIPPED[name].query, shown(SHIPPED[name]))
    assert [words for words in said if OF_THE_LANGUAGE.search(words)] == []


@pytest.mark.parametrize("name", TOLD)
def test_a_detectors_clauses_read_as_a_person_would_say_them(name: str) -> None:
    assert told(SHIPPED[name].query, shown(SHIPPED[name])) == TOLD[name]


def test_a_window_is_told_as_a_length_of_time() -> None:
    assert Words(SHIPPED["shoplifting"].query, {}).say("WITHIN 12 hours") == "All within 12 hours"


def test_every_form_of_condition_has_words() -> None:
    query = """
      EVENT SEQ(DOOR-OPENED x, AND(A y, B z))
      WHERE [site = 'north'] AND NOT x.temperature <= 3 AND (y.price * 2 < z.price AND y.n != -z.n)
    """
    assert told(query) == [
        "Door opened",
        "A and B",
        "All with site north",
        "Not: temperature is at most 3",
        "Price of the second * 2 is less than price of the third",
        "N of the second is not -n of the third",
    ]


def test_operators_in_each_other_have_words_too() -> None:
    query = """
      EVENT NOTPRECEDES(PRECEDES(A a, NOTFOLLOWS(B b, ANYONE(C c, D d), 2 sec), 1 min),
                        FOLLOWS(C e, D f, $short), 1 hour)
    """
    assert told(query, {"short": "5 seconds"}) == [
        "B, and no c or no d within 2 seconds after that, and within 1 minute after that a",
        "Not: c, and within 5 seconds after that d within 1 hour before that",
    ]


def test_a_query_that_can_no_longer_be_read_is_shown_as_it_was_written() -> None:
    assert Words("EVENT of an older version", {}).say("[id]") == "[id]"


def test_kinds_of_areas_that_nobody_has_named_still_read_well() -> None:
    assert happened(["COLD-STORE-READING"]) == "Seen in an area for cold store"
    assert missing(["COLD-STORE-LEFT", "DOOR-OPENED"]) == "Not gone from cold store or no door opened"
