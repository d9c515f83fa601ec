"""Small texts beside a site's log: how far consumers are, what ingest keeps; the last of a name counts."""

from __future__ import annotations

from dataclasses import replace

from app.log.jetstream.client import Client
from app.log.jetstream.streams import ensure, state

PART = "notes"
_MAIN = "log"
_COMMITTED = "committed"
_MOST = 1_000


class Notes:
    """In a stream of their own, made by who keeps the first one."""

    def __init__(self, client: Client) -> None:
        self._client, address = client, client.address
        self._address = replace(address, part=PART)
        self._all = f"vigil.{address.site}.{PART}.>"
        self._mine = f"vigil.{address.site}.{PART}.{address.part or _MAIN}"
        self._there = False

    def make(self) -> None:
        """Their stream, if it is missing."""
        if not self._there:
            ensure(self._client, self._address, self._all, most_per_subject=1)
            self._there = True

    def keep(self, name: str, text: str) -> None:
        self.make()
        subject, data = f"{self._mine}.{name}", text.encode()
        self._client.patiently(lambda link: self._client.read(link.request(subject, data)))

    def kept(self, name: str) -> str | None:
        return next(iter(self._last(f"{self._mine}.{name}").values()), None)

    def commit(self, consumer: str, position: int) -> None:
        self.keep(f"{_COMMITTED}.{consumer}", str(position))

    def committed(self) -> dict[str, int]:
        found = self._last(f"{self._mine}.{_COMMITTED}.*")
        return {subject.rpartition(".")[2]: int(text) for subject, text in sorted(found.items())}

    def _last(self, subject: str) -> dict[str, str]:
        if not self._there:
            self._there = state(self._client, self._address.stream) is not None
        if not self._there:
            return {}
        asked = {"multi_last": [subject], "batch": _MOST}
        found = self._client.direct(self._address.stream, asked)
        return {reply.headers["Nats-Subject"]: reply.data.decode() for reply in found}
