"""Every message that bad constraints can get: the user's text, its hint, and a text that provokes it."""

from __future__ import annotations

from sase.errors import Problem

_FORMS = "prior(A, B), exclusive(A, B), require(A, B), A AND B => C or A AND B => NOT C"

NO_CONSTRAINTS = Problem("there are no constraints here", f"write {_FORMS}, then BY order_id", "  -- none")
STRAY_MARK = Problem("{found} has no place among constraints", "", "prior(A, B) ? BY id")
NOT_THIS = Problem("expected {wanted}, found {found}", "{hint}", "prior(A B) BY id")
NO_FORM = Problem("{found} is no constraint", f"write {_FORMS}{{near}}", "priro(A, B) BY id")
NO_CASE = Problem(
    "BY is missing: what is a case?", "write BY and its attributes, as in BY order_id", "prior(A, B)"
)
TWO_TYPES = Problem("{form} takes two event types", "write {form}(A, B)", "prior(A) BY id")
NO_HEAD = Problem(
    "{found} alone says nothing",
    "write what follows from it, as in {found} => B, or prior({found}, B)",
    "A BY id",
)
BAD_MEMORY = Problem("{found} is no duration", "write it as in FOR 30 days", "prior(A, B) BY id FOR ever")
IMPOSSIBLE = Problem(
    "this query can never match: {constraints}",
    "one of them is not true, or the query asks for something else than is meant",
    "exclusive(A, B) BY id",
)
