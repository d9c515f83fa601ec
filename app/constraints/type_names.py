"""The name of a task as an event type: `Generate quote` submits `GenerateQuote`."""

from __future__ import annotations

import re
import unicodedata

from sase.language.words import RESERVED

LONGEST = 200
_TAKEN = RESERVED | {"BY", "FOR"}
_PLAIN = re.compile(r"[^\W\d]\w*(-[^\W\d]\w*)*")
_WORD = re.compile(r"\w+")


def is_type(name: str) -> bool:
    """Whether it can stand in a query and in a constraint as it is."""
    return bool(_PLAIN.fullmatch(name)) and name.upper() not in _TAKEN


def event_type(name: str) -> str:
    """A name that is a type already stays; of any other the words are joined, each with a capital.

    Empty if nothing of it can stand in a query."""
    name = unicodedata.normalize("NFC", name).strip()
    if is_type(name):
        return name
    joined = "".join(word[:1].upper() + word[1:] for word in _WORD.findall(name))
    joined = re.sub(r"^\d+", lambda digits: f"Task{digits[0]}", joined)
    return f"{joined}Task" if joined.upper() in _TAKEN else joined
