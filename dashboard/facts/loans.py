"""Whose loan an alert may be about: the answers that its detector leaves to a person."""

from __future__ import annotations

from collections.abc import Iterator

import detectors
from app.store import Alert, BookedLoan


def possible_loans(alert: Alert) -> Iterator[BookedLoan]:
    """One for each patron that the alert's evidence names; none if nobody has to decide."""
    known = detectors.load().get(alert.detector)
    if known is None or known.loan is None:
        return
    item = _attribute(alert, known.loan.item)
    for place in known.loan.patrons:
        patron, name = _attribute(alert, place), _attribute(alert, f"{place.split('.')[0]}.name")
        if item and patron:
            yield BookedLoan(patron, item, name or patron)


def _attribute(alert: Alert, place: str) -> str:
    """`x.id`: that attribute of the event which the component x stands for; empty if it is not there."""
    component, name = place.split(".")
    bound = (seen.attributes.get(name) for seen in alert.evidence.events if seen.variable == component)
    return str(next(bound, None) or "")
