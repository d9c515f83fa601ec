"""A play over MQTT in real time or faster: readings out, staged incidents in, the truth beside them."""

from __future__ import annotations

import json
import uuid
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import asdict, dataclass
from queue import SimpleQueue
from threading import Event
from typing import Any

from paho.mqtt import client as mqtt

from app.mqtt.broker import Broker, connect, new_client
from app.mqtt.topics import (
    CONTROL,
    READINGS,
    SIMULATOR_ANSWER,
    SIMULATOR_CLOCK,
    SIMULATOR_COMMAND,
    SIMULATOR_DIALS,
    SIMULATOR_PEOPLE,
    SIMULATOR_STORY,
    SIMULATOR_TRUTH,
    SIMULATOR_WHERE,
    STATUS,
    at_site,
)
from simulator.output.figures import Onlooking
from simulator.output.report_file import lines
from simulator.play import Play, Scene
from simulator.staging import stage
from simulator.truth.incident import Incident

_STEP_S = 0.25
# How finely the world's time is told among its readings: in simulated ms, and not more often than that.
_TOLD_EVERY_MS, _TOLD_EVERY_S = 200, 0.01
_LONGEST_DEBT_S = 2.0
_MEASURED_S = 5.0
_SHOWN_EVERY_S = 1.0
_SEEN_EVERY_S = 0.5
_ANSWER_S = 30.0
_WAITING = 500


@dataclass(frozen=True, slots=True)
class PlayClock:
    """Passed in, so that tests need not wait."""

    seconds: Callable[[], float]
    wait: Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Pace:
    """So many simulated seconds a second, counted from a moment of both clocks."""

    speed: float
    seconds: float
    ts: int

    def ahead(self, ts: int, seconds: float) -> float:
        """How long to wait until simulated time should have come this far."""
        return (ts - self.ts) / 1000 / self.speed - (seconds - self.seconds)


class ReachedSpeed:
    """How many simulated seconds a second there really were, over the last few."""

    def __init__(self) -> None:
        self._moments: deque[tuple[float, int]] = deque()

    def note(self, seconds: float, ts: int) -> None:
        self._moments.append((seconds, ts))
        while len(self._moments) > 2 and seconds - self._moments[0][0] > _MEASURED_S:
            self._moments.popleft()

    @property
    def factor(self) -> float | None:
        """None until there is something to measure."""
        if not self._moments or self._moments[-1][0] - self._moments[0][0] < 1.0:
            return None
        (began, first), (ended, last) = self._moments[0], self._moments[-1]
        return (last - first) / 1000 / (ended - began)


