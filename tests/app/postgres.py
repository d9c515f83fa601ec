"""A PostgreSQL server of the tests' own, which can be stopped and started again."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
from pathlib import Path

import sqlalchemy as sa

_databases = itertools.count(1)


class Postgres:
    """A PostgreSQL server on a socket in its own folder; it refuses root, so root runs it as `postgres`."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self.programs, self.folder = programs, folder
        self.data = folder / "data"

    def create(self) -> None:
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres")
        self._run("initdb", "-D", str(self.data), "-U", "vigil", "-A", "trust", "-N")

    def start(self) -> None:
        options = f"-k {self.folder} -c listen_addresses='' -c fsync=off"
        self._run(
            "pg_ctl",
            "-D",
            str(self.data),
            "-w",
            "-l",
            str(self.folder / "server.txt"),
            "-o",
            options,
            "start",
        )

    def stop(self) -> None:
        self._run("pg_ctl", "-D", str(self.data), "-w", "-m", "immediate", "stop")

    def url(self, database: str) -> str:
        return f"postgresql+psycopg://vigil@/{database}?host={self.folder}"

    def new_database(self) -> str:
        name = f"vigil_{next(_databases)}"
        server = sa.create_engine(self.url("postgres"), isolation_level="AUTOCOMMIT")
        with server.connect() as connection:
            connection.exec_driver_sql(f"CREATE DATABASE {name}")
        server.dispose()
        return self.url(name)

    def _run(self, program: str, *arguments: str) -> None:
        user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        command = [*user, str(self.programs / program), *arguments]
        subprocess.run(command, check=True, cwd=self.folder, capture_output=True)


def installed() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    return found[-1] if found else None
