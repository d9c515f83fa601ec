"""One tag's belief: what the passing of seconds and a read do to it. All ways lead through being carried."""

from __future__ import annotations

import numpy as np

from app.cleaning.tables import TICK_MS
from app.cleaning.whereabouts.kinds import (
    ARRIVING,
    BURST_END,
    BURST_RATE,
    GHOST,
    LOSING,
    MIDDLING,
    OUT,
    PHASES,
    RETURNING,
    SHADE,
    SLOW,
    WAY_OUT,
)
from app.cleaning.whereabouts.learning import burst_rates, polls_to_reads
from app.cleaning.whereabouts.tables import (
    APART,
    BELIEVED_AT,
    CARRIED,
    GONE,
    HIDDEN,
    LONGEST_STEP,
    LOST,
    STRENGTHS,
    THROUGH_GATE,
    WEAKEST,
)
from sase.kernels.jit import inlined, part

_STEPS = 8  # in which a long time passes
_LONGEST = _STEPS * LONGEST_STEP
_TINY = np.float32(1e-30)
_SMALL = np.float32(1e-7)
_ALIKE = np.float32(1e-4)  # a doubt so small is not remembered
_WORTH = np.float32(1e-4)  # below this share, bursts need not be thought of


@part
def chance_of(belief, area, rules):
    """That the tag is in this area."""
    first = rules.start[area]
    end = first + PHASES
    if rules.pace[area] == SLOW:
        end += 1 + len(rules.gate_area)
    total = np.float32(0.0)
    for state in range(first, end):
        total += belief[state]
    return total


