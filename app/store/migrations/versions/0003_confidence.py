"""An alert may have no confidence: those from before say nothing about how sure they are."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    # Dropped and added: to alter it, SQLite needs a new table, and to drop the old one empties the histories.
    op.execute("ALTER TABLE alerts DROP COLUMN probability")
    op.add_column("alerts", sa.Column("probability", sa.Float(), nullable=True))
