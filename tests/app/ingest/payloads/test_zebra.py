"""The Zebra IoT Connector."""

from __future__ import annotations

import json

from app.ingest import payloads
from app.ingest.payloads import Route
from tests.app.ingest.payloads.one_message import NOW, SGTIN, decode


def zebra(**data: object) -> dict[str, object]:
    return {"type": "CUSTOM", "timestamp": "2026-08-13T09:14:28.651+0000", "data": data}


def test_zebra_objects_with_nothing_between_them_are_all_read() -> None:
    first = zebra(idHex=SGTIN.lower(), antenna=1, peakRssi=-44, eventNum=17, hostName="FX9600")
    second = zebra(idHex="e2801160", antenna=2, eventNum=18, MAC="84:24:8D:FC:1A:2B")
    decoded = decode(json.dumps(first).encode() + json.dumps(second).encode())
    assert [(row.reader, row.tag, row.antenna, row.rssi, row.seq) for row in decoded.rows] == [
        ("FX9600", SGTIN, 1, -44.0, 17),
        ("84:24:8D:FC:1A:2B", "E2801160", 2, None, 18),
    ]
    assert {row.ts for row in decoded.rows} == {NOW - 31_349}


def test_a_zebra_handheld_sends_an_array_and_is_named_by_its_topic() -> None:
    tags = [
        {"EPCid": SGTIN, "peakRssi": -40, "seenCount": 2, "eventNum": 1},
        {"EPCid": "AABB", "eventNum": 2},
    ]
    raw = json.dumps(zebra(tagData=tags)).encode()
    topic, routes = "acme/DATA/clients/data1event/RFD40-77", (Route("+/DATA/clients/data1event/+"),)
    decoded = payloads.decode(topic, raw, NOW, routes)
    assert [(row.reader, row.tag) for row in decoded.rows] == [("RFD40-77", SGTIN), ("RFD40-77", "AABB")]


def test_a_truncated_message_keeps_what_came_before_the_cut() -> None:
    whole = json.dumps(zebra(idHex="AA")).encode()
    decoded = decode(whole + whole[:30])
    assert [row.tag for row in decoded.rows] == ["AA"]
    assert [part.payload for part in decoded.rejected] == [whole[:30]]
