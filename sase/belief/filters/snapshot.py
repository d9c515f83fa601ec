"""A state as bytes: arrays and plain facts, nothing pickled."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sase.belief.filters.belief import Belief, Tie
from sase.belief.filters.intake import Entry, Sign
from sase.belief.sightings.reading import Sighting

Arrays = dict[str, NDArray[Any]]
Facts = dict[str, Any]
Parts = tuple[Facts, Arrays]
_FACTS = "facts"


def packed(parts: Parts) -> bytes:
    facts, arrays = parts
    written = io.BytesIO()
    text = np.frombuffer(json.dumps(facts).encode(), np.uint8)
    np.savez(written, allow_pickle=False, **arrays, **{_FACTS: text})
    return written.getvalue()


def unpacked(blob: bytes) -> Parts:
    with np.load(io.BytesIO(blob), allow_pickle=False) as found:
        arrays = {name: found[name] for name in found.files}
    return json.loads(arrays.pop(_FACTS).tobytes()), arrays


def under(name: str, parts: Parts) -> Parts:
    """Parts of a part: its facts in one entry, its arrays with its name before theirs."""
    facts, arrays = parts
    return {name: facts}, {f"{name}.{key}": array for key, array in arrays.items()}


def of(name: str, parts: Parts) -> Parts:
    """What `under` put there."""
    facts, arrays = parts
    prefix = f"{name}."
    return facts[name], {
        key.removeprefix(prefix): array for key, array in arrays.items() if key.startswith(prefix)
    }


def together(*several: Parts) -> Parts:
    facts, arrays = Facts(), Arrays()
    for each in several:
        facts |= each[0]
        arrays |= each[1]
    return facts, arrays


def belief_parts(belief: Belief) -> Parts:
    ties = {f"tie{i}": tie.joint for i, tie in enumerate(belief.ties)}
    facts = {
        "clock": belief.clock,
        "approximate": belief.approximate,
        "ties": [list(tie.members) for tie in belief.ties],
    }
    names = ("alone", "signs", "quiet", "heard_at")
    return facts, {name: getattr(belief, name) for name in names} | ties


def restore_belief(belief: Belief, parts: Parts) -> None:
    facts, arrays = parts
    belief.clock, belief.approximate = facts["clock"], facts["approximate"]
    belief.alone, belief.signs = arrays["alone"].copy(), arrays["signs"].copy()
    belief.quiet, belief.heard_at = arrays["quiet"].copy(), arrays["heard_at"].copy()
    belief.ties = [Tie(tuple(each), arrays[f"tie{i}"]) for i, each in enumerate(facts["ties"])]


def entry_facts(entry: Entry) -> list[Any]:
    if isinstance(entry, Sign):
        return [entry.ts, entry.sensor]
    who = None if entry.who is None else dict(entry.who)
    return [entry.ts, entry.sensor, who, entry.to, entry.sure]


def entry_of(facts: list[Any]) -> Entry:
    return Sign(*facts) if len(facts) == 2 else Sighting(*facts)
