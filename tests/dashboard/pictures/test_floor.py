"""The floor plan: items stay where they are, readers show whether they are heard, alerts pulse."""

from __future__ import annotations

import pytest

from app.store import AlertIncident, Position, ReaderState
from dashboard.pictures import floor, floor_marks, spots
from tests.dashboard import seed

PLAN = seed.shop().plan
L_SHAPED = PLAN.area("stock")


@pytest.mark.parametrize("area", PLAN.areas, ids=lambda area: area.name)
def test_every_item_lies_inside_its_area(area: object) -> None:
    found = [spots.spot(area, f"tag {number}") for number in range(300)]
    assert all(spots.inside(spot, area.shape) for spot in found)
    assert len(set(found)) > 250


def test_the_corner_cut_out_of_a_room_holds_nothing() -> None:
    assert not spots.inside((32, 22), L_SHAPED.shape)
    assert spots.inside((32, 18), L_SHAPED.shape)


def test_an_item_keeps_its_spot_whatever_else_moves() -> None:
    one = Position("AA", "Jeans", "denim", "r", 1)
    alone = floor_marks.items(PLAN, {"AA": one})
    among = floor_marks.items(PLAN, {"AA": one, "ZZ": Position("ZZ", "Shirt", "shirts", "r", 9)})
    assert (alone.names["x"][0], alone.names["y"][0]) == (among.names["x"][0], among.names["y"][0])
    assert among.dots["path"].startswith(alone.dots["path"])


def test_all_items_together_are_one_node_of_the_map() -> None:
    seen = {f"{number}": Position(f"{number}", "Jeans", "denim", "r", 1) for number in range(2_000)}
    drawn = floor.picture(PLAN, [], items=floor_marks.items(PLAN, seen))
    assert len(drawn.layout["shapes"]) == len(PLAN.areas) + 1
    assert drawn.layout["shapes"][-1]["path"].count("M") == 2_000
    assert [trace["mode"] for trace in drawn.traces] == ["text", "none", "markers"]


def test_readers_are_alive_silent_or_not_heard_of() -> None:
    known = [ReaderState("shelf-denim", "denim", 5), ReaderState("shelf-kids", "kids", 5, silent_since_ms=9)]
    alive, silent, unknown = floor_marks.readers(PLAN, known)
    assert (alive["hovertext"], silent["hovertext"]) == (["shelf-denim"], ["shelf-kids"])
    assert len(unknown["x"]) == len(PLAN.readers) - 2


def test_an_alert_stands_in_its_area_with_the_shape_of_its_severity() -> None:
    alert = seed.shoplifting(0, seed.NOW)
    alone = AlertIncident(alert.id, (alert,))
    high = next(trace for trace in floor_marks.incidents(PLAN, [alone]) if trace["uid"] == "alerts-high")
    assert high["text"] == [""]
    assert high["customdata"] == [alert.id]
    assert high["marker"]["symbol"] == "triangle-up"
    assert spots.inside((high["x"][0], high["y"][0]), PLAN.area("main-exit").shape)


def test_an_incident_is_one_mark_with_a_number() -> None:
    several = tuple(seed.shoplifting(number, seed.NOW) for number in range(9))
    traces = floor_marks.incidents(PLAN, [AlertIncident(several[0].id, several)])
    [marked] = [trace for trace in traces if trace["text"]]
    assert (marked["text"], marked["textposition"]) == (["9"], "middle center")
    assert marked["marker"]["size"] == [28]  # the number stands in it


def test_names_from_tags_are_no_markup_on_the_map() -> None:
    evil = Position("AA", "<b>x</b>", "denim", "r", 1)
    assert floor_marks.items(PLAN, {"AA": evil}).names["hovertext"] == ["&lt;b&gt;x&lt;/b&gt;"]


def test_a_path_is_numbered_in_order() -> None:
    trace = floor_marks.path(PLAN, [("denim", "09:00"), ("main-exit", "09:05")])
    assert trace["text"] == ["1. 09:00", "2. 09:05"]


def test_scanners_and_motion_sensors_have_shapes_and_names_of_their_own() -> None:
    plan = seed.shop("library").plan
    known = [ReaderState(reader.name, reader.area, 5) for reader in plan.readers]
    alive, _, _ = floor_marks.readers(plan, known)
    drawn = dict(zip(alive["hovertext"], alive["marker"]["symbol"], strict=True))
    assert drawn["door-gate"] == "triangle-down"
    assert drawn["counter-scanner: barcode scanner"] == "hash"
    assert drawn["door-inside: motion sensor"] == "hourglass"


def test_the_legend_calls_what_is_tagged_by_the_place() -> None:
    names = {place: floor_marks.items(seed.shop(place).plan, {}).key["name"] for place in ("store", "home")}
    assert names == {"store": "Items", "home": "People, by their badges"}


def test_names_at_the_rim_have_room_on_a_phone() -> None:
    ward = seed.shop("ward").plan
    left, right = floor.picture(ward, []).layout["xaxis"]["range"]
    station = ward.area("station")
    half = len(station.title) * 6 / 2 * (right - left) / 350
    assert right >= 33.5 + half
    assert left <= 0
