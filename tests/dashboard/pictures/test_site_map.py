"""The map of sites: north above, east to the right, as far apart as they are, and nobody outside of it."""

from __future__ import annotations

from app.store import Site
from dashboard.pictures.site_map import spots


def site(name: str, x: float | None, y: float | None, *, on_earth: bool = False) -> Site:
    return Site(name, name, "store", "Europe/Berlin", x=x, y=y, on_earth=on_earth)


def test_north_is_above_and_east_to_the_right() -> None:
    berlin, lisbon = spots([site("b", 13.4, 52.5, on_earth=True), site("l", -9.1, 38.7, on_earth=True)])
    assert berlin.left > lisbon.left
    assert berlin.top < lisbon.top


def test_all_are_inside_and_equal_distances_look_equal() -> None:
    found = spots([site("a", 0, 0), site("b", 10, 0), site("c", 0, 10), site("d", 300, 0)])
    assert all(4 < one.left < 96 and 4 < one.top < 96 for one in found)
    a, b, c, _ = found
    assert abs((b.left - a.left) * 1.4 - (a.top - c.top)) < 1e-9


def test_one_alone_stands_in_the_middle_and_one_without_a_place_nowhere() -> None:
    [alone] = spots([site("a", 5, 7), site("b", None, None)])
    assert (alone.left, alone.top) == (50, 50)
    assert spots([site("b", None, None)]) == []
