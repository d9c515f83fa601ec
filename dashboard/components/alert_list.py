"""The list of alerts: a row opens on a click, several are chosen with their boxes, both outlive an update."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from dashboard.components.registered import component
from dashboard.words import text

_HTML = """<div class="alert-list"><table>
  <thead><tr></tr></thead><tbody></tbody>
</table></div>"""


@dataclass(frozen=True)
class ListRow:
    """One alert, every word ready to be shown as it is; `cells` in the order of the headings."""

    id: str
    colour: str
    name: str
    cells: tuple[str, ...]


def show(headings: Sequence[str], rows: Sequence[ListRow], key: str) -> list[str]:
    """The ids of the rows that are chosen."""
    data = {
        "headings": list(headings),
        "rows": [asdict(row) for row in rows],
        "words": {"table": text.alerts.ALERTS_TABLE, "choose": text.alerts.CHOOSE},
    }
    result = component("alert_list", _HTML)(
        data=json.dumps(data).encode(), key=key, default={"chosen": []}, on_chosen_change=lambda: None
    )
    return list(getattr(result, "chosen", None) or [])
