"""What Spark's state keeps of a site: how far it is read and matched, the last snapshot of its cleaning."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import uuid4

from sase.spark.bucket.state import Head, read_head, written_head

VERSION = 1
CLEANING = 0  # the level under which its snapshots lie among the blobs; those of matching count from 1


@dataclass(frozen=True, slots=True)
class KeptSite:
    """Everything before `position` was cleaned and matched, but for rows after it that bring nothing about.
    A cleaned stream in some worker's memory is of this site only if it knows its `lineage`."""

    begin: int  # where its log began when it was first read
    position: int
    lineage: str = field(default_factory=lambda: uuid4().hex)
    snapshot: int = 0  # its number; 0: none
    snapshot_position: int = 0
    deadline: int | None = None  # before this time nothing happens of itself
    stuck: str = ""  # why its log cannot be read on
    heads: tuple[Head, ...] = ()

    def read_to(self, position: int, heads: Sequence[Head], deadline: int | None) -> KeptSite:
        return replace(self, position=position, heads=tuple(heads), deadline=deadline, stuck="")


class LaterVersionError(ValueError):
    """The checkpoint is of a later Vigil."""


def written(site: KeptSite) -> str:
    own = {name: getattr(site, name) for name in _OWN}
    return json.dumps(own | {"version": VERSION, "heads": [written_head(head) for head in site.heads]})


def read(text: str) -> KeptSite:
    said: Mapping[str, object] = json.loads(text)
    if int(str(said["version"])) > VERSION:
        raise LaterVersionError(
            f"the checkpoint was written by a later version of Vigil (a site's state has version "
            f"{said['version']}, this one reads {VERSION}): go on with that version, or start with a new one"
        )
    own = {name: said[name] for name in _OWN}
    heads = said["heads"]
    assert isinstance(heads, list)
    return KeptSite(**own, heads=tuple(read_head(head) for head in heads))  # type: ignore[arg-type]


_OWN = ("begin", "position", "lineage", "snapshot", "snapshot_position", "deadline", "stuck")
