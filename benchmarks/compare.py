"""Two checkouts side by side, turn by turn: is any row of the benchmarks slower than before?

    python -m benchmarks.compare BEFORE [--after .] [--turns 7] [--suite engine spark latency] [--rows stock]

BEFORE and --after are folders with a .venv of their own, or commits, which are checked out and installed
from their lock file for as long as it takes. In every turn each checkout runs its own benchmark with its own
Python, in alternating order, so that a machine that grows slower does so for both. The ratio is taken per
turn; more is better. A row fails when the upper end of its 95% interval (order statistics) is below 0.97;
then the exit code is 1. A control is a speed that is not ours, as generated Python's: it shows the noise.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks import printed, ratio
from benchmarks.printed import Figures
from benchmarks.ratio import Row, Turn

LEAST_TURNS = 7
WARM_UP = ("engine", "--events", "2000", "--plot", os.devnull)  # compiles the kernels into their cache


@dataclass(frozen=True)
class Suite:
    command: tuple[str, ...]  # module and arguments; only those that the oldest checkout knows
    read: Callable[[str], Figures]


SUITES = {
    "engine": Suite(("engine", "--events", "1000000", "--plot", os.devnull), printed.engine),
    "spark": Suite(("spark", "--events", "300000", "--rounds", "1"), printed.spark),
    "latency": Suite(("latency", "--rate", "1000", "--seconds", "15"), printed.latency),
}


def main(argv: Sequence[str] | None = None) -> int:
    arguments = _arguments(argv)
    with ExitStack() as stack:
        before, after = (stack.enter_context(checkout(name)) for name in (arguments.before, arguments.after))
        for folder in (before, after):
            _run(folder, WARM_UP)
        measured: dict[str, list[Turn]] = {}
        for name in arguments.suite:
            measured[name] = _turns(name, before, after, arguments.turns)
            _keep(measured, arguments.json)
    return _report(measured, arguments.rows)


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.compare",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("before", help="a folder with a .venv, or a commit")
    parser.add_argument("--after", default=".", help="the same; default: this folder")
    parser.add_argument("--turns", type=_count, default=LEAST_TURNS, help=f"at least {LEAST_TURNS}")
    parser.add_argument("--suite", nargs="+", choices=SUITES, default=list(SUITES), help="default: all")
    parser.add_argument("--rows", nargs="+", default=[""], metavar="TEXT", help="only rows that contain one")
    parser.add_argument("--json", type=Path, metavar="FILE", help="all figures of all turns")
    return parser.parse_args(argv)


def _count(text: str) -> int:
    if int(text) < LEAST_TURNS:
        raise argparse.ArgumentTypeError(f"{text} turns are too few; at least {LEAST_TURNS}")
    return int(text)


@contextmanager
def checkout(name: str) -> Iterator[Path]:
    """A folder as it is, or a commit in a folder of its own that is gone afterwards."""
    if Path(name).is_dir():
        folder = Path(name).resolve()
        if not _python(folder).exists():
            sys.exit(f"{folder} has no .venv: run `make .venv/.ready` there, or name a commit")
        yield folder
        return
    with tempfile.TemporaryDirectory() as above:
        folder = Path(above, "checkout")
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", folder, name], check=True)
        try:
            _tell(f"installing {name}")
            subprocess.run(
                ["make", "--quiet", f"PYTHON={sys.executable}", ".venv/.ready"], cwd=folder, check=True
            )
            yield folder
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", folder], check=True)


def _python(folder: Path) -> Path:
    return folder / ".venv" / "bin" / "python"


def _turns(name: str, before: Path, after: Path, count: int) -> list[Turn]:
    return [_turn(name, (before, after), number, count) for number in range(count)]


def _turn(name: str, folders: tuple[Path, Path], number: int, count: int) -> Turn:
    """Before and after, and the other way round in every other turn."""
    found: dict[int, Figures] = {}
    for side in (0, 1) if number % 2 == 0 else (1, 0):
        began = time.monotonic()
        found[side] = SUITES[name].read(_run(folders[side], SUITES[name].command))
        took = f"{len(found[side])} rows in {time.monotonic() - began:.0f} s"
        _tell(f"{name}, turn {number + 1} of {count}, {('before', 'after')[side]}: {took}")
    return found[0], found[1]


def _run(folder: Path, command: tuple[str, ...]) -> str:
    """What a benchmark prints; its own folder is the first where its Python looks for modules."""
    module, *options = command
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    ended = subprocess.run(
        [_python(folder), "-m", f"benchmarks.{module}", *options],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if ended.returncode:
        _tell(ended.stderr)
        sys.exit(f"benchmarks.{module} failed in {folder}")
    return ended.stdout


def _report(measured: dict[str, list[Turn]], wanted: Sequence[str]) -> int:
    rows = {name: list(_wanted(ratio.rows(turns), wanted)) for name, turns in measured.items()}
    print(*ratio.table(rows), sep="\n")
    for name, turns in measured.items():
        if lacking := ratio.unpaired(turns):
            print(f"\nNot in every turn of {name}, so not compared: {'; '.join(lacking)}")
    failed = [row.name for found in rows.values() for row in found if row.verdict == "fails"]
    count = sum(map(len, rows.values()))
    print(f"\n{len(failed)} of {count} rows fail{': ' if failed else ''}{'; '.join(failed)}")
    return 1 if failed else 0


def _wanted(rows: Sequence[Row], texts: Sequence[str]) -> Iterator[Row]:
    return (row for row in rows if any(text in row.name for text in texts))


def _keep(measured: dict[str, list[Turn]], file: Path | None) -> None:
    """After every suite: what took half an hour should outlive a failure of the next."""
    if file is not None:
        sides = {name: [list(map(_plain, turn)) for turn in turns] for name, turns in measured.items()}
        file.write_text(json.dumps(sides, indent=1), encoding="utf-8")


def _plain(figures: Figures) -> dict[str, dict[str, object]]:
    return {name: asdict(figure) for name, figure in figures.items()}


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
