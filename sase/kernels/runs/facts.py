"""What a plan asks of its runs: told by its form, where that is enough, and otherwise by its tables."""

from __future__ import annotations

from sase.kernels.jit import inlined
from sase.kernels.runs.form import asks, bare
from sase.kernels.runs.tables import NEXT_MATCH, STRICT


@inlined
def is_strict(plan):
    """Whether no event may be passed over."""
    return not bare(plan.form) and plan.strategy == STRICT


@inlined
def must_follow(plan):
    """Whether a run goes on with the first event that it can select."""
    return bare(plan.form) or plan.strategy == NEXT_MATCH


@inlined
def is_grouped(plan):
    return not bare(plan.form) and plan.grouped


@inlined
def is_pruned(plan):
    """Whether runs end with the window."""
    return bare(plan.form) or plan.prune


@inlined
def accepts_at_once(plan):
    """Whether no check waits for the end of a match."""
    return bare(plan.form) or plan.accept == plan.accept_end


@inlined
def is_compressed(plan):
    return not bare(plan.form) and plan.compressed


@inlined
def is_united(plan):
    """Whether there may be several ways to a match."""
    return asks(plan.form) and plan.likelihood.united


@inlined
def has_running(plan, program):
    """Whether runs hold running values."""
    return not bare(plan.form) and program.scalars.shape[0] > 0


@inlined
def has_negatives(plan, emission):
    return not bare(plan.form) and emission.negatives.plan.shape[0] > 0


@inlined
def is_constrained(plan, emission):
    return not bare(plan.form) and emission.pruned.column >= 0


@inlined
def has_waiting(plan):
    """Whether matches may wait for a deadline."""
    return not bare(plan.form)


@inlined
def uses_up(plan, emission):
    return not bare(plan.form) and emission.once
