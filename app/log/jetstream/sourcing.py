"""The streams of a site at a hub: they take what the site's own server has, in order and once."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from app.log.errors import LogError
from app.log.jetstream.client import NO_STREAM, NOT_FOUND, Client, StreamRefusedError
from app.log.jetstream.connection import NO_RESPONDERS, Connection, Reply
from app.log.jetstream.frame import placed
from app.log.jetstream.notes import PART, Notes
from app.log.jetstream.streams import config, stream_config
from app.log_address import StreamAddress

CONSUMER = "hub"  # as a store's notes name it


def follow(hub: StreamAddress, *parts: str) -> None:
    """Make the streams of the address's site at the hub, those of its parts too; those that are there get its
    settings and go on."""
    client = Client(hub)
    try:
        for part in ("", *parts):
            _make(client, replace(hub, part=part))
        Notes(client).make()
    finally:
        client.close()


def forget(hub: StreamAddress, *parts: str) -> None:
    """Remove them with what they hold."""
    client = Client(hub)
    try:
        for part in ("", *parts, PART):
            _remove(client, replace(hub, part=part).stream)
    finally:
        client.close()


class Upstream:
    """What the hub has of a store's stream, asked through the store's own server."""

    def __init__(self, address: StreamAddress) -> None:
        self._address = replace(address, domain=address.hub, hub="")
        self._client = Client(self._address)

    def end(self) -> int | None:
        """The position after the last row there; None if it has none, or does not answer at once."""
        try:
            reply = self._client.once(self._last)
        except OSError:
            return None
        if reply.status in (NOT_FOUND, NO_RESPONDERS):
            return None
        if reply.status:
            raise LogError(f"{self._address}: the hub cannot read its stream ({reply.status})")
        return placed(self._address, reply).end

    def _last(self, link: Connection) -> Reply:
        asked = json.dumps({"last_by_subj": self._address.subject}).encode()
        return link.request(f"{self._address.api}.DIRECT.GET.{self._address.stream}", asked)


def _make(client: Client, at: StreamAddress) -> None:
    wanted = stream_config(at, []) | {"sources": [_source(at)]}
    known = config(client, at.stream)
    if known is None:
        client.api(f"STREAM.CREATE.{at.stream}", wanted)
    elif known.get("sources"):
        client.api(f"STREAM.UPDATE.{at.stream}", wanted)
    else:
        raise LogError(
            f"{at}: the stream is there but takes from no store: it is not this hub's. "
            "Remove it, or copy what it holds elsewhere first with `vigil log copy`."
        )


def _source(at: StreamAddress) -> dict[str, Any]:
    """A site's own server has the site's name as its domain."""
    external = {"api": f"$JS.{at.site}.API", "deliver": f"deliver.{at.site}"}
    return {"name": at.stream, "external": external}


def _remove(client: Client, stream: str) -> None:
    try:
        client.api(f"STREAM.DELETE.{stream}", {})
    except StreamRefusedError as error:
        if error.code != NO_STREAM:
            raise
