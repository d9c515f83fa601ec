"""Tags by their EPC: its hex, and company, item and serial where the code carries them."""

from __future__ import annotations

import re
import warnings
from functools import lru_cache
from typing import NamedTuple

from app.ingest.payloads.fields import UnreadableError, shown

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # about its regular expressions, as Python compiles them the first time
    from epcpy.epc_schemes.base_scheme import TagEncodable
    from epcpy.utils.parsers import hex_to_tag_encodable

_HEX = re.compile(r"(?:[0-9A-F]{2}){1,64}")
_SGTIN_96 = 0x30
# GS1 EPC Tag Data Standard, SGTIN partition table: company bits and digits, item bits and digits.
_PARTITIONS = (
    (40, 12, 4, 1),
    (37, 11, 7, 2),
    (34, 10, 10, 3),
    (30, 9, 14, 4),
    (27, 8, 17, 5),
    (24, 7, 20, 6),
    (20, 6, 24, 7),
)


class Epc(NamedTuple):
    """A tag's hex in capitals; the rest is None for the many tags that follow no GS1 scheme."""

    hex: str
    scheme: str | None = None
    company: str | None = None
    item: str | None = None
    serial: str | None = None


@lru_cache(maxsize=50_000)
def decode(text: str) -> Epc:
    digits = text.upper()
    if not _HEX.fullmatch(digits):
        raise UnreadableError(f"the tag is not an EPC of 1 to 64 bytes in hex: {shown(text)}")
    if len(digits) == 24 and int(digits[:2], 16) == _SGTIN_96:
        return sgtin_96(digits)
    return other(digits)


def sgtin_96(digits: str) -> Epc:
    """Most tags in a shop are of this kind, and epcpy takes 50 µs a tag: too slow for a wave of new ones."""
    code = int(digits, 16)
    partition = code >> 82 & 0b111
    if partition >= len(_PARTITIONS):
        return Epc(digits)
    company_bits, company_digits, item_bits, item_digits = _PARTITIONS[partition]
    company = code >> 38 + item_bits & (1 << company_bits) - 1
    item = code >> 38 & (1 << item_bits) - 1
    if company >= 10**company_digits or item >= 10**item_digits:
        return Epc(digits)
    serial = code & (1 << 38) - 1
    return Epc(digits, "sgtin-96", f"{company:0{company_digits}}", f"{item:0{item_digits}}", str(serial))


def other(digits: str) -> Epc:
    """By epcpy, which knows all schemes."""
    try:
        decoded = hex_to_tag_encodable(digits)
        scheme = _scheme(decoded, digits)
    except Exception:  # whatever a stray tag does to the decoder, its reading is kept
        return Epc(digits)
    company, *middle, serial = decoded.epc_uri.split(":", 4)[4].split(".", 2)
    return Epc(digits, scheme, company, middle[0] if middle else None, serial)


def _scheme(decoded: TagEncodable, digits: str) -> str:
    header = f"{int(digits[:2], 16):08b}"
    return str(decoded.header_to_schemes()[header].value)
