"""Keeps the parts of Vigil running: starts them in order, restarts what dies, leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from app.backoff import Backoff

STOP_SECONDS = 10.0
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 10.0
# A part that ran this long has recovered: its next failure is a first one again.
STEADY_SECONDS = 60.0
CHILDREN_SECONDS = 2.0


@dataclass(frozen=True)
class Part:
    """A Python program to keep running once the parts it comes `after` are up; `ready` tells if it is up.

    `greeting` is written to its standard input, whose end tells it to leave.
    """

    name: str
    program: tuple[str, ...]
    ready: Callable[[], bool]
    after: tuple[str, ...] = ()
    greeting: bytes = b""


def vigil(*words: str) -> tuple[str, ...]:
    """The program that runs a vigil command and ends with its supervisor."""
    return ("-m", "app.running.child", *words)


@dataclass(frozen=True)
class PartChange:
    """A part has become `starting`, `up` or `down`, with the reason for the last."""

    name: str
    state: str
    detail: str = ""


@dataclass
class _Run:
    """What the supervisor knows of a part's present process."""

    state: str = "waiting"
    process: subprocess.Popen[bytes] | None = None
    children: tuple[psutil.Process, ...] = ()
    looked: float = 0.0
    began: float = 0.0
    pauses: Backoff = field(default_factory=lambda: Backoff(FIRST_PAUSE, LONGEST_PAUSE))
    due: float = 0.0


class Supervisor:
    """Call `tick` every now and then: it does what is due and tells what has changed."""

    def __init__(
        self, parts: Sequence[Part], environment: Mapping[str, str], logs: Path, clock: Callable[[], float]
    ) -> None:
        self.parts = {part.name: part for part in parts}
        self._runs = {part.name: _Run() for part in parts}
        self._environment = dict(environment)
        self._logs = logs
        self._clock = clock

    @property
    def states(self) -> dict[str, str]:
        return {name: run.state for name, run in self._runs.items()}

    @property
    def processes(self) -> dict[str, int]:
        """The process id of every part that runs."""
        return {name: run.process.pid for name, run in self._runs.items() if run.process}

    def log(self, name: str) -> Path:
        return self._logs / f"{name}.log"

    def tick(self) -> list[PartChange]:
        return [change for name in self.parts for change in self._check(name, self._runs[name])]

    def stop(self) -> None:
        """End every part, the last started first, and whatever they started."""
        for run in reversed(self._runs.values()):
            self._end(run)
            run.state = "stopped"

    def _check(self, name: str, run: _Run) -> list[PartChange]:
        if run.process is None:
            return [self._start(name, run)] if self._may_start(name, run) else []
        if run.process.poll() is not None:
            return [self._has_ended(name, run)]
        self._note_children(run)
        if run.state == "starting" and self.parts[name].ready():
            run.state = "up"
            return [PartChange(name, "up")]
        return []

    def _may_start(self, name: str, run: _Run) -> bool:
        first = run.began == 0.0
        waits = first and any(self._runs[other].state != "up" for other in self.parts[name].after)
        return run.state != "stopped" and not waits and self._clock() >= run.due

    def _start(self, name: str, run: _Run) -> PartChange:
        self._logs.mkdir(parents=True, exist_ok=True)
        part = self.parts[name]
        with self.log(name).open("wb" if run.began == 0.0 else "ab") as log:
            run.process = subprocess.Popen(
                [sys.executable, *part.program],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=self._environment,
                start_new_session=True,
            )
        assert run.process.stdin is not None
        run.process.stdin.write(part.greeting)
        run.process.stdin.flush()
        run.state, run.began, run.children = "starting", self._clock(), ()
        return PartChange(name, "starting")

    def _has_ended(self, name: str, run: _Run) -> PartChange:
        """A part has died: nothing of it may be left when its successor starts."""
        assert run.process is not None
        code = run.process.returncode
        self._end(run)
        if self._clock() - run.began > STEADY_SECONDS:
            run.pauses.reset()
        pause = run.pauses.next_s()
        run.state, run.due = "down", self._clock() + pause
        return PartChange(name, "down", f"{_how(code)}; starting again in {pause:g} s, see {self.log(name)}")

    def _note_children(self, run: _Run) -> None:
        """Remember them: once their parent is dead nobody can tell whose they were."""
        if run.process is not None and self._clock() - run.looked > CHILDREN_SECONDS:
            run.looked = self._clock()
            with suppress(psutil.NoSuchProcess):
                run.children = tuple(psutil.Process(run.process.pid).children(recursive=True))

    def _end(self, run: _Run) -> None:
        if run.process is None:
            return
        run.looked = 0.0
        self._note_children(run)
        _signal(run.process, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            run.process.wait(STOP_SECONDS)
        _signal(run.process, signal.SIGKILL)
        run.process.wait()
        if run.process.stdin is not None:
            run.process.stdin.close()
        _end_all(run.children)
        run.process, run.children = None, ()


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def _end_all(children: Sequence[psutil.Process]) -> None:
    """Ask, then insist."""
    for end in (psutil.Process.terminate, psutil.Process.kill):
        for process in children:
            with suppress(psutil.NoSuchProcess):
                end(process)
        psutil.wait_procs(children, timeout=2.0)


def _how(code: int) -> str:
    return f"ended by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
