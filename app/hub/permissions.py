"""What a chain's servers let each other and their users do: nothing but what is listed here."""

from __future__ import annotations

from dataclasses import dataclass

from app.hub.nodes import DOMAIN
from app.ingest.dead_letters import FOLDER as LETTERS


@dataclass(frozen=True, slots=True)
class Permissions:
    publish: tuple[str, ...]
    subscribe: tuple[str, ...]


# Head office reads every stream and notes how far it is; frames are written at the stores only.
OF_HEAD = Permissions(("$JS.API.>", "vigil.*.notes.>"), ("_INBOX.>",))


def of_link(site: str) -> Permissions:
    """Of a store's server at the hub. It delivers what the hub's streams of its site ask for, and may ask how
    far they are; what it publishes under any other name stays at the store."""
    streams = _streams(site)
    asked = tuple(f"$JS.{DOMAIN}.API.DIRECT.GET.{stream}" for stream in streams)
    flow = tuple(f"$JS.FC.{stream}.>" for stream in streams)
    acks = tuple(f"$JS.ACK.{stream}.>" for stream in streams)
    return Permissions(
        (f"deliver.{site}.>", "$JSC.R.>", *flow, *asked),
        (f"$JS.{site}.API.CONSUMER.>", *flow, *acks, f"_INBOX.{site}.>"),
    )


def of_ingest(site: str) -> Permissions:
    """At the store itself."""
    asked = tuple(f"$JS.{DOMAIN}.API.DIRECT.GET.{stream}" for stream in _streams(site))
    return Permissions((f"vigil.{site}.>", "$JS.API.>", *asked), (f"_INBOX.{site}.>",))


def _streams(site: str) -> tuple[str, str]:
    return site, f"{site}-{LETTERS}"
