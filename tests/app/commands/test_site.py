"""`vigil site add`: where a site stands on the map, in degrees or on a plan of one's own, never both."""

from __future__ import annotations

from pathlib import Path

import pytest

from app import store
from app.cli import main


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VIGIL_STORE_URL", f"sqlite:///{tmp_path}/store.db")
    return f"sqlite:///{tmp_path}/store.db"


@pytest.mark.parametrize(
    ("words", "place"),
    [
        (["--latitude", "52.5", "--longitude", "13.4"], (13.4, 52.5, True)),
        (["--x", "3", "--y=-4"], (3.0, -4.0, False)),
        ([], (None, None, False)),
    ],
)
def test_a_site_has_the_place_that_is_given(
    url: str, words: list[str], place: tuple[float | None, float | None, bool]
) -> None:
    assert main(["site", "add", "north", "store", *words]) == 0
    [site] = store.list_sites(store.open_store(url))
    assert (site.x, site.y, site.on_earth) == place


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["--latitude", "52.5"], "two coordinates"),
        (["--latitude", "52.5", "--longitude", "13", "--x", "1", "--y", "2"], "one map"),
        (["--latitude", "95", "--longitude", "13"], "latitude is from"),
        (["--hub"], "the hub is where log_url says"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_added(
    url: str, capsys: pytest.CaptureFixture[str], words: list[str], fault: str
) -> None:
    assert main(["site", "add", "north", "store", *words]) == 1
    assert fault in capsys.readouterr().err
    assert store.list_sites(store.open_store(url)) == []
