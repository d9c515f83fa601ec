"""Settings: where they come from, what wins, and how faults are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from app import settings
from app.log_address import StreamAddress
from app.running.pipeline_process import spark_options
from app.settings import Settings, SettingsError


def write(folder: Path, text: str) -> Path:
    file = folder / "vigil.toml"
    file.write_text(text)
    return file


def test_without_anything_said_everything_is_local(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    loaded = settings.load(None, {})
    assert loaded == Settings()
    assert loaded.broker_url == "mqtt://127.0.0.1:1883"
    assert loaded.dashboard_host == "127.0.0.1"
    assert loaded.store == "sqlite:///data/store.db"


def test_a_file_in_the_folder_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, 'spark_master = "spark://host:7077"')
    monkeypatch.chdir(tmp_path)
    assert settings.load(None, {}).spark_master == "spark://host:7077"


def test_the_environment_overrides_the_file(tmp_path: Path) -> None:
    file = write(tmp_path, 'dashboard_port = 9000\ntopics = ["a/#", "b/#"]')
    loaded = settings.load(file, {"VIGIL_DASHBOARD_PORT": "9001", "HOME": "/"})
    assert (loaded.dashboard_port, loaded.topics) == (9001, ("a/#", "b/#"))


def test_all_faults_are_told_at_once_with_their_place(tmp_path: Path) -> None:
    file = write(tmp_path, 'brokerurl = "x"\ndashboard_port = "many"\nlateness_ms = -1\nbroker_key = "k"')
    with pytest.raises(SettingsError) as raised:
        settings.load(file, {"VIGIL_STORE_URL": "mysql://host/vigil", "VIGIL_BROKER_URL": "http://host"})
    assert raised.value.faults == (
        f"{file}: dashboard_port: a whole number expected",
        f"{file}: brokerurl: no such setting; did you mean broker_url?",
        "broker_url: mqtt://host:1883 or mqtts://host:8883 expected, not 'host'",
        "broker_certificate and broker_key belong together: set both or neither",
        "broker_key: there is no file k",
        "store_url: SQLite and PostgreSQL are supported, mysql is not",
        "lateness_ms: -1 is outside 0 to 3600000",
    )


@pytest.mark.parametrize(
    "text", ["= 1", "data = 5", "topics = [1]", "dashboard_port = true", 'store_url = "x"']
)
def test_what_cannot_be_read_is_a_fault_and_no_crash(tmp_path: Path, text: str) -> None:
    with pytest.raises(SettingsError):
        settings.load(write(tmp_path, text), {})


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"VIGIL_LOG_URL": "http://host"}, "log_url: nats://host:4222/stream or tls"),
        ({"VIGIL_LOG_URL": "nats://me:hush@host/vigil"}, "expected, without a user"),
        ({"VIGIL_LOG_URL": "nats://host:99999"}, "log_url: host:port expected"),
        ({"VIGIL_LOG_URL": "nats://host/a.b"}, "letters, digits, - and _ only"),
        ({"VIGIL_LOG_KEY": "k"}, "log_certificate and log_key belong together"),
        ({"VIGIL_LOG_CA": "k"}, "log_ca: there is no file k"),
        ({"VIGIL_LOG_HUB": "HUB"}, "log_hub: set `site` and `log_url` too"),
        ({"VIGIL_LOG_HUB": "a.>"}, "log_hub: the hub's JetStream domain expected"),
        ({"VIGIL_LOG_REPLICAS": "9"}, "log_replicas: 9 is outside 1 to 5"),
    ],
)
def test_faults_of_the_logs_settings_are_told_without_a_secret(given: dict[str, str], fault: str) -> None:
    with pytest.raises(SettingsError) as raised:
        settings.load(None, given)
    assert fault in str(raised.value)
    assert "hush" not in str(raised.value)


def test_the_log_is_a_folder_among_the_data_or_the_stream_that_is_set(tmp_path: Path) -> None:
    assert Settings(data=tmp_path).log == tmp_path / "log"
    url, access = "nats://a:4222,[::1]:4333/s-1", {"log_user": "u", "log_password": "hush"}
    chosen = Settings(data=tmp_path, log_url=url, log_replicas=3, **access)
    assert isinstance(chosen.log, StreamAddress)
    assert str(chosen.log) == url
    assert (chosen.log.servers, chosen.log.replicas) == ((("a", 4222), ("::1", 4333)), 3)
    assert (chosen.log.user, chosen.log.password) == ("u", "hush")
    assert "hush" not in f"{chosen} {chosen.log!r}"


def test_a_file_that_was_named_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        settings.load(tmp_path / "none.toml", {})


def test_settings_survive_the_way_to_a_child_process(tmp_path: Path) -> None:
    original = Settings(data=tmp_path, topics=("a", "b"), dashboard_port=9, recording_days=0.5)
    assert settings.load(None, settings.as_environment(original)) == original


def test_secrets_are_not_shown() -> None:
    shown = repr(Settings(broker_password="hunter2", store_url="postgresql://u:hunter2@host/db"))
    assert "hunter2" not in shown
    assert settings.hidden("postgresql://u:hunter2@host/db") == "postgresql://u:***@host/db"


def test_a_password_in_the_brokers_url_is_refused() -> None:
    with pytest.raises(SettingsError, match="set VIGIL_BROKER_PASSWORD") as raised:
        settings.load(None, {"VIGIL_BROKER_URL": "mqtt://u:hunter2@host"})
    assert "hunter2" not in str(raised.value)


def test_options_of_sparks_pass_through_the_file_and_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "vigil.toml"
    file.write_text('[spark]\nexecutor.memory = "4g"\n"spark.executor.cores" = 2\nspeculation = true\n')
    chosen = settings.load(file, {})
    expected = {"spark.executor.memory": "4g", "spark.executor.cores": "2", "spark.speculation": "true"}
    assert chosen.spark == expected
    assert settings.load(None, settings.as_environment(chosen)).spark == expected
    assert spark_options(chosen)["spark.executor.memory"] == "4g"


def test_what_another_setting_decides_is_no_option_of_sparks(tmp_path: Path) -> None:
    file = tmp_path / "vigil.toml"
    file.write_text('[spark]\ndriver.memory = "4g"\n')
    with pytest.raises(SettingsError, match=r"set spark_memory instead of spark\.driver\.memory"):
        settings.load(file, {})


def test_the_processes_of_a_site_have_data_and_a_stream_of_their_own(tmp_path: Path) -> None:
    file = write(tmp_path, 'site = "north"\nlog_url = "nats://hub:4222"')
    loaded = settings.load(file, {})
    assert loaded.data == Path("data/north")
    assert isinstance(loaded.log, StreamAddress)
    assert (loaded.log.stream, loaded.log.subject) == ("north", "vigil.north.frames")
    assert settings.load(None, settings.as_environment(loaded)) == loaded
    assert settings.load(file, {"VIGIL_DATA": "elsewhere"}).data == Path("elsewhere")


@pytest.mark.parametrize("name", ["a/b", "#", "Berlin", "readings", "x" * 5_000])
def test_a_site_that_cannot_be_called_so_is_a_fault_of_the_settings(tmp_path: Path, name: str) -> None:
    with pytest.raises(SettingsError) as raised:
        settings.load(write(tmp_path, f'site = "{name}"'), {})
    [fault] = raised.value.faults
    assert fault.startswith("site: ")
    assert len(fault) < 200


def test_the_stream_of_another_site_is_a_fault(tmp_path: Path) -> None:
    file = write(tmp_path, 'site = "north"\nlog_url = "nats://hub:4222/south"')
    with pytest.raises(SettingsError, match="log_url: the stream of the site north has its name, not south"):
        settings.load(file, {})
