"""A query in colours, each word as the language itself reads it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from dashboard.pictures.colouring import pieces

_HERE = Path(__file__).parent


@cache
def _component() -> Any:
    return st.components.v2.component(
        "vigil_query",
        html='<pre class="query" tabindex="0"><code></code></pre>',
        css=(_HERE / "query.css").read_text(),
        js=(_HERE / "query.js").read_text(),
        isolate_styles=False,
    )


def show_query(query: str, key: str) -> None:
    _component()(data=json.dumps(pieces(query.rstrip())).encode(), key=key)
