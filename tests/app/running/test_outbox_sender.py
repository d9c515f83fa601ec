"""The outbox over a real broker: everything arrives, also when the broker was away."""

from __future__ import annotations

import json
from dataclasses import replace
from threading import Event
from typing import Any

import pytest
import sqlalchemy as sa

from app import store as stores
from app.mqtt.broker import Broker, Protocol
from app.running.channels.mqtt import MqttChannel
from app.running.outbox_sender import OutboxSender
from app.settings import Settings
from app.store import Alert, Evidence
from app.store.outbox import enqueue
from tests.app.rows import until
from tests.app.site import listening

ALERT = Alert("a1", "shop", "shoplifting", "1", "high", "", "T1", "", 0, 0, 0, "", "", Evidence("", {}, ()))


def test_an_alert_goes_out_on_its_severitys_topic_with_its_id(engine: sa.Engine, mosquitto: Any) -> None:
    stop = Event()
    with listening(mosquitto.connection) as heard:
        OutboxSender(engine, [MqttChannel(mosquitto.connection)], stop).start()
        stores.record_alerts(engine, [ALERT], now_ms=1)
        until(lambda: heard and stores.unsent(engine) == [])
        stop.set()
    assert [(topic, told["id"]) for topic, told in heard] == [("vigil/alerts/high", "a1")]


def test_what_could_not_be_sent_is_sent_when_the_broker_is_back(engine: sa.Engine, mosquitto: Any) -> None:
    mosquitto.kill()
    stop = Event()
    sender = OutboxSender(engine, [MqttChannel(mosquitto.connection)], stop)
    stores.record_alerts(engine, [ALERT], now_ms=1)
    sender.start()
    assert [message.topic for message in stores.unsent(engine)] == [
        "vigil/alerts/high",
        "vigil/incidents/high",
    ]
    mosquitto.start()
    until(lambda: stores.unsent(engine) == [])
    stop.set()
    sender.join()


def messages(engine: sa.Engine, payloads: list[str]) -> None:
    with stores.writing(engine) as connection:
        enqueue(connection, [("vigil/alerts/high", payload) for payload in payloads], 1)


@pytest.mark.parametrize("protocol", [4, 5])
def test_a_message_that_the_broker_refuses_does_not_hold_up_the_others(
    engine: sa.Engine, mosquitto: Any, protocol: Protocol
) -> None:
    mosquitto.stop()
    mosquitto.extra = "allow_anonymous true\nmessage_size_limit 1000"
    mosquitto.start()
    messages(engine, ['{"id": "1"}', json.dumps({"id": "x" * 2_000}), '{"id": "2"}', '{"id": "3"}'])
    broker = replace(mosquitto.connection, protocols=(protocol,))
    with listening(mosquitto.connection) as heard:
        OutboxSender(engine, [MqttChannel(broker)], Event()).send_waiting()
        until(lambda: {told["id"] for _, told in heard} == {"1", "2", "3"})
    assert stores.unsent(engine) == []
    aside = [(one.origin, len(one.payload)) for one in stores.list_aside(engine, "unsent")]
    refused = [("vigil/alerts/high", 2_010)]
    # MQTT 3.1.1 has no word for a refusal: this broker closes the connection, or acknowledges and drops.
    assert aside in ([refused] if protocol == 5 else [refused, []])
    assert all(one.reason.startswith(mosquitto.url) for one in stores.list_aside(engine, "unsent"))


def test_a_broker_that_speaks_only_mqtt_5_is_spoken_to_so_by_what_goes_out_too() -> None:
    chosen = {protocol: Settings(broker_protocol=protocol) for protocol in ("auto", "5", "3.1.1")}
    spoken = {name: Broker.from_settings(settings).publishing for name, settings in chosen.items()}
    assert spoken == {"auto": 4, "5": 5, "3.1.1": 4}
