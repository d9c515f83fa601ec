"""What a detector should report, as the world's people have done it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Incident:
    """What a detector should report, about whom or what, and when it happened; `tag` where there is one.

    `beside`: the ids of what else must have been read for anybody to know of it."""

    detector: str
    subject: str
    ts: int
    tag: str = ""
    beside: tuple[str, ...] = ()

    def json(self) -> str:
        return json.dumps({"incident": self.detector, **asdict(self)})
