"""Whatever a site has, has the site in its key; what there was belongs to the one without a name."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

# What each table was keyed by until now.
_KEYS = {
    "alerts": ["id"],
    "incident_ties": ["same", "incident"],
    "switches": ["scenario", "detector"],
    "readers": ["reader"],
    "held_readings": ["reader", "from_ms"],
    "silences": ["reader", "from_ms"],
    "positions": ["tag"],
    "moves": ["tag", "at_ms"],
    "metrics": ["name", "at_ms"],
    "counters": ["name"],
    "set_aside": ["id"],
    "parts": ["name"],
}
_INDEXES = {
    "alerts": [
        ["change"],
        ["occurred_ms", "id"],
        *([name, "occurred_ms"] for name in ("state", "detector", "severity", "area", "owner", "subject")),
        ["incident"],
    ],
    "incident_ties": [["at_ms"]],
    "alert_history": [["alert", "number"]],
    "positions": [["at_ms"]],
    "moves": [["at_ms"]],
    "metrics": [["at_ms"]],
    "set_aside": [["kind", "at_ms"]],
    "outbox": [["sent_ms", "number"]],
}
_OPEN = ["state", "severity", "stored_ms"]
_ALERT = "fk_alert_history_alert"
_REVISIONS = ["scenario", "detector", "revision"]


def upgrade() -> None:
    _drop_indexes()
    # SQLite writes a table anew for another key, and forgets with the old one whatever points at it.
    with op.batch_alter_table("alert_history") as batch:
        batch.drop_constraint(_ALERT, type_="foreignkey")
        batch.add_column(_site())
    for table, key in _KEYS.items():
        with op.batch_alter_table(table) as batch:
            batch.add_column(_site())
            batch.drop_constraint(f"pk_{table}", type_="primary")
            batch.create_primary_key(f"pk_{table}", ["site", *key])
    with op.batch_alter_table("alert_history") as batch:
        batch.create_foreign_key(_ALERT, "alerts", ["site", "alert"], ["site", "id"], ondelete="CASCADE")
    with op.batch_alter_table("switch_history") as batch:
        batch.add_column(_site())
        batch.drop_constraint(f"uq_switch_history_{'_'.join(_REVISIONS)}", type_="unique")
        batch.create_unique_constraint(
            f"uq_switch_history_{'_'.join(['site', *_REVISIONS])}", ["site", *_REVISIONS]
        )
    op.add_column("outbox", _site())
    _create_indexes()
    _create_sites()


def _site() -> sa.Column[str]:
    return sa.Column("site", sa.String(length=40), nullable=False, server_default="")


def _drop_indexes() -> None:
    for table, indexes in _INDEXES.items():
        for columns in indexes:
            op.drop_index(f"ix_{table}_{'_'.join(columns)}", table)
    op.drop_index(f"ix_alerts_{'_'.join(_OPEN)}", "alerts")


def _create_indexes() -> None:
    for table, indexes in _INDEXES.items():
        for columns in indexes:
            op.create_index(f"ix_{table}_{'_'.join(['site', *columns])}", table, ["site", *columns])
    columns = ["state", "severity", "site", "stored_ms"]
    op.create_index(f"ix_alerts_{'_'.join(columns)}", "alerts", columns)


def _create_sites() -> None:
    op.create_table(
        "sites",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("scenario", sa.Text(), nullable=False),
        sa.Column("timezone", sa.String(length=100), nullable=False),
        sa.Column("log_url", sa.Text(), nullable=False),
        sa.Column("added_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_sites"),
    )
    op.create_table(
        "account_sites",
        sa.Column("account", sa.String(length=100), nullable=False),
        sa.Column("enters", sa.String(length=40), nullable=False),
        sa.PrimaryKeyConstraint("account", "enters", name="pk_account_sites"),
    )
    op.execute("INSERT INTO account_sites (account, enters) SELECT name, '' FROM accounts")
