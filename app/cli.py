"""The `vigil` command: finds the module of a subcommand and hands over to it."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence

# Modules are named, not imported: a command pays only for what it uses, and `app` stays below `simulator`
# and `dashboard`. Each has HELP, add_arguments(parser) and run(arguments) -> exit code.
COMMANDS = {
    "match": "app.commands.match",
    "explain": "app.commands.explain",
}


def parser(only: str | None) -> argparse.ArgumentParser:
    """The whole parser, with the arguments of one command filled in."""
    top = argparse.ArgumentParser(prog="vigil", description="RFID monitoring that says why.")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, path in COMMANDS.items():
        module = importlib.import_module(path)
        sub = commands.add_parser(name, help=module.HELP, description=module.HELP)
        if name == only:
            module.add_arguments(sub)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    arguments = list(sys.argv[1:] if argv is None else argv)
    command = next((word for word in arguments if word in COMMANDS), None)
    parsed = parser(command).parse_args(arguments)
    return int(importlib.import_module(COMMANDS[parsed.command]).run(parsed))


if __name__ == "__main__":
    sys.exit(main())