class Live:
    """Holds the connection; commands wait for the next step, so that agents act in one thread."""

    def __init__(self, broker: Broker, play: Play) -> None:
        self.play = play
        self._pace = Pace(1.0, 0.0, play.now)
        self._reached, self._shown_at, self._told_ms = ReachedSpeed(), 0.0, 0
        self._figures, self._seen_at = Onlooking(play.world), 0.0
        self._heard: Counter[str] = Counter()  # what each reader has reported since people were last shown
        self._shown_where = ""
        self._commands: SimpleQueue[str] = SimpleQueue()
        self._changes: SimpleQueue[str] = SimpleQueue()
        self._site = broker.site
        self._client = new_client(broker, f"vigil-simulator-{uuid.uuid4().hex[:8]}", broker.publishing)
        self._client.max_inflight_messages_set(_WAITING)
        self._waiting: deque[mqtt.MQTTMessageInfo] = deque()
        self._is_ready = Event()
        self._client.on_connect = self._subscribe
        self._client.on_subscribe = lambda *_: self._is_ready.set()
        self._client.on_message = lambda _client, _data, message: self._receive(message)
        connect(self._client, broker, broker.publishing)
        self._client.loop_start()
        if not self._is_ready.wait(_ANSWER_S):
            self.close()
            raise OSError(f"{broker.url} has not answered for {_ANSWER_S:.0f} s")

    def run(self, speed: float, clock: PlayClock, tell: Callable[[Incident], None]) -> None:
        """To the end of the play, or for ever; each step when its time has come."""
        self._set_pace(speed, clock)
        while self.play.end is None or self.play.now < self.play.end:
            ahead = self._pace.ahead(self.play.now, clock.seconds())
            if ahead > 0:
                clock.wait(ahead)
            elif ahead < -_LONGEST_DEBT_S:  # as fast as it can: what is lost is not made up for
                self._pace = Pace(self._pace.speed, clock.seconds(), self.play.now)
            self.measure(clock.seconds())
            self.step(round(_STEP_S * 1000 * max(self._pace.speed, 1)), clock, tell)

    def step(self, length: int, clock: PlayClock, tell: Callable[[Incident], None]) -> None:
        self._obey(clock)
        try:
            self._send(self.play.step(length), tell)
        except stage.CommandError as error:
            self._answer({"error": str(error)})

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _set_pace(self, speed: float, clock: PlayClock) -> None:
        self._pace, self._reached = Pace(speed, clock.seconds(), self.play.now), ReachedSpeed()
        self._show_dials()

    def measure(self, seconds: float) -> None:
        """Note how fast it goes, and show it and everybody now and then."""
        self._reached.note(seconds, self.play.now)
        if seconds - self._shown_at >= _SHOWN_EVERY_S:
            self._shown_at = seconds
            self._show_dials()
        if seconds - self._seen_at >= _SEEN_EVERY_S:
            self._seen_at = seconds
            self._show_people()

    def _obey(self, clock: PlayClock) -> None:
        while not self._changes.empty():
            self._take_over(self._changes.get())
        while not self._commands.empty():
            try:
                self._answer({"begun": self._begin(self._commands.get(), clock)})
            except stage.CommandError as error:
                self._answer({"error": str(error)})

    def _take_over(self, payload: str) -> None:
        """The truth goes by the parameters that are in force; whatever else is on the topic is not for us."""
        try:
            envelope = json.loads(payload)
            change = json.loads(envelope["signed"]) if "signed" in envelope else envelope
            self.play.world.truth.set(str(change["detector"]), dict(change["parameters"]))
        except (ValueError, KeyError, TypeError):
            return

    def _begin(self, payload: str, clock: PlayClock) -> str:
        message = stage.message(payload)
        if "speed" in message:
            self._set_pace(stage.positive(message["speed"]), clock)
            return f"speed {self._pace.speed:g}"
        if "noise" in message:
            self.play.set_noise(stage.positive(message["noise"], least=0.0))
            self._show_dials()
            return f"noise {self.play.loudness:g}"
        return stage.command(self.play.cast, message)

    def _send(self, scene: Scene, tell: Callable[[Incident], None]) -> None:
        columns = [scene.reports[name].to_pylist() for name in ("kind", "reader", "ts")]
        for kind, reader, ts, line in zip(*columns, lines(scene.reports).to_pylist(), strict=True):
            self._tell_time(min(ts, scene.until))
            self._publish(f"{STATUS if kind == 'status' else READINGS}/{reader}", line)
            self._heard[reader] += kind != "status"
        self._tell_time(scene.until, now=True)
        self._show_where()
        for incident in scene.incidents:
            self._publish(SIMULATOR_TRUTH, incident.json())
            tell(incident)

        for step in self.play.world.stories.news():
            self._publish(SIMULATOR_STORY, json.dumps(asdict(step)))

    def _tell_time(self, ts: int, *, now: bool = False) -> None:
        """The world's time for those who go by it, in order among what they get: as often as it matters."""
        fine_ms = max(_TOLD_EVERY_MS, round(1000 * _TOLD_EVERY_S * self._pace.speed))
        if ts > self._told_ms and (now or ts - self._told_ms >= fine_ms):
            self._told_ms = ts
            self._publish(SIMULATOR_CLOCK, json.dumps({"now_ms": ts, "speed": self._pace.speed}))

    def _answer(self, answer: dict[str, str]) -> None:
        self._publish(SIMULATOR_ANSWER, json.dumps(answer))

    def _show_dials(self) -> None:
        """Kept by the broker: whoever opens a page later sees what the world runs at."""
        dials = json.dumps(
            {
                "speed": self._pace.speed,
                "noise": self.play.loudness,
                "now_ms": self.play.now,
                "reached": self._reached.factor,
            }
        )
        self._client.publish(self._at(SIMULATOR_DIALS), dials, qos=1, retain=True)

    def _show_people(self) -> None:
        """Whoever misses one sees the next: nothing waits for it."""
        seen = {"now_ms": self.play.now, "people": self._figures.seen(), "heard": dict(+self._heard)}
        self._heard.clear()
        self._client.publish(self._at(SIMULATOR_PEOPLE), json.dumps(seen))

    def _show_where(self) -> None:
        """Where the people of a home really are and since when, whenever somebody has moved; kept by the
        broker."""
        where = json.dumps({"where": self.play.world.truth.household.where})
        if where != self._shown_where and self.play.cast.home:
            self._shown_where = where
            self._client.publish(self._at(SIMULATOR_WHERE), where, qos=1, retain=True)

    def _publish(self, topic: str, payload: str) -> None:
        """Never more on the way than the broker takes: a world that is too fast slows down."""
        self._waiting.append(self._client.publish(self._at(topic), payload, qos=1))
        if len(self._waiting) > _WAITING:
            self._waiting.popleft().wait_for_publish(_ANSWER_S)

    def _at(self, topic: str) -> str:
        return at_site(self._site, topic)

    def _subscribe(self, client: mqtt.Client, *_rest: Any) -> None:
        client.subscribe([(self._at(SIMULATOR_COMMAND), 1), (self._at(CONTROL), 1)])

    def _receive(self, message: mqtt.MQTTMessage) -> None:
        told = self._changes if message.topic == self._at(CONTROL) else self._commands
        told.put(message.payload.decode(errors="replace"))
