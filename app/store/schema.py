"""The tables of the store: the one place that knows how alerts, switches, accounts and health are kept.

Times are epoch milliseconds in UTC; the pages turn them into the site's zone. Whatever a site has, has the
site in its key; only accounts and the sites themselves belong to all (app.store.by_site).
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite gives row numbers only to a column declared INTEGER.
_Serial = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_Milliseconds = sa.BigInteger
SITE = "site"


def _site(*, key: bool = True) -> sa.Column[str]:
    """Whose the row is: empty for the one site without a name. Filled in by the store that writes it."""
    return sa.Column(SITE, sa.String(40), primary_key=key, nullable=False, default=_writer, server_default="")


def _writer(context: sa.engine.default.DefaultExecutionContext) -> str:
    return str(context.execution_options.get(SITE_OPTION) or "")


SITE_OPTION = "vigil_site"  # of an engine: the site that it works for


def told(table: sa.Table) -> list[sa.Column[Any]]:
    """What a row says, without whose it is."""
    return [column for column in table.columns if column.name != SITE]


alerts = sa.Table(
    "alerts",
    metadata,
    _site(),
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("change", sa.BigInteger, nullable=False),
    sa.Column("scenario", sa.String(100), nullable=False),
    sa.Column("detector", sa.String(100), nullable=False),
    sa.Column("version", sa.String(64), nullable=False),
    sa.Column("severity", sa.String(20), nullable=False),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("subject", sa.String(200), nullable=False),
    sa.Column("area", sa.String(100), nullable=False),
    sa.Column("started_ms", _Milliseconds, nullable=False),
    sa.Column("occurred_ms", _Milliseconds, nullable=False),
    sa.Column("detected_ms", _Milliseconds, nullable=False),
    sa.Column("stored_ms", _Milliseconds, nullable=False),
    sa.Column("explanation", sa.Text, nullable=False),
    sa.Column("advice", sa.Text, nullable=False),
    sa.Column("evidence", sa.JSON, nullable=False),
    sa.Column("unproven", sa.Boolean, nullable=False),
    # How sure it is; empty where that is not known.
    sa.Column("probability", sa.Float),
    sa.Column("state", sa.String(10), nullable=False),
    sa.Column("owner", sa.String(100)),
    sa.Column("resolution", sa.String(30)),
    sa.Column("reason", sa.Text),
    sa.Column("snoozed_until_ms", _Milliseconds),
    # The alert that began what this one belongs to; its own id where it stands alone.
    sa.Column("incident", sa.String(64), nullable=False, server_default=""),
    sa.Column("ties", sa.JSON, nullable=False, server_default="[]"),
    # What is searched: title, subject, area, explanation, and what people did and wrote; case-folded, because
    # lower() of SQLite knows ASCII only.
    sa.Column("words", sa.Text, nullable=False),
    sa.Index(None, SITE, "change"),
    sa.Index(None, SITE, "occurred_ms", "id"),
    sa.Index(None, SITE, "state", "occurred_ms"),
    sa.Index(None, SITE, "detector", "occurred_ms"),
    sa.Index(None, SITE, "severity", "occurred_ms"),
    sa.Index(None, SITE, "area", "occurred_ms"),
    sa.Index(None, SITE, "owner", "occurred_ms"),
    sa.Index(None, SITE, "subject", "occurred_ms"),
    sa.Index(None, SITE, "incident"),
    # What is open is counted site by site, without reading what was resolved.
    sa.Index(None, "state", "severity", SITE, "stored_ms"),
)

# By what alerts of an incident are tied together, and when that was first seen of it.
incident_ties = sa.Table(
    "incident_ties",
    metadata,
    _site(),
    sa.Column("same", sa.String(32), primary_key=True),
    sa.Column("incident", sa.String(64), primary_key=True),
    sa.Column("at_ms", _Milliseconds, nullable=False),
    sa.Index(None, SITE, "at_ms"),
)

history = sa.Table(
    "alert_history",
    metadata,
    _site(key=False),
    sa.Column("number", _Serial, primary_key=True, autoincrement=True),
    sa.Column("alert", sa.String(64), nullable=False),
    sa.Column("at_ms", _Milliseconds, nullable=False),
    sa.Column("actor", sa.String(100), nullable=False),
    sa.Column("action", sa.String(20), nullable=False),
    sa.Column("detail", sa.JSON, nullable=False),
    sa.ForeignKeyConstraint(
        [SITE, "alert"], ["alerts.site", "alerts.id"], name="fk_alert_history_alert", ondelete="CASCADE"
    ),
    sa.Index(None, SITE, "alert", "number"),
)

switches = sa.Table(
    "switches",
    metadata,
    _site(),
    sa.Column("scenario", sa.String(100), primary_key=True),
    sa.Column("detector", sa.String(100), primary_key=True),
    sa.Column("enabled", sa.Boolean, nullable=False),
    sa.Column("parameters", sa.JSON, nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
    # Why it is off, and when it goes on again by itself.
    sa.Column("reason", sa.Text, nullable=False, server_default=""),
    sa.Column("until_ms", _Milliseconds),
)

switch_history = sa.Table(
    "switch_history",
    metadata,
    _site(key=False),
    sa.Column("number", _Serial, primary_key=True, autoincrement=True),
    sa.Column("scenario", sa.String(100), nullable=False),
    sa.Column("detector", sa.String(100), nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("at_ms", _Milliseconds, nullable=False),
    sa.Column("actor", sa.String(100), nullable=False),
    sa.Column("enabled", sa.Boolean, nullable=False),
    sa.Column("parameters", sa.JSON, nullable=False),
    sa.Column("reason", sa.Text, nullable=False, server_default=""),
    sa.Column("until_ms", _Milliseconds),
    sa.Column("undoes", sa.Integer),
    # When the running pipeline took the change over; empty until it has.
    sa.Column("applied_ms", _Milliseconds),
    sa.UniqueConstraint(SITE, "scenario", "detector", "revision"),
)

accounts = sa.Table(
    "accounts",
    metadata,
    sa.Column("name", sa.String(100), primary_key=True),
    sa.Column("role", sa.String(10), nullable=False),
    sa.Column("password_hash", sa.Text, nullable=False),
    # Goes up with every change of password or role, so that sessions signed in before it can be told apart.
    sa.Column("generation", sa.Integer, nullable=False),
    sa.Column("active", sa.Boolean, nullable=False),
)

account_history = sa.Table(
    "account_history",
    metadata,
    sa.Column("number", _Serial, primary_key=True, autoincrement=True),
    sa.Column("account", sa.String(100), nullable=False),
    sa.Column("at_ms", _Milliseconds, nullable=False),
    sa.Column("actor", sa.String(100), nullable=False),
    sa.Column("action", sa.String(20), nullable=False),
    sa.Column("detail", sa.JSON, nullable=False),
    sa.Index(None, "account", "number"),
)

readers = sa.Table(
    "readers",
    metadata,
    _site(),
    sa.Column("reader", sa.String(100), primary_key=True),
    sa.Column("area", sa.String(100), nullable=False),
    sa.Column("last_seen_ms", _Milliseconds),
    sa.Column("readings", sa.BigInteger, nullable=False),
    sa.Column("per_second", sa.Float, nullable=False),
    sa.Column("silent_since_ms", _Milliseconds),
    sa.Column("overflows", sa.BigInteger, nullable=False),
    sa.Column("antenna_faults", sa.BigInteger, nullable=False),
    sa.Column("offset_ms", sa.BigInteger),
    sa.Column("clock_jumps", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("late_share", sa.Float, nullable=False, server_default="0"),
)

held_readings = sa.Table(
    "held_readings",
    metadata,
    _site(),
    sa.Column("reader", sa.String(100), primary_key=True),
    sa.Column("from_ms", _Milliseconds, primary_key=True),
    sa.Column("until_ms", _Milliseconds, nullable=False),
    sa.Column("oldest_ms", _Milliseconds, nullable=False),
    sa.Column("readings", sa.BigInteger, nullable=False),
)

silences = sa.Table(
    "silences",
    metadata,
    _site(),
    sa.Column("reader", sa.String(100), primary_key=True),
    sa.Column("from_ms", _Milliseconds, primary_key=True),
    sa.Column("until_ms", _Milliseconds),
)

positions = sa.Table(
    "positions",
    metadata,
    _site(),
    sa.Column("tag", sa.String(200), primary_key=True),
    sa.Column("item", sa.String(200), nullable=False),
    sa.Column("area", sa.String(100), nullable=False),
    sa.Column("reader", sa.String(100), nullable=False),
    sa.Column("at_ms", _Milliseconds, nullable=False),
    sa.Index(None, SITE, "at_ms"),
)

moves = sa.Table(
    "moves",
    metadata,
    _site(),
    sa.Column("tag", sa.String(200), primary_key=True),
    sa.Column("at_ms", _Milliseconds, primary_key=True),
    sa.Column("area", sa.String(100), nullable=False),
    sa.Column("reader", sa.String(100), nullable=False),
    sa.Index(None, SITE, "at_ms"),
)

metrics = sa.Table(
    "metrics",
    metadata,
    _site(),
    sa.Column("name", sa.String(50), primary_key=True),
    sa.Column("at_ms", _Milliseconds, primary_key=True),
    sa.Column("value", sa.Float, nullable=False),
    sa.Index(None, SITE, "at_ms"),
)

# Totals, the position up to which the log has been counted, and the number of the last change to an alert.
counters = sa.Table(
    "counters",
    metadata,
    _site(),
    sa.Column("name", sa.String(50), primary_key=True),
    sa.Column("value", sa.BigInteger, nullable=False),
)

set_aside = sa.Table(
    "set_aside",
    metadata,
    _site(),
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("at_ms", _Milliseconds, nullable=False),
    sa.Column("origin", sa.String(300), nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("payload", sa.Text, nullable=False),
    sa.Index(None, SITE, "kind", "at_ms"),
)

parts = sa.Table(
    "parts",
    metadata,
    _site(),
    sa.Column("name", sa.String(50), primary_key=True),
    sa.Column("state", sa.String(10), nullable=False),
    sa.Column("since_ms", _Milliseconds, nullable=False),
    sa.Column("beat_ms", _Milliseconds, nullable=False),
    sa.Column("detail", sa.Text, nullable=False),
)

outbox = sa.Table(
    "outbox",
    metadata,
    _site(key=False),
    sa.Column("number", _Serial, primary_key=True, autoincrement=True),
    sa.Column("topic", sa.String(300), nullable=False),
    sa.Column("payload", sa.Text, nullable=False),
    sa.Column("created_ms", _Milliseconds, nullable=False),
    sa.Column("sent_ms", _Milliseconds),
    sa.Index(None, SITE, "sent_ms", "number"),
)

sites = sa.Table(
    "sites",
    metadata,
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("title", sa.String(200), nullable=False),
    sa.Column("scenario", sa.Text, nullable=False),
    # Empty: the scenario's own.
    sa.Column("timezone", sa.String(100), nullable=False),
    # Where its recording can be read by the pages of all sites; empty: nowhere but at the site.
    sa.Column("log_url", sa.Text, nullable=False),
    sa.Column("added_ms", _Milliseconds, nullable=False),
    # On a map: degrees east and north if it is one of the earth, else a plan's own; empty: on none.
    sa.Column("x", sa.Float),
    sa.Column("y", sa.Float),
    sa.Column("on_earth", sa.Boolean, nullable=False, server_default=sa.false()),
)

# Where an account may go that is not an admin's: admins go everywhere.
account_sites = sa.Table(
    "account_sites",
    metadata,
    sa.Column("account", sa.String(100), primary_key=True),
    sa.Column("enters", sa.String(40), primary_key=True),
)
