"""The demo's opening: the first incident, and what the console says until its alert is there."""

from __future__ import annotations

import time

import sqlalchemy as sa
from rich.console import Console

from app import store
from app.clock import now_ms
from app.demo.change_place import PlaceChange, asked
from app.place.scenario import Scenario
from app.settings import Settings
from app.store import Actor

DIRECTOR = Actor("demo", "admin")
STOCKTAKING_SECONDS = 15.0  # a shelf is read every ten seconds, and what was read once is not believed
AGAIN_SECONDS = 60.0
GOODBYE_SECONDS = 2.0
_OF_READERS = ("clock", "reader_silent")
_SOME = 50
# What the demo plays first; later ones come by themselves or by button.
OPENING = {"exit": "shoplift", "cabinet": "wrong_patient", "door": "booklift", "living": "leak"}


class Opening:
    """Stages the first incident as soon as the readers have seen what is where, and says what to expect."""

    def __init__(self, console: Console, engine: sa.Engine, chosen: Settings, place: Scenario) -> None:
        self._console, self._engine, self._chosen = console, engine, chosen
        kinds = {area.kind for area in place.plan.areas}
        self._incident = next((word for kind, word in OPENING.items() if kind in kinds), "reader_down")
        self._began = time.monotonic()
        self._due: float | None = None
        self._leaves: float | None = None
        self._told = self._is_up = self._staged = self._alerted = False

    def __call__(self, states: dict[str, str]) -> None:
        if name := asked(self._chosen.data):
            self._leave(name)
        if states["dashboard"] == "up" and not self._told:
            self._told = True
            self._console.print(f"\n  Open [bold]http://127.0.0.1:{self._chosen.dashboard_port}[/]\n")
        if set(states.values()) == {"up"} and not self._is_up:
            self._is_up = True
            self._due = time.monotonic() + AGAIN_SECONDS if self._staged else self._due
            self._console.print(f"Everything is up. Staged: {self._incident}; its alert comes soon.")
        if states["simulator"] == "up" and not self._alerted:
            self._stage()
            self._look_for_the_first_alert()

    def _leave(self, name: str) -> None:
        """Not before every page that is open has said where it goes."""
        self._leaves = self._leaves or time.monotonic() + GOODBYE_SECONDS
        if time.monotonic() > self._leaves:
            raise PlaceChange(name)

    def _stage(self) -> None:
        """Again if nothing comes of it while everything is up: a thief may find the shelf empty."""
        now = time.monotonic()
        if self._due is None:
            self._due = now + STOCKTAKING_SECONDS
        elif now > self._due and (self._is_up or not self._staged):
            self._due, self._staged = now + AGAIN_SECONDS, True
            store.stage(self._engine, DIRECTOR, {"incident": self._incident}, now_ms=now_ms())

    def _look_for_the_first_alert(self) -> None:
        """Of what people do: that a reader's clock is off, or that it is silent, is not what was staged."""
        found = store.open_alerts(self._engine, now_ms(), limit=_SOME)
        alerts = [alert for alert in found if alert.detector not in _OF_READERS]
        if alerts:
            self._alerted = True
            first, seconds = alerts[0], time.monotonic() - self._began
            self._console.print(f"{seconds:5.1f} s [bold]First alert[/]: {first.title}. {first.told}")
            self._console.print("Ctrl-C ends the demo.")
