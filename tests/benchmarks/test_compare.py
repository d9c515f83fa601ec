"""Two checkouts side by side: what their benchmarks print is read, paired by turns and judged."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks import compare, engine, printed, ratio
from benchmarks.curves import Curve
from benchmarks.measure import Speed
from benchmarks.printed import Figure, Figures
from benchmarks.workloads import workloads

SPARK = """\
ours 1      : 1,200,000, 900,000 events/s
floor 1     : 2,000,000, 1,500,000 events/s
ours 2      : 950,000, 1,300,000 events/s
ours, few   : 800 events/s
self-join   : 90,000, 80,000 events/s
ours 1,300,000/s, 65% of the floor's 2,000,000/s (1,000,000 a batch)
ours, few and self-join: the same 1,234 matches
"""
LATENCY = """\
pipeline up after 17.2 s
{"rate": 1000, "alerts": 30, "p50": 320.5, "p90": 400.0, "p99": 512.0}
published to stored, less the lateness: p50 320 ms, p90 400 ms, p99 512 ms
detector switched to obeyed: [310, 400, 410, 500, 520, 600] ms
"""


def engine_prints(capsys: pytest.CaptureFixture[str]) -> str:
    """Its own tables in its own words, so that a change of them is noticed here."""
    from rich.console import Console

    console = Console(highlight=False, width=120)
    stock = next(row for row in workloads() if row.name.startswith("stock"))
    fast, slow = Speed(1_000_000, 0.5, 7), Speed(1_000_000, 1.0, 7)
    console.print("4,000,000 events a row, processor time of one core, best of 3 rounds")
    console.print(engine.table([(stock, fast, slow)]))
    ways = {"partitioned": (2e6, 500.0), "not partitioned": (3e6, 1.5)}
    console.print(
        engine.points(Curve("Domain size", "values of attr1", "events/s", (100, 1_000), ways, (1, 2)))
    )
    console.print(engine.points(Curve("Output", "size", "µs per event", (0.5,), {"engine": (0.25,)}, (3,))))
    return capsys.readouterr().out


def test_every_speed_in_the_tables_of_the_engine_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed.engine(engine_prints(capsys)) == {
        "stock template, 100 symbols": Figure(2.0, "million events/s"),
        "stock template, 100 symbols: baseline": Figure(1.0, "million events/s", peer=True),
        "Domain size, values of attr1 100: partitioned": Figure(2e6, "events/s"),
        "Domain size, values of attr1 100: not partitioned": Figure(3e6, "events/s"),
        "Domain size, values of attr1 1,000: partitioned": Figure(500.0, "events/s"),
        "Domain size, values of attr1 1,000: not partitioned": Figure(1.5, "events/s"),
        "Output, size 0.5": Figure(0.25, "µs per event", less_is_better=True),
    }


def test_of_spark_the_best_batch_of_all_turns_of_a_name_counts() -> None:
    assert printed.spark(SPARK) == {
        "ours": Figure(1_300_000, "events/s"),
        "floor": Figure(2_000_000, "events/s"),
        "ours, few": Figure(800, "events/s"),
        "self-join": Figure(90_000, "events/s", peer=True),
    }


def test_of_latencies_the_median_is_read() -> None:
    assert printed.latency(LATENCY) == {
        "published to stored, p50": Figure(320.5, "ms", less_is_better=True),
        "detector switched to obeyed, p50": Figure(455, "ms", less_is_better=True),
    }


def test_more_is_better_in_every_ratio() -> None:
    assert Figure(30, "events/s").against(Figure(20, "events/s")) == 1.5
    assert Figure(20, "ms", less_is_better=True).against(Figure(30, "ms", less_is_better=True)) == 1.5


@pytest.mark.parametrize(
    ("count", "ends"), [(6, (1, 6)), (7, (1, 7)), (8, (1, 8)), (9, (2, 8)), (12, (3, 10)), (15, (4, 12))]
)
def test_an_interval_lies_between_the_ranks_of_the_binomial_table(count: int, ends: tuple[int, int]) -> None:
    assert ratio.interval(range(count, 0, -1)) == ends


def test_five_turns_have_no_interval() -> None:
    with pytest.raises(ValueError, match="5 turns are too few"):
        ratio.interval(range(5))


def turns(ratios: Sequence[float], *, peer: bool = False) -> list[tuple[Figures, Figures]]:
    return [
        ({"row": Figure(100, "events/s", peer=peer)}, {"row": Figure(100 * each, "events/s", peer=peer)})
        for each in ratios
    ]


@pytest.mark.parametrize(
    ("ratios", "verdict"),
    [
        ([0.8, 0.9, 0.9, 0.9, 0.91, 0.92, 0.96], "fails"),
        ([0.8, 0.9, 0.9, 0.9, 0.91, 0.92, 0.98], "ok"),
        ([1.0, 1.1, 1.2, 1.3, 1.1, 1.2, 1.0], "ok"),
    ],
)
def test_a_row_fails_when_the_upper_end_is_below_the_bound(ratios: list[float], verdict: str) -> None:
    (row,) = ratio.rows(turns(ratios))
    assert row.verdict == verdict
    assert row.ratio == pytest.approx(sorted(ratios)[3])


def test_the_speed_of_another_is_shown_and_not_judged() -> None:
    (row,) = ratio.rows(turns([0.5] * 7, peer=True))
    assert row.verdict == "control"
    assert list(ratio.table({"spark": [row]}))[-1] == (
        "| spark | row | events/s | 100 | 50 | 0.500 | 0.500–0.500 | control |"
    )


def test_a_row_that_some_turn_lacks_is_named_and_not_compared() -> None:
    measured = turns([1.0] * 7)
    measured[3][1]["new"] = Figure(1, "ms")
    assert [row.name for row in ratio.rows(measured)] == ["row"]
    assert ratio.unpaired(measured) == ["new"]


def stand_in(folder: Path, speed: float) -> Path:
    """A checkout whose engine has this speed, and a Python of its own."""
    (folder / "benchmarks").mkdir(parents=True)
    lines = ("Engine, million events/s", "| workload | engine |", "|---|---|", f"| stock | {speed} |")
    script = "\n".join(f"print({line!r})" for line in lines)
    (folder / "benchmarks" / "engine.py").write_text(script, encoding="utf-8")
    (folder / "Makefile").write_text(
        f".venv/.ready:\n\tmkdir -p .venv/bin && ln -s {sys.executable} .venv/bin/python && touch $@\n",
        encoding="utf-8",
    )
    return folder


def installed(folder: Path, speed: float) -> str:
    subprocess.run(["make", "--quiet", ".venv/.ready"], cwd=stand_in(folder, speed), check=True)
    return str(folder)


def test_a_slower_checkout_is_told_by_the_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    slow, fast = installed(tmp_path / "slow", 1.0), installed(tmp_path / "fast", 2.0)
    kept = tmp_path / "figures.json"
    assert compare.main([fast, "--after", slow, "--suite", "engine", "--json", str(kept)]) == 1
    shown, progress = capsys.readouterr()
    assert "| engine | stock | million events/s | 2 | 1 | 0.500 | 0.500–0.500 | fails |" in shown
    assert shown.endswith("1 of 1 rows fail: stock\n")
    assert [line.split(": ")[0] for line in progress.splitlines()[:4]] == [
        "engine, turn 1 of 7, before",
        "engine, turn 1 of 7, after",
        "engine, turn 2 of 7, after",
        "engine, turn 2 of 7, before",
    ]
    assert len(json.loads(kept.read_text(encoding="utf-8"))["engine"]) == 7
    assert compare.main([slow, "--after", fast, "--suite", "engine"]) == 0
    assert compare.main([fast, "--after", slow, "--suite", "engine", "--rows", "shoplifting"]) == 0


def test_a_commit_is_checked_out_for_as_long_as_it_takes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = stand_in(tmp_path / "repository", 1.0)
    git = ["git", "-C", str(root), "-c", "user.name=test", "-c", "user.email=test@example.org"]
    for step in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "--message", "one"]):
        subprocess.run([*git, *step], check=True)
    monkeypatch.chdir(root)
    assert compare.main(["HEAD", "--after", installed(tmp_path / "after", 1.0), "--suite", "engine"]) == 0
    assert "0 of 1 rows fail" in capsys.readouterr().out
    listed = subprocess.run([*git, "worktree", "list"], check=True, capture_output=True, text=True).stdout
    assert len(listed.splitlines()) == 1


def test_a_benchmark_that_ends_with_an_error_ends_the_comparison(tmp_path: Path) -> None:
    broken = Path(installed(tmp_path / "broken", 1.0))
    (broken / "benchmarks" / "engine.py").write_text("raise SystemExit('no')", encoding="utf-8")
    with pytest.raises(SystemExit, match=r"benchmarks\.engine failed"):
        compare.main([str(broken), "--after", str(broken), "--suite", "engine"])


def test_fewer_than_seven_turns_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        compare.main([".", "--turns", "6"])
    assert "6 turns are too few; at least 7" in capsys.readouterr().err
