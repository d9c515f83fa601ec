"""Forward and backward over a chain of hidden states, one step of time at a time (Rabiner 1989)."""

from __future__ import annotations

import numpy as np

from sase.kernels.jit import kernel


@kernel
def forward(start, transitions, chosen, emission, place_of, ahead, scale):
    """Fill `ahead` (steps, states) with what is believed; the sum of `scale` is the log likelihood.

    `chosen` says which transition leads to a step, `emission` (steps, places) how likely what was heard is.
    """
    steps, states = ahead.shape
    for t in range(steps):
        total = 0.0
        for j in range(states):
            reached = start[j]
            if t > 0:
                reached = 0.0
                for i in range(states):
                    reached += ahead[t - 1, i] * transitions[chosen[t], i, j]
            ahead[t, j] = reached * emission[t, place_of[j]]
            total += ahead[t, j]
        if total <= 0.0:  # what could not be was heard: believe what was heard
            for j in range(states):
                ahead[t, j] = emission[t, place_of[j]] + 1e-300
                total += ahead[t, j]
            scale[t] = np.log(1e-300)
        else:
            scale[t] = np.log(total)
        for j in range(states):
            ahead[t, j] /= total


@kernel
def backward(transitions, chosen, emission, place_of, ahead, later, moves):
    """Turn `ahead` into what is believed with hindsight; add expected moves to `moves` (kind, from, to).

    `later` has two rows of room: how likely all that comes after a step is, for a step and the one before it.
    """
    steps, states = ahead.shape
    for j in range(states):
        later[0, j] = 1.0
    for t in range(steps - 1, 0, -1):
        for j in range(states):
            later[0, j] *= emission[t, place_of[j]]
        total = 0.0
        for i in range(states):
            found = 0.0
            for j in range(states):
                found += transitions[chosen[t], i, j] * later[0, j]
            later[1, i] = found
            total += ahead[t - 1, i] * found
        if total <= 0.0:
            for i in range(states):
                later[0, i] = 1.0
            continue
        for i in range(states):
            if ahead[t - 1, i] > 1e-12:
                share = ahead[t - 1, i] / total
                for j in range(states):
                    moves[chosen[t], i, j] += share * transitions[chosen[t], i, j] * later[0, j]
        for i in range(states):
            later[0, i] = later[1, i] / total
            ahead[t - 1, i] *= later[0, i]