@inlined
def nearest_second(ts):
    """Of a read: whoever was just heard at a gate must not have been silent there for the second before."""
    return (ts + TICK_MS // 2) // TICK_MS


@part
def bring(tag, now, here):
    """To the second `now`, of which nothing is yet counted; a read may have brought it there already."""
    known = here.known[tag]
    let_pass(here.belief[tag], tag, known[BELIEVED_AT], now, here)
    if known[APART]:
        let_pass(here.given[tag], tag, known[BELIEVED_AT], now, here)
    known[BELIEVED_AT] = max(known[BELIEVED_AT], now)


@part
def hear(tag, reader, area, strength, here):
    """The tag was read by this reader; strength in hundredths of a dBm."""
    weigh_read(here.belief[tag], tag, reader, area, strength, here)
    if here.known[tag, APART]:
        weigh_read(here.given[tag], tag, reader, area, strength, here)
        _rejoin(tag, here)


@part
def let_pass(belief, tag, since, now, here):
    """The seconds between, in steps that grow with their number."""
    passed = min(now - since, _LONGEST)
    if passed <= 0:
        return
    most = max(1, passed // _STEPS)
    reads = polls_to_reads(here.known[tag])
    while passed > 0:
        seconds = min(passed, most)
        _pass_seconds(belief, tag, seconds, now, reads, here)
        passed -= seconds


@part
def _pass_seconds(belief, tag, seconds, now, reads, here):
    """Things move while readers that work do not hear them.

    What arrives meanwhile was silent for a part of the time only: whoever has just come to a gate that reads
    four times a second must not be taken for somebody whom it has missed four times."""
    rules, senses = here.rules, here.senses
    passed, total = np.float32(seconds), np.float32(0.0)
    silent = passed * senses.carried[0]
    arrived, lost, left = _carried(belief, passed, silent)
    out = np.float32(0.0)
    for area in range(len(rules.start)):
        first, pace = rules.start[area], rules.pace[area]
        of_tag = pace in (SLOW, MIDDLING)
        own = passed * senses.pace[area] * (reads if of_tag else rules.reads[area])
        strays = passed * senses.overheard[area]
        gone = np.float32(0.0)
        for state in range(first, first + PHASES):
            shade = np.float32(SHADE) if state == first + 1 and not of_tag else np.float32(1.0)
            leaving = passed * rules.leaving[state]
            ending = own * shade + strays + leaving
            kept = np.exp(-ending)
            share = (np.float32(1.0) - kept) / max(ending, _SMALL)
            new = arrived * rules.enter[state]
            gone += leaving * (belief[state] * share + new * (np.float32(1.0) - share) / max(ending, _SMALL))
            belief[state] = belief[state] * kept + new * share
        if pace == SLOW:
            gone += _hide_and_show(belief, tag, area, seconds, now, own, here)
        total += chance_of(belief, area, rules)
        if pace == WAY_OUT:
            out += gone * np.float32(OUT)
            gone *= np.float32(1.0 - OUT)
        left += gone
    back = np.float32(RETURNING) * passed
    belief[CARRIED] += left + (belief[LOST] + belief[GONE]) * back
    belief[LOST] += lost - belief[LOST] * back
    belief[GONE] += out - belief[GONE] * back
    _scale(belief, total + belief[CARRIED] + belief[LOST] + belief[GONE])


@part
def _carried(belief, passed, silent):
    """How much of what is carried arrives and gets lost; nothing yet of what is picked up."""
    ending = passed * np.float32(ARRIVING + LOSING) + silent
    kept = np.exp(-ending)
    share = belief[CARRIED] * (np.float32(1.0) - kept) / max(ending, _SMALL)
    belief[CARRIED] *= kept
    return passed * np.float32(ARRIVING) * share, passed * np.float32(LOSING) * share, np.float32(0.0)


@part
def _hide_and_show(belief, tag, area, seconds, now, own, here):
    """What lies may be hidden by others, or be heard through a gate for a moment; the share that is taken."""
    rules, passed = here.rules, np.float32(seconds)
    first, slow = rules.start[area], rules.slow[seconds]
    hidden, burst = first + HIDDEN, first + THROUGH_GATE
    taken = belief[hidden] * passed * rules.leaving[hidden]
    lying = belief[first + 1] + belief[first + 2]
    belief[hidden] -= taken
    hides, shows = lying * slow[0], belief[hidden] * slow[1]
    belief[hidden] += hides - shows
    ended, begun = np.float32(0.0), np.float32(0.0)
    if lying > _WORTH:
        burst_rates(tag, area, 1000 * now, here)
    for gate in range(len(rules.gate_area)):
        begins = np.float32(0.0)
        if lying > _WORTH:
            begins = lying * min(here.senses.bursts[gate] * passed, np.float32(0.2))
        heard = np.float32(BURST_RATE) if here.senses.pace[rules.gate_area[gate]] > 0.0 else np.float32(0.0)
        ending = own + passed * (heard + np.float32(BURST_END))
        kept = np.exp(-ending)
        share = (np.float32(1.0) - kept) / ending
        was = belief[burst + gate]
        belief[burst + gate] = was * kept + begins * share
        ended += passed * np.float32(BURST_END) * (was * share + begins * (np.float32(1.0) - share) / ending)
        begun += begins
    kept = (lying - hides - begun) / max(lying, _TINY)
    belief[first + 1] *= kept
    belief[first + 2] = belief[first + 2] * kept + shows + ended
    return taken


@part
def weigh_read(belief, tag, reader, area, strength, here):
    """What a read says, beside what was believed."""
    rules, senses = here.rules, here.senses
    level = min(max((strength + 50) // 100 - WEAKEST, 0), STRENGTHS - 1)
    own, ghost = rules.strength[level], np.float32(GHOST)
    polls = np.float32(1000.0 / rules.period[reader])
    total = np.float32(0.0)
    for other in range(len(rules.start)):
        first, slow = rules.start[other], rules.pace[other] == SLOW
        chance = senses.heard[reader, other]
        shaded = chance
        if other == area and (slow or rules.pace[other] == MIDDLING):
            chance = shaded = own * polls * polls_to_reads(here.known[tag])
        elif other == area:
            chance = own * polls * rules.reads[other]
            shaded = chance * np.float32(SHADE)
        belief[first] *= chance
        belief[first + 1] *= shaded
        belief[first + 2] *= chance
        total += belief[first] + belief[first + 1] + belief[first + 2]
        if slow:
            belief[first + HIDDEN] *= 10 * ghost
            total += belief[first + HIDDEN]
            for gate in range(len(rules.gate_area)):
                through = rules.gate_area[gate] == area
                belief[first + THROUGH_GATE + gate] *= own * np.float32(BURST_RATE) if through else chance
                total += belief[first + THROUGH_GATE + gate]
    belief[CARRIED] *= rules.passing[reader] * (own + np.float32(1.0)) / np.float32(2.0)
    belief[LOST] *= ghost
    belief[GONE] *= ghost
    _scale(belief, total + belief[CARRIED] + belief[LOST] + belief[GONE])


@part
def _scale(belief, total):
    scale = np.float32(1.0) / max(total, _TINY)
    for state in range(len(belief)):
        belief[state] *= scale


@part
def chance_out(belief, rules):
    """That it is at a way out or has gone through one."""
    total = belief[GONE]
    for gate in range(len(rules.gate_area)):
        total += chance_of(belief, rules.gate_area[gate], rules)
    return total


@part
def _rejoin(tag, here):
    """Where what was told makes no difference any more, it needs no belief of its own."""
    belief, given = here.belief[tag], here.given[tag]
    for state in range(len(belief)):
        if abs(belief[state] - given[state]) > _ALIKE:
            return
    here.known[tag, APART] = 0
