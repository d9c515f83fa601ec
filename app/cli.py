"""The `vigil` command: finds the module of a subcommand and hands over to it."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence

# Modules are named, not imported: a command pays only for what it uses, and `app` stays below `simulator`
# and `dashboard`. Each has add_arguments(parser) and run(arguments) -> exit code.
COMMANDS = {
    "demo": ("app.commands.demo", "a place, its readers and its alerts, live, with nothing to set up"),
    "run": ("app.commands.run", "watch a place: everything under one supervisor"),
    "pipeline": ("app.commands.pipeline", "only the Spark pipeline: from the log to the store"),
    "dashboard": ("dashboard.command", "only the pages that staff and admins look at"),
    "replay": ("app.commands.replay", "what a detector or a draft would have raised on a recording"),
    "where": ("app.commands.where", "where an item, product, patient, book or person probably is"),
    "learn": ("app.commands.learn", "learn from the recording how a place's readers hear"),
    "status": ("app.commands.status", "which parts are up, and the figures that matter"),
    "export": ("app.commands.export", "the alerts of the store as JSON lines or CSV"),
    "backup": ("app.commands.backup", "store, log and checkpoint of one moment in one file"),
    "restore": ("app.commands.restore", "make store, log and checkpoint what a backup says"),
    "upgrade": ("app.commands.upgrade", "bring the data of an earlier version to this one, after a backup"),
    "doctor": ("app.commands.doctor", "check what Vigil needs, and how to fix what is wrong"),
    "site": ("app.commands.site", "the sites that share a store: add, list, remove"),
    "hub": ("app.commands.hub", "the servers of a chain: their configuration, their streams, run one"),
    "user": ("app.commands.user", "accounts of the pages; also the first admin"),
    "match": ("app.commands.match", "find a query's matches in a file of events"),
    "explain": ("app.commands.explain", "show how a query is evaluated"),
    "constraints": (
        "app.commands.constraints",
        "what can never happen: of a workflow, or learned from a history",
    ),
    "ingest": ("app.commands.ingest", "receive readings over MQTT and keep them in the log"),
    "log": ("app.commands.log", "copy the log from a folder into a stream of JetStream, or back"),
    "publish": ("app.commands.publish", "send recorded or simulated readings to a broker"),
    "check": ("app.commands.check", "say everything that is wrong with detectors and scenarios"),
    "score": ("simulator.commands.score", "measure how accurate the detectors are"),
    "simulate": ("simulator.commands.simulate", "play a scenario to a broker or a file"),
}


def parser(chosen: str | None) -> argparse.ArgumentParser:
    """The whole parser, with the arguments of the chosen command filled in."""
    top = argparse.ArgumentParser(prog="vigil", description="RFID monitoring that says why.")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (path, summary) in COMMANDS.items():
        sub = commands.add_parser(name, help=summary, description=summary)
        if name == chosen:
            importlib.import_module(path).add_arguments(sub)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    arguments = list(sys.argv[1:] if argv is None else argv)
    chosen = next((word for word in arguments if word in COMMANDS), None)
    parsed = parser(chosen).parse_args(arguments)
    path, _ = COMMANDS[parsed.command]
    return int(importlib.import_module(path).run(parsed))


if __name__ == "__main__":
    sys.exit(main())
