"""Zebra IoT Connector: tag data of fixed readers (one tag an object) and of handhelds (an array of tags)."""

from __future__ import annotations

from app.ingest.payloads import epc, fields
from app.ingest.payloads.fields import Object, PayloadOrigin, UnreadableError
from app.log.row import Row, reading_row


def fits(value: Object) -> bool:
    data = value.get("data")
    return isinstance(data, dict) and ("idHex" in data or "tagData" in data)


def decode(value: Object, origin: PayloadOrigin) -> list[Row]:
    data = fields.table(value.get("data"), "data")
    ts = fields.milliseconds(value.get("timestamp"), "timestamp")
    if "tagData" not in data:
        return [_reading(data, "idHex", _fixed_reader(data, origin), ts, origin)]
    tags = data["tagData"]
    if not isinstance(tags, list):
        raise UnreadableError("`tagData` is not an array")
    return [_reading(fields.table(tag, "tagData"), "EPCid", origin.reader, ts, origin) for tag in tags]


def _fixed_reader(data: Object, origin: PayloadOrigin) -> str:
    return fields.name(data.get("hostName", data.get("MAC", origin.reader)), "hostName")


def _reading(data: Object, tag_field: str, reader: str, ts: int, origin: PayloadOrigin) -> Row:
    return reading_row(
        fields.name(reader, "reader"),
        fields.antenna(data.get("antenna", 1), "antenna"),
        epc.tag(fields.name(data.get(tag_field), tag_field)),
        ts,
        origin.received,
        rssi=fields.decibels(data.get("peakRssi"), "peakRssi"),
        seq=fields.sequence(data.get("eventNum"), "eventNum"),
        topic=origin.topic,
    )
