"""`vigil user`: accounts of the pages, from the command line; also the first admin."""

from __future__ import annotations

import argparse
import getpass
import sys

import sqlalchemy as sa

from app import settings, store
from app.clock import now_ms
from app.commands.arguments import add_settings, chosen_settings
from app.store import ROLES, AccountError, Actor

# Whoever may run commands on the machine may write to the store anyway.
OPERATOR = Actor("command line", "admin")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_settings(parser)
    actions = parser.add_subparsers(dest="action", metavar="WHAT", required=True)
    adding = actions.add_parser("add", help="add an account; the password is asked for, or read from a pipe")
    adding.add_argument("name")
    adding.add_argument("--role", choices=ROLES, default="staff")
    adding.add_argument(
        "--site",
        action="append",
        metavar="NAME",
        help="where it may go, for a manager several times; default: the site of the settings; admins: all",
    )
    actions.add_parser("list", help="list the accounts")
    for action, words in (
        ("password", "set a password"),
        ("close", "no longer let in"),
        ("open", "let in again"),
    ):
        actions.add_parser(action, help=words).add_argument("name")
    sites = actions.add_parser("sites", help="where an account may go that is not an admin's")
    sites.add_argument("name")
    sites.add_argument("site", nargs="+")
    role = actions.add_parser("role", help="change a role")
    role.add_argument("name")
    role.add_argument("role", choices=ROLES)


def run(arguments: argparse.Namespace) -> int:
    try:
        chosen = chosen_settings(arguments)
        engine = store.open_store(chosen.store, chosen.site)
        _do(engine, arguments, now_ms())
    except (settings.SettingsError, AccountError, sa.exc.OperationalError) as error:
        print(f"vigil user: {error}", file=sys.stderr)
        return 1
    return 0


def _do(engine: sa.Engine, arguments: argparse.Namespace, now_ms: int) -> None:
    match arguments.action:
        case "add":
            name, role = arguments.name, arguments.role
            store.add_account(engine, OPERATOR, name, role, _password(), now_ms=now_ms, sites=arguments.site)
        case "password":
            store.set_password(engine, OPERATOR, arguments.name, _password(), now_ms=now_ms)
        case "role":
            store.set_role(engine, OPERATOR, arguments.name, arguments.role, now_ms=now_ms)
        case "sites":
            store.set_sites(engine, OPERATOR, arguments.name, arguments.site, now_ms=now_ms)
        case "close" | "open":
            store.set_active(engine, OPERATOR, arguments.name, arguments.action == "open", now_ms=now_ms)
        case "list":
            for account in store.list_accounts(engine):
                sites = "" if account.role == "admin" else ", ".join(filter(None, account.sites))
                words = [sites, "" if account.active else "closed"]
                print(f"{account.name:<20} {account.role:<8} {' '.join(filter(None, words))}".rstrip())


def _password() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    first = getpass.getpass("Password: ")
    if getpass.getpass("Once more: ") != first:
        raise AccountError("the two passwords differ")
    return first
