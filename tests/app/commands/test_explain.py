"""`vigil explain`: the plan of a query, or what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.cli import main


def test_the_plan_of_a_text_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(
            ["explain", "EVENT SEQ(A x, !(B y), C z) WHERE [id] AND x.n > $n WITHIN 1 min", "--param", "n=3"]
        )
        == 0
    )
    plan = capsys.readouterr().out
    assert "Partitions    by id" in plan
    assert "A and x.n > 3" in plan
    assert "no y between x and z" in plan


def test_the_plan_of_a_file_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "one.sase"
    file.write_text("EVENT A x")
    assert main(["explain", str(file)]) == 0
    assert capsys.readouterr().out.startswith("EVENT A x")


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("EVENT SEQ(A x, !(B y))", "in the query, line 1, column"),
        ("nowhere.sase", "nowhere.sase: there is no such file"),
        ("EVENT A x WHERE x.n > $n", "$n"),
    ],
)
def test_what_is_no_query_is_refused_in_words(
    query: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", query]) == 2
    assert message in capsys.readouterr().err


def test_bytes_that_are_no_text_are_no_query(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "picture.sase"
    file.write_bytes(b"\x89PNG\xff")
    assert main(["explain", str(file)]) == 2
    assert "picture.sase cannot be read" in capsys.readouterr().err


def test_constraints_stand_beside_the_query(capsys: pytest.CaptureFixture[str]) -> None:
    query = "EVENT SEQ(A x, B y) WHERE [id] WITHIN 1 min"
    assert main(["explain", query, "--constraints", "prior(A, C) BY id"]) == 0
    assert main(["explain", query, "--constraints", "exclusive(A, B) BY id"]) == 2
    told = capsys.readouterr().err
    assert "in the constraints, line 1, column 1: this query can never match: exclusive(A, B)" in told
    assert main(["explain", query, "--constraints", "prior(A B) BY id"]) == 2
    assert "in the constraints, line 1, column 9" in capsys.readouterr().err
    assert main(["explain", "EVENT SEQ(A x", "--constraints", "prior(A, B) BY id"]) == 2
    assert "in the query, line 1" in capsys.readouterr().err
