"""`vigil hub`: the servers through which the stores of a chain reach head office."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import sqlalchemy as sa

from app import settings, site_name, store
from app.commands.arguments import add_settings, chosen_settings
from app.hub import hub_streams
from app.hub.folders import NODE_FILE, Chain, write
from app.hub.nodes import NodeError, nodes
from app.log import AddressError, LogError
from app.log_address import PORT
from app.mqtt.embedded import program
from app.settings import Settings
from app.store import SiteError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="WHAT", required=True)
    config = actions.add_parser(
        "config", help="write the files of the hub's nodes and of every store's server"
    )
    config.add_argument("folder", type=Path, help="holds passwords: for its owner alone")
    config.add_argument(
        *("--node",),
        action="append",
        required=True,
        metavar="HOST[:PORT]",
        help="a server of the hub, by the name under which stores and the other nodes reach it; 1, 3 or 5",
    )
    config.add_argument(
        *("--site",),
        action="append",
        metavar="NAME[:PORT]",
        help="a store, and the port of its own server; default: all sites of the store_url",
    )
    add_settings(config)
    streams = actions.add_parser("streams", help="make what the hub lacks of streams, for all sites on it")
    add_settings(streams)
    serve = actions.add_parser("serve", help="run the server whose files a folder has: a node, or a store's")
    serve.add_argument("folder", type=Path)


def run(arguments: argparse.Namespace) -> int:
    try:
        return _ACTIONS[arguments.action](arguments)
    except sa.exc.DBAPIError as error:
        print(f"vigil hub: {store.broken(error)}", file=sys.stderr)
    except (settings.SettingsError, SiteError, NodeError, AddressError, LogError, OSError) as error:
        print(f"vigil hub: {error}", file=sys.stderr)
    return 1


def _config(arguments: argparse.Namespace) -> int:
    found, named = nodes(arguments.node), arguments.site or _sites(arguments)
    for folder in write(arguments.folder, Chain(found, dict(_site(text) for text in sorted(named)))):
        print(folder)
    print("Copy each folder to its machine, and run there: vigil hub serve FOLDER", file=sys.stderr)
    return 0


def _site(text: str) -> tuple[str, int]:
    name, _, port = text.partition(":")
    if words := site_name.fault(name):
        raise SiteError(words)
    if port and not (port.isascii() and port.isdigit() and 0 < int(port) <= 65_535):
        raise SiteError(f"NAME or NAME:PORT expected, not {text!r}")
    return name, int(port or PORT)


def _sites(arguments: argparse.Namespace) -> list[str]:
    chosen = chosen_settings(arguments)
    return [site.name for site in store.list_sites(store.open_store(chosen.store))]


def _streams(arguments: argparse.Namespace) -> int:
    chosen: Settings = chosen_settings(arguments)
    for site in store.list_sites(store.open_store(chosen.store)):
        if hub_streams.is_on(chosen, site):
            hub_streams.follow(chosen, site.name)
            print(site.log_url)
    return 0


def _serve(arguments: argparse.Namespace) -> int:
    """The server takes the place of this process, so that whoever supervises it sees and ends the server."""
    if not (arguments.folder / NODE_FILE).is_file():
        raise FileNotFoundError(f"{arguments.folder} has no {NODE_FILE}: `vigil hub config` writes it")
    server = program()
    os.chdir(arguments.folder)
    os.umask(0o077)
    os.execv(server, [str(server), "-c", NODE_FILE])


_ACTIONS = {"config": _config, "streams": _streams, "serve": _serve}
