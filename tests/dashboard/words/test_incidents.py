"""What a card says first: what, where and worth how much."""

from __future__ import annotations

from dataclasses import replace

from app.store import Alert, AlertIncident
from dashboard.words import incidents
from tests.dashboard import seed


def named(area: str) -> str:
    return {"main-exit": "Main exit"}.get(area, area)


def shirts(number: int) -> tuple[Alert, ...]:
    return tuple(seed.shoplifting(each, seed.NOW) for each in range(number))


def test_one_item_is_told_with_its_name_number_place_and_value() -> None:
    (alert,) = shirts(1)
    told = incidents.headline(AlertIncident(alert.id, (alert,)), named)
    assert told == "Jeans size 28 (JEAN-28-001), Main exit, worth 49.90"


def test_several_items_are_counted_by_name() -> None:
    told = incidents.headline(AlertIncident("a", shirts(3)), named)
    assert told == "3 × Jeans size 28, Main exit, worth 149.70"


def test_what_happened_and_what_is_unproven_stand_beside_each_other() -> None:
    first, *rest = shirts(3)
    mixed = AlertIncident("a", (replace(first, title="Shelf sweep"), *rest))
    assert (incidents.titles(mixed), incidents.doubts(mixed)) == ("Shelf sweep, 2 × Shoplifting", ())
    doubtful = AlertIncident("a", (replace(first, unproven=True), *rest))
    assert incidents.doubts(doubtful) == ("1 unproven",)
    assert incidents.doubts(AlertIncident("a", (replace(first, unproven=True),))) == ("Unproven",)


def test_an_incident_is_as_sure_as_its_least_sure_member() -> None:
    first, second, third = shirts(3)
    both = (replace(first, probability=0.97), replace(second, probability=0.83, unproven=True), third)
    assert incidents.doubts(AlertIncident("a", both)) == ("1 unproven", "83% sure")


def test_a_thing_without_a_name_is_called_by_its_number() -> None:
    (alert,) = shirts(1)
    bare = replace(alert, subject="till-1-pad", area="")
    assert incidents.headline(AlertIncident("a", (bare,)), named) == "till-1-pad, worth 49.90"


def test_an_area_that_something_is_about_is_said_once() -> None:
    (alert,) = shirts(1)
    leak = replace(alert, title="Leak", subject="main-exit", area="main-exit")
    assert incidents.headline(AlertIncident("a", (leak,)), named) == "Main exit, worth 49.90"


def test_somebody_of_a_household_is_called_by_name_alone() -> None:
    (alert,) = shirts(1)
    seen = replace(alert.evidence.events[0], attributes={"entity": "anna", "name": "Anna"})
    told = replace(alert, subject="anna", evidence=replace(alert.evidence, events=(seen,)))
    assert incidents.about(told) == "Anna"
