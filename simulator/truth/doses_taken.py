"""The truth about medicines: who swallowed what and when, and who should have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from detectors.parameters import Value

Note = Callable[[str, str, int], None]
Swallowed = tuple[int, int]  # when, and the bottle's row


class DosesTaken:
    """After an incident the patient's account begins anew, as a nurse would count."""

    def __init__(
        self, rows: Mapping[str, Sequence[object]], settings: Mapping[str, Mapping[str, Value]], note: Note
    ) -> None:
        self._rows, self._settings, self._note = rows, settings, note
        self._amounts: dict[tuple[str, str], list[Swallowed]] = defaultdict(list)
        self._mixed: dict[str, list[Swallowed]] = defaultdict(list)
        self._last: dict[tuple[str, str], int] = {}
        self._due: list[Swallowed] = []

    def took(self, patient: str, bottle: int, now: int) -> None:
        medicine = self._text("medicine", bottle)
        self._last[patient, medicine] = now
        if self._text("patient", bottle) != patient:
            self._note("wrong_patient", patient, now)
        self._judge_amount(patient, medicine, (now, bottle))
        self._judge_mixture(patient, (now, bottle))

    def due(self, bottle: int, now: int) -> None:
        self._due.append((now, bottle))

    def advance(self, now: int) -> None:
        """Doses whose grace is over were taken, or missed."""
        grace = int(self._settings["missed_dose"]["grace"])
        for due, bottle in [one for one in self._due if now - one[0] >= grace]:
            self._due.remove((due, bottle))
            last = self.last(self._text("patient", bottle), self._text("medicine", bottle))
            if last is None or last <= due - grace:
                self._note("missed_dose", self._text("id", bottle), due)

    def last(self, patient: str, medicine: str) -> int | None:
        return self._last.get((patient, medicine))

    def _judge_amount(self, patient: str, medicine: str, dose: Swallowed) -> None:
        limits = [
            (self._number(f"limit_{n}", dose[1]), self._number(f"limit_{n}_ms", dose[1])) for n in (1, 2, 3)
        ]
        recent = [*self._amounts[patient, medicine], dose]
        if any(self._total(recent, dose[0], int(length)) > most for most, length in limits):
            self._note("overdose", patient, dose[0])
            recent = []
        self._amounts[patient, medicine] = recent

    def _total(self, doses: Sequence[Swallowed], now: int, window: int) -> float:
        return sum(self._number("dose", bottle) for _, bottle in self._recent(doses, now, window))

    def _judge_mixture(self, patient: str, dose: Swallowed) -> None:
        window = int(self._settings["drug_interaction"]["window"])
        recent = [*self._recent(self._mixed[patient], dose[0], window), dose]
        if any(self._clash(bottle, dose[1]) for _, bottle in recent[:-1]):
            self._note("drug_interaction", patient, dose[0])
            recent = []
        self._mixed[patient] = recent

    def _clash(self, one: int, other: int) -> bool:
        avoid, kind = self._rows["avoid"], self._rows["class"]
        return avoid[one] == kind[other] or avoid[other] == kind[one]

    @staticmethod
    def _recent(doses: Sequence[Swallowed], now: int, window: int) -> list[Swallowed]:
        return [dose for dose in doses if now - dose[0] < window]

    def _text(self, column: str, row: int) -> str:
        return str(self._rows[column][row])

    def _number(self, column: str, row: int) -> float:
        value = self._rows[column][row]
        return float(value) if isinstance(value, int | float) else 0.0
