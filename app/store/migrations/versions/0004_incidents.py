"""Alerts belong to incidents; each one of before stands alone."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("alerts", sa.Column("incident", sa.String(length=64), nullable=False, server_default=""))
    op.add_column("alerts", sa.Column("ties", sa.JSON(), nullable=False, server_default="[]"))
    op.execute("UPDATE alerts SET incident = id")
    op.create_index("ix_alerts_incident", "alerts", ["incident"])
    op.create_index("ix_alerts_state_severity_stored_ms", "alerts", ["state", "severity", "stored_ms"])
    op.create_table(
        "incident_ties",
        sa.Column("same", sa.String(length=32), nullable=False),
        sa.Column("incident", sa.String(length=64), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("same", "incident", name="pk_incident_ties"),
    )
    op.create_index("ix_incident_ties_at_ms", "incident_ties", ["at_ms"])
