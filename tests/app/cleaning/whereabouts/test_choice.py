"""Which places can be followed by whereabouts."""

from pathlib import Path

import pytest

from app.cleaning.whereabouts.kinds import MODELS
from app.place.cleaning_settings import BELIEVED_KINDS, STAYS, WHEREABOUTS
from app.place.find import find_scenario
from app.place.scenario import load
from detectors.document import FaultyFileError
from tests.app.cleaning.whereabouts.boutique import BOUTIQUE


def test_the_kinds_that_a_scenario_may_use_are_those_with_a_model() -> None:
    assert set(MODELS) == set(BELIEVED_KINDS)


def test_a_place_with_other_kinds_is_told_that_it_has_none(tmp_path: Path) -> None:
    path = tmp_path / "ward.yaml"
    path.write_text(BOUTIQUE.replace("kind: fitting", "kind: bed"))
    with pytest.raises(
        FaultyFileError, match=r"method 'whereabouts' knows areas of the kinds shelf.*not bed"
    ):
        load(path)


def test_an_unknown_method_is_told(tmp_path: Path) -> None:
    path = tmp_path / "shop.yaml"
    path.write_text(BOUTIQUE.replace("method: whereabouts", "method: whereabout"))
    with pytest.raises(FaultyFileError, match="whereabouts"):
        load(path)


def test_a_place_is_followed_by_stays_unless_its_file_says_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "shop.yaml"
    path.write_text(BOUTIQUE.replace("  method: whereabouts\n", ""))
    assert load(path).cleaning.method == STAYS


@pytest.mark.parametrize(
    ("name", "method"),
    [("store", WHEREABOUTS), ("ward", STAYS), ("library", WHEREABOUTS), ("quiet_day", WHEREABOUTS)],
)
def test_the_places_that_come_with_vigil_are_followed_as_docs_say(name: str, method: str) -> None:
    assert load(find_scenario(name)).cleaning.method == method
