"""`vigil match`: files in, matches out, and words for everything that can be wrong with either."""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from app.cli import main

QUERY = "EVENT SEQ(A x, B y) WHERE [id] WITHIN 1 sec"
KEYS = ["event", "ts", "start", "end", "probability", "attributes", "events"]
EVENTS = [
    {"event": "A", "ts": 100, "id": 1, "weight": 2.5, "fresh": True},
    {"event": "A", "ts": 200, "id": 2, "weight": None},
    {"event": "B", "ts": 300, "id": 2, "weight": 7},
]
PAIR = {
    "event": "match",
    "ts": 300,
    "start": 200,
    "end": 300,
    "probability": 1.0,
    "attributes": {"x.id": 2, "y.id": 2},
    "events": {"x": {"event": "A", "ts": 200, "id": 2}, "y": {"event": "B", "ts": 300, "id": 2}},
}
BAD_LINES = {
    "{nonsense": "this is not JSON",
    "[1, 2]": "not an object",
    '{"ts": 250}': "no 'event'",
    '{"event": "A"}': "no 'ts'",
    '{"event": 7, "ts": 250}': "'event' must be a text",
    '{"event": "A", "ts": "noon"}': "'ts' must be a whole number of milliseconds, not \"noon\"",
    '{"event": "A", "ts": 250.5}': "'ts' must be a whole number of milliseconds, not 250.5",
    '{"event": "A", "ts": true}': "'ts' must be a whole number of milliseconds, not true",
    '{"event": "A", "ts": NaN}': "NaN is not a number",
    '{"event": "A", "ts": 99999999999999999999}': "'ts' must be a whole number of milliseconds",
    '{"event": "A", "ts": 250, "prob": 0}': "'prob' must be a number above 0 and at most 1, not 0",
    '{"event": "A", "ts": 250, "prob": 1.5}': "'prob' must be a number above 0 and at most 1, not 1.5",
    '{"event": "A", "ts": 250, "prob": "0.5"}': "'prob' must be a number above 0 and at most 1",
    '{"event": "A", "ts": 50}': "older than the one before it (ts 50 after 100); events must be sorted by ts",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def line(event: dict[str, Any]) -> str:
    return json.dumps(event) + "\n"


def plain(ts: int, kind: str, number: int) -> str:
    return line({"event": kind, "ts": ts, "id": number})


def matches(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(text) for text in capsys.readouterr().out.splitlines()]


def test_json_lines_in_and_json_lines_out(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.jsonl").write_text(plain(100, "A", 1) + "\n" + plain(200, "A", 2) + plain(300, "B", 2))
    assert main(["match", QUERY, "a.jsonl"]) == 0
    assert matches(capsys) == [PAIR]


def test_the_keys_of_a_line_always_come_in_the_same_order(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a.jsonl").write_text(plain(200, "A", 2) + plain(300, "B", 2))
    main(["match", f"{QUERY} RETURN x.id AS ts INTO Pair", "a.jsonl"])
    (found,) = matches(capsys)
    assert list(found) == KEYS
    assert (found["event"], found["ts"], found["attributes"]) == ("Pair", 300, {"ts": 2})


def test_a_query_can_come_from_a_file_and_events_from_standard_input(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "pair.sase").write_text(f"-- two of a kind\n{QUERY}\n")
    given = io.TextIOWrapper(io.BytesIO((plain(200, "A", 2) + plain(300, "B", 2)).encode()))
    monkeypatch.setattr("sys.stdin", given)
    assert main(["match", "pair.sase", "-"]) == 0
    assert matches(capsys) == [PAIR]


def test_the_cells_of_a_csv_file_are_numbers_truth_values_texts_or_missing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a.csv").write_text(
        "event,ts,n,f,e,t,id,code,none\nA,100,-5,2.5,1e-05,True,007,12E4,\n", encoding="utf-8-sig"
    )
    assert main(["match", "EVENT A x", "a.csv"]) == 0
    event = matches(capsys)[0]["events"]["x"]
    seen = {"event": "A", "ts": 100, "n": -5, "f": 2.5, "e": 1e-05, "t": True, "id": "007", "code": "12E4"}
    assert event == seen


@pytest.mark.parametrize("unit", [pa.int64(), pa.timestamp("us", tz="UTC")])
def test_parquet_is_read_in_any_unit_of_time(
    folder: Path, capsys: pytest.CaptureFixture[str], unit: pa.DataType
) -> None:
    factor = {"int64": 1}.get(str(unit), 1000)
    columns = {name: [event.get(name) for event in EVENTS] for name in ("event", "id", "weight")}
    ts = pa.array([event["ts"] * factor for event in EVENTS], pa.int64()).cast(unit)
    pq.write_table(pa.table({**columns, "ts": ts}), folder / "a.parquet")
    assert main(["match", f"{QUERY} RETURN x.id AS id", "a.parquet"]) == 0
    (found,) = matches(capsys)
    assert (found["ts"], found["start"], found["attributes"]) == (300, 200, {"id": 2})


def test_bad_rows_of_a_parquet_file_are_named_or_counted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    event = pa.array(["A", None, "A", "B", "B", "B"], pa.large_string()).dictionary_encode()
    ts = [100, 150, 50, 200, None, -(2**63)]
    pq.write_table(pa.table({"event": event, "ts": ts, "id": [1] * 6}), folder / "a.parquet")
    assert main(["match", QUERY, "a.parquet"]) == 2
    assert "a.parquet, row 2: the event has no 'event'" in capsys.readouterr().err
    assert main(["match", QUERY, "a.parquet", "--skip-bad"]) == 0
    shown = capsys.readouterr()
    assert len(shown.out.splitlines()) == 1
    assert "4 bad lines left out" in shown.err


def test_rows_of_a_parquet_file_with_a_bad_prob_are_named_or_counted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    columns = {"event": list("AABB"), "ts": [1, 9, 2, 3], "id": [1] * 4, "prob": [0.5, 1.5, None, 0.0]}
    pq.write_table(pa.table(columns), folder / "a.parquet")
    assert main(["match", QUERY, "a.parquet"]) == 2
    assert "row 2: 'prob' must be a number above 0 and at most 1, not 1.5" in capsys.readouterr().err
    assert main(["match", QUERY, "a.parquet", "--skip-bad"]) == 0
    shown = capsys.readouterr()
    assert [json.loads(line)["probability"] for line in shown.out.splitlines()] == [0.5]
    assert "2 bad lines left out" in shown.err


def test_times_of_a_parquet_file_before_1970_are_cut_off_downwards(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ts = pa.array([-1], pa.timestamp("us"))
    pq.write_table(pa.table({"event": ["A"], "ts": ts}), folder / "a.parquet")
    main(["match", "EVENT A x", "a.parquet"])
    assert matches(capsys)[0]["start"] == -1


@pytest.mark.parametrize(("bad", "message"), BAD_LINES.items())
def test_a_bad_line_stops_with_its_number_and_what_to_do(
    folder: Path, capsys: pytest.CaptureFixture[str], bad: str, message: str
) -> None:
    (folder / "a.jsonl").write_text(plain(100, "A", 1) + bad + "\n" + plain(300, "B", 1))
    assert main(["match", QUERY, "a.jsonl"]) == 2
    error = capsys.readouterr().err
    assert "a.jsonl, line 2: " in error
    assert message in error
    assert "--skip-bad" in error


def test_skipping_counts_every_bad_line_and_finds_the_rest(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = plain(100, "A", 1) + "".join(f"{bad}\n" for bad in BAD_LINES) + plain(300, "B", 1)
    (folder / "a.jsonl").write_bytes(text.encode() + b"\xff\xfe\n")
    assert main(["match", QUERY, "a.jsonl", "--skip-bad"]) == 0
    shown = capsys.readouterr()
    assert len(shown.out.splitlines()) == 1
    assert f"{len(BAD_LINES) + 1} bad lines left out" in shown.err


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (b"A,100", "2 values for the 3 columns"),
        (b"A,,1", "no 'ts'"),
        (b"A,1,\xff", "not text in UTF-8"),
        (b"A,noon,1", "must be a whole number"),
    ],
)
def test_a_bad_line_of_a_csv_file_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str], row: bytes, message: str
) -> None:
    (folder / "a.csv").write_bytes(b"event,ts,id\nA,1,1\n" + row + b"\n")
    assert main(["match", QUERY, "a.csv"]) == 2
    error = capsys.readouterr().err
    assert "a.csv, line 3: " in error
    assert message in error


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", b"event,time\nA,1\n", "no column 'ts' (columns: event, time)"),
        ("a.csv", b"", "no column 'event'"),
        ("a.parquet", b"no parquet", "a.parquet cannot be read"),
        ("a.xlsx", b"", "no known kind of file"),
    ],
)
def test_a_file_that_cannot_hold_events_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, content: bytes, message: str
) -> None:
    (folder / name).write_bytes(content)
    assert main(["match", QUERY, name, "--skip-bad"]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"event": [["A"]], "ts": [1]}, "the column 'event' must hold texts, not list"),
        (
            {"event": ["A"], "ts": [1.5]},
            "the column 'ts' must hold whole milliseconds or timestamps, not double",
        ),
        ({"event": ["A"]}, "there is no column 'ts'"),
    ],
)
def test_a_table_without_types_and_times_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], columns: dict[str, Any], message: str
) -> None:
    pq.write_table(pa.table(columns), folder / "a.parquet")
    assert main(["match", QUERY, "a.parquet"]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("name", ["nowhere.jsonl", "nowhere.csv", "nowhere.parquet"])
def test_a_file_that_is_not_there_is_said_to_be_so(capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert main(["match", QUERY, name]) == 2
    assert f"{name} cannot be read: " in capsys.readouterr().err


def test_a_bad_query_shows_the_place_and_a_hint(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "bad.sase").write_text("EVENT SEQ(A x, B y)\nWHERE z.id = 1")
    assert main(["match", "bad.sase", "a.jsonl"]) == 2
    error = capsys.readouterr().err
    assert "bad.sase, line 2, column 7: " in error
    assert "  WHERE z.id = 1\n        ^" in error


def test_parameters_are_typed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.jsonl").write_text("".join(map(line, EVENTS)))
    text = "EVENT A x WHERE x.weight > $least AND x.fresh = $fresh AND x.id != $other AND x.event = $kind"
    given = ["least=2.25", "fresh=true", "other=2", "kind=A"]
    assert main(["match", text, "a.jsonl", *(f"--param={each}" for each in given)]) == 0
    assert [found["events"]["x"]["id"] for found in matches(capsys)] == [1]


def test_a_parameter_without_a_value_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["match", QUERY, "a.jsonl", "--param", "least"])
    assert stopped.value.code == 2
    assert "'least' is not of the form NAME=VALUE" in capsys.readouterr().err


def test_a_table_shows_one_row_per_match(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.jsonl").write_text(plain(200, "A", 2) + plain(300, "B", 2))
    assert main(["match", f"{QUERY} RETURN x.id AS item INTO Pair", "a.jsonl", "--format", "table"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].strip() == "Pair"
    assert shown[2].strip("┃ ").replace("┃", " ").split() == ["ts", "start", "end", "item"]
    assert shown[4].strip("│ ").replace("│", " ").split() == ["300", "200", "300", "2"]


def test_a_number_that_is_none_becomes_null(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.jsonl").write_text(plain(200, "A", 0))
    main(["match", "EVENT A x RETURN x.ts / x.id AS rate", "a.jsonl"])
    assert matches(capsys)[0]["attributes"] == {"rate": None}


def test_what_return_cannot_compute_becomes_null(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [{"event": "A", "ts": n, "v": v} for n, v in enumerate((1, "a"))]
    (folder / "a.jsonl").write_text("".join(map(line, lines)) + line({"event": "B", "ts": 2, "v": [1]}))
    text = "EVENT SEQ(A+ a[], B b) WHERE strict_contiguity(a[], b) { a[1].ts = 0 } RETURN"
    assert main(["match", f"{text} min(a[].v) AS least, b.v + 1 AS more, b.v AS v", "a.jsonl"]) == 0
    assert matches(capsys)[0]["attributes"] == {"least": None, "more": None, "v": [1]}


def test_compressed_output_is_written_match_by_match(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a.jsonl").write_text(plain(1, "A", 1) + plain(2, "A", 1) + plain(3, "B", 1))
    main(["match", f"{QUERY} OUTPUT COMPRESSED", "a.jsonl"])
    assert [found["start"] for found in matches(capsys)] in ([1, 2], [2, 1])


def test_an_absence_at_the_end_is_known_at_the_end_of_the_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a.jsonl").write_text(plain(200, "A", 2))
    main(["match", "EVENT SEQ(A x, !(B y)) WHERE [id] WITHIN 1 sec", "a.jsonl"])
    assert [found["ts"] for found in matches(capsys)] == [1200]


def test_matches_across_batches_are_found(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.match.file.BATCH", 2)
    (folder / "a.jsonl").write_text("".join(plain(ts, "AB"[ts % 2], 1) for ts in range(7)))
    main(["match", "EVENT SEQ(A x, B y) WHERE [id] WITHIN 2 ms", "a.jsonl"])
    assert [found["start"] for found in matches(capsys)] == [0, 2, 4]


def test_what_goes_over_the_limits_is_reported(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sase.Matcher.overflow", 3)
    (folder / "a.jsonl").write_text(plain(200, "A", 2))
    assert main(["match", QUERY, "a.jsonl"]) == 0
    assert "incomplete: 3 partial or finished matches" in capsys.readouterr().err


def test_values_that_cannot_be_compared_are_reported(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a.jsonl").write_text('{"event": "A", "ts": 1, "v": "5"}\n{"event": "A", "ts": 2, "v": 5}\n')
    assert main(["match", "EVENT A x WHERE x.v < 7", "a.jsonl"]) == 0
    assert "1 comparisons met values that cannot be compared" in capsys.readouterr().err


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "app.cli", *words]


def environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])}


def test_the_command_itself_exits_with_2_and_no_traceback(folder: Path) -> None:
    (folder / "a.jsonl").write_text("{\n")
    ended = subprocess.run(
        command("match", QUERY, "a.jsonl"), capture_output=True, text=True, env=environment(), check=False
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("vigil match: a.jsonl, line 1: this is not JSON")
    assert ended.stderr.count("\n") == 1


def test_a_reader_that_has_seen_enough_ends_the_command_quietly(folder: Path) -> None:
    (folder / "a.jsonl").write_text("".join(plain(ts, "A", 1) for ts in range(5_000)))
    running = subprocess.Popen(
        command("match", "EVENT A x", "a.jsonl"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert running.stdout is not None
    running.stdout.readline()
    running.stdout.close()
    _, error = running.communicate(timeout=200)
    assert (running.returncode, error) == (0, b"")


def test_a_bar_shows_on_a_terminal_while_long_input_is_read(folder: Path) -> None:
    (folder / "a.jsonl").write_text("".join(plain(ts, "A", 1) for ts in range(10_000)))
    ours, theirs = pty.openpty()
    ended = subprocess.run(
        command("match", "EVENT B x", "a.jsonl"),
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=environment() | {"TERM": "xterm"},
        check=True,
    )
    os.close(theirs)
    shown = os.read(ours, 100_000)
    os.close(ours)
    assert ended.stdout == b""
    assert b"reading" in shown


def test_what_a_file_breaks_is_told_beside_the_matches(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    again = {"event": "A", "ts": 400, "id": 2}
    (folder / "events.jsonl").write_text("".join(map(line, [*EVENTS, again])))
    (folder / "never.constraints").write_text("prior(A, B) -- no A after a B\nBY id\n")
    assert main(["match", QUERY, "events.jsonl", "--constraints", "never.constraints"]) == 0
    told = capsys.readouterr()
    assert len(told.out.splitlines()) == 1
    assert told.err == "vigil match: case 2 breaks prior(A, B) with A at 400\n"
