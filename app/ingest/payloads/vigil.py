"""Vigil's own JSON: a reading {"reader", "antenna", "tag", "ts", "rssi", "seq"} or a reader's "status"."""

from __future__ import annotations

from app.ingest.payloads import epc, fields
from app.ingest.payloads.fields import Object, PayloadOrigin, UnreadableError
from app.log.row import Row, reading_row, status_row

STATUSES = ("online", "offline", "overflow", "antenna-connected", "antenna-disconnected")


def fits(value: Object) -> bool:
    return "tag" in value or "status" in value


def decode(value: Object, origin: PayloadOrigin) -> list[Row]:
    return [_reading(value, origin) if "tag" in value else _status(value, origin)]


def _reading(value: Object, origin: PayloadOrigin) -> Row:
    return reading_row(
        fields.name(value.get("reader", origin.reader), "reader"),
        fields.antenna(value.get("antenna", 1), "antenna"),
        epc.tag(fields.name(value["tag"], "tag")),
        fields.milliseconds(value.get("ts"), "ts"),
        origin.received,
        rssi=fields.decibels(value.get("rssi"), "rssi"),
        seq=fields.sequence(value.get("seq"), "seq"),
        topic=origin.topic,
    )


def _status(value: Object, origin: PayloadOrigin) -> Row:
    status = value.get("status")
    if status not in STATUSES:
        raise UnreadableError(f"neither a `tag` nor a `status` out of {', '.join(STATUSES)}")
    return status_row(
        fields.name(value.get("reader", origin.reader), "reader"),
        fields.milliseconds(value.get("ts", origin.received), "ts"),
        origin.received,
        fields.compact({"status": status}),
        topic=origin.topic,
        antenna=fields.antenna(value.get("antenna", 0), "antenna"),
    )
