"""The formats that payloads may have. A reader vendor is a module of its own and a line in VENDORS."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from app.ingest.payloads import impinj, vigil, zebra
from app.ingest.payloads.fields import Object, PayloadOrigin, UnreadableError, compact, shown
from app.log.row import Row, control_row

Decoder = Callable[[Object, PayloadOrigin], list[Row]]


class Vendor(Protocol):
    """`fits` tells the vendor's objects by their shape; `decode` raises UnreadableError with the reason."""

    def fits(self, value: Object, /) -> bool: ...

    def decode(self, value: Object, origin: PayloadOrigin, /) -> list[Row]: ...


# In this order their shapes are tried.
VENDORS: dict[str, Vendor] = {"vigil": vigil, "impinj": impinj, "zebra": zebra}


def _by_shape(value: Object, origin: PayloadOrigin) -> list[Row]:
    for vendor in VENDORS.values():
        if vendor.fits(value):
            return vendor.decode(value, origin)
    raise UnreadableError(f"the shape of no known format; its fields are {shown(list(value)[:8])}")


def _control(value: Object, origin: PayloadOrigin) -> list[Row]:
    return [control_row(origin.received, compact(value), origin.topic)]


FORMATS: dict[str, Decoder] = {
    "auto": _by_shape,
    **{name: vendor.decode for name, vendor in VENDORS.items()},
    "control": _control,
}
WILL = "will"  # the one format that is no JSON
