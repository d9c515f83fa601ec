"""The types of events in words: `SHELF-READING` is "Seen on a shelf", its absence "Not seen on a shelf"."""

from __future__ import annotations

from collections.abc import Sequence

from dashboard.words import text

_READING, _LEFT, _GLIMPSE = "-READING", "-LEFT", "-GLIMPSE"
_SCAN, _OUT, _IN = "-SCAN", "-OUT", "-IN"


def happened(types: Sequence[str]) -> str:
    """One of these events, as one would tell it."""
    return sentence(_told(types, 0))


def missing(types: Sequence[str]) -> str:
    """None of these events, as one would tell it."""
    return sentence(_told(types, 1))


def sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def either(words: Sequence[str]) -> str:
    """`a, b or c`."""
    *most, last = dict.fromkeys(words)
    return text.events.OR.format(", ".join(most), last) if most else last


def _told(types: Sequence[str], absent: int) -> str:
    for ending, (frames, place) in _ENDINGS.items():
        if all(one.endswith(ending) for one in types):
            return frames[absent].format(either([place(one.removesuffix(ending).lower()) for one in types]))
    return either([_other(one, absent) for one in types])


def _other(name: str, absent: int) -> str:
    for ending in _ENDINGS:
        if name.endswith(ending):
            return _told([name], absent)
    return text.events.NAMED.get(name, (_spaced(name), text.events.NO_SUCH.format(_spaced(name))))[absent]


def _where(kind: str) -> str:
    return text.events.KINDS_OF_AREA.get(kind, (text.events.IN_AREA.format(_spaced(kind)), ""))[0]


def _whence(kind: str) -> str:
    return text.events.KINDS_OF_AREA.get(kind, ("", _spaced(kind)))[1]


def _spaced(name: str) -> str:
    return name.lower().replace("-", " ").replace("_", " ")


_ENDINGS = {
    _READING: (text.events.SEEN, _where),
    _LEFT: (text.events.GONE, _whence),
    _GLIMPSE: (text.events.GLIMPSED, _where),
    _SCAN: (text.events.SCANNED, _where),
    _OUT: (text.events.WENT_OUT, _whence),
    _IN: (text.events.CAME_IN, _whence),
}
