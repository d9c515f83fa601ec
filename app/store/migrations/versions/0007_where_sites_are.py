"""Sites have a place on a map: degrees of longitude and latitude, or any plan's own x and y."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("sites", sa.Column("x", sa.Float))
    op.add_column("sites", sa.Column("y", sa.Float))
    op.add_column("sites", sa.Column("on_earth", sa.Boolean, nullable=False, server_default=sa.false()))
