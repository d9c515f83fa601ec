"""`vigil ingest`: from the broker to the log, until it is told to stop."""

from __future__ import annotations

import argparse
import logging
import signal
import sys
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event

from app import log, settings
from app.clock import now_ms
from app.commands.arguments import add_broker, add_settings, chosen_settings
from app.exit_codes import BROKEN
from app.ingest import dead_letters, dry_run
from app.ingest.intake import Counts, Ingest, IngestSettings
from app.ingest.payloads import FORMATS, WILL, Route
from app.log import LogAddress, LogDamagedError, LogError, LogRetention
from app.mqtt.broker import Broker
from app.mqtt.message import Message
from app.mqtt.signing import kept_key
from app.mqtt.subscriber import Handler, Session, Subscriber
from app.mqtt.topics import CONTROL, SIMULATOR_CLOCK, STATUS
from app.settings import Settings

DAY_MS = 86_400_000
CLIENT_ID = "client-id"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_settings(parser)
    add_broker(parser)
    parser.add_argument("--log", type=Path, metavar="FOLDER", help="where to keep what arrives")
    parser.add_argument(
        *("--topic", "-t"),
        action="append",
        type=route,
        metavar="FILTER[=FORMAT]",
        help=f"what to subscribe to; formats: {', '.join([*FORMATS, WILL])} (auto: by its shape)",
    )
    parser.add_argument("--keep-gib", type=float, metavar="N", help="most room for what has been processed")
    parser.add_argument("--silence", type=float, metavar="SECONDS", help="when a reader is silent")
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        *("--dry-run",),
        nargs="?",
        const="",
        metavar="FILE",
        help="show what would become of the messages on the wire, or in a file (- is standard input)",
    )
    what.add_argument("--dead-letters", action="store_true", help="show what could not be read, and why")
    what.add_argument("--replay", action="store_true", help="try the dead letters again, then stop")


def route(text: str) -> Route:
    topic_filter, _, name = text.rpartition("=")
    return Route(topic_filter, name) if topic_filter and name in (*FORMATS, WILL) else Route(text)


def run(arguments: argparse.Namespace) -> int:
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.INFO, stream=sys.stderr)
    try:
        chosen = chosen_settings(arguments)
        if arguments.dry_run is not None:
            return _dry_run(arguments.dry_run, chosen, _routes(arguments, chosen))
        if arguments.dead_letters:
            return _list_dead_letters(arguments.log or chosen.log)
        return _ingest(arguments, chosen)
    except (settings.SettingsError, LogError, OSError) as error:
        print(f"vigil ingest: {error}", file=sys.stderr)
        return BROKEN if isinstance(error, LogDamagedError) else 1


def _routes(arguments: argparse.Namespace, chosen: Settings) -> tuple[Route, ...]:
    """Status and commands are always listened to; where readings come from is the site's choice."""
    readings = arguments.topic or [route(topic) for topic in chosen.topics]
    return (*readings, Route(f"{STATUS}/+"), Route(CONTROL, "control"))


def _dry_run(source: str, chosen: Settings, routes: tuple[Route, ...]) -> int:
    def show(messages: Sequence[Message]) -> None:
        for message in messages:
            print("\n".join(dry_run.explain(message, routes, now_ms())), flush=True)

    if source:
        show(dry_run.pasted(sys.stdin.read() if source == "-" else Path(source).read_text(encoding="utf-8")))
        return 0
    session = Session(f"vigil-dry-run-{uuid.uuid4().hex[:8]}", lasting=False)
    filters = [each.filter for each in routes]
    _subscribe(Subscriber(Broker.from_settings(chosen), session, filters, Handler(show)))
    return 0


def _list_dead_letters(where: LogAddress) -> int:
    reasons = Counter[str]()
    for entry in dead_letters.pending(where):
        letter = entry.letter
        print(f"{entry.position}\t{letter.topic}\t{letter.reason}\t{letter.payload[:80]!a}")
        reasons[letter.reason] += 1
    for reason, count in reasons.most_common():
        print(f"{count} x {reason}", file=sys.stderr)
    return 0


def _ingest(arguments: argparse.Namespace, chosen: Settings) -> int:
    where = arguments.log or chosen.log
    retention = LogRetention(int(chosen.recording_days * DAY_MS), _most_room(arguments, chosen))
    silence_s = chosen.silence_s if arguments.silence is None else arguments.silence
    pace = (silence_s, chosen.lateness_ms, chosen.heartbeat_ms)
    simulated = chosen.clock == "simulation"
    routes = _routes(arguments, chosen)
    key = kept_key(chosen.data)
    ingest = Ingest(IngestSettings(where, routes, retention, *pace, simulated=simulated, control_key=key))
    for repair in ingest.repairs:
        logging.warning("%s", repair)
        ingest.note("log-repaired")
    try:
        if arguments.replay:
            print(_replayed(ingest.replay()))
        else:
            _follow(ingest, chosen)
            print(f"{ingest.counts}, position {ingest.position}", file=sys.stderr)
    finally:
        ingest.close()
    return 0


def _most_room(arguments: argparse.Namespace, chosen: Settings) -> int | None:
    """In bytes; None for any."""
    if arguments.keep_gib is not None:
        return int(arguments.keep_gib * 2**30)
    return int(chosen.recording_gib * 2**30) or None


def _replayed(counts: Counts) -> str:
    return f"{counts.messages} dead letters tried: {counts.rows} rows recovered, {counts.rejected} left"


def _follow(ingest: Ingest, chosen: Settings) -> None:
    handler = Handler(ingest.take, ingest.tick, ingest.listen, lambda: ingest.note("session-lost"))
    filters = [each.filter for each in ingest.settings.routes]
    filters += [SIMULATOR_CLOCK] if ingest.settings.simulated else []
    session = _session(ingest.settings.log)
    _subscribe(Subscriber(Broker.from_settings(chosen), session, filters, handler), ingest.give_up)


def _session(where: LogAddress) -> Session:
    """The log and the broker's session belong together: a copy of the log elsewhere must not steal it."""
    known = log.kept(where, CLIENT_ID)
    if known is not None:
        return Session(known.strip(), known=True)
    session = Session(f"vigil-ingest-{uuid.uuid4().hex[:12]}")
    log.keep(where, CLIENT_ID, f"{session.client_id}\n")
    return session


def _subscribe(subscriber: Subscriber, give_up: Callable[[], None] = lambda: None) -> None:
    stop = Event()

    def leave(*_: object) -> None:
        stop.set()
        give_up()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, leave)
    subscriber.run(stop)
