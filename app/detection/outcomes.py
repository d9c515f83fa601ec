"""When operators with windows of their own had their outcomes in a match, and when what is absent was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from detectors.explanation import each
from sase.language.tree import Leaf, Operator, Parameter, Pattern
from sase.language.walk import happening, leaves, patterns
from sase.language.write import write_pattern

Events = Mapping[str, Any]


@dataclass(frozen=True)
class AbsentTime:
    """A negative component and the time in which none of its events came."""

    leaf: Leaf
    from_ms: int
    until_ms: int


@dataclass(frozen=True)
class MatchOutcomes:
    """The outcomes of a match: its parameters and its events decide what happened when."""

    values: Mapping[str, Any]
    events: Events

    def absent(self, pattern: Pattern) -> Iterator[AbsentTime]:
        """Every absence that the match rests on; those of an alternative that did not happen are none."""
        match pattern:
            case Operator("ANYONE"):
                yield from self.absent(self._alternative(pattern))
            case Operator(negates=True, left=left, right=right):
                yield from self.absent(left)
                moment, length = self.moment(left), self._length(pattern)
                low, high = (
                    (moment, moment + length) if pattern.name == "NOTFOLLOWS" else (moment - length, moment)
                )
                yield from (AbsentTime(leaf, low, high) for leaf in _missing(right))
            case Operator(left=left, right=right):
                yield from self.absent(left)
                yield from self.absent(right)

    def moment(self, pattern: Pattern) -> int:
        """When a part of it happened: with the later of two, or at the end of a window that stayed empty."""
        match pattern:
            case Operator("ANYONE"):
                return self.moment(self._alternative(pattern))
            case Operator(negates=True, left=left):
                return self.moment(left) + (self._length(pattern) if pattern.name == "NOTFOLLOWS" else 0)
            case Operator(left=left, right=right):
                return max(self.moment(left), self.moment(right))
        return max(int(event["ts"]) for leaf in happening(pattern) for event in self._bound(leaf))

    def _alternative(self, anyone: Operator) -> Pattern:
        """The side that happened: all its events are there, and of two such sides it has more of them."""
        names = [{leaf.var for leaf in happening(side)} for side in (anyone.left, anyone.right)]
        left, right = (len(found) if found <= self.events.keys() else 0 for found in names)
        return anyone.left if left >= right else anyone.right

    def _bound(self, leaf: Leaf) -> list[dict[str, Any]]:
        return list(each(self.events.get(leaf.var or "", [])))

    def _length(self, operator: Operator) -> int:
        window = operator.window
        return int(self.values[window.name] if isinstance(window, Parameter) else window or 0)


def _missing(pattern: Pattern) -> Iterator[Leaf]:
    """Of several that would do, none has come; of an outcome of its own, only that it has not is known."""
    if any(isinstance(part, Operator) and part.name != "ANYONE" for part in patterns(pattern)):
        yield Leaf((write_pattern(pattern),), next(leaves(pattern)).var)
    else:
        yield from leaves(pattern)
