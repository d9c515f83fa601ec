"""What was learned of a place, in words that its people understand."""

from __future__ import annotations

from collections.abc import Iterator

from app.cleaning.whereabouts.learning import STRAY_SECONDS
from app.cleaning.whereabouts.rates import HeardShares, PlaceRates
from app.place.floor_plan import FloorPlan

MOST_FINDINGS = 12
_FEW = 5  # things of an area: of fewer no share is told
_WORTH = 0.03  # of an area's things, heard through a way out
_OFTEN = 0.5  # strays of a thing in an hour
_MOST_STRAYS = 5
_SLOW_MS = 20_000
_HOUR_S = 3600.0
_SHARES = (
    *((0.97, "all"), (0.85, "nearly all"), (0.71, "three quarters"), (0.62, "two thirds")),
    *((0.45, "half"), (0.29, "a third"), (0.22, "a quarter"), (0.18, "a fifth"), (0.09, "a tenth")),
)

Weighed = tuple[float, str]  # how much it matters, and the sentence


def in_words(plan: FloorPlan, rates: PlaceRates, heard: HeardShares) -> list[str]:
    """What matters most first; empty if all is as one would guess."""
    titles = {area.name: area.title for area in plan.areas}
    told = [
        *_through(titles, heard),
        *sorted(_strays(plan, titles, rates), reverse=True)[:_MOST_STRAYS],
        *_missed(titles, heard),
        *_slow(titles, plan, rates),
    ]
    return [words for _, words in sorted(told, key=lambda one: -one[0])[:MOST_FINDINGS]]


def share_in_words(share: float) -> str:
    return next((words for least, words in _SHARES if share >= least), f"{share:.0%}")


def _through(titles: dict[str, str], heard: HeardShares) -> Iterator[Weighed]:
    for area, gates in heard.through.items():
        lying = heard.lying[area]
        for gate, number in gates.items():
            if lying >= _FEW and number >= max(2, _WORTH * lying):
                share = share_in_words(number / lying)
                told = f"{titles[gate]} hears {share} of what lies in {titles[area]} ({number} of {lying})."
                yield 2.0 + number / lying, told


def _strays(plan: FloorPlan, titles: dict[str, str], rates: PlaceRates) -> Iterator[Weighed]:
    of = {reader.name: reader.area for reader in plan.readers}
    for reader, areas in rates.strays.items():
        for area, strays in areas.items():
            seconds = rates.exposed.get(area, 0.0)
            hourly = strays / max(seconds, 1.0) * _HOUR_S
            if area != of.get(reader) and seconds > 2 * STRAY_SECONDS and hourly >= _OFTEN:
                own = titles.get(of.get(reader, ""), reader)
                times = f"{hourly:.0f} times" if hourly >= 1.5 else "about once"
                told = f"{own} hears a thing that lies in {titles.get(area, area)} {times} an hour."
                yield min(1.9, 1.0 + hourly / 100), told


def _missed(titles: dict[str, str], heard: HeardShares) -> Iterator[Weighed]:
    for area, share in heard.reads.items():
        if heard.lying[area] >= _FEW:
            hardly = heard.hardly[area]
            more = f"; {hardly} of {heard.lying[area]} hardly answer" if hardly else ""
            yield 1.0 - share, f"In {titles[area]} {share:.0%} of what lies there is read each time{more}."


def _slow(titles: dict[str, str], plan: FloorPlan, rates: PlaceRates) -> Iterator[Weighed]:
    for reader in plan.readers:
        longest = rates.longest.get(reader.name, 0.0)
        if longest >= _SLOW_MS:
            words = (
                f"{titles[reader.area]} ({reader.name}) may be silent for {longest / 1000:.0f} s and works."
            )
            yield 0.05, words
