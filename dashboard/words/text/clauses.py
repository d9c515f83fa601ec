"""The clauses of a query in words."""

from __future__ import annotations

JOINED = {"AND": " and ", "OR": ", or ", "NOT": "not: {}"}
ALL_WITHIN = "All within {}"
BEFOREHAND, IN_BETWEEN, AFTERWARDS = "{} beforehand", "{} in between", "{} afterwards"
AGAIN_AND_AGAIN = "{}, once or more often"
OPERATORS = {
    "FOLLOWS": "{left}, and within {window} after that {right}",
    "PRECEDES": "{right}, and within {window} after that {left}",
    "BOTH": "{left} and {right}, within {window} of each other",
    "ANYONE": "either {left}; or {right}",
    "NOTFOLLOWS": "{left}, and {right} within {window} after that",
    "NOTPRECEDES": "{left}, and {right} within {window} before that",
}
AROUND = {
    "NOTFOLLOWS": "{right} within {window} after that",
    "NOTPRECEDES": "{right} within {window} before that",
}
ALL_SAME = {
    "id": "All the same item",
    "area": "All in the same area",
    "product": "All the same product",
    "patient": "All the same patient",
    "medicine": "All the same medicine",
    "reader": "All the same reader",
    "person_id": "All the same patron",
    "book_id": "All the same book",
    "loc_id": "All at the same door",
}
ALL_SAME_OTHER = "All with the same {}"
ALL_EQUAL = "All with {} {}"
KNOWN_CONDITIONS = {
    ("dwell", "=", 0): "it has just come there",
    ("area", "!=", "home"): "this is not where it belongs",
    ("area", "=", "home"): "this is where it belongs",
    ("patient", "!=", "prescribed_to"): "the medicine is prescribed to somebody else",
    ("kind", "=", "book"): "it is a book",
}
KNOWN_OF_TWO: dict[tuple[str, str, object], str] = {
    ("person_id", "<", "person_id"): "the two are different persons, told once"
}
COMPARISONS = {
    "=": "{} is {}",
    "!=": "{} is not {}",
    "<": "{} is less than {}",
    "<=": "{} is at most {}",
    ">": "{} is more than {}",
    ">=": "{} is at least {}",
}
THEIR_NUMBER = "their number"
EVENTS = "events"
AGGREGATES = {
    "sum": "the total {}", "avg": "the average of {}", "min": "the least {}", "max": "the greatest {}",
    "count": "the number of {}", "first": "the first {}", "last": "the last {}",
}  # fmt: skip
INDEXES = {
    "first": "the first {}",
    "last": "the latest {}",
    "previous": "the {} before",
    "current": "each {}",
}
OF_EVENT = "{} of {}"
ORDINALS = ("the first", "the second", "the third", "the fourth", "the fifth")
ATTRIBUTES = {
    "id": "item", "home": "belongs to", "dwell": "there for (ms)", "avoid": "class to avoid",
    "prescribed_to": "prescribed to", "dose": "dose", "limit": "limit", "ts": "time",
    **{f"limit_{n}": f"limit {n}" for n in (1, 2, 3)},
    **{f"limit_{n}_ms": f"time of limit {n}" for n in (1, 2, 3)}, "class": "class",
    "person_id": "patron", "book_id": "book", "loc_id": "door", "books": "number of books",
}  # fmt: skip
