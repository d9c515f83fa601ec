"""How a command ends whose trouble no waiting heals: a supervisor does not start it again."""

from __future__ import annotations

# sysexits.h calls it EX_CONFIG: something is wrong that a person must put right.
BROKEN = 78
