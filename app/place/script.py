"""Plain sentences that stage an exact demonstration: `09:20 shopper-7 takes JEAN-32 from denim`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from detectors.document import Entry
from sase.errors import did_you_mean
from sase.language.duration import milliseconds

_WORD = r"[A-Za-z0-9][A-Za-z0-9_.-]*"
_SENTENCES = {
    "enter": r"(?P<who>W) enters",
    "walk": r"(?P<who>W) walks to (?P<area>W)",
    "take": r"(?P<who>W) takes (?:(?P<count>\d+) )?(?P<product>W) from (?P<area>W)",
    "try": r"(?P<who>W) tries on (?P<product>W) in (?P<area>W)",
    "hide": r"(?P<who>W) hides (?P<product>W)",
    "put": r"(?P<who>W) puts (?P<product>W) on (?P<area>W)",
    "pay": r"(?P<who>W) pays at (?P<area>W)",
    "leave": r"(?P<who>W) leaves by (?P<area>W)",
    "restock": r"(?P<who>W) restocks (?:(?P<count>\d+) )?(?P<product>W)",
    "dose": r"(?P<who>W) takes (?P<medicine>W)(?: of (?P<owner>W))? at (?P<area>W)",
    "skip": r"(?P<who>W) skips (?P<medicine>W)",
    "steal": r"(?P<who>W) steals (?P<book>W) by (?:the )?(?P<area>W)",
    "walk_out": r"(?P<who>W) walks out with (?P<book>W) by (?:the )?(?P<area>W)",
    "pair": r"(?P<who>W) and (?P<other>W) leave with (?P<book>W) by (?:the )?(?P<area>W)",
    "borrow": r"(?P<who>W) borrows (?P<book>W) at (?:the )?(?P<area>W)",
    "turn_back": r"(?P<who>W) turns back with (?P<book>W) at (?:the )?(?P<area>W)",
    "give_back": r"(?P<who>W) returns (?P<book>W) at (?:the )?(?P<area>W)",
    "shelve": r"(?P<who>W) shelves (?P<book>W) on (?P<area>W)",
    "come_home": r"(?P<person>W) comes home",
    "go_out": r"(?P<person>W) goes out",
    "stay": r"(?P<person>W) stays in (?:the )?(?P<area>W) for (?P<length>[0-9.]+ \w+)",
    "leak": r"water leaks in (?:the )?(?P<area>W)",
    "stranger": r"a stranger comes in",
    "down": r"reader (?P<reader>W) goes down for (?P<length>[0-9.]+ \w+)",
}
_PATTERNS = {verb: re.compile(text.replace("W", _WORD)) for verb, text in _SENTENCES.items()}
_LINE = re.compile(r"(?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d))? (?P<sentence>.+)")

Names = Mapping[str, frozenset[str]]  # what may stand for each role of a sentence, such as `area`


@dataclass(frozen=True, slots=True)
class Action:
    """What happens `at` so many milliseconds after midnight of the first day."""

    at: int
    verb: str
    words: Mapping[str, str]


def sentence(text: str) -> tuple[str, dict[str, str]] | None:
    """The verb and the words of a sentence without its time, or None if it is none."""
    for verb, pattern in _PATTERNS.items():
        match = pattern.fullmatch(text.strip())
        if match:
            return verb, {name: word for name, word in match.groupdict().items() if word}
    return None


def parse(entry: Entry, names: Names) -> Action:
    """The action of a line; names that the place does not know are faults."""
    line = _LINE.fullmatch(entry.text())
    found = sentence(line["sentence"]) if line else None
    if line is None or found is None:
        entry.fault(
            f"no sentence of a script: {entry.data!r}. "
            "Write a time and what happens, as in '09:20 shopper-7 takes JEAN-32 from denim'"
        )
        return Action(0, "enter", {"who": "?"})
    verb, words = found
    if "length" in words and milliseconds(words["length"]) is None:
        entry.fault(f"{words['length']!r} is no duration such as '5 minutes'")
    for role in words.keys() & names.keys():
        if words[role] not in names[role]:
            near = did_you_mean(words[role], names[role])
            entry.fault(f"there is no {role} {words[role]!r} in this place. {near}".strip())
    at = (int(line["hour"]) * 60 + int(line["minute"])) * 60 + int(line["second"] or 0)
    return Action(at * 1000, verb, words)
