"""Runs a supervisor to the end: shows what happens, tells the store, and cleans up at Ctrl-C."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from threading import Event

import sqlalchemy as sa
from rich.console import Console

from app import store
from app.clock import now_ms
from app.running.supervisor import PartChange, Supervisor

LOOK_SECONDS = 0.1
BEAT_SECONDS = 3.0
MARKS = {"starting": "[yellow]…[/]", "up": "[green]✓[/]", "down": "[red]✗[/]"}


class SupervisedRun:
    """`each_tick` is called all the time with the states of the parts: the demo plays along there."""

    def __init__(
        self,
        supervisor: Supervisor,
        engine: sa.Engine,
        console: Console,
        each_tick: Callable[[dict[str, str]], None],
    ) -> None:
        self._supervisor, self._engine, self._console = supervisor, engine, console
        self._each_tick = each_tick
        self._began = time.monotonic()
        self._beaten = 0.0
        self._said = ""
        self._details: dict[str, str] = {}

    def run(self) -> None:
        stop = Event()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: stop.set())
        try:
            while not stop.wait(LOOK_SECONDS):
                self._tick()
        finally:
            self._console.print("Stopping …")
            self._supervisor.stop()
            self._console.print("Everything has stopped.")

    def _tick(self) -> None:
        changes = self._supervisor.tick()
        for change in changes:
            self._show(change)
        if changes or time.monotonic() - self._beaten > BEAT_SECONDS:
            self._beaten = time.monotonic()
            self._tell({change.name: change for change in changes})
        self._each_tick(self._supervisor.states)

    def _show(self, change: PartChange) -> None:
        seconds = time.monotonic() - self._began
        detail = f": {change.detail}" if change.detail else ""
        self._console.print(f"{seconds:5.1f} s {MARKS[change.state]} {change.name} {change.state}{detail}")

    def _say(self, words: str) -> None:
        """Once, however long it lasts."""
        if words != self._said:
            self._said = words
            self._console.print(f"Trouble: {words}.")

    def _tell(self, changes: dict[str, PartChange]) -> None:
        """The pages say which part is down, since when and why; the pipeline says itself when it is up."""
        self._details |= {name: change.detail for name, change in changes.items()}
        try:
            for name, state in self._supervisor.states.items():
                if state != "waiting" and not (name == "pipeline" and state == "up"):
                    store.record_part(self._engine, name, state, self._details.get(name, ""), now_ms())
        except sa.exc.DBAPIError as error:
            healing = store.can_heal(error)
            self._say(
                "the store does not answer; the parts wait for it" if healing else str(store.broken(error))
            )
