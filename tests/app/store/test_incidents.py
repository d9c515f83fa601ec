"""Alerts that belong together: which join, under which name, and what is told of them."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

import pytest
import sqlalchemy as sa

from app import store as stores
from app.store import Alert, AlertIncident, Evidence, IncidentTie, Seen

STAFF = stores.Actor("Ada", "staff")
EXIT = IncidentTie("the side exit", 10_000)
SHELF = IncidentTie("shirts of the shelf", 120_000)


def alert(id_: str, at_ms: int, *ties: IncidentTie, severity: str = "high", item: str = "") -> Alert:
    attributes = {"id": item or id_, "price": 20.5}
    seen = Seen("x", "EXIT-READING", at_ms, "exit", "gate", attributes)
    evidence = Evidence("", {}, (seen,))
    title = "Shelf sweep" if severity == "critical" else "Shoplifting"
    return Alert(
        id_, "s", "d", "1", severity, title, id_, "exit", at_ms, at_ms, at_ms, "Why.", "", evidence, ties
    )


def groups(store: sa.Engine) -> list[set[str]]:
    return [{one.id for one in incident.members} for incident in stores.open_incidents(store, 1)]


def sent(store: sa.Engine) -> Iterator[dict[str, object]]:
    for message in stores.unsent(store):
        if message.topic.startswith("vigil/incidents/"):
            yield {**json.loads(message.payload), "topic": message.topic}


def record(store: sa.Engine, *alerts: Alert, now_ms: int = 1) -> None:
    stores.record_alerts(store, alerts, now_ms=now_ms)


def test_one_thief_is_one_incident_whatever_the_alerts(store: sa.Engine) -> None:
    record(store, *(alert(f"shirt-{n}", 100 * n, EXIT, SHELF) for n in range(9)))
    record(store, alert("sweep", 70_000, SHELF, severity="critical", item="shirt-0"), now_ms=2)
    (incident,) = stores.open_incidents(store, 3)
    assert len(incident.members) == 10
    assert incident.id == "shirt-0"
    assert incident.severity == "critical"
    assert incident.members[0].id == "sweep"
    assert incident.value == 9 * 20.5  # the sweep speaks of the same shirts


def test_what_is_too_far_apart_or_shares_nothing_stands_alone(store: sa.Engine) -> None:
    record(store, alert("a", 0, EXIT), alert("b", 10_001, EXIT), alert("c", 0), alert("d", 0))
    assert sorted(map(sorted, groups(store))) == [["a"], ["b"], ["c"], ["d"]]
    assert stores.count_incidents(store, 1) == 4


def test_an_incident_does_not_grow_for_ever_by_steps(store: sa.Engine) -> None:
    record(store, *(alert(f"a{n}", 9_000 * n, EXIT) for n in range(4)))
    assert sorted(map(len, groups(store))) == [2, 2]


def test_a_late_member_joins_without_renaming_the_incident(store: sa.Engine) -> None:
    record(store, alert("second", 5_000, EXIT))
    record(store, alert("first", 0, EXIT))
    assert [one.id for one in stores.open_incidents(store, 1)] == ["second"]


def test_telling_it_again_changes_nothing(store: sa.Engine) -> None:
    told = [alert(f"a{n}", n, EXIT) for n in range(3)]
    record(store, *told[:2])
    record(store, *told)
    record(store, *told)
    assert groups(store) == [{"a0", "a1", "a2"}]
    assert len(list(sent(store))) == 2


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_members_of_one_batch_join_in_the_order_of_what_happened(
    store: sa.Engine, order: tuple[int, ...]
) -> None:
    told = [alert("a0", 0, EXIT), alert("a1", 9_000, EXIT), alert("a2", 18_000, EXIT)]
    record(store, *(told[n] for n in order))
    assert sorted(map(sorted, groups(store))) == [["a0", "a1"], ["a2"]]


def test_after_it_is_resolved_another_one_begins(store: sa.Engine) -> None:
    record(store, alert("a0", 0, EXIT))
    stores.resolve(store, STAFF, ["a0"], "theft", "", now_ms=2)
    record(store, alert("a1", 1, EXIT))
    assert groups(store) == [{"a1"}]
    assert [one.id for one in stores.open_incidents(store, 1)] == ["a1"]


def test_the_message_grows_under_one_id(store: sa.Engine) -> None:
    record(store, alert("a0", 0, EXIT))
    record(store, alert("a1", 1, EXIT, severity="critical"))
    first, second = sent(store)
    assert (first["id"], first["alerts"], first["value"]) == ("a0", ["a0"], 20.5)
    assert (second["id"], second["alerts"], second["value"]) == ("a0", ["a1", "a0"], 41.0)
    assert second["topic"] == "vigil/incidents/critical"


def test_the_worst_that_nobody_has_taken_comes_first(store: sa.Engine) -> None:
    record(store, alert("old-critical", 0, severity="critical"), now_ms=1)
    record(store, alert("low", 1, severity="low"), now_ms=2)
    record(store, alert("high", 2), now_ms=3)
    record(store, alert("higher", 3), now_ms=4)
    record(store, alert("taken", 4, severity="critical"), now_ms=5)
    stores.take(store, STAFF, ["taken"], now_ms=6)
    shown = [one.id for one in stores.open_incidents(store, 7)]
    assert shown == ["old-critical", "higher", "high", "low", "taken"]
    assert [one.id for one in stores.open_incidents(store, 7, limit=2)] == ["old-critical", "higher"]


def test_a_flood_of_the_worst_does_not_hide_what_is_new(store: sa.Engine) -> None:
    record(store, *(alert(f"c{n:03}", n, severity="critical") for n in range(100)))
    record(store, alert("low", 200, severity="low"), now_ms=2)
    shown = [one.id for one in stores.open_incidents(store, 3)]
    assert len(shown) == 60
    assert shown.index("low") == 20


def test_a_member_can_be_treated_apart(store: sa.Engine) -> None:
    record(store, alert("a0", 0, EXIT), alert("a1", 1, EXIT))
    stores.resolve(store, STAFF, ["a0"], "returned", "", now_ms=2)
    assert groups(store) == [{"a1"}]
    found = stores.find_alert(store, "a1")
    assert found is not None
    assert [one.state for one in stores.incident_of(store, found).members] == ["resolved", "new"]


def test_an_incident_without_prices_has_no_value() -> None:
    plain = replace(alert("a", 0), evidence=Evidence("", {}, ()))
    assert AlertIncident("a", (plain,)).value is None


def test_a_tie_is_of_one_length_and_of_its_place() -> None:
    here = stores.tie("store", {"area": "x" * 5_000}, 1)
    assert len(here.same) == 32
    assert here != stores.tie("ward", {"area": "x" * 5_000}, 1)
    assert stores.tie("s", {"a": 1, "b": 2}, 1) == stores.tie("s", {"b": 2, "a": 1}, 1)


def test_taking_twice_is_not_possible(store: sa.Engine) -> None:
    record(store, alert("a0", 0, EXIT), alert("a1", 1, EXIT))
    stores.take(store, STAFF, ["a0"], now_ms=2)
    with pytest.raises(stores.LifeError, match="already"):
        stores.take(store, STAFF, ["a0"], now_ms=3)
    stores.take(store, STAFF, ["a0", "a1"], now_ms=4)
    assert [step.action for step in stores.alert_history(store, "a0")] == ["raised", "taken"]
    assert [step.action for step in stores.alert_history(store, "a1")] == ["raised", "taken"]


def test_taking_in_two_tabs_at_once_is_taken_once(store: sa.Engine) -> None:
    """The second waits for the first to have its transaction, and then sees what it has done."""
    record(store, alert("a0", 0, EXIT))
    started, refused = threading.Barrier(8), list[str]()

    def one_tab() -> None:
        started.wait()
        try:
            stores.take(store, STAFF, ["a0"], now_ms=2)
        except stores.LifeError as error:
            refused.append(str(error))

    tabs = [threading.Thread(target=one_tab) for _ in range(8)]
    for tab in tabs:
        tab.start()
    for tab in tabs:
        tab.join()
    assert refused == ["you have taken it already"] * 7
    assert [step.action for step in stores.alert_history(store, "a0")] == ["raised", "taken"]
