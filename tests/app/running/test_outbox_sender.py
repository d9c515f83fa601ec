"""The outbox over a real broker: everything arrives, also when the broker was away."""

from __future__ import annotations

from threading import Event
from typing import Any

import sqlalchemy as sa

from app import store as stores
from app.running.channels.mqtt import MqttChannel
from app.running.outbox_sender import OutboxSender
from app.store import Alert, Evidence
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
