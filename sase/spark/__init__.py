"""Complex event processing for Spark: a DataFrame of events in, a DataFrame of composite events out."""

from sase.spark.control import LIMITS, Rule, change, switch_off
from sase.spark.match import bad, late, match, matches, violations
from sase.spark.output.metrics import Listener, Progress
from sase.spark.sinks import sinks

__all__ = [
    "LIMITS",
    "Listener",
    "Progress",
    "Rule",
    "bad",
    "change",
    "late",
    "match",
    "matches",
    "sinks",
    "switch_off",
    "violations",
]
