"""How fast ingest is: messages a second into the synced log."""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from threading import Event

from paho.mqtt import client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from app.ingest.intake import Ingest, IngestSettings
from app.mqtt.broker import Broker
from app.mqtt.message import Message
from app.mqtt.subscriber import Handler, Session, Subscriber
from benchmarks.device import Device
from benchmarks.site import mosquitto

HOST = "127.0.0.1"
TOPIC = "vigil/readings/bench"
GROUP = 500


def payload(seq: int) -> bytes:
    """A reading of 200 bytes; a hundred thousand different tags."""
    tag = f"3034257BF400B780{seq % 100_000:08X}"
    value = {
        "reader": "bench",
        "antenna": 1,
        "tag": tag,
        "ts": time.time_ns() // 1_000_000,
        "rssi": -51.5,
        "seq": seq,
    }
    return json.dumps(value).encode().ljust(200)


def flood(port: int, count: int) -> None:
    """Publish as fast as the broker takes it."""
    device = Device(port)
    for start in range(0, count, GROUP):
        device.publish([(TOPIC, payload(seq)) for seq in range(start, min(start + GROUP, count))])
    device.finish()
    device.close()


def drain(broker: Broker, count: int, take: Callable[[Sequence[Message]], None]) -> tuple[float, float]:
    """Receive so many messages on one core; messages a second and microseconds of processor time for each."""
    stop, watch = Event(), Watch(broker.port, count)

    def handle(messages: Sequence[Message]) -> None:
        watch.begin()
        take(messages)
        if watch.all_seen(len(messages)):
            stop.set()

    handler = Handler(handle, tick=watch.flood)
    Subscriber(broker, Session("bench", lasting=True), [TOPIC], handler).run(stop)
    return watch.rates()


class Watch:
    """Starts the flood, counts what arrives, and measures from the first message to the last."""

    def __init__(self, port: int, count: int) -> None:
        os.sched_setaffinity(0, {0})
        self._count, self._seen, self._began = count, 0, (0.0, 0.0)
        self._flooding = get_context("spawn").Process(target=flood, args=(port, count))

    def flood(self) -> None:
        if self._flooding.pid is None:
            self._flooding.start()

    def begin(self) -> None:
        if not self._seen:
            self._began = time.perf_counter(), time.process_time()

    def all_seen(self, more: int) -> bool:
        self._seen += more
        return self._seen >= self._count

    def rates(self) -> tuple[float, float]:
        wall, processor = time.perf_counter() - self._began[0], time.process_time() - self._began[1]
        self._flooding.join()
        return self._count / wall, processor / self._count * 1e6


def _paho_counts(broker: Broker, count: int, _folder: Path) -> tuple[float, float]:
    """What everybody writes first: acknowledged on arrival, kept nowhere."""
    watch = Watch(broker.port, count)
    client = mqtt.Client(CallbackAPIVersion.VERSION2, "bench-paho")

    def on_message(client: mqtt.Client, _data: object, _message: mqtt.MQTTMessage) -> None:
        watch.begin()
        if watch.all_seen(1):
            client.disconnect()

    client.on_connect = lambda *_: client.subscribe(TOPIC, 1)
    client.on_subscribe = lambda *_: watch.flood()
    client.on_message = on_message
    client.connect(HOST, broker.port)
    client.loop_forever()
    return watch.rates()


def _counts(broker: Broker, count: int, _folder: Path) -> tuple[float, float]:
    return drain(broker, count, len)


def _to_log(broker: Broker, count: int, folder: Path) -> tuple[float, float]:
    ingest = Ingest(IngestSettings(folder / "log"))
    try:
        return drain(broker, count, ingest.take)
    finally:
        ingest.close()


SUBSCRIBERS = {
    "paho, counts only": _paho_counts,
    "Vigil's, counts only": _counts,
    "Vigil's, into the synced log": _to_log,
}


def throughput(count: int) -> None:
    """Each in a process of its own, one after the other, on a fresh broker."""
    rates = {}
    for name, work in SUBSCRIBERS.items():
        with (
            tempfile.TemporaryDirectory() as folder,
            mosquitto(Path(folder)) as broker,
            ProcessPoolExecutor(1, get_context("spawn")) as pool,
        ):
            rates[name] = pool.submit(work, broker, count, Path(folder)).result()
    print(f"\n{count} messages of 200 bytes, QoS 1, Mosquitto, subscriber on one core")
    # On a machine that others use, too, the processor time says more than the clock.
    print(f"{'subscriber':30}{'messages/s':>12}{'µs of processor each':>22}{'a whole core does':>20}")
    for name, (rate, micro) in rates.items():
        print(f"{name:30}{rate:12,.0f}{micro:22.1f}{1e6 / micro:18,.0f}/s")
    paho, counted, logged = (rates[name] for name in SUBSCRIBERS)
    print(
        f"into the log against counting: {logged[0] / counted[0]:.2f} of Vigil's own subscriber's rate, "
        f"{logged[0] / paho[0]:.2f} of paho's (by processor time {counted[1] / logged[1]:.2f} and "
        f"{paho[1] / logged[1]:.2f})"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=200_000)
    arguments = parser.parse_args()
    throughput(arguments.messages)


if __name__ == "__main__":
    main()
