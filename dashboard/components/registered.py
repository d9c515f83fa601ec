"""How a component of ours is made known to Streamlit: its HTML, and the CSS and script that lie beside it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

_HERE = Path(__file__).parent


@cache
def component(name: str, html: str, *shared: str) -> Any:
    """Once per process: doing so again with every run would warn and reload it. `shared` are the scripts
    that several of them use."""
    return st.components.v2.component(
        f"vigil_{name}",
        html=html,
        css=(_HERE / f"{name}.css").read_text(),
        js="\n".join((_HERE / f"{one}.js").read_text() for one in (*shared, name)),
        isolate_styles=False,
    )
