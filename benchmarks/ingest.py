"""How fast ingest is: messages a second into the synced log, and how soon Spark has them in a micro-batch."""

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
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming import StreamingQuery

from app.ingest.intake import Ingest, IngestSettings
from app.mqtt.broker import Broker
from app.mqtt.message import Message
from app.mqtt.subscriber import Handler, Session, Subscriber
from app.spark import log_source as source
from app.spark.session import session
from benchmarks.device import Device
from benchmarks.site import mosquitto

HOST = "127.0.0.1"
TOPIC = "vigil/readings/bench"
GROUP = 500
RATE = 1_000
WARM_UP_S = 20.0


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


def latency(seconds: float) -> None:
    """A device, ingest and Spark side by side: now less the time of reading, when the batch has its rows."""
    delays: list[tuple[int, int]] = []
    context = get_context("spawn")
    with tempfile.TemporaryDirectory() as folder, mosquitto(Path(folder)) as broker:
        halt = context.Event()
        ingest = context.Process(target=_ingest, args=(broker, Path(folder), halt))
        device = context.Process(target=_device, args=(broker, halt))
        ingest.start()
        device.start()
        query = _stream(folder, delays)
        _wait_for_the_first(query, delays)
        time.sleep(WARM_UP_S + seconds)
        halt.set()
        device.join()
        ingest.join()
        query.stop()
        SparkSession.active().stop()
    _show(delays, seconds)


def _stream(folder: str, delays: list[tuple[int, int]]) -> StreamingQuery:
    spark = session("benchmark")
    source.register(spark)
    stream = spark.readStream.format("vigil").load(f"{folder}/log")
    writer = stream.writeStream.foreachBatch(lambda batch, _: _note(batch, delays))
    return writer.option("checkpointLocation", f"{folder}/checkpoint").start()


def _wait_for_the_first(query: StreamingQuery, delays: list[tuple[int, int]]) -> None:
    """Java and Python workers start slowly, and the first batch holds all that came meanwhile."""
    while not delays and query.exception() is None:
        time.sleep(0.1)


def _ingest(broker: Broker, folder: Path, halt: Event) -> None:
    ingest = Ingest(IngestSettings(folder / "log"))
    handler = Handler(ingest.take, ingest.tick, ingest.listen)
    Subscriber(broker, Session("bench"), [TOPIC], handler).run(halt)


def _device(broker: Broker, halt: Event) -> None:
    device, began, seq = Device(broker.port), time.monotonic(), 0
    while not halt.wait(0.005):
        due = int((time.monotonic() - began) * RATE)
        device.publish([(TOPIC, payload(each)) for each in range(seq, due)])
        seq = due
    device.finish()


def _note(batch: DataFrame, delays: list[tuple[int, int]]) -> None:
    rows = batch.where("kind = 'reading'").select("ts").collect()
    now = time.time_ns() // 1_000_000
    delays += [(row.ts, now - row.ts) for row in rows]


def _show(delays: list[tuple[int, int]], seconds: float) -> None:
    last = max(ts for ts, _ in delays)
    measured = sorted(delay for ts, delay in delays if ts > last - seconds * 1000)
    p50, p99 = (measured[int(len(measured) * share)] for share in (0.50, 0.99))
    print(f"\n{RATE} messages/s for {seconds:.0f} s, MQTT publish to micro-batch: p50 {p50} ms, p99 {p99} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=200_000)
    parser.add_argument("--seconds", type=float, default=30.0, help="of the latency's measurement; 0: none")
    arguments = parser.parse_args()
    throughput(arguments.messages)
    if arguments.seconds:
        latency(arguments.seconds)


if __name__ == "__main__":
    main()
