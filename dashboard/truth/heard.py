"""Listens to the simulator during a demo: what really happened, and what it answers to commands."""

from __future__ import annotations

import json
import threading
import uuid
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from paho.mqtt import client as mqtt

from app.mqtt.broker import KEEPALIVE_S, Broker, new_client
from app.mqtt.topics import (
    SIMULATOR_ANSWER,
    SIMULATOR_DIALS,
    SIMULATOR_PEOPLE,
    SIMULATOR_STORY,
    SIMULATOR_TRUTH,
    SIMULATOR_WHERE,
)
from dashboard.truth.stage import DemoStage

MOST_INCIDENTS = 2_000
MOST_MOVES = 500  # of one person


@dataclass(frozen=True)
class Incident:
    """An incident that a detector should find."""

    detector: str
    subject: str
    ts: int


@dataclass(frozen=True)
class Dials:
    """What the world runs at."""

    speed: float = 1.0
    noise: float = 1.0
    now_ms: int | None = None  # what time it is there
    reached: float | None = None  # how fast it really goes


class DemoTruth:
    """Keeps the newest incidents, the dials and the last answer; `since_ms` is when it began to listen."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self.since_ms = now_ms()
        self._now_ms = now_ms
        self._lock = threading.Lock()
        self._incidents: deque[Incident] = deque(maxlen=MOST_INCIDENTS)
        self._answer: tuple[int, str] | None = None
        self._dials = Dials()
        self._moves: dict[str, deque[tuple[int, str]]] = {}  # of each person, since when they are where
        self._noises: list[tuple[int, float]] = []
        self.stage = DemoStage()

    def noises(self) -> list[tuple[int, float]]:
        """From when on the radios were how noisy, as far back as this dashboard knows."""
        return list(self._noises)

    def incidents(self) -> list[Incident]:
        with self._lock:
            return list(self._incidents)

    def answer(self) -> tuple[int, str] | None:
        """When the simulator last answered, and what."""
        return self._answer

    def places_at(self, ts: int) -> dict[str, str]:
        """Where everybody really was at that moment, as far as that was told."""
        with self._lock:
            known = {
                who: [place for since, place in moves if since <= ts] for who, moves in self._moves.items()
            }
        return {who: places[-1] for who, places in known.items() if places}

    def dials(self) -> Dials:
        """As the simulator last told them."""
        return self._dials

    def hear(self, topic: str, payload: bytes) -> None:
        """Take in a message; one that makes no sense is left out."""
        try:
            said = json.loads(payload)
            if topic == SIMULATOR_TRUTH:
                incident = Incident(str(said["detector"]), str(said["subject"]), int(said["ts"]))
                with self._lock:
                    self._incidents.append(incident)
            elif topic == SIMULATOR_WHERE:
                self._moved(said["where"])
            elif topic == SIMULATOR_DIALS:
                now_ms, reached = said.get("now_ms"), said.get("reached")
                if not self._noises or self._noises[-1][1] != float(said["noise"]):
                    self._noises.append((self._now_ms(), float(said["noise"])))
                self._dials = Dials(
                    float(said["speed"]),
                    float(said["noise"]),
                    None if now_ms is None else int(now_ms),
                    None if reached is None else float(reached),
                )
            elif topic == SIMULATOR_PEOPLE:
                self.stage.show(said, self._now_ms())
            elif topic == SIMULATOR_STORY:
                self.stage.tell(said, self._now_ms())
            else:
                words = said.get("begun") or said.get("error") or ""
                self._answer = (self._now_ms(), str(words))
        except (ValueError, KeyError, TypeError, AttributeError):
            return

    def _moved(self, where: dict[str, list[Any]]) -> None:
        with self._lock:
            for who, (place, since) in where.items():
                moves = self._moves.setdefault(str(who), deque(maxlen=MOST_MOVES))
                if not moves or moves[-1] != (int(since), str(place)):
                    moves.append((int(since), str(place)))

    def listen(self, broker: Broker) -> Callable[[], None]:
        """Subscribe, now or as soon as the broker is there; call the result to stop."""
        client = new_client(broker, f"vigil-truth-{uuid.uuid4().hex[:8]}", broker.publishing)
        client.on_connect = _subscribe
        client.on_message = lambda _client, _data, message: self.hear(message.topic, bytes(message.payload))
        client.connect_async(broker.host, broker.port, KEEPALIVE_S)
        client.loop_start()
        return lambda: _leave(client)


def _subscribe(client: mqtt.Client, *_rest: Any) -> None:
    topics = (
        *(SIMULATOR_TRUTH, SIMULATOR_ANSWER, SIMULATOR_DIALS, SIMULATOR_WHERE),
        *(SIMULATOR_PEOPLE, SIMULATOR_STORY),
    )
    client.subscribe([(topic, 1) for topic in topics])


def _leave(client: mqtt.Client) -> None:
    client.disconnect()
    client.loop_stop()
