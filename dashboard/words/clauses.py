"""The clauses of a query in plain words, for someone who does not know the language."""

from __future__ import annotations

from collections.abc import Mapping

from dashboard.words import text
from dashboard.words.events import happened, missing, sentence
from detectors.parameters import spell_duration
from sase.errors import QueryError
from sase.language.in_words import Vocabulary, in_words
from sase.language.parse import parse

_WITHIN = "WITHIN "


class Words:
    """Says the clauses of one query; `values` are its parameters as they are shown to people."""

    def __init__(self, query: str, values: Mapping[str, str]) -> None:
        self._said = _said(query, values)

    def say(self, clause: str) -> str:
        """The clause in words; one that is not the query's, as it is written."""
        if clause.startswith(_WITHIN):
            return text.clauses.ALL_WITHIN.format(clause.removeprefix(_WITHIN))
        return self._said.get(clause, clause)


def label(attribute: str) -> str:
    """What people call an attribute of an event."""
    return text.clauses.ATTRIBUTES.get(attribute, attribute.replace("_", " "))


def _said(query: str, values: Mapping[str, str]) -> dict[str, str]:
    try:
        tree = parse(query)
    except QueryError:
        return {}
    return {written: sentence(said) for written, said in in_words(tree, _VOCABULARY, values)}


_VOCABULARY = Vocabulary(
    happened=happened,
    missing=missing,
    label=label,
    repeated=text.clauses.AGAIN_AND_AGAIN,
    beforehand=text.clauses.BEFOREHAND,
    in_between=text.clauses.IN_BETWEEN,
    afterwards=text.clauses.AFTERWARDS,
    operators=text.clauses.OPERATORS,
    around=text.clauses.AROUND,
    lasting=spell_duration,
    same=text.clauses.ALL_SAME,
    same_other=text.clauses.ALL_SAME_OTHER,
    equal=text.clauses.ALL_EQUAL,
    known=text.clauses.KNOWN_CONDITIONS,
    known_of_two=text.clauses.KNOWN_OF_TWO,
    comparisons=text.clauses.COMPARISONS,
    words=text.clauses.JOINED,
    length=text.clauses.THEIR_NUMBER,
    events=text.clauses.EVENTS,
    aggregates=text.clauses.AGGREGATES,
    indexes=text.clauses.INDEXES,
    of_event=text.clauses.OF_EVENT,
    ordinals=text.clauses.ORDINALS,
)
