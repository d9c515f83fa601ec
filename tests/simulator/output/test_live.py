"""A play over a real broker: readings and truth come out, commands go in and are answered."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from paho.mqtt.client import Client, MQTTMessage

from app.mqtt.broker import connect, new_client
from app.mqtt.topics import (
    CONTROL,
    SIMULATOR_ANSWER,
    SIMULATOR_CLOCK,
    SIMULATOR_COMMAND,
    SIMULATOR_DIALS,
    SIMULATOR_PEOPLE,
    SIMULATOR_STORY,
    SIMULATOR_TRUTH,
)
from app.place.scenario import load
from simulator.output.live import Live, Pace, PlayClock, ReachedSpeed
from simulator.play import Play
from simulator.truth.incident import Incident
from tests.app.brokers import Mosquitto, until

FROZEN = PlayClock(lambda: 0.0, lambda _: None)


class Listener:
    """Somebody else on the broker, who hears everything and can speak."""

    def __init__(self, broker: Mosquitto) -> None:
        self.heard: list[tuple[str, dict[str, object]]] = []
        self.ready = False
        self.client = new_client(broker.connection, "listener", 4)
        self.client.on_message = self._hear
        self.client.on_subscribe = self._subscribed
        self.client.on_connect = lambda client, *_: client.subscribe("vigil/#", qos=1)
        connect(self.client, broker.connection, 4)
        self.client.loop_start()
        until(lambda: self.ready)

    def _hear(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        self.heard.append((message.topic, json.loads(message.payload)))

    def _subscribed(self, *_: object) -> None:
        self.ready = True

    def on(self, topic: str) -> list[dict[str, object]]:
        return [said for where, said in list(self.heard) if where.startswith(topic)]

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()


@pytest.fixture
def listener(mosquitto: Mosquitto) -> Iterator[Listener]:
    opened = Listener(mosquitto)
    yield opened
    opened.close()


@pytest.fixture
def live(mosquitto: Mosquitto, listener: Listener) -> Iterator[Live]:
    assert listener.ready
    opened = Live(mosquitto.connection, Play(load(Path("scenarios/store.yaml")), 1, radio="kind", parts=()))
    yield opened
    opened.close()


def ignore(_incident: Incident) -> None:
    """Nobody writes the truth down."""


def told(live: Live, listener: Listener, said: dict[str, object]) -> dict[str, object]:
    """Send a command and let the play go on until it is answered."""
    before = len(listener.on(SIMULATOR_ANSWER))
    listener.client.publish(SIMULATOR_COMMAND, json.dumps(said), qos=1)
    until(lambda: live.step(250, FROZEN, ignore) or len(listener.on(SIMULATOR_ANSWER)) > before)
    return listener.on(SIMULATOR_ANSWER)[-1]


def test_readings_and_statuses_come_on_the_topics_of_their_readers(live: Live, listener: Listener) -> None:
    live.step(20_000, FROZEN, ignore)
    until(lambda: listener.on("vigil/readings/shelf-denim") and listener.on("vigil/status/main-exit-gate"))
    reading = listener.on("vigil/readings/shelf-denim")[0]
    assert reading.keys() == {"reader", "antenna", "tag", "ts", "rssi", "seq"}
    assert listener.on("vigil/status/main-exit-gate")[0]["status"] == "online"


def test_scans_and_motion_come_on_the_topics_of_their_sensors(
    mosquitto: Mosquitto, listener: Listener
) -> None:
    live = Live(
        mosquitto.connection, Play(load(Path("scenarios/library.yaml")), 1, noise=0, parts=("script",))
    )
    live.step(300_000, FROZEN, ignore)
    until(
        lambda: listener.on("vigil/readings/counter-scanner") and listener.on("vigil/readings/door-outside")
    )
    live.close()
    assert listener.on("vigil/readings/counter-scanner")[0]["barcode"] == "21207000000022"
    assert listener.on("vigil/readings/door-outside")[0]["motion"] is True


def test_a_staged_theft_is_answered_and_becomes_truth(live: Live, listener: Listener) -> None:
    assert told(live, listener, {"incident": "shoplift"}) == {"begun": "shoplift"}
    noted: list[Incident] = []
    live.step(180_000, FROZEN, noted.append)
    until(lambda: listener.on(SIMULATOR_TRUTH))
    assert listener.on(SIMULATOR_TRUTH)[0]["detector"] == "shoplifting"
    assert listener.on(SIMULATOR_TRUTH)[0]["subject"] == noted[0].subject


def test_what_cannot_be_played_is_answered_and_the_play_goes_on(live: Live, listener: Listener) -> None:
    assert "unknown incident" in str(told(live, listener, {"incident": "flood"})["error"])
    assert "a command has one of" in str(told(live, listener, {"please": "steal"})["error"])
    assert told(live, listener, {"incident": "sweep"}) == {"begun": "sweep"}


def test_speed_and_noise_can_be_turned_while_it_plays(live: Live, listener: Listener) -> None:
    assert told(live, listener, {"speed": 10}) == {"begun": "speed 10"}
    assert told(live, listener, {"noise": 0}) == {"begun": "noise 0"}
    assert "a number from" in str(told(live, listener, {"speed": 0})["error"])


def test_the_broker_keeps_the_dials_for_whoever_comes_later(
    live: Live, listener: Listener, mosquitto: Mosquitto
) -> None:
    told(live, listener, {"speed": 10})
    told(live, listener, {"noise": 0.5})
    listener.close()  # the two have one name
    later = Listener(mosquitto)
    until(lambda: later.on(SIMULATOR_DIALS))
    later.close()
    dials = later.on(SIMULATOR_DIALS)[-1]
    assert (dials["speed"], dials["noise"], dials["reached"]) == (10.0, 0.5, None)


def test_the_worlds_time_is_told_among_its_readings(live: Live, listener: Listener) -> None:
    live.step(60_000, FROZEN, ignore)
    until(lambda: len(listener.on(SIMULATOR_CLOCK)) > 50)
    until(lambda: listener.heard[-1][0] == SIMULATOR_CLOCK)
    now = 0
    for topic, said in listener.heard:
        moment = int(str(said.get("now_ms", said.get("ts", now))))
        if topic == SIMULATOR_CLOCK:
            assert moment > now
            now = moment
        elif topic.startswith("vigil/readings/"):
            assert abs(moment - now) <= 700  # readers' clocks differ a little


def test_the_speed_that_is_reached_is_measured() -> None:
    reached = ReachedSpeed()
    assert reached.factor is None
    for second in range(20):
        reached.note(second, 1_000 * 18 * second if second < 10 else 1_000 * (180 + 6 * (second - 10)))
    assert reached.factor == pytest.approx(6.0)


def test_a_world_that_is_too_fast_for_the_machine_does_not_run_after_it(live: Live) -> None:
    moment, waits = [0.0], list[float]()

    def wait(seconds: float) -> None:
        waits.append(seconds)
        moment[0] += seconds

    def step(length: int, *_: object) -> None:
        live.play.now += length
        moment[0] += 5.0 if moment[0] < 100 else 0.0  # at first it takes long, then no time at all
        if len(waits) == 9:
            raise KeyboardInterrupt

    live.step = step  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        live.run(20.0, PlayClock(lambda: moment[0], wait), ignore)
    assert waits == pytest.approx([0.25] * 9)


def test_the_pace_says_how_long_to_wait() -> None:
    pace = Pace(speed=10, seconds=100.0, ts=5_000)
    assert pace.ahead(ts=25_000, seconds=101.0) == pytest.approx(1.0)
    assert pace.ahead(ts=5_000, seconds=103.0) == pytest.approx(-3.0)


def test_people_and_what_readers_report_are_shown_and_stories_told(live: Live, listener: Listener) -> None:
    assert told(live, listener, {"incident": "shoplift"}) == {"begun": "shoplift"}
    live.step(8_000, FROZEN, ignore)  # not yet gone
    live.measure(10.0)
    until(lambda: listener.on(SIMULATOR_PEOPLE) and listener.on(SIMULATOR_STORY))
    shown = listener.on(SIMULATOR_PEOPLE)[-1]
    assert "shopper" in str(shown["people"])
    assert "shelf-" in str(shown["heard"])
    assert [step["deed"] for step in listener.on(SIMULATOR_STORY)][:2] == ["begun", "walks"]


@pytest.mark.parametrize("sealed", [False, True])
def test_a_changed_parameter_changes_the_truth(live: Live, listener: Listener, sealed: bool) -> None:
    change = json.dumps({"detector": "reader_silent", "parameters": {"patience": 30_000}})
    for said in (
        json.dumps({"no": "change"}),
        json.dumps({"signed": change, "mac": ""}) if sealed else change,
    ):
        listener.client.publish(CONTROL, said, qos=1)
    truth = live.play.world.truth
    until(lambda: live.step(250, FROZEN, ignore) or truth.setting("reader_silent", "patience") == 30_000)
