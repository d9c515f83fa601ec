"""Keeps the parts of Vigil running: starts them in order, restarts what dies, leaves nothing behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from app.backoff import Backoff
from app.exit_codes import BROKEN

STOP_SECONDS = 10.0
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 10.0
# A part that ran this long has recovered: its next failure is a first one again.
STEADY_SECONDS = 60.0
CHILDREN_SECONDS = 2.0
MOST_LOG_BYTES = 10 << 20
MOST_READ = 1 << 20
MOST_LAST_WORDS = 4096


@dataclass(frozen=True)
class Part:
    """A Python program to keep running once the parts it comes `after` are up; `ready` tells if it is up.

    `greeting` is written to its standard input, whose end tells it to leave. One that `says` something in its
    log when it is up must say so again after each start.
    """

    name: str
    program: tuple[str, ...]
    ready: Callable[[], bool]
    after: tuple[str, ...] = ()
    greeting: bytes = b""
    says: bytes = b""


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
    unread: int = 0  # where what the process has written begins that nobody has looked at yet


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
        return {name: "down" if run.state == "broken" else run.state for name, run in self._runs.items()}

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
        self._rotate(name, run)
        if run.state == "starting" and self._is_ready(name, run):
            run.state = "up"
            return [PartChange(name, "up")]
        return []

    def _is_ready(self, name: str, run: _Run) -> bool:
        part = self.parts[name]
        return (not part.says or self._has_said(name, run, part.says)) and part.ready()

    def _has_said(self, name: str, run: _Run, words: bytes) -> bool:
        """Whether the present process has; the words may still be on their way half."""
        with self.log(name).open("rb") as log:
            log.seek(run.unread)
            written = log.read(MOST_READ)
        if words in written:
            return True
        run.unread += max(0, len(written) - len(words))
        return False

    def _may_start(self, name: str, run: _Run) -> bool:
        first = run.began == 0.0
        waits = first and any(self._runs[other].state != "up" for other in self.parts[name].after)
        return run.state not in ("stopped", "broken") and not waits and self._clock() >= run.due

    def _start(self, name: str, run: _Run) -> PartChange:
        self._logs.mkdir(parents=True, exist_ok=True)
        part = self.parts[name]
        self._rotate(name, run)
        with self.log(name).open("ab") as log:
            run.unread = log.tell()
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

    def _rotate(self, name: str, run: _Run) -> None:
        """A log that has grown large begins anew, also while a process writes it; one old one is kept."""
        log = self.log(name)
        if log.exists() and log.stat().st_size > MOST_LOG_BYTES:
            shutil.copyfile(log, log.with_suffix(".log.old"))
            os.truncate(log, 0)
            run.unread = 0

    def _has_ended(self, name: str, run: _Run) -> PartChange:
        """A part has died: nothing of it may be left when its successor starts."""
        assert run.process is not None
        code = run.process.returncode
        self._end(run)
        if code == BROKEN:
            run.state = "broken"
            return PartChange(name, "down", f"{self._last_words(name)}; not started again")
        if self._clock() - run.began > STEADY_SECONDS:
            run.pauses.reset()
        pause = run.pauses.next_s()
        run.state, run.due = "down", self._clock() + pause
        return PartChange(name, "down", f"{_how(code)}; starting again in {pause:g} s, see {self.log(name)}")

    def _last_words(self, name: str) -> str:
        """The last line of what it has written, which says what a person must mend."""
        with self.log(name).open("rb") as log:
            log.seek(max(0, self.log(name).stat().st_size - MOST_LAST_WORDS))
            lines = log.read().decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else "it has ended without a word"

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
