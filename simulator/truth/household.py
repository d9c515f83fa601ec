"""The truth about a home: who is where, whom a leak has reached, who is long in the bathroom."""

from __future__ import annotations

from collections.abc import Callable, Mapping

Note = Callable[[str, str, int], None]
_NOTICED_MS = 30_000  # who is so long before the display has seen what it shows
HOME = "home"


class HouseholdTruth:
    """Judges by where people are, whatever any sensor says."""

    def __init__(
        self,
        roles: Mapping[str, str],
        kinds: Mapping[str, str],
        display: str,
        setting: Callable[[str, str], int],
        note: Note,
    ) -> None:
        self._roles, self._kinds, self._display = roles, kinds, display
        self._setting, self._note = setting, note
        self.where: dict[str, tuple[str, int]] = {}
        self._leaks: list[tuple[str, int]] = []
        self._told_of: set[tuple[str, int]] = set()

    def moved(self, who: str, place: str, now: int) -> None:
        self._look(now)
        self.where[who] = (place, now)

    def leaked(self, area: str, now: int) -> None:
        self._note("leak", area, now)
        self._leaks.append((area, now))

    def intruded(self, now: int) -> None:
        self._note("motion_nobody_home", HOME, now)

    def advance(self, now: int) -> None:
        """What only time makes true."""
        if not self.where:
            return
        self._look(now)
        patience = self._setting("leak_untold", "patience")
        for area, ts in [one for one in self._leaks if now - one[1] >= patience]:
            self._leaks.remove((area, ts))
            self._note("leak_untold", area, ts)
        longest = self._setting("long_in_bathroom", "patience")
        for who, (place, since) in self.where.items():
            stay = (who, since)
            if self._kinds.get(place) == "bathroom" and now - since >= longest and stay not in self._told_of:
                self._told_of.add(stay)
                self._note("long_in_bathroom", who, since)

    def _look(self, now: int) -> None:
        """Seniors who have been before the display for a while know of every leak."""
        for who, (place, since) in self.where.items():
            if self._roles.get(who) == "senior" and place == self._display:
                patience = self._setting("leak_untold", "patience")
                self._leaks = [
                    (area, ts)
                    for area, ts in self._leaks
                    if min(now, ts + patience) - max(since, ts) < _NOTICED_MS
                ]
