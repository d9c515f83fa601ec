"""The ways out of Vigil. A further one is a module beside this one and a line in `channels`."""

from __future__ import annotations

from app.mqtt.broker import Broker
from app.mqtt.signing import kept_key
from app.running.channels.channel import Channel
from app.running.channels.mqtt import MqttChannel
from app.settings import Settings


def channels(settings: Settings) -> tuple[Channel, ...]:
    """Every channel that the settings ask for."""
    return (MqttChannel(Broker.from_settings(settings), kept_key(settings.data)),)
