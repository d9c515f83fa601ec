"""All detectors of an installation: Vigil's own and those in the site's folder, noticed when it changes."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from pathlib import Path

from detectors.detector import Composite, Detector
from detectors.document import Fault, FaultyFileError
from detectors.load import HERE, Loaded, load_folder

# The environment, because every process needs it, those too that Spark starts.
SITE = "VIGIL_DETECTORS"
_log = logging.getLogger(__name__)

_Stamp = tuple[tuple[str, int, int], ...]


class _SiteFolder:
    """What a folder holds; while a file in it has a fault, what it held before."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stamp: _Stamp | None = None
        self._good: Loaded | None = None
        self.faults: tuple[Fault, ...] = ()

    def loaded(self) -> Loaded:
        stamp = _stamp(self._folder)
        if stamp != self._stamp:
            self._look(stamp)
        if self._good is None:
            raise FaultyFileError(self.faults)
        return self._good

    def _look(self, stamp: _Stamp) -> None:
        self._stamp, self.faults = stamp, ()
        try:
            self._good = load_folder(self._folder, stamp)
        except FaultyFileError as error:
            self.faults = error.faults
            _log.warning("The detectors of before stay, because of faults:\n%s", error)


_known: dict[Path, _SiteFolder] = {}


def load(folder: Path | None = None) -> dict[str, Detector]:
    """The detectors by name, of this folder or else of the installation: of two with one name the site's.
    FaultyFileError if a file has a fault, and has had one ever since this process began."""
    return dict(load_folder(folder)[0]) if folder else load_folder(HERE)[0] | _site_loaded()[0]


def composites(folder: Path | None = None) -> dict[str, Composite]:
    """The composite events by name, each before those that read it."""
    return dict(load_folder(folder)[1]) if folder else load_folder(HERE)[1] | _site_loaded()[1]


def of_site() -> frozenset[str]:
    """The names of the detectors that are the site's own."""
    return frozenset(_site_loaded()[0])


def faults() -> tuple[Fault, ...]:
    """What is wrong with the site's files now, though its detectors of before go on."""
    site = _site()
    if site is None:
        return ()
    try:
        site.loaded()
    except FaultyFileError as error:
        return error.faults
    return site.faults


def use(folder: Path | None) -> None:
    """Take this folder as the site's, here and in the processes that this one starts."""
    if folder is not None:
        os.environ[SITE] = str(folder.resolve())


def _site() -> _SiteFolder | None:
    named = os.environ.get(SITE)
    return _known.setdefault(Path(named), _SiteFolder(Path(named))) if named else None


def _site_loaded() -> Loaded:
    site = _site()
    return site.loaded() if site else ({}, {})


def _stamp(folder: Path) -> _Stamp:
    found = []
    for path in sorted([*folder.glob("*.yaml"), *folder.glob("*/*.yaml")]):
        with suppress(FileNotFoundError):  # taken away meanwhile
            stat = path.stat()
            found.append((str(path), stat.st_mtime_ns, stat.st_size))
    return tuple(found)
