"""Where things are, what is in an area and what is missing there, from the log alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from app import log
from app.cleaning.setup import CleaningSetup
from app.log.row import STORED_SCHEMA, to_batch
from app.place.scenario import Scenario
from app.whereabouts.answers import GONE_OUT, Answers
from app.whereabouts.follower import Follower
from tests.app.cleaning.whereabouts.boutique import BOUTIQUE, NOON, log_rows, steady
from tests.app.rows import NOON as SHOP_NOON
from tests.app.rows import Write, online, stay, theft

HATS = steady("hats-1", "AA01", 0, 600, 10)
COAT_AMONG_HATS = steady("hats-1", "AA03", 0, 600, 10)


def test_what_is_read_on_its_shelf_is_there_and_what_went_through_the_gate_is_out(
    cleaning: CleaningSetup, write: Write, shop: Scenario, tag: str
) -> None:
    other = str(shop.items["tag"][1].as_py())
    write([*stay("shelf-denim", other, SHOP_NOON, 10_000, 4), *theft(tag, SHOP_NOON)])
    write([online("main-exit-gate", SHOP_NOON + 62_000 + 1000 * beat) for beat in range(12)])
    now = Follower(cleaning).now()
    [likeliest, *_] = now.of(now.find(tag)[0]).places
    assert (likeliest.name, likeliest.chance > 0.95) == (GONE_OUT, True)
    assert now.of(now.find(other)[0]).places[0].name == "denim"
    assert now.of(now.find(other)[0]).seen_by == "shelf-denim"


def test_a_follower_goes_on_where_it_was(cleaning: CleaningSetup, write: Write, tag: str) -> None:
    write(stay("shelf-denim", tag, SHOP_NOON, 10_000, 4))
    follower = Follower(cleaning)
    assert places(follower.now(), tag)["denim"] > 0.999
    listening = [online("shelf-denim", SHOP_NOON + 30_000 + 5_000 * beat) for beat in range(20)]
    elsewhere = stay("shelf-shoes", tag, SHOP_NOON + 60_000, 10_000, 8)
    write(sorted([*listening, *elsewhere], key=lambda row: row.ts))
    assert places(follower.now(), tag) == places(Follower(cleaning).now(), tag)
    assert next(iter(places(follower.now(), tag))) == "shoes"


def test_names_and_codes_are_found_by_any_of_their_words(cleaning: CleaningSetup, write: Write) -> None:
    write([online("till-1-pad", SHOP_NOON)])
    now = Follower(cleaning).now()
    assert [now.of(row).item for row in now.find("jean-28-001")] == ["JEAN-28-001"]
    several = now.find("jeans 28")
    assert len(several) > 1
    assert {now.of(row).title for row in several} == {"Jeans size 28"}
    assert now.find("no such thing") == now.find("  ") == []
    assert now.of(several[0]).places == ()


@pytest.fixture
def believed(tmp_path: Path) -> CleaningSetup:
    path = tmp_path / "boutique.yaml"
    path.write_text(BOUTIQUE)
    return CleaningSetup(path, tmp_path / "log", tmp_path / "snapshots", lateness_ms=500)


def test_what_is_believed_is_told_with_its_chance(believed: CleaningSetup) -> None:
    writer = log.LogWriter(believed.log, STORED_SCHEMA)
    writer.append(to_batch(log_rows([*HATS, *COAT_AMONG_HATS], 600)))
    writer.close()
    now = Follower(believed).now()
    assert places(now, "AA01")["hats"] > 0.99
    assert sum(places(now, "AA01").values()) == pytest.approx(1, abs=0.02)
    assert now.of(now.find("AA02")[0]).places == ()
    hats = now.contents("hats")
    assert hats.number.low == hats.number.high == 2
    assert {each.item for each in hats.there if each.places[0].chance > 0.9} == {"HAT-1", "COAT-1"}
    assert [each.item for each in now.contents("coats").missing] == ["COAT-1"]
    assert now.spread([0, 2])["hats"] == pytest.approx(2, abs=0.05)
    assert now.now_ms == NOON + 600_000 - believed.lateness_ms


def places(now: Answers, what: str) -> dict[str, float]:
    (row,) = now.find(what)
    return {place.name: place.chance for place in now.of(row).places}
