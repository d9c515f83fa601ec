"""The supervisor: order, restarts, back-off, and that nothing is left running whatever happens."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from app.running.supervisor import Part, PartChange, Supervisor, vigil

# Stands for the vigil command line: the first argument is a script to run.
FAKE_CLI = """
import sys, runpy
def main(argv):
    sys.argv = argv
    runpy.run_path(argv[0], run_name="__main__")
    return 0
"""
SLEEPER = """
import subprocess, sys, time, pathlib
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
pathlib.Path(sys.argv[1]).write_text(str(child.pid))
time.sleep(600)
"""
LONER = """
import os, sys, time, pathlib
pathlib.Path(sys.argv[1]).write_text(str(os.getpid()))
time.sleep(600)
"""
FAILURE = "import sys; sys.exit(3)"
STUBBORN = """
import signal, sys, time, pathlib
signal.signal(signal.SIGTERM, signal.SIG_IGN)
pathlib.Path(sys.argv[1]).write_text("0")
time.sleep(600)
"""


class Clock:
    """Time that passes as it does, plus what a test adds."""

    def __init__(self) -> None:
        self.added = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self.added


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Children find a stand-in for app.cli before the real one."""
    package = tmp_path / "stand-in" / "app"
    (package / "running").mkdir(parents=True)
    (package / "cli.py").write_text(FAKE_CLI)
    for name in ("__init__.py", "backoff.py", "exit_codes.py", "running/__init__.py", "running/child.py"):
        shutil.copy(Path("app") / name, package / name)
    return os.environ | {"PYTHONPATH": str(package.parent), "PYTHONSAFEPATH": "1"}


@pytest.fixture
def clock() -> Clock:
    return Clock()


Make = Callable[..., Supervisor]


@pytest.fixture
def supervise(tmp_path: Path, environment: dict[str, str], clock: Clock) -> Iterator[Make]:
    made: list[Supervisor] = []

    def make(*parts: Part) -> Supervisor:
        made.append(Supervisor(parts, environment, tmp_path / "logs", clock))
        return made[-1]

    yield make
    for supervisor in made:
        supervisor.stop()


def script(folder: Path, name: str, text: str) -> Part:
    """A part that runs the script and is up once the script has written its file."""
    path, sign = folder / f"{name}.py", folder / f"{name}.sign"
    path.write_text(text)
    return Part(name, vigil(str(path), str(sign)), sign.exists)


def until(done: Callable[[], bool], supervisor: Supervisor) -> list[PartChange]:
    """Tick until it is done; the changes on the way."""
    deadline = time.monotonic() + 20
    changes: list[PartChange] = []
    while not done():
        assert time.monotonic() < deadline, (changes, supervisor.states)
        changes += supervisor.tick()
        time.sleep(0.02)
    return changes


def is_up(supervisor: Supervisor, name: str) -> Callable[[], bool]:
    return lambda: supervisor.states[name] == "up"


def test_a_part_starts_when_those_before_it_are_up(tmp_path: Path, supervise: Make) -> None:
    first = script(tmp_path, "first", SLEEPER)
    second = script(tmp_path, "second", SLEEPER)
    supervisor = supervise(replace(second, after=("first",)), first)
    changes = until(is_up(supervisor, "second"), supervisor)
    assert [(change.name, change.state) for change in changes] == [
        ("first", "starting"),
        ("first", "up"),
        ("second", "starting"),
        ("second", "up"),
    ]


def test_a_part_that_is_killed_starts_again_without_its_old_children(tmp_path: Path, supervise: Make) -> None:
    part = script(tmp_path, "worker", SLEEPER)
    supervisor = supervise(part)
    until(is_up(supervisor, "worker"), supervisor)
    old = supervisor.processes["worker"]
    child = int((tmp_path / "worker.sign").read_text())
    until(lambda: any(p.pid == child for p in supervisor._runs["worker"].children), supervisor)
    (tmp_path / "worker.sign").unlink()
    os.kill(old, signal.SIGKILL)
    until(lambda: supervisor.states["worker"] == "down", supervisor)
    assert not psutil.pid_exists(child)
    until(is_up(supervisor, "worker"), supervisor)
    assert supervisor.processes["worker"] != old


