"""How to reach an MQTT broker: address, credentials, TLS, and a paho client that uses them."""

from __future__ import annotations

import ssl
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import unquote, urlsplit

from paho.mqtt import client as mqtt
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from app.settings import Settings

Protocol = Literal[5, 4]  # as in paho: 4 is MQTT 3.1.1
NEWEST_FIRST: tuple[Protocol, ...] = (5, 4)
NAMED: dict[str, tuple[Protocol, ...]] = {"auto": NEWEST_FIRST, "5": (5,), "3.1.1": (4,)}

KEEPALIVE_S = 30
SESSION_S = 7 * 86_400
IN_FLIGHT = 1000


@dataclass(frozen=True, slots=True)
class Broker:
    """A broker by its URL (mqtt:// or mqtts://); user and password, a client certificate, or neither."""

    url: str
    user: str = ""
    password: str = field(default="", repr=False)
    ca: str = ""
    certificate: str = ""
    key: str = ""
    protocols: tuple[Protocol, ...] = NEWEST_FIRST
    site: str = ""  # whose topics are meant

    @property
    def tls(self) -> bool:
        return urlsplit(self.url).scheme == "mqtts"

    @property
    def host(self) -> str:
        return urlsplit(self.url).hostname or "127.0.0.1"

    @property
    def port(self) -> int:
        return urlsplit(self.url).port or (8883 if self.tls else 1883)

    @property
    def publishing(self) -> Protocol:
        """What to speak to whom one only sends something: MQTT 3.1.1, which nearly every broker understands,
        unless it is to be MQTT 5."""
        return 4 if 4 in self.protocols else 5

    @staticmethod
    def from_settings(settings: Settings) -> Broker:
        url, protocols = settings.broker_url, NAMED[settings.broker_protocol]
        if settings.own_broker:
            # It speaks MQTT 3.1.1 only, and Vigil itself calls it on this machine.
            url, protocols = f"mqtt://127.0.0.1:{urlsplit(url).port or 1883}", (4,)
        return Broker(
            url,
            settings.broker_user or unquote(urlsplit(settings.broker_url).username or ""),
            settings.broker_password,
            settings.broker_ca,
            settings.broker_certificate,
            settings.broker_key,
            protocols,
            settings.site,
        )


def new_client(broker: Broker, client_id: str, protocol: Protocol, *, lasting: bool = False) -> mqtt.Client:
    """A client that is not connected yet; with `lasting` it acknowledges by hand and keeps its session."""
    made = mqtt.Client(
        CallbackAPIVersion.VERSION2,
        client_id,
        protocol=MQTTProtocolVersion(protocol),
        clean_session=not lasting if protocol == 4 else None,
        manual_ack=lasting,
        reconnect_on_failure=not lasting,
    )
    if broker.user:
        made.username_pw_set(broker.user, broker.password or None)
    if broker.tls:
        made.tls_set_context(_tls(broker))
    return made


def connect(made: mqtt.Client, broker: Broker, protocol: Protocol, *, lasting: bool = False) -> None:
    """Open the connection and send CONNECT; the answer comes later."""
    if protocol == 4:
        made.connect(broker.host, broker.port, KEEPALIVE_S)
        return
    properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    properties.ReceiveMaximum = IN_FLIGHT
    if lasting:
        properties.SessionExpiryInterval = SESSION_S
    made.connect(broker.host, broker.port, KEEPALIVE_S, clean_start=not lasting, properties=properties)


def _tls(broker: Broker) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=broker.ca or None)
    if broker.certificate:
        context.load_cert_chain(broker.certificate, broker.key)
    return context
