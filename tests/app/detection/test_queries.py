"""What a place's file switches on runs there, or the file is refused and says why."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from app.cleaning.setup import CleaningSetup
from app.detection.pipeline import IDLE, Pipeline, first_queries
from app.detection.queries import defaults, rules
from app.place import scenario
from app.place.scenario import Scenario
from detectors.document import FaultyFileError

DOCS = Path(__file__).parents[3] / "docs" / "scenarios.md"


@pytest.fixture
def documented(tmp_path: Path) -> Path:
    """The corner shop of the page about scenarios, with an item and its product."""
    examples = re.findall(r"```yaml\n(.*?)```", DOCS.read_text(), re.S)
    [text] = [example for example in examples if "Corner shop" in example]
    (tmp_path / "corner").mkdir()
    (tmp_path / "corner" / "items.csv").write_text("tag,id,home,product\nE200AA01,TEA-1,shelf,TEA\n")
    (tmp_path / "corner" / "products.csv").write_text("product,name\nTEA,Tea\n")
    path = tmp_path / "corner.yaml"
    path.write_text(text)
    return path


def test_what_the_documented_corner_shop_switches_on_runs(documented: Path) -> None:
    shop = scenario.load(documented)
    on = {switch.detector: switch.parameters for switch in defaults(shop) if switch.enabled}
    assert set(on) == {"shoplifting", "reader_silent"}
    assert set(rules(shop, on)) == {"departed", "shoplifting", "reader_silent"}


def test_a_detector_whose_event_can_never_come_is_a_fault_of_the_file(documented: Path) -> None:
    documented.write_text(documented.read_text().replace("kind: exit", "kind: window"))
    with pytest.raises(FaultyFileError, match="shoplifting needs EXIT-READING"):
        scenario.load(documented)


def test_with_every_detector_off_the_stream_still_has_something_to_run(
    engine: sa.Engine, shop: Scenario, cleaning: CleaningSetup, tmp_path: Path
) -> None:
    (tmp_path / "checkpoint").mkdir()
    (tmp_path / "checkpoint" / "queries.json").write_text(json.dumps({}))
    pipeline = Pipeline(shop, cleaning, tmp_path / "checkpoint", engine, 0)
    assert set(first_queries(pipeline)) == {"departed"}
    nothing = replace(shop, plan=replace(shop.plan, areas=(), readers=()))
    assert first_queries(replace(pipeline, scenario=nothing)) == IDLE
