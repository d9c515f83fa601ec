"""Readers' clocks, the share of their readings that comes late, and what they held back."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("readers", sa.Column("offset_ms", sa.BigInteger(), nullable=True))
    op.add_column("readers", sa.Column("clock_jumps", sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column("readers", sa.Column("late_share", sa.Float(), nullable=False, server_default="0"))
    op.create_table(
        "held_readings",
        sa.Column("reader", sa.String(length=100), nullable=False),
        sa.Column("from_ms", sa.BigInteger(), nullable=False),
        sa.Column("until_ms", sa.BigInteger(), nullable=False),
        sa.Column("oldest_ms", sa.BigInteger(), nullable=False),
        sa.Column("readings", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("reader", "from_ms", name="pk_held_readings"),
    )
