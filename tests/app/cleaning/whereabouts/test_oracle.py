"""The loop believes what the definition says, on every journey through a small shop."""

import numpy as np
import pytest

from app.cleaning.floor import empty_floor
from app.cleaning.tables import OUTPUT_COLUMNS
from app.cleaning.whereabouts.keeping import Believed
from app.cleaning.whereabouts.learning import STRAY_SECONDS
from app.place.scenario import Scenario
from tests.app.cleaning.whereabouts.boutique import NOON, READERS, Heard, boutique, steady
from tests.app.cleaning.whereabouts.oracle import Oracle

SHELF = steady("hats-1", "", 3.2, 63, 10)
JOURNEYS = {
    "lies on its shelf": SHELF,
    "is taken and carried out": [*SHELF, *steady("gate-1", "", 90.1, 93, 0.3)],
    "is heard through the gate": sorted([*SHELF, *steady("gate-1", "", 55.1, 57, 0.4), (63.2, "hats-1", "")]),
    "is paid": [*SHELF, *steady("till-1", "", 85.1, 95, 0.5), *steady("gate-1", "", 110.1, 112, 0.3)],
    "falls silent": SHELF[:3],
    "is tried on and lost": [*SHELF, *steady("fitting-1", "", 82.5, 140, 5)],
    "goes to another shelf": [*SHELF, *steady("coats-1", "", 85.3, 150, 10)],
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Scenario:
    return boutique(tmp_path_factory.mktemp("boutique"))


def believed(shop: Scenario, heard: list[Heard], seconds: int) -> dict[str, float]:
    """What the loop believes of the first tag, while every reader gives signs of life."""
    names = [reader.name for reader in shop.plan.readers]
    beats = [(NOON + 500 * beat, reader, -1, 0, 3, 0) for beat in range(2 * seconds) for reader in range(5)]
    reads = [(NOON + round(1000 * ts), names.index(reader), 0, -5200, 0, 0) for ts, reader, _ in heard]
    rows = np.array(sorted([*beats, *reads], key=lambda row: row[0]), np.int64)
    out = np.empty((8 * len(rows), OUTPUT_COLUMNS), np.int64)
    floor = empty_floor(shop)._replace(out=out, sure=np.empty(len(out)), written=np.zeros(1, np.int64))
    loop = Believed(shop)
    loop.follow(rows, floor, NOON + 1000 * seconds)
    row, starts = loop.tables.belief[0], [*loop.tables.rules.start, len(loop.tables.belief[0]) - 3]
    areas = {area.name: row[starts[n] : starts[n + 1]].sum() for n, area in enumerate(shop.plan.areas)}
    return areas | dict(zip(("carried", "lost", "out"), row[-3:], strict=True))


def expected(shop: Scenario, heard: list[Heard], seconds: int) -> dict[str, float]:
    tables = Believed(shop).tables
    areas = [area.name for area in shop.plan.areas]
    strays = tables.learned.strays / STRAY_SECONDS
    table = {name: dict(zip(areas, strays[number], strict=True)) for number, name in enumerate(READERS)}
    trips = dict(zip(areas, tables.learned.round_trips[:, 0], strict=True))
    oracle = Oracle(shop, table, float(tables.rules.strength[-52 + 110]), trips, {})
    oracle.chances = tables.rules.first.astype(float)
    for ts, reader, _ in heard:
        oracle.see(ts, reader)
    oracle.pass_to(float(seconds))
    return oracle.where()


@pytest.mark.parametrize("journey", JOURNEYS.values(), ids=JOURNEYS)
@pytest.mark.parametrize("later", [1, 8, 40])
def test_the_loop_believes_what_the_definition_says(shop: Scenario, journey: list[Heard], later: int) -> None:
    seconds = int(journey[-1][0]) + later
    found, wanted = believed(shop, journey, seconds), expected(shop, journey, seconds)
    assert sum(found.values()) == pytest.approx(1, abs=1e-4)
    assert found == pytest.approx(wanted, abs=0.04)
