"""The tables of the store: the one place that knows how alerts, switches, accounts and health are kept.

Times are epoch milliseconds in UTC; the pages turn them into the site's zone.
"""

from __future__ import annotations

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

alerts = sa.Table(
    "alerts",
    metadata,
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
    sa.Index(None, "change"),
    sa.Index(None, "occurred_ms", "id"),
    sa.Index(None, "state", "occurred_ms"),
    sa.Index(None, "detector", "occurred_ms"),
    sa.Index(None, "severity", "occurred_ms"),
    sa.Index(None, "area", "occurred_ms"),
    sa.Index(None, "owner", "occurred_ms"),
    sa.Index(None, "subject", "occurred_ms"),
    sa.Index(None, "incident"),
    sa.Index(None, "state", "severity", "stored_ms"),
)

# By what alerts of an incident are tied together, and when that was first seen of it.
incident_ties = sa.Table(
    "incident_ties",
    metadata,
    sa.Column("same", sa.String(32), primary_key=True),
    sa.Column("incident", sa.String(64), primary_key=True),
    sa.Column("at_ms", _Milliseconds, nullable=False),
    sa.Index(None, "at_ms"),
)

history = sa.Table(
    "alert_history",
    metadata,
    sa.Column("number", _Serial, primary_key=True, autoincrement=True),
    sa.Column("alert", sa.String(64), sa.ForeignKey("alerts.id", ondelete="CASCADE"), nullable=False),
    sa.Column("at_ms", _Milliseconds, nullable=False),
    sa.Column("actor", sa.String(100), nullable=False),
    sa.Column("action", sa.String(20), nullable=False),
    sa.Column("detail", sa.JSON, nullable=False),
    sa.Index(None, "alert", "number"),
)

switches = sa.Table(
    "switches",
    metadata,
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
    sa.UniqueConstraint("scenario", "detector", "revision"),
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
    sa.Column("reader", sa.String(100), primary_key=True),
    sa.Column("from_ms", _Milliseconds, primary_key=True),
    sa.Column("until_ms", _Milliseconds, nullable=False),
    sa.Column("oldest_ms", _Milliseconds, nullable=False),
    sa.Column("readings", sa.BigInteger, nullable=False),
)

silences = sa.Table(
    "silences",
    metadata,
    sa.Column("reader", sa.String(100), primary_key=True),
    sa.Column("from_ms", _Milliseconds, primary_key=True),
    sa.Column("until_ms", _Milliseconds),
)

positions = sa.Table(
    "positions",
    metadata,
    sa.Column("tag", sa.String(200), primary_key=True),
    sa.Column("item", sa.String(200), nullable=False),
    sa.Column("area", sa.String(100), nullable=False),
    sa.Column("reader", sa.String(100), nullable=False),
    sa.Column("at_ms", _Milliseconds, nullable=False),
    sa.Index(None, "at_ms"),
)

moves = sa.Table(
    "moves",
    metadata,
    sa.Column("tag", sa.String(200), primary_key=True),
    sa.Column("at_ms", _Milliseconds, primary_key=True),
    sa.Column("area", sa.String(100), nullable=False),
    sa.Column("reader", sa.String(100), nullable=False),
    sa.Index(None, "at_ms"),
)

metrics = sa.Table(
    "metrics",
    metadata,
    sa.Column("name", sa.String(50), primary_key=True),
    sa.Column("at_ms", _Milliseconds, primary_key=True),
    sa.Column("value", sa.Float, nullable=False),
    sa.Index(None, "at_ms"),
)

# Totals, the position up to which the log has been counted, and the number of the last change to an alert.
counters = sa.Table(
    "counters",
    metadata,
    sa.Column("name", sa.String(50), primary_key=True),
    sa.Column("value", sa.BigInteger, nullable=False),
)

set_aside = sa.Table(
    "set_aside",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("at_ms", _Milliseconds, nullable=False),
    sa.Column("origin", sa.String(300), nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("payload", sa.Text, nullable=False),
    sa.Index(None, "kind", "at_ms"),
)

parts = sa.Table(
    "parts",
    metadata,
    sa.Column("name", sa.String(50), primary_key=True),
    sa.Column("state", sa.String(10), nullable=False),
    sa.Column("since_ms", _Milliseconds, nullable=False),
    sa.Column("beat_ms", _Milliseconds, nullable=False),
    sa.Column("detail", sa.Text, nullable=False),
)

outbox = sa.Table(
    "outbox",
    metadata,
    sa.Column("number", _Serial, primary_key=True, autoincrement=True),
    sa.Column("topic", sa.String(300), nullable=False),
    sa.Column("payload", sa.Text, nullable=False),
    sa.Column("created_ms", _Milliseconds, nullable=False),
    sa.Column("sent_ms", _Milliseconds),
    sa.Index(None, "sent_ms", "number"),
)
