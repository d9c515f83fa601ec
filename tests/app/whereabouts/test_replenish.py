"""What is running out on its shelf is told with where there is more, and only when that is sure."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from app.cleaning.placed import ELSEWHERE
from app.place.scenario import Scenario
from app.whereabouts.names import CatalogNames
from app.whereabouts.replenish import Shortage, shortages

JEANS, BOOTS = 12, 8


@pytest.fixture
def names() -> CatalogNames:
    count = JEANS + BOOTS
    return CatalogNames(
        pa.table(
            {
                "tag": [f"T{one}" for one in range(count)],
                "id": [f"I{one}" for one in range(count)],
                "name": ["Jeans"] * JEANS + ["Boots"] * BOOTS,
                "home": ["denim"] * JEANS + ["shoes"] * BOOTS,
            }
        )
    )


def told(shop: Scenario, names: CatalogNames, jeans: dict[str, int], doubt: float = 0.0) -> list[Shortage]:
    """The jeans lie where it says, the others have gone out; of the boots all are at home. With a doubt each
    of the jeans is with that chance at home after all."""
    areas = [area.name for area in shop.plan.areas]
    chances = np.zeros((JEANS + BOOTS, len(areas) + ELSEWHERE), np.float32)
    chances[JEANS:, areas.index("shoes")] = 1.0
    places = [name for name, number in jeans.items() for _ in range(number)]
    columns = [areas.index(name) for name in places] + [len(areas) + 2] * (JEANS - len(places))
    chances[np.arange(JEANS), columns] = 1.0 - doubt
    chances[:JEANS, areas.index("denim")] += doubt
    return shortages(shop.plan, names, chances)


def test_a_product_that_runs_out_is_told_with_what_to_carry_from_where(
    shop: Scenario, names: CatalogNames
) -> None:
    (one,) = told(shop, names, {"denim": 2, "kids": 3, "stock": 2})
    assert (one.title, one.home, one.there.low, one.belongs, one.least) == ("Jeans", "denim", 2, 12, 3)
    assert [(source.area, source.number.low) for source in one.sources] == [("stock", 2), ("kids", 3)]
    assert one.chance == pytest.approx(1.0)


def test_a_shelf_with_enough_and_one_that_nobody_hears_are_not_told(
    shop: Scenario, names: CatalogNames
) -> None:
    assert told(shop, names, {"denim": 3, "stock": 9}) == []
    assert told(shop, names, {"stock": 9}) == []


def test_what_may_be_there_after_all_is_not_called_short(shop: Scenario, names: CatalogNames) -> None:
    assert told(shop, names, {"denim": 1, "stock": 8}, doubt=0.02)
    assert told(shop, names, {"denim": 1, "stock": 8}, doubt=0.3) == []
