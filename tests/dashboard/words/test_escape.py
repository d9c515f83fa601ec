"""Words of others show as they are: nothing in them is read as Markdown, HTML or an address."""

from __future__ import annotations

import pytest

from dashboard.words.escape import escaped, escaped_html


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("JEAN-32", "JEAN\\-32"),
        ("<script>alert(1)</script>", "\\<script\\>alert\\(1\\)\\</script\\>"),
        ("[x](javascript:y)", "\\[x\\]\\(javascript\\:y\\)"),
        ("**bold** `code` $x$", "\\*\\*bold\\*\\* \\`code\\` \\$x\\$"),
        (":material/home: :red[x]", "\\:material/home\\: \\:red\\[x\\]"),
        ("# heading\n- item", "\\# heading \\- item"),
        (None, "None"),
    ],
)
def test_what_markdown_would_read_is_escaped(words: object, shown: str) -> None:
    assert escaped(words) == shown


@pytest.mark.parametrize("words", ["https://evil.example/x", "www.evil.example", "a@evil.example"])
def test_an_address_is_broken_up_invisibly_so_that_it_is_no_link(words: str) -> None:
    assert "\u2060" in escaped(words)
    assert escaped(words).replace("\u2060", "").replace("\\", "") == words


def test_plotly_gets_no_markup() -> None:
    assert escaped_html("<b>&</b>") == "&lt;b&gt;&amp;&lt;/b&gt;"
