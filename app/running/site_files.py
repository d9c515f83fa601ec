"""Notices, while Vigil runs, that a site has changed its detectors or its catalog, and tells the stream."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from app import store
from app.cleaning import catalogs
from app.detection.pipeline import Pipeline
from app.detection.queries import defaults
from app.place import scenario
from app.place.scenario import Scenario
from detectors import library
from detectors.document import FaultyFileError

FILES_SECONDS = 5.0
_log = logging.getLogger(__name__)


class SiteFiles:
    """Call `look` every now and then; what was changed and cannot be used is told in words."""

    def __init__(self, pipeline: Pipeline, now_ms: Callable[[], int]) -> None:
        self._pipeline, self._now_ms = pipeline, now_ms
        self._stamp: tuple[tuple[str, int], ...] = ()
        self._files: list[Path] = [pipeline.cleaning.scenario]
        self._about_catalog = ""

    def look(self) -> str:
        """What is wrong with the files, for the pages; empty if nothing is."""
        stamp = tuple((str(path), _changed_at(path)) for path in self._files)
        if stamp != self._stamp:
            self._files = scenario.files_of(self._pipeline.cleaning.scenario)
            self._stamp = tuple((str(path), _changed_at(path)) for path in self._files)
            self._about_catalog = self._catalog()
        return " ".join(words for words in (self._about_catalog, self._detectors()) if words)

    def _detectors(self) -> str:
        """A new one is known from now on, and off; a changed one that is on works as its file says."""
        engine, place = self._pipeline.engine, self._pipeline.scenario
        store.record_defaults(engine, defaults(place), self._now_ms())
        store.record_versions(engine, place.name, self._now_ms())
        faults = library.faults()
        return f"The detectors of before stay: {'; '.join(map(str, faults))}" if faults else ""

    def _catalog(self) -> str:
        """A new delivery counts from where the log says so, in the process that goes on and after a kill."""
        place, folder = self._pipeline.scenario, self._pipeline.cleaning.catalogs
        try:
            found = scenario.load(self._pipeline.cleaning.scenario)
            items = catalogs.fitted(found.items, place.items.schema)
        except (FaultyFileError, pa.ArrowInvalid) as error:
            _log.warning("The catalog of before stays: %s", error)
            return f"The catalog of before stays: {error}"
        begun_with = catalogs.first(folder)
        name = catalogs.keep(folder, items)
        if store.record_catalog(self._pipeline.engine, place.name, name, begun_with, self._now_ms()):
            _log.info("The catalog has changed: %s items", len(items))
        return _needs_restart(place, found)


def _needs_restart(old: Scenario, new: Scenario) -> str:
    if new.items.schema.names != old.items.schema.names:
        return "The catalog has other columns than before: they count from the next start."
    only_catalog = replace(new, items=old.items, doses=old.doses, loans=old.loans)
    if only_catalog != replace(old, items=old.items):
        return "The scenario's file has changed in more than its catalog: that counts from the next start."
    return ""


def _changed_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return 0
