"""The session that the application and the tests share."""

import os
import sys

from pyspark.sql import SparkSession

from app.spark.session import session, settings_for


def test_python_workers_run_this_interpreter(spark: SparkSession) -> None:
    workers = spark.sparkContext.parallelize([0], 1).map(lambda _: sys.executable).collect()
    assert workers == [sys.executable]


def test_the_jvm_itself_runs_this_interpreter_too(spark: SparkSession) -> None:
    assert spark.sparkContext._jvm is not None
    assert spark.sparkContext._jvm.System.getenv("PYSPARK_PYTHON") == sys.executable


def test_the_driver_listens_on_loopback_only(spark: SparkSession) -> None:
    assert spark.conf.get("spark.driver.bindAddress") == "127.0.0.1"


def test_child_processes_do_not_inherit_the_way_to_the_jvm(spark: SparkSession) -> None:
    assert spark.sparkContext._gateway is not None
    assert "PYSPARK_GATEWAY_PORT" not in os.environ


def test_a_second_call_gives_the_same_session(spark: SparkSession) -> None:
    assert session("again").sparkContext is spark.sparkContext


def test_only_a_driver_without_a_cluster_is_tied_to_this_machine() -> None:
    assert settings_for("local[2]")["spark.driver.host"] == "127.0.0.1"
    assert not {
        name for name in settings_for("spark://10.0.0.1:7077") if name.startswith("spark.driver.host")
    }
    assert "spark.driver.bindAddress" not in settings_for("spark://10.0.0.1:7077")
