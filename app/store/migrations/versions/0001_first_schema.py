"""The first schema."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "account_history",
        sa.Column(
            "number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("account", sa.String(length=100), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("actor", sa.String(length=100), nullable=False),
        sa.Column("action", sa.String(length=20), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_account_history"),
    )
    op.create_index("ix_account_history_account_number", "account_history", ["account", "number"])

    op.create_table(
        "accounts",
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("role", sa.String(length=10), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_accounts"),
    )
    op.create_table(
        "alerts",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("change", sa.BigInteger(), nullable=False),
        sa.Column("scenario", sa.String(length=100), nullable=False),
        sa.Column("detector", sa.String(length=100), nullable=False),
        sa.Column("version", sa.String(length=64), nullable=False),
        sa.Column("severity", sa.String(length=20), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("subject", sa.String(length=200), nullable=False),
        sa.Column("area", sa.String(length=100), nullable=False),
        sa.Column("started_ms", sa.BigInteger(), nullable=False),
        sa.Column("occurred_ms", sa.BigInteger(), nullable=False),
        sa.Column("detected_ms", sa.BigInteger(), nullable=False),
        sa.Column("stored_ms", sa.BigInteger(), nullable=False),
        sa.Column("explanation", sa.Text(), nullable=False),
        sa.Column("advice", sa.Text(), nullable=False),
        sa.Column("evidence", sa.JSON(), nullable=False),
        sa.Column("unproven", sa.Boolean(), nullable=False),
        sa.Column("probability", sa.Float(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("owner", sa.String(length=100), nullable=True),
        sa.Column("resolution", sa.String(length=30), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("snoozed_until_ms", sa.BigInteger(), nullable=True),
        sa.Column("words", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_alerts"),
    )
    op.create_index("ix_alerts_area_occurred_ms", "alerts", ["area", "occurred_ms"])
    op.create_index("ix_alerts_change", "alerts", ["change"])
    op.create_index("ix_alerts_detector_occurred_ms", "alerts", ["detector", "occurred_ms"])
    op.create_index("ix_alerts_occurred_ms_id", "alerts", ["occurred_ms", "id"])
    op.create_index("ix_alerts_owner_occurred_ms", "alerts", ["owner", "occurred_ms"])
    op.create_index("ix_alerts_severity_occurred_ms", "alerts", ["severity", "occurred_ms"])
    op.create_index("ix_alerts_state_occurred_ms", "alerts", ["state", "occurred_ms"])
    op.create_index("ix_alerts_subject_occurred_ms", "alerts", ["subject", "occurred_ms"])

    op.create_table(
        "counters",
        sa.Column("name", sa.String(length=50), nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_counters"),
    )
    op.create_table(
        "metrics",
        sa.Column("name", sa.String(length=50), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("name", "at_ms", name="pk_metrics"),
    )
    op.create_index("ix_metrics_at_ms", "metrics", ["at_ms"])

    op.create_table(
        "moves",
        sa.Column("tag", sa.String(length=200), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("area", sa.String(length=100), nullable=False),
        sa.Column("reader", sa.String(length=100), nullable=False),
        sa.PrimaryKeyConstraint("tag", "at_ms", name="pk_moves"),
    )
    op.create_index("ix_moves_at_ms", "moves", ["at_ms"])

    op.create_table(
        "outbox",
        sa.Column(
            "number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("topic", sa.String(length=300), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.Column("sent_ms", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("number", name="pk_outbox"),
    )
    op.create_index("ix_outbox_sent_ms_number", "outbox", ["sent_ms", "number"])

    op.create_table(
        "parts",
        sa.Column("name", sa.String(length=50), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("since_ms", sa.BigInteger(), nullable=False),
        sa.Column("beat_ms", sa.BigInteger(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_parts"),
    )
    op.create_table(
        "positions",
        sa.Column("tag", sa.String(length=200), nullable=False),
        sa.Column("item", sa.String(length=200), nullable=False),
        sa.Column("area", sa.String(length=100), nullable=False),
        sa.Column("reader", sa.String(length=100), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("tag", name="pk_positions"),
    )
    op.create_index("ix_positions_at_ms", "positions", ["at_ms"])

    op.create_table(
        "readers",
        sa.Column("reader", sa.String(length=100), nullable=False),
        sa.Column("area", sa.String(length=100), nullable=False),
        sa.Column("last_seen_ms", sa.BigInteger(), nullable=True),
        sa.Column("readings", sa.BigInteger(), nullable=False),
        sa.Column("per_second", sa.Float(), nullable=False),
        sa.Column("silent_since_ms", sa.BigInteger(), nullable=True),
        sa.Column("overflows", sa.BigInteger(), nullable=False),
        sa.Column("antenna_faults", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("reader", name="pk_readers"),
    )
    op.create_table(
        "set_aside",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("origin", sa.String(length=300), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_set_aside"),
    )
    op.create_index("ix_set_aside_kind_at_ms", "set_aside", ["kind", "at_ms"])

    op.create_table(
        "silences",
        sa.Column("reader", sa.String(length=100), nullable=False),
        sa.Column("from_ms", sa.BigInteger(), nullable=False),
        sa.Column("until_ms", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("reader", "from_ms", name="pk_silences"),
    )
    op.create_table(
        "switch_history",
        sa.Column(
            "number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("scenario", sa.String(length=100), nullable=False),
        sa.Column("detector", sa.String(length=100), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("actor", sa.String(length=100), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("parameters", sa.JSON(), nullable=False),
        sa.Column("undoes", sa.Integer(), nullable=True),
        sa.Column("applied_ms", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("number", name="pk_switch_history"),
        sa.UniqueConstraint(
            "scenario", "detector", "revision", name="uq_switch_history_scenario_detector_revision"
        ),
    )
    op.create_table(
        "switches",
        sa.Column("scenario", sa.String(length=100), nullable=False),
        sa.Column("detector", sa.String(length=100), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("parameters", sa.JSON(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("scenario", "detector", name="pk_switches"),
    )
    op.create_table(
        "alert_history",
        sa.Column(
            "number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("alert", sa.String(length=64), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("actor", sa.String(length=100), nullable=False),
        sa.Column("action", sa.String(length=20), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["alert"], ["alerts.id"], name="fk_alert_history_alert", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("number", name="pk_alert_history"),
    )
    op.create_index("ix_alert_history_alert_number", "alert_history", ["alert", "number"])
