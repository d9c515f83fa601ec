"""A lasting session with a broker: reconnects with growing pauses, acknowledges only what has been taken."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Event

from app.backoff import Backoff
from app.mqtt import topics
from app.mqtt.broker import Broker
from app.mqtt.link import GROUP_MESSAGES, POLL_S, Link, NoAnswerError
from app.mqtt.message import Message

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 30.0
SETTLING_S = 2.0  # after connecting, until what the broker has kept begins to come

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Handler:
    """Whom to tell: `take` returns once the messages are safe, `tick` is called now and then, `listen` when
    nothing is known to wait at the broker."""

    take: Callable[[Sequence[Message]], None]
    tick: Callable[[], None] = lambda: None
    listen: Callable[[], None] = lambda: None
    session_lost: Callable[[], None] = lambda: None


@dataclass(frozen=True, slots=True)
class Session:
    """The name under which the broker keeps what comes while nobody listens, if it is to last."""

    client_id: str
    lasting: bool = True
    known: bool = False  # an earlier process has had it, so the broker should know it


class Subscriber:
    """Holds the session over as many connections as it takes."""

    def __init__(self, broker: Broker, session: Session, filters: Sequence[str], handler: Handler) -> None:
        self._broker = broker
        self._session = session
        self._filters = [topics.at_site(broker.site, each) for each in filters]
        self._handler = handler
        self._known = session.known
        self._protocols = list(broker.protocols)
        self._backoff = Backoff(FIRST_PAUSE_S, LONGEST_PAUSE_S)

    def run(self, stop: Event) -> None:
        """Receive until told to stop, through failures of network, broker and disk."""
        while not stop.is_set():
            try:
                self._connected(stop)
            except OSError as error:
                pause_s = self._backoff.next_s()
                _log.warning("%s. Trying again in %.1f s; the broker keeps what comes.", error, pause_s)
                self._pause(pause_s, stop)

    def _connected(self, stop: Event) -> None:
        # A link of its own for every connection: no acknowledgement can reach a later one.
        session = self._session
        link = Link(self._broker, session.client_id, self._protocols[0], lasting=session.lasting)
        try:
            self._receive(link, stop)
        except NoAnswerError:
            self._protocols.append(self._protocols.pop(0))
            raise
        finally:
            link.close()

    def _receive(self, link: Link, stop: Event) -> None:
        if not link.open(self._filters) and self._known:
            _log.warning("The broker has lost the session: what it got while nobody listened is gone.")
            self._handler.session_lost()
        _log.info("Connected to %s", self._broker.url)
        self._known, self._protocols = self._session.lasting, [link.protocol]
        settled = time.monotonic() + SETTLING_S
        while not stop.is_set():
            arrived = link.receive()
            if arrived:
                self._handler.take([self._home(message) for message, _ in arrived])
                link.acknowledge(number for _, number in arrived)
                self._backoff.reset()
            self._handler.tick()
            if len(arrived) < GROUP_MESSAGES and time.monotonic() >= settled:
                self._handler.listen()
        link.leave()

    def _home(self, message: Message) -> Message:
        site = self._broker.site
        return message._replace(topic=topics.without_site(site, message.topic)) if site else message

    def _pause(self, pause_s: float, stop: Event) -> None:
        until = time.monotonic() + pause_s
        while time.monotonic() < until and not stop.wait(POLL_S):
            with suppress(OSError):
                self._handler.tick()  # that readers fall silent is news while the broker is away, too
