"""The radio of a simulation: dials for everything that radios do wrong, and the presets of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from detectors.document import Entry, Section

Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class RadioDials:
    """As they stand here, a kind radio. Shares are from 0 to 1, rates are per hour."""

    misses: float = 0.08  # of all polls of a tag; and of what a motion sensor should see
    ghosts: float = 0.002  # reads of a tag that is not there, for each that is
    repeats: float = 0.05  # reads that are reported twice
    crossings: float = 0.02  # reads that the reader next door makes too
    skew_ms: int = 200  # how far clocks are off
    material: Span | None = None  # each tag answers its own share of polls between these, instead of `misses`
    mute: float = 0.0  # tags that never answer
    hiding: float = 0.0  # how often something stands before a product's items on their shelf
    gate_bursts: float = 0.0  # how often a gate hears the nearest shelf for a moment
    burst_reads: Span = (2, 6)  # how often it reads each of the tags that it hears then
    burst_ms: int = 2_000
    bodies: float = 0.0  # passages of a gate with a body between tag and antenna; of a till a tenth of that
    heavy_tails: bool = False  # strengths that now and then are far off, and a lasting offset of each tag
    strays: float = 0.0  # polls in which the reader next door hears the tag, its own reader or not
    passing: float = 0.0  # walks on which a tag is read by a shelf that it is carried past
    drift: float = 0.0  # millionths by which clocks may run fast or slow
    holds: float = 0.0  # how often a reader holds its reports back for 30 to 60 s
    open_tills: bool = False  # people go on paying at a till whose reader is down

    def scaled(self, factor: float) -> RadioDials:
        """The same kind of radio, so many times as bad."""
        material = self.material and (_worse(self.material[0], factor), _worse(self.material[1], factor))
        return replace(
            self,
            **{name: min(getattr(self, name) * factor, _MOST.get(name, 1.0)) for name in _SHARES},
            **{name: getattr(self, name) * factor for name in _RATES},
            skew_ms=round(self.skew_ms * factor),
            material=material,
            heavy_tails=self.heavy_tails and factor > 0,
        )


_MOST = {"misses": 0.95}
_SHARES = ("misses", "ghosts", "repeats", "crossings", "mute", "bodies", "strays", "passing")
_RATES = ("hiding", "gate_bursts", "drift", "holds")
_SPANS = ("material", "burst_reads")
_SWITCHES = ("heavy_tails", "open_tills")
_DURATIONS = {"skew": "skew_ms", "burst_length": "burst_ms"}

REAL_SHOP = RadioDials(
    ghosts=0.004,
    crossings=0.0,
    skew_ms=2_000,
    material=(0.6, 0.9),
    mute=0.02,
    hiding=0.25,
    gate_bursts=4.0,
    bodies=0.05,
    heavy_tails=True,
    strays=0.05,
    passing=0.5,
    drift=50.0,
    holds=2.0,
)
TWICE_AS_BAD = replace(
    REAL_SHOP,
    ghosts=0.008,
    skew_ms=4_000,
    material=(0.4, 0.8),
    mute=0.04,
    hiding=0.5,
    gate_bursts=8.0,
    bodies=0.1,
    strays=0.1,
    passing=0.75,
    holds=4.0,
)
LONG_BURSTS = replace(REAL_SHOP, burst_reads=(4, 20), burst_ms=6_000)
PRESETS: Mapping[str, RadioDials] = {
    "kind": RadioDials(),
    "real-shop": REAL_SHOP,
    "twice-as-bad": TWICE_AS_BAD,
    "long-bursts": LONG_BURSTS,
}
USUAL = "kind"  # the radio of a scenario that does not name one


def parse(radio: Entry | None, noise: Section) -> RadioDials:
    """`radio: real-shop`, or a mapping of dials, `like:` the preset from which it differs. `noise:` sets
    dials of a kind radio, as it did before there were others."""
    if radio is None:
        return _dials(noise, PRESETS["kind" if noise.values else USUAL])
    if isinstance(radio.data, str):
        return preset(radio.choice(list(PRESETS)))
    section = radio.section()
    like = section.get("like")
    return _dials(section, preset(like.choice(list(PRESETS)) if like else USUAL), "like")


def preset(name: str) -> RadioDials:
    """An unknown name, which the file's reader has remarked, stands for the usual one."""
    return PRESETS.get(name, PRESETS[USUAL])


def _dials(section: Section, base: RadioDials, *others: str) -> RadioDials:
    shares = (*_SHARES, *_RATES)
    section.only(*shares, *_SPANS, *_SWITCHES, *_DURATIONS, *others)
    given = dict(section.items())
    changes: dict[str, object] = {name: given[name].number(0, 1) for name in _SHARES if name in given}
    changes |= {name: given[name].number(0) for name in _RATES if name in given}
    changes |= {name: _span(given[name]) for name in _SPANS if name in given}
    changes |= {name: given[name].flag() for name in _SWITCHES if name in given}
    changes |= {field: given[name].duration() for name, field in _DURATIONS.items() if name in given}
    return RadioDials(**{one.name: changes.get(one.name, getattr(base, one.name)) for one in fields(base)})  # type: ignore[arg-type]


def _span(entry: Entry) -> Span:
    parts = [part.number(0) for part in entry.entries()]
    if len(parts) != 2 or parts[0] > parts[1]:
        entry.fault("the least and the most expected, such as [0.6, 0.9]")
        return 1.0, 1.0
    return parts[0], parts[1]


def _worse(rate: float, factor: float) -> float:
    return max(1 - (1 - rate) * factor, 0.05)
