"""What the control rows of the log ask for: a detector switched, a loan booked at the desk."""

from __future__ import annotations

import json
import logging

import detectors
from app.place.loans import KnownLoan
from app.place.scenario import Scenario
from sase.spark import Rule, change, switch_off

LOAN, CATALOG, LEARNED = "loan", "catalog", "learned"
_NO_SWITCH = {LOAN, CATALOG, LEARNED}
_log = logging.getLogger(__name__)


def query_change(scenario: str, text: str) -> str | None:
    """What a switch of the store means to the matcher; None if it is no switch or of another scenario."""
    try:
        asked = json.loads(text)
        if asked.get("scenario") != scenario or _NO_SWITCH & asked.keys():
            return None
        if not asked["enabled"]:
            return switch_off(asked["detector"])
        if "query" in asked:  # as it was when it was asked for, whatever has become of the file since
            return change(asked["detector"], Rule(asked["query"], asked["values"]))
        detector = detectors.load()[asked["detector"]]
        return change(detector.name, Rule(detector.query, detector.values(asked["parameters"])))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        _warn(error, text)
        return None


def counts_from_here(scenario: str, text: str) -> tuple[str, str] | None:
    """`{"scenario": …, "catalog": name}` or the same of what was learned: which of the two, and the name of
    the one that counts from here on; None if it is neither."""
    try:
        asked = json.loads(text)
        kinds = [kind for kind in (CATALOG, LEARNED) if kind in asked and asked.get("scenario") == scenario]
        return (kinds[0], str(asked[kinds[0]])) if kinds else None
    except (ValueError, AttributeError, TypeError):
        return None


def booked_loan(scenario: Scenario, text: str) -> KnownLoan | None:
    """`{"scenario": …, "loan": {"patron": id, "item": id}}` as rows of the catalog; None if it is none."""
    try:
        asked = json.loads(text)
        if asked.get("scenario") != scenario.name or LOAN not in asked:
            return None
        rows = [_row(scenario, asked[LOAN][name]) for name in ("patron", "item")]
        return KnownLoan(*rows)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        _warn(error, text)
        return None


def _row(scenario: Scenario, name: str) -> int:
    row: int = scenario.items["id"].index(name).as_py()
    if row < 0:
        raise KeyError(f"{name} is not in the catalog")
    return row


def _warn(error: Exception, text: str) -> None:
    _log.warning("A control row that cannot be carried out: %s: %s", error, text[:500])
