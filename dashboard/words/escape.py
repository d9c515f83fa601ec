"""Makes words of others (tags, payloads, notes) show as they are where Markdown or Plotly would read more."""

from __future__ import annotations

import re

_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|~>$:<&^=])")
# Markdown turns bare addresses into links after escapes are gone; an invisible joiner inside prevents it.
_ADDRESS = re.compile(r"(?i)(\w+(?=://)|www(?=\.)|mailto(?=:)|xmpp(?=:)|(?<=\S)(?=@))")
_JOINER = "\u2060"


def escaped(words: object) -> str:
    """One line of Markdown that shows exactly these words."""
    joined = _ADDRESS.sub(lambda found: found[0] + _JOINER, " ".join(str(words).split()))
    return _SPECIAL.sub(r"\\\1", joined)


def escaped_html(words: object) -> str:
    """The same for Plotly, which reads a little HTML in its texts."""
    return str(words).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
