"""What the control rows of the log ask for: detectors switched, loans booked at the desk, doses ordered."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import replace

import detectors
from app.place.loans import KnownLoan
from app.place.scenario import Scenario
from detectors.detector import window_ms
from detectors.parameters import Value
from sase.constraints.parse import parse_constraints
from sase.language.parse import parse
from sase.spark import Rule, change, switch_off

LOAN, DOSE, CATALOG, LEARNED = "loan", "dose", "catalog", "learned"
_NO_SWITCH = {LOAN, DOSE, CATALOG, LEARNED}
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
            rule = detector_rule(asked["query"], asked["values"], asked.get("breaks"))
            return change(asked["detector"], rule)
        detector = detectors.load()[asked["detector"]]
        values = detector.values(asked["parameters"])
        return change(detector.name, detector_rule(detector.query, values, detector.breaks))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        _warn(error, text)
        return None


def detector_rule(query: str, values: Mapping[str, Value], breaks: str | None) -> Rule:
    """How a detector runs. What its query asks of one that tells what `breaks` constraints, the states of the
    cases know: a few bits of each are kept, and no event."""
    if breaks is None:
        return Rule(query, values)
    from sase.spark.beside import watching  # it knows the operators, which not all who read the log need

    (group,) = parse_constraints(breaks).groups
    return watching(replace(group, remembered=window_ms(parse(query), values)))


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


def ordered_dose(scenario: Scenario, text: str) -> int | None:
    """`{"scenario": …, "dose": id of the bottle}` as a row of the catalog; None if it is none."""
    try:
        asked = json.loads(text)
        if asked.get("scenario") != scenario.name or DOSE not in asked:
            return None
        return _row(scenario, asked[DOSE])
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
