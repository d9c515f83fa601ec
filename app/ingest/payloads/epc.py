"""Tags by their EPC: the hex under which the log knows them, and what an SGTIN-96 says in words."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from app.ingest.payloads.fields import UnreadableError, shown

_HEX = re.compile(r"(?:[0-9A-F]{2}){1,64}")
_SGTIN_96 = "30"
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


class Sgtin(NamedTuple):
    company: str
    item: str
    serial: str


@lru_cache(maxsize=50_000)  # the same tags come again and again
def tag(text: str) -> str:
    """The tag's hex in capitals; many tags follow no GS1 scheme, and any code will do."""
    digits = text.upper()
    if not _HEX.fullmatch(digits):
        raise UnreadableError(f"the tag is not an EPC of 1 to 64 bytes in hex: {shown(text)}")
    return digits


def sgtin_96(digits: str) -> Sgtin | None:
    """The code that most tags in a shop carry, taken apart; None for a tag of another kind."""
    code = int(digits, 16)
    partition = code >> 82 & 0b111
    if len(digits) != 24 or not digits.startswith(_SGTIN_96) or partition >= len(_PARTITIONS):
        return None
    company_bits, company_digits, item_bits, item_digits = _PARTITIONS[partition]
    company = code >> 38 + item_bits & (1 << company_bits) - 1
    item = code >> 38 & (1 << item_bits) - 1
    if company >= 10**company_digits or item >= 10**item_digits:
        return None
    serial = code & (1 << 38) - 1
    return Sgtin(f"{company:0{company_digits}}", f"{item:0{item_digits}}", str(serial))
