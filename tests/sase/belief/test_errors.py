"""Errors in words: what was wrong, where, and what to do."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sase import belief
from tests.sase.belief.home import home

REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "no places": (lambda: home(places={}), "no places; name at least one"),
    "a move to nowhere": (
        lambda: home(moves=[("LR", "Brr")]),
        "move 1: there is no place 'Brr'; did you mean BR",
    ),
    "a move on the spot": (lambda: home(moves=[("LR", "LR")]), "cannot adjoin itself"),
    "no pair": (lambda: home(moves=["LR"]), "move 1: 'LR' is no pair of places"),
    "unknown kind": (
        lambda: home(stays={"roof": "1 hour"}),
        "no place is of the kind 'roof'; did you mean room",
    ),
    "no stay": (lambda: home(stays={"room": "1 hour"}), "'outside': nothing says how long one stays"),
    "no duration": (lambda: home(stays={"room": "long", "outside": "1 day"}), "'long' is no length of time"),
    "shares of phases": (
        lambda: home(stays={"room": [{"share": 0.5, "stay": "1 min"}], "outside": "1 day"}),
        "add up to 0.5; they must add up to 1",
    ),
    "gate between places apart": (
        lambda: home(sensors={"door": belief.Gate("outside", "BR")}),
        "sensor 'door': 'outside' and 'BR' do not adjoin; add",
    ),
    "hit": (lambda: home(sensors={"cam": belief.Watch("LR", hit=1.5)}), "hit: 1.5 is no probability"),
    "stray": (
        lambda: home(sensors={"cam": belief.Watch("LR", stray={"BR": -1})}),
        "stray of 'BR': -1 is no probability",
    ),
    "own stray": (lambda: home(sensors={"cam": belief.Watch("LR", stray={"LR": 0.1})}), "is its own place"),
    "no sensor": (lambda: home(sensors={"cam": "LR"}), "neither a Watch nor a Gate"),
    "shares": (lambda: home(shares={"LR": {"BR": 0.5}}), "shares of 'LR': they add up to 0.5"),
    "start": (
        lambda: belief.State(home(), ["A"], start={"A": "attic"}),
        "start of 'A': there is no place 'attic'",
    ),
    "start that is not all": (
        lambda: belief.State(home(), ["A"], start={"A": {"LR": 0.5}}),
        "start of 'A': its probabilities add up to 0.5",
    ),
    "start of nobody": (lambda: belief.State(home(), ["A"], start={"B": "LR"}), "there is no entity 'B'"),
    "a name twice": (lambda: belief.State(home(), ["A", "A"]), "a name comes twice"),
    "names in one text": (lambda: belief.State(home(), "AB"), "give a list of names"),
    "keep": (lambda: belief.State(home(), ["A"], keep="ever"), "keep: 'ever' is no length of time"),
}
WRONG: dict[str, tuple[Callable[[belief.State], Any], str]] = {
    "unknown sensor": (
        lambda s: s.see([{"ts": 11, "sensor": "lr-cm"}]),
        "sighting 1: there is no sensor 'lr-cm'; did you mean lr-cam",
    ),
    "unknown entity": (
        lambda s: s.see([{"ts": 11, "sensor": "lr-cam", "entity": "Z"}]),
        "sighting 1: there is no entity 'Z'; there is A, B",
    ),
    "time that goes back": (
        lambda s: s.see([{"ts": 20, "sensor": "lr-cam"}, {"ts": 19, "sensor": "lr-cam"}]),
        "sighting 2: time goes back, from 20 to 19",
    ),
    "time before what was": (lambda s: s.advance(9), "advance: time goes back, from 10 to 9"),
    "no time": (lambda s: s.see([{"sensor": "lr-cam"}]), "sighting 1: it has no ts"),
    "half a millisecond": (
        lambda s: s.see([{"ts": 11.5, "sensor": "lr-cam"}]),
        "whole number of milliseconds",
    ),
    "sure": (lambda s: s.see([{"ts": 11, "sensor": "lr-cam", "sure": 2}]), "sure: 2 is no probability"),
    "to of a watch": (lambda s: s.see([{"ts": 11, "sensor": "lr-cam", "to": "LR"}]), "'lr-cam' is a Watch"),
    "to a place that does not adjoin": (
        lambda s: s.see([{"ts": 11, "sensor": "door", "to": "BR"}]),
        "sighting 1: 'BR' does not adjoin 'door', which is between 'outside' and 'LR'",
    ),
    "too much": (
        lambda s: s.see([{"ts": 11, "sensor": "door", "entities": {"A": 0.8, "B": 0.8}}]),
        "add up to more than 1",
    ),
    "both": (
        lambda s: s.see([{"ts": 11, "sensor": "door", "entity": "A", "entities": {"B": 1}}]),
        "both an entity and entities",
    ),
    "unknown working sensor": (lambda s: s.alive("cam", 11), "alive: there is no sensor 'cam'"),
    "unknown place": (lambda s: s.who("attic"), "there is no place 'attic'"),
    "who": (lambda s: s.where("Z"), "there is no entity 'Z'"),
    "the future": (lambda s: s.where("A", at=11), "has not been yet"),
    "a past that is not kept": (lambda s: s.where("A", at=9), "nothing is kept from before"),
    "limits": (lambda s: s.changes(above=0.2, below=0.5), "must not be above"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_wrong_with_a_model_or_a_beginning_is_told(case: str) -> None:
    make, words = REFUSED[case]
    with pytest.raises(ValueError, match=re.escape(words)):
        make()


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_with_a_sighting_or_a_question_is_told(case: str) -> None:
    state = belief.State(home(), ["A", "B"], start={"A": "LR"})
    state.advance(10)
    before = state.where("A")
    ask, words = WRONG[case]
    with pytest.raises(ValueError, match=re.escape(words)):
        ask(state)
    assert (state.where("A"), state.clock) == (before, 10)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("just a text", "is no model"),
        ("{places: {}, moves: [], stays: {}, sensors: {}, senors: {}}", "no 'senors'; did you mean sensors"),
        (
            "{places: {a: b}, moves: [], stays: {b: 1 day}, sensors: {c: {lamp: {}}}}",
            "write `watch:` or `gate:`",
        ),
        ("{places: {a: b}, moves: [], stays: {b: 1 day}, sensors: {c: {gate: {x: 1}}}}", "sensor 'c'"),
    ],
)
def test_a_file_that_is_no_model_is_refused(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "model.yaml").write_text(text)
    with pytest.raises(ValueError, match=re.escape(words)):
        belief.Model.load(tmp_path / "model.yaml")


def test_a_snapshot_of_another_model_is_refused() -> None:
    snapshot = belief.State(home(), ["A"]).snapshot()
    larger = home(places={"LR": "room", "BR": "room", "den": "room", "outside": "outside"})
    with pytest.raises(ValueError, match="other places or stays"):
        belief.State.resume(larger, snapshot)
