"""The outbox over MQTT: alerts, detectors' switches and staged incidents, each to its topic."""

from __future__ import annotations

from collections.abc import Sequence

from app.mqtt import publish
from app.mqtt.broker import Broker
from app.mqtt.publish import Publication, PublishError
from app.mqtt.signing import signed
from app.mqtt.topics import CONTROL
from app.running.channels.channel import ChannelError, RefusedMessagesError
from app.store import OutboxMessage

TRIES = 3  # until a message that a broker does not take, while it takes others, counts as refused


class MqttChannel:
    """Opens a connection per group; done when the broker has acknowledged all of it."""

    name = "mqtt"

    def __init__(self, broker: Broker, control_key: bytes | None = None) -> None:
        self._broker, self._control_key = broker, control_key

    def send(self, messages: Sequence[OutboxMessage]) -> None:
        refused = self._refused(messages)
        if refused:
            raise RefusedMessagesError(refused)

    def _refused(self, messages: Sequence[OutboxMessage]) -> list[tuple[OutboxMessage, str]]:
        """Those that this broker will not take (too large, not allowed), found by halving the group."""
        reason = self._publish(messages)
        for _ in range(TRIES - 1 if len(messages) == 1 else 0):
            reason = reason and self._publish(messages)
        if reason is None:
            return []
        if len(messages) == 1:
            return [(messages[0], reason)]
        half = len(messages) // 2
        return self._refused(messages[:half]) + self._refused(messages[half:])

    def _publish(self, messages: Sequence[OutboxMessage]) -> str | None:
        """Why it did not go, if not because the broker is away."""
        try:
            publications = [Publication(one.topic, self._payload(one), None) for one in messages]
            publish.send(self._broker, publications, patient=False)
        except (OSError, PublishError) as error:
            self._greet()
            return str(error)
        return None

    def _payload(self, message: OutboxMessage) -> str:
        """Commands are signed, so that ingest believes them."""
        if message.topic != CONTROL or self._control_key is None:
            return message.payload
        return signed(message.payload, self._control_key)

    def _greet(self) -> None:
        """Whether anybody is there at all."""
        try:
            publish.send(self._broker, [], patient=False)
        except (OSError, PublishError) as error:
            raise ChannelError(str(error)) from error
