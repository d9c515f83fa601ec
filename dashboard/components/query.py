"""A query in colours, each word as the language itself reads it."""

from __future__ import annotations

import json

from dashboard.components.registered import component
from dashboard.pictures.colouring import pieces

_HTML = '<pre class="query" tabindex="0"><code></code></pre>'


def show(query: str, key: str) -> None:
    component("query", _HTML)(data=json.dumps(pieces(query.rstrip())).encode(), key=key)
