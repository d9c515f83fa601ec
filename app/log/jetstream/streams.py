"""A stream's settings and state; who writes makes it where it is missing, who reads only looks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from app.log.errors import LogError
from app.log.jetstream.client import NO_STREAM, Client, StreamRefusedError
from app.log_address import StreamAddress

_SECOND = 1_000_000_000
DUPLICATES_KNOWN_S = 600


@dataclass(frozen=True, slots=True)
class StreamState:
    """`created` tells a stream from another one of the same name."""

    created: str
    messages: int
    first: int
    last: int
    size: int


def state(client: Client, stream: str) -> StreamState | None:
    """None if there is no such stream."""
    info = _info(client, stream)
    return None if info is None else _state(info)


def ensure(client: Client, address: StreamAddress, subject: str, most_per_subject: int = -1) -> StreamState:
    """The stream's state, made if need be; LogError if it is there but of no use."""
    info = _info(client, address.stream)
    if info is None:
        wanted = stream_config(address, [subject])
        if most_per_subject > 0:
            wanted |= {"max_msgs_per_subject": most_per_subject, "discard": "old"}
        info = client.api(f"STREAM.CREATE.{address.stream}", wanted)
    _check(address, subject, info["config"])
    return _state(info)


def stream_config(address: StreamAddress, subjects: list[str]) -> dict[str, Any]:
    """Of a stream that keeps what it has got until somebody trims it."""
    return {
        "name": address.stream,
        "subjects": subjects,
        "storage": "file",
        "retention": "limits",
        "discard": "new",
        "num_replicas": address.replicas,
        "max_msgs_per_subject": -1,
        "duplicate_window": DUPLICATES_KNOWN_S * _SECOND,
        "allow_direct": True,
    }


def config(client: Client, stream: str) -> dict[str, Any] | None:
    """As its server has it; None if there is no such stream."""
    info = _info(client, stream)
    return None if info is None else dict(info["config"])


def _check(address: StreamAddress, subject: str, config: dict[str, Any]) -> None:
    if subject not in config.get("subjects", []):
        raise LogError(
            f"{address}: the stream is there but does not take {subject}: it is not Vigil's. "
            "Name another one in log_url."
        )
    if not config.get("allow_direct"):
        raise LogError(f"{address}: the stream needs allow_direct: nats stream edit --allow-direct")


def _info(client: Client, stream: str) -> dict[str, Any] | None:
    try:
        return client.api(f"STREAM.INFO.{stream}", {})
    except StreamRefusedError as error:
        if error.code == NO_STREAM:
            return None
        raise


def _state(info: dict[str, Any]) -> StreamState:
    found = info["state"]
    return StreamState(
        info["created"], found["messages"], found["first_seq"], found["last_seq"], found["bytes"]
    )
