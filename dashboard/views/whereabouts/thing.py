"""Where one thing or person is, and its way; or where those are that some words may mean."""

from __future__ import annotations

import streamlit as st

from app import store
from app.store import ItemMove
from app.whereabouts.answers import Answers, Whereabout
from dashboard import links
from dashboard.components import graph
from dashboard.context import Context, area_title, reader_name
from dashboard.pictures import way
from dashboard.pictures.way import WayStop
from dashboard.words import chances, text, times
from dashboard.words.escape import escaped

HOURS = 8
_HOUR_MS = 3_600_000
_LINKED = 12


def show_one(found: Whereabout, answers: Answers, context: Context) -> None:
    st.subheader(escaped(thing(found)), anchor=False)
    if found.places:
        _where(found, answers, context)
    else:
        st.info(never_heard(answers), icon=":material/sensors_off:")
    if found.home:
        st.markdown(escaped(text.whereabouts.BELONGS.format(area_title(context, found.home))))
    _way(found, answers, context)


def show_several(what: str, rows: list[int], answers: Answers, context: Context) -> None:
    st.subheader(
        text.whereabouts.SEVERAL.format(count=f"{len(rows):,}", what=escaped(what)),
        anchor=False,
    )
    spread = answers.spread(rows)
    if spread:
        numbers = [(name, answers.number(rows, name)) for name in spread]
        told = [(place_title(name, context), chances.between(one.low, one.high)) for name, one in numbers]
        st.markdown(chances.table((text.whereabouts.PLACE, text.whereabouts.NUMBER), told))
    else:
        ago = times.ago(answers.began_ms, answers.now_ms)
        st.info(text.whereabouts.NONE_HEARD.format(ago), icon=":material/sensors_off:")
    if len(rows) > _LINKED:
        st.caption(text.whereabouts.FIRST_OF.format(_LINKED))
    for row in rows[:_LINKED]:
        found = answers.of(row)
        links.link("whereabouts", escaped(_likeliest(found, context)), ":material/pin_drop:", what=found.item)


def thing(found: Whereabout) -> str:
    return found.item if found.title == found.item else f"{found.title} ({found.item})"


def _likeliest(found: Whereabout, context: Context) -> str:
    if not found.places:
        return thing(found)
    place = found.places[0]
    where, chance = place_title(place.name, context), chances.percent(place.chance)
    return text.whereabouts.ONE_OF.format(thing=thing(found), place=where, chance=chance)


def place_title(name: str, context: Context) -> str:
    return text.whereabouts.ELSEWHERE.get(name) or area_title(context, name)


def never_heard(answers: Answers) -> str:
    if not answers.began_ms:
        return text.whereabouts.NEVER_HEARD_AT_ALL
    return text.whereabouts.NEVER_HEARD.format(times.ago(answers.began_ms, answers.now_ms))


def _where(found: Whereabout, answers: Answers, context: Context) -> None:
    rows = [(place_title(place.name, context), chances.percent(place.chance)) for place in found.places]
    st.markdown(chances.table((text.whereabouts.PLACE, text.whereabouts.CHANCE), rows))
    clock = times.clock(found.seen_ms, context.zone)
    ago = times.ago(found.seen_ms, answers.now_ms)
    reader = reader_name(context, found.seen_by)
    told = [text.whereabouts.LAST_READ.format(ago=ago, clock=clock, reader=reader)]
    if found.since_ms:
        length = times.duration(answers.now_ms - found.since_ms)
        since = times.clock(found.since_ms, context.zone)
        told.append(text.whereabouts.SINCE.format(clock=since, length=length))
    st.markdown(escaped(" ".join(told)))


def _way(found: Whereabout, answers: Answers, context: Context) -> None:
    """As a picture and in words; of what has not moved only that."""
    until = answers.now_ms
    since = until - HOURS * _HOUR_MS
    stops = stops_of(store.way(context.store, found.tag, since, until), found, since, until, context)
    if not stops:
        return
    st.markdown(f"**{text.whereabouts.WAY_HOURS.format(HOURS)}**")
    graph.show(
        way.picture(stops, max(since, stops[0].from_ms), until, context.zone),
        key="way",
        height=way.height(stops),
    )
    with st.expander(text.whereabouts.WAY_WORDS):
        st.markdown("\n".join(f"1. {escaped(_step(stop, context))}" for stop in stops))


def stops_of(
    moves: list[ItemMove], found: Whereabout, since: int, until: int, context: Context
) -> list[WayStop]:
    """Each stay until the next; the last one until it was heard last, if it is there no longer."""
    ends = [move.at_ms for move in moves[1:]]
    if moves:
        there = bool(found.places) and found.places[0].name == moves[-1].area
        ends.append(until if there else max(moves[-1].at_ms, min(found.seen_ms or until, until)))
    return [
        WayStop(area_title(context, move.area), max(move.at_ms, since), end)
        for move, end in zip(moves, ends, strict=True)
        if end > since
    ]


def _step(stop: WayStop, context: Context) -> str:
    length = times.duration(stop.until_ms - stop.from_ms)
    return text.whereabouts.WAY_STEP.format(
        clock=times.clock(stop.from_ms, context.zone), place=stop.title, length=length
    )