def test_a_part_that_keeps_failing_is_tried_ever_more_slowly(
    tmp_path: Path, supervise: Make, clock: Clock
) -> None:
    supervisor = supervise(script(tmp_path, "broken", FAILURE))
    pauses = []
    for _ in range(6):
        clock.added += 11
        changes = until(lambda: supervisor.states["broken"] == "down", supervisor)
        pauses.append(changes[-1].detail.split(";")[1])
        clock.added += 11
        until(lambda: supervisor.states["broken"] == "starting", supervisor)
    assert [pause.split()[3] for pause in pauses] == ["0.5", "1", "2", "4", "8", "10"]
    assert changes[-1].detail.startswith("exit code 3;")


SAYS = """
import os, sys, time, pathlib
sign = pathlib.Path(sys.argv[1])
if sign.exists():
    time.sleep(600)
sign.write_text("")
print("Connected to the world", flush=True)
time.sleep(600)
"""


def test_a_part_that_was_restarted_is_up_only_when_it_says_so_again(tmp_path: Path, supervise: Make) -> None:
    part = replace(script(tmp_path, "worker", SAYS), ready=lambda: True, says=b"Connected to")
    supervisor = supervise(part)
    until(is_up(supervisor, "worker"), supervisor)
    os.kill(supervisor.processes["worker"], signal.SIGKILL)
    until(lambda: supervisor.states["worker"] == "down", supervisor)
    until(lambda: supervisor.states["worker"] == "starting", supervisor)
    for _ in range(20):
        supervisor.tick()
    assert supervisor.states["worker"] == "starting"
    with supervisor.log("worker").open("ab") as log:
        log.write(b"... Connected")
        log.flush()
        supervisor.tick()
        log.write(b" to the world")
    until(is_up(supervisor, "worker"), supervisor)


BEYOND_HELP = "import sys; print('vigil worker: the store cannot be used: it is damaged'); sys.exit(78)"


def test_a_part_that_no_waiting_heals_is_not_started_again_and_says_why(
    tmp_path: Path, supervise: Make, clock: Clock
) -> None:
    supervisor = supervise(script(tmp_path, "worker", BEYOND_HELP))
    changes = until(lambda: supervisor.states["worker"] == "down", supervisor)
    clock.added += 600
    assert supervisor.tick() == []
    assert changes[-1].detail == "vigil worker: the store cannot be used: it is damaged; not started again"


def test_a_log_that_grows_large_begins_anew_while_it_is_written(
    tmp_path: Path, supervise: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.running.supervisor.MOST_LOG_BYTES", 10_000)
    talker = "import sys, time\nwhile True:\n    print('x' * 99, flush=True); time.sleep(0.001)"
    supervisor = supervise(script(tmp_path, "worker", talker))
    log = supervisor.log("worker")
    until(log.with_suffix(".log.old").exists, supervisor)
    until(lambda: 0 < log.stat().st_size < 10_000, supervisor)


def test_stopping_ends_also_what_ignores_the_request(
    tmp_path: Path, supervise: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.running.supervisor.STOP_SECONDS", 0.5)
    supervisor = supervise(script(tmp_path, "stubborn", STUBBORN), script(tmp_path, "parent", SLEEPER))
    until(lambda: set(supervisor.states.values()) == {"up"}, supervisor)
    started = [*supervisor.processes.values(), int((tmp_path / "parent.sign").read_text())]
    supervisor.stop()
    assert [pid for pid in started if psutil.pid_exists(pid)] == []
    assert supervisor.tick() == []


SUPERVISOR = """
import importlib.util, os, pathlib, sys, time
spec = importlib.util.spec_from_file_location("app.running.supervisor", sys.argv[1])
module = importlib.util.module_from_spec(spec)
sys.modules["app.running.supervisor"] = module
spec.loader.exec_module(module)
part = module.Part("worker", module.vigil(sys.argv[2], sys.argv[3]), lambda: False)
supervisor = module.Supervisor([part], os.environ, pathlib.Path(sys.argv[4]), time.monotonic)
while True:
    supervisor.tick()
    time.sleep(0.02)
"""


def test_parts_end_when_the_supervisor_is_killed(tmp_path: Path, environment: dict[str, str]) -> None:
    worker = script(tmp_path, "worker", LONER)
    arguments = [str(Path("app/running/supervisor.py").resolve()), *worker.program[2:], str(tmp_path)]
    supervisor = subprocess.Popen([sys.executable, "-c", SUPERVISOR, *arguments], env=environment)
    sign = tmp_path / "worker.sign"
    wait(lambda: sign.exists() and bool(sign.read_text()))
    supervisor.kill()
    supervisor.wait()
    wait(lambda: not psutil.pid_exists(int(sign.read_text())))


def wait(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.02)
