"""The wall's one state: calm, attention or act, with where and what, in type that grows with the screen."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from dashboard.components.registered import component

_HTML = """<section class="wall" role="status" aria-live="polite">
  <div class="top"><span class="clock"></span><span class="lost"></span></div>
  <div class="word"></div><div class="where"></div><div class="what"></div>
  <div class="last"></div><div class="notices"></div>
</section>"""


@dataclass(frozen=True)
class WallState:
    """`state` is calm, attention or act; `lost` is what to say when the server is not heard any more."""

    state: str
    word: str
    where: str
    what: str
    notices: tuple[str, ...]
    last: str
    clock: str
    lost: str


def show(shown: WallState, at_ms: int, key: str) -> None:
    """`at_ms` changes with every tick: by it the screen knows that it is still told."""
    component("wall", _HTML)(data=json.dumps(asdict(shown) | {"at": at_ms}).encode(), key=key)
