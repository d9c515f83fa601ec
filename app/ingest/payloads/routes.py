"""Which format the payloads of a topic have, and which reader a topic names."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from paho.mqtt.client import topic_matches_sub

from app.ingest.payloads.fields import UnreadableError
from app.mqtt.topics import CONTROL, READINGS, STATUS


class Route(NamedTuple):
    """A topic filter and the name of the format of what is published there; hashed with every message."""

    filter: str
    format: str = "auto"


DEFAULT = (Route(f"{READINGS}/+"), Route(f"{STATUS}/+"), Route(CONTROL, "control"))


@lru_cache(maxsize=10_000)
def find(routes: tuple[Route, ...], topic: str) -> tuple[str, str]:
    """The format and the reader's name for a topic; of several filters that fit, the first counts."""
    for route in routes:
        if topic_matches_sub(route.filter, topic):
            return route.format, reader(route.filter, topic)
    raise UnreadableError("no configured topic filter fits this topic")


def reader(topic_filter: str, topic: str) -> str:
    """The level under the filter's last `+`; without a `+`, the topic's last level."""
    wildcards = [at for at, level in enumerate(topic_filter.split("/")) if level == "+"]
    return topic.split("/")[wildcards[-1] if wildcards else -1]
