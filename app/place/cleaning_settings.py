"""How readings are cleaned in a place: what is too weak, what confirms a reading, when an item has left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from detectors.document import Section

HOUR_MS = 3_600_000
_BELIEVED = ("method", "sure", "paid", "out", "wait")
# Of which whereabouts have a model.
BELIEVED_KINDS = ("shelf", "fitting", "stock", "counter", "returns", "reading", "exit", "door")
STAYS, WHEREABOUTS = "stays", "whereabouts"
METHODS = (STAYS, WHEREABOUTS)


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
    method: str = STAYS
    sure: float = 0.95  # of whereabouts: how likely a place must be to be told
    paid: float = 0.9  # the same of a counter
    out: float = 0.97  # the same of a way out
    wait_ms: int = 60_000  # how long after a gate's last read a doubtful exit may be told

    def refresh(self, kind: str) -> int:
        return self.refresh_ms.get(kind, HOUR_MS)

    @staticmethod
    def parse(section: Section) -> CleaningSettings:
        section.only("floor", "confirm", "margin", "forget", "refresh", "alive", "passage", *_BELIEVED)
        usual = CleaningSettings()
        floor, margin = section.get("floor"), section.get("margin")
        confirm, forget = section.get("confirm"), section.get("forget")
        method, wait = section.get("method"), section.get("wait")
        sure, paid, out = section.get("sure"), section.get("paid"), section.get("out")
        refresh, alive, passage = section.section("refresh"), section.get("alive"), section.get("passage")
        return CleaningSettings(
            floor=floor.number(-120, 0) if floor else usual.floor,
            confirm=confirm.whole(minimum=1) if confirm else usual.confirm,
            margin=margin.number(minimum=0) if margin else usual.margin,
            forget=forget.whole(minimum=1) if forget else usual.forget,
            refresh_ms={kind: entry.duration() for kind, entry in refresh.items()},
            alive_ms=alive.duration() if alive else usual.alive_ms,
            passage_ms=passage.duration() if passage else usual.passage_ms,
            method=method.choice(METHODS) if method else usual.method,
            sure=sure.number(0.5, 1) if sure else usual.sure,
            paid=paid.number(0.5, 1) if paid else usual.paid,
            out=out.number(0.5, 1) if out else usual.out,
            wait_ms=wait.duration() if wait else usual.wait_ms,
        )
