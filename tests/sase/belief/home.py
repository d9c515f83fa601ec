"""The home of the report: a living room, a bedroom and outside, with sensors of every kind."""

from __future__ import annotations

from typing import Any

from sase import belief

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE


def home(**changed: Any) -> belief.Model:
    described: dict[str, Any] = {
        "places": {"LR": "room", "BR": "room", "outside": "outside"},
        "moves": [("outside", "LR"), ("LR", "BR")],
        "stays": {"room": "20 minutes", "outside": "8 hours"},
        "sensors": {
            "lr-cam": belief.Watch("LR", hit=0.9, every="1 second", stray={"BR": 0.01}),
            "br-cam": belief.Watch("BR", hit=0.8, every="1 second"),
            "door": belief.Gate("outside", "LR", hit=0.95),
            "br-door": belief.Gate("LR", "BR", hit=0.95),
        },
    }
    return belief.Model(**(described | changed))
