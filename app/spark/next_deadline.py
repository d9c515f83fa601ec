"""A note from where the stream ends to where it begins: when time alone may next bring something about."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

NEVER = 2**63 - 1


@dataclass(frozen=True, slots=True)
class NextDeadline:
    """One small file; what it says holds until the next micro-batch has come to its end."""

    path: Path

    def note(self, at_ms: int | None) -> None:
        """None: nothing waits for the time."""
        draft = self.path.with_suffix(".draft")
        draft.write_text(str(NEVER if at_ms is None else at_ms))
        draft.rename(self.path)

    def forget(self) -> None:
        """Nothing is known of what waits."""
        self.path.unlink(missing_ok=True)

    def known(self) -> int | None:
        """Before this time nothing happens of itself; None: nobody knows."""
        try:
            text = self.path.read_text()
        except FileNotFoundError:
            return None
        return int(text)
