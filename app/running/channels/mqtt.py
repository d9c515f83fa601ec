"""The outbox over MQTT: alerts, detectors' switches and staged incidents, each to its topic."""

from __future__ import annotations

from collections.abc import Sequence

from app.mqtt import publish
from app.mqtt.broker import Broker
from app.mqtt.publish import Publication, PublishError
from app.running.channels.channel import ChannelError
from app.store import OutboxMessage


class MqttChannel:
    """Opens a connection per group; done when the broker has acknowledged all of it."""

    name = "mqtt"

    def __init__(self, broker: Broker) -> None:
        self._broker = broker

    def send(self, messages: Sequence[OutboxMessage]) -> None:
        try:
            publish.send(self._broker, [Publication(one.topic, one.payload, None) for one in messages])
        except (OSError, PublishError) as error:
            raise ChannelError(str(error)) from error
