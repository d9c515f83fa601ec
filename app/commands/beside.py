"""The settings and the place of what runs here, for commands that ask it without naming either."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from app.clock import now_ms
from app.place.find import find_scenario
from app.running import status, which_place
from app.settings import Settings


def running_settings(chosen: Settings) -> Settings:
    """Those of a demo that runs here, where nothing else does."""
    url = status.store_url(chosen, now_ms())
    return (
        chosen
        if url == chosen.store
        else replace(chosen, data=chosen.data / status.DEMO, store_url="", site="")
    )


def running_place(named: str | None, chosen: Settings) -> Path:
    return find_scenario(named).resolve() if named else which_place.noted(chosen.checkpoint)
