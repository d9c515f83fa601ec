"""Follows the log beside the pipeline: where everything is by now, without a word from it."""

from __future__ import annotations

from app import log
from app.cleaning.rebuild import load_once, stream_at
from app.cleaning.setup import CleaningSetup
from app.cleaning.stream import CleanedStream
from app.whereabouts.answers import Answers
from app.whereabouts.names import CatalogNames


class Follower:
    """Begins with the pipeline's last snapshot and reads what has come since: a function of the log."""

    def __init__(self, setup: CleaningSetup) -> None:
        self._setup = setup
        self._scenario = load_once(setup.scenario)
        self._stream: CleanedStream | None = None

    def now(self) -> Answers:
        """As far as the log reaches now; LogError where it was trimmed or is damaged."""
        stream = self._caught_up()
        names = CatalogNames(stream.items)
        return Answers(self._scenario, names, stream.placed(), stream.now, stream.began)

    def _caught_up(self) -> CleanedStream:
        end = log.end(self._setup.log)
        if self._stream is None:
            self._stream = stream_at(self._setup, end)
        while self._stream.position < end:
            for batch in log.read(self._setup.log, self._stream.position, end):
                self._stream.push(batch)
        return self._stream
