"""How readings are cleaned in a place: what is too weak, what confirms a reading, when an item has left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from detectors.document import Section

HOUR_MS = 3_600_000


@dataclass(frozen=True, slots=True)
class CleaningSettings:
    """Times are counted in periods of the reader at hand, so that one setting fits all readers."""

    floor: float = -70.0  # dBm: anything weaker is dropped
    confirm: int = 2  # reads by one reader before a tag is believed to be there
    margin: float = 8.0  # dB by which another area may be weaker than the present one and still win
    forget: int = 6  # periods without a read before a tag has left
    refresh_ms: Mapping[str, int] = field(default_factory=dict)  # by kind: how often a tag that stays is told
    alive_ms: int = 20_000  # a reader that is heard is told this often
    passage_ms: int = 6_000  # longest from motion on one side of a door to motion on the other

    def refresh(self, kind: str) -> int:
        return self.refresh_ms.get(kind, HOUR_MS)

    @staticmethod
    def parse(section: Section) -> CleaningSettings:
        section.only("floor", "confirm", "margin", "forget", "refresh", "alive", "passage")
        usual = CleaningSettings()
        floor, margin = section.get("floor"), section.get("margin")
        confirm, forget = section.get("confirm"), section.get("forget")
        refresh, alive, passage = section.section("refresh"), section.get("alive"), section.get("passage")
        return CleaningSettings(
            floor=floor.number(-120, 0) if floor else usual.floor,
            confirm=confirm.whole(minimum=1) if confirm else usual.confirm,
            margin=margin.number(minimum=0) if margin else usual.margin,
            forget=forget.whole(minimum=1) if forget else usual.forget,
            refresh_ms={kind: entry.duration() for kind, entry in refresh.items()},
            alive_ms=alive.duration() if alive else usual.alive_ms,
            passage_ms=passage.duration() if passage else usual.passage_ms,
        )
