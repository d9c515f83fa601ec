"""Debian's Chromium, as tests and screenshots start it."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, Playwright

PROGRAM = Path("/usr/bin/chromium")
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)


def launch(playwright: Playwright) -> Browser:
    return playwright.chromium.launch(executable_path=str(PROGRAM), args=FLAGS.split())
