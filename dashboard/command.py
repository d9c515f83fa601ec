"""`vigil dashboard SCENARIO`: serve the pages of a place."""

from __future__ import annotations

import argparse
import secrets
import sys
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import sqlalchemy as sa

from app import settings, store
from app.clock import now_ms
from app.commands.arguments import add_settings, chosen_settings
from app.mqtt.broker import Broker
from app.place import scenario
from app.running.site_place import find_place
from dashboard import server
from dashboard.context import Context
from dashboard.sign_in import signing_key
from dashboard.truth.heard import DemoTruth
from detectors.document import FaultyFileError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "scenario", nargs="?", help="a name such as store, or a scenario's file; default: that of the site"
    )
    add_settings(parser)
    parser.add_argument("--host", help="the address to listen on; default 127.0.0.1, this machine only")
    parser.add_argument("--port", type=int, help="default 8501")
    parser.add_argument("--certificate", type=Path, metavar="FILE", help="serve TLS with this certificate")
    parser.add_argument("--key", type=Path, metavar="FILE", help="the certificate's private key")
    parser.add_argument("--demo", action="store_true", help="sign in whoever sits at this machine")


def run(arguments: argparse.Namespace) -> int:
    try:
        chosen = chosen_settings(arguments)
        path = find_place(arguments.scenario, chosen)
        engine = store.open_store(chosen.store, chosen.site)
        site = store.find_site(engine, chosen.site)
        loaded = scenario.load(path)
        context = Context(
            store=engine,
            scenario=replace(loaded, title=site.title) if site else loaded,
            path=path,
            log=chosen.log,
            lateness_ms=chosen.lateness_ms,
            checkpoint=chosen.checkpoint,
            demo=arguments.demo,
            secure=_certificate(arguments, chosen)[0] is not None,
            has_other_sites=any(one.name != chosen.site for one in store.list_sites(engine)),
            log_of=lambda one: replace(chosen, site=one.name).log_at(one.log_url) if one.log_url else None,
        )
    except (settings.SettingsError, FaultyFileError, LookupError, sa.exc.OperationalError) as error:
        print(f"vigil dashboard: {error}", file=sys.stderr)
        return 1
    if arguments.demo:
        context = replace(context, data=chosen.data, truth=_demo_truth(chosen), secret=_secret(chosen))
    else:
        context = replace(context, secret=_kept_secret(chosen.data))
    host = arguments.host or chosen.dashboard_host
    port = chosen.dashboard_port if arguments.port is None else arguments.port
    scheme = "https" if context.secure else "http"
    print(f"{context.scenario.title}: {scheme}://{host}:{port}", flush=True)
    server.serve(context, host, port, *_certificate(arguments, chosen), chosen.trusted_proxies)
    return 0


def _certificate(arguments: argparse.Namespace, chosen: settings.Settings) -> tuple[Path | None, Path | None]:
    """The certificate and its key, from the command line or the settings."""
    if arguments.certificate is not None:
        return arguments.certificate, arguments.key
    named = chosen.dashboard_certificate, chosen.dashboard_key
    return (Path(named[0]), Path(named[1])) if named[0] else (None, None)


def _secret(chosen: settings.Settings) -> str:
    """The demo's own for as long as it runs: who is signed in stays so when it goes to another place."""
    return sha256(f"sign-in {chosen.broker_password or secrets.token_hex()}".encode()).hexdigest()


def _kept_secret(folder: Path) -> str:
    try:
        return signing_key.kept(folder)
    except OSError as error:
        print(
            f"vigil dashboard: cannot keep its key, so a restart will sign everybody out: {error}",
            file=sys.stderr,
        )
        return signing_key.fresh()


def _demo_truth(chosen: settings.Settings) -> DemoTruth:
    truth = DemoTruth(now_ms)
    truth.listen(Broker.from_settings(chosen))
    return truth
