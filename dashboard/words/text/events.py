"""Events in words, present and absent."""

from __future__ import annotations

SEEN = ("seen {}", "not seen {}")
GONE = ("gone from {}", "not gone from {}")
KINDS_OF_AREA = {
    "shelf": ("on a shelf", "a shelf"),
    "counter": ("at a checkout", "a checkout"),
    "exit": ("at an exit", "an exit"),
    "fitting": ("in the fitting room", "the fitting room"),
    "stock": ("in the stock room", "the stock room"),
    "cabinet": ("at a medicine cabinet", "a medicine cabinet"),
    "bed": ("at a bed", "a bed"),
    "station": ("at the nurses' station", "the nurses' station"),
}
IN_AREA = "in an area for {}"
NAMED = {
    "READER-ALIVE": ("reader heard", "reader not heard"),
    "DOSE-DUE": ("dose due", "no dose due"),
    "MEDICINE-TAKEN": ("medicine taken", "no medicine taken"),
}
NO_SUCH = "no {}"
OR = "{} or {}"
