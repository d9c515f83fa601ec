"""Vigil's own JSON: {"reader", "antenna", "tag", "ts", "rssi", "seq"}, or what another sensor says: a
"barcode", "motion", a camera's "entities", a "leak", a "status"."""

from __future__ import annotations

from app.ingest.payloads import epc, fields
from app.ingest.payloads.fields import Object, PayloadOrigin, UnreadableError
from app.log.row import Kind, Row, reading_row, sensed_row, status_row

STATUSES = ("online", "offline", "overflow", "antenna-connected", "antenna-disconnected")
_OWN = frozenset({"tag", "barcode", "motion", "entities", "leak", "status"})


def fits(value: Object) -> bool:
    return not _OWN.isdisjoint(value)


def decode(value: Object, origin: PayloadOrigin) -> list[Row]:
    if "tag" in value:
        return [_reading(value, origin)]
    if "barcode" in value:
        return [_sensed("barcode", fields.name(value["barcode"], "barcode"), value, origin)]
    if "entities" in value:
        guess = {"entities": fields.shares(value["entities"], "entities")}
        return [_sensed("guess", "", value, origin, fields.compact(guess))]
    if "motion" in value:
        return [_motion(value, origin)]
    return [_leak(value, origin) if "leak" in value else _status(value, origin)]


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


def _motion(value: Object, origin: PayloadOrigin) -> Row:
    if value["motion"] is not True:
        raise UnreadableError(f"`motion` is `true` when somebody moves, not {fields.shown(value['motion'])}")
    to = fields.compact({"to": fields.name(value["to"], "to")}) if "to" in value else None
    return _sensed("motion", "", value, origin, to)


def _leak(value: Object, origin: PayloadOrigin) -> Row:
    if value["leak"] is not True:
        raise UnreadableError(f"`leak` is `true` while there is water, not {fields.shown(value['leak'])}")
    return _sensed("leak", "", value, origin)


def _sensed(kind: Kind, code: str, value: Object, origin: PayloadOrigin, detail: str | None = None) -> Row:
    return sensed_row(
        kind,
        fields.name(value.get("reader", origin.reader), "reader"),
        code,
        fields.milliseconds(value.get("ts"), "ts"),
        origin.received,
        seq=fields.sequence(value.get("seq"), "seq"),
        topic=origin.topic,
        detail=detail,
    )


def _status(value: Object, origin: PayloadOrigin) -> Row:
    status = value.get("status")
    if status not in STATUSES:
        raise UnreadableError(
            "neither a `tag`, a `barcode`, `motion`, `entities`, a `leak` nor a `status` out of "
            f"{', '.join(STATUSES)}"
        )
    return status_row(
        fields.name(value.get("reader", origin.reader), "reader"),
        fields.milliseconds(value.get("ts", origin.received), "ts"),
        origin.received,
        fields.compact({"status": status}),
        topic=origin.topic,
        antenna=fields.antenna(value.get("antenna", 0), "antenna"),
    )
