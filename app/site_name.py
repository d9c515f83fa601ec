"""What a site may be called: a name that means the same in topics, subjects, file names and addresses."""

from __future__ import annotations

import re

LONGEST_NAME = 40
_NAME = re.compile(r"[a-z][a-z0-9_]*")
# The levels that stand below `vigil/` where there is one site without a name.
RESERVED = ("readings", "status", "control", "alerts", "incidents", "doctor", "simulator")


def fault(name: str) -> str:
    """Why it cannot be a site's name; empty if it can."""
    shown = repr(name[:LONGEST_NAME]) + ("…" if len(name) > LONGEST_NAME else "")
    if len(name) > LONGEST_NAME or not _NAME.fullmatch(name):
        return f"a site's name has 1 to {LONGEST_NAME} letters a-z, digits and _, a letter first, not {shown}"
    if name in RESERVED:
        return f"no site can be called {name}: topics of Vigil's own have that name"
    return ""
