"""Which place a data folder belongs to, for commands that ask it without naming the place again."""

from __future__ import annotations

from pathlib import Path

_FILE = "place"


def note(checkpoint: Path, scenario: Path) -> None:
    """Whole or not at all: a process may be killed while it writes."""
    draft = checkpoint / f"{_FILE}.draft"
    draft.write_text(str(scenario), encoding="utf-8")
    draft.rename(checkpoint / _FILE)


def noted(checkpoint: Path) -> Path:
    try:
        return Path((checkpoint / _FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise LookupError(f"{checkpoint.parent} has seen no pipeline yet: which place is it?") from None
