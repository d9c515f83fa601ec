"""Why and until when a detector is off; what people did to alerts and wrote about them can be searched."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    for table in ("switches", "switch_history"):
        op.add_column(table, sa.Column("reason", sa.Text(), nullable=False, server_default=""))
        op.add_column(table, sa.Column("until_ms", sa.BigInteger(), nullable=True))
    _make_searchable(op.get_bind())


def _make_searchable(connection: sa.Connection) -> None:
    treated = sa.text(
        "SELECT id, words, owner, resolution, reason FROM alerts "
        "WHERE owner IS NOT NULL OR resolution IS NOT NULL"
    )
    found = {row.id: list(row[1:]) for row in connection.execute(treated)}
    noted = sa.text(
        "SELECT a.id, a.words, h.detail FROM alert_history h JOIN alerts a ON a.id = h.alert "
        "WHERE h.action = 'noted' ORDER BY h.number"
    )
    for row in connection.execute(noted):
        detail = json.loads(row.detail) if isinstance(row.detail, str) else row.detail
        found.setdefault(row.id, [row.words]).append(detail.get("text"))
    for alert, parts in found.items():
        words = " ".join(part for part in parts if part).casefold()
        connection.execute(
            sa.text("UPDATE alerts SET words = :words WHERE id = :id"), {"words": words, "id": alert}
        )
