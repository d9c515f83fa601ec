"""Notices, while Vigil runs, that a site has changed its detectors, and tells the stream."""

from __future__ import annotations

from collections.abc import Callable

from app import store
from app.detection.pipeline import Pipeline
from app.detection.queries import defaults
from detectors import library

FILES_SECONDS = 5.0


class SiteFiles:
    """Call `look` every now and then; what was changed and cannot be used is told in words."""

    def __init__(self, pipeline: Pipeline, now_ms: Callable[[], int]) -> None:
        self._pipeline, self._now_ms = pipeline, now_ms

    def look(self) -> str:
        """What is wrong with the files, for the pages; empty if nothing is."""
        return self._detectors()

    def _detectors(self) -> str:
        """A new one is known from now on, and off; a changed one that is on works as its file says."""
        engine, place = self._pipeline.engine, self._pipeline.scenario
        store.record_defaults(engine, defaults(place), self._now_ms())
        store.record_versions(engine, place.name, self._now_ms())
        faults = library.faults()
        return f"The detectors of before stay: {'; '.join(map(str, faults))}" if faults else ""
