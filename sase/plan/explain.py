"""The plan of a query as text: states, what was pushed where, partitions, window, optimisations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields

from sase.language import tree
from sase.language.write import write, write_condition
from sase.options import NO_LIMIT, Limits, Options


def explain(query: tree.QueryTree, plans: Sequence[Iterable[str]], options: Options, limits: Limits) -> str:
    """One block per disjunct of the condition; each plan has told its lines, from the events upwards."""
    lines = [write(query), ""]
    for i, plan in enumerate(plans, 1):
        if len(plans) > 1:
            lines.append(f"Alternative {i} of {len(plans)}; a match of several is emitted once")
        lines.extend([*plan, *_settings(options, limits)])
    return "\n".join(lines)


def together(conditions: Iterable[tree.Condition]) -> str:
    """Conditions that are tested at one place."""
    return " and ".join(map(write_condition, conditions)) or "no further condition"


def _settings(options: Options, limits: Limits) -> Iterator[str]:
    on = [f.name for f in fields(options) if getattr(options, f.name)]
    off = [f"{f.name} off" for f in fields(options) if not getattr(options, f.name)]
    yield f"Optimisations {', '.join(on + off)}"
    yield (
        f"Limits        {limits.partial_matches:,} partial matches per partition, "
        f"{limits.matches_per_event:,} matches per event"
        + (f", {limits.matches_at_once:,} at once" if limits.matches_at_once < NO_LIMIT else "")
    )
