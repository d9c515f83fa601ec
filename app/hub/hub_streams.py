"""The streams of the sites at the hub that head office's settings name."""

from __future__ import annotations

from dataclasses import replace

from app.ingest.dead_letters import FOLDER as LETTERS
from app.log import AddressError, StreamAddress
from app.log.jetstream import sourcing
from app.settings import Settings
from app.store import Site


def address(chosen: Settings, name: str) -> StreamAddress:
    """Where the site's log is at the hub."""
    if chosen.site or not chosen.log_url:
        raise AddressError("the hub is where log_url says, at head office, whose settings have no `site`")
    return replace(chosen.log_at(chosen.log_url), site=name)


def is_on(chosen: Settings, site: Site) -> bool:
    return bool(chosen.log_url) and not chosen.site and site.log_url == str(address(chosen, site.name))


def follow(chosen: Settings, name: str) -> None:
    sourcing.follow(address(chosen, name), LETTERS)


def forget(chosen: Settings, name: str) -> None:
    sourcing.forget(address(chosen, name), LETTERS)
