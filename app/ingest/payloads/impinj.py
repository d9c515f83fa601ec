"""Impinj IoT device interface (R700, R720): tag inventory, antenna, overflow, inventory and GPI events."""

from __future__ import annotations

import base64
import binascii

from app.ingest.payloads import epc, fields
from app.ingest.payloads.fields import Object, PayloadOrigin, UnreadableError
from app.log.row import Row, reading_row, status_row

_STATUSES = {
    "antennaConnected": "antenna-connected",
    "antennaDisconnected": "antenna-disconnected",
    "overflow": "overflow",
    "inventoryStatus": "inventory",
    "gpiTransition": "gpi",
}


def fits(value: Object) -> bool:
    return "eventType" in value or "tagInventoryEvent" in value


def decode(value: Object, origin: PayloadOrigin) -> list[Row]:
    kind = value.get("eventType", "tagInventory")
    if kind == "tagInventory":
        return [_reading(value, origin)]
    if isinstance(kind, str) and kind in _STATUSES:
        return [_status(kind, value, origin)]
    raise UnreadableError(f"an Impinj event of a kind that is not known: {fields.shown(kind)}")


def _reading(value: Object, origin: PayloadOrigin) -> Row:
    event = fields.table(value.get("tagInventoryEvent"), "tagInventoryEvent")
    centi = fields.decibels(event.get("peakRssiCdbm"), "peakRssiCdbm")
    return reading_row(
        fields.name(value.get("hostname", origin.reader), "hostname"),
        fields.antenna(event.get("antennaPort", 1), "antennaPort"),
        epc.tag(_hex(event)),
        fields.milliseconds(event.get("lastSeenTime", value.get("timestamp")), "timestamp"),
        origin.received,
        rssi=None if centi is None else centi / 100,
        seq=None,
        topic=origin.topic,
    )


def _hex(event: Object) -> str:
    """`epcHex` is off by default on the reader; `epc` is base64url, with or without its padding."""
    if "epcHex" in event:
        return fields.name(event["epcHex"], "epcHex")
    text = fields.name(event.get("epc"), "epc")
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True).hex()
    except (binascii.Error, ValueError):
        raise UnreadableError(f"`epc` is not base64url: {fields.shown(text)}") from None


def _status(kind: str, value: Object, origin: PayloadOrigin) -> Row:
    event = fields.table(value.get(f"{kind}Event", {}), f"{kind}Event")
    return status_row(
        fields.name(value.get("hostname", origin.reader), "hostname"),
        fields.milliseconds(value.get("timestamp"), "timestamp"),
        origin.received,
        fields.compact({**event, "status": _STATUSES[kind]}),
        topic=origin.topic,
        antenna=fields.antenna(event.get("antennaPort", 0), "antennaPort"),
    )
