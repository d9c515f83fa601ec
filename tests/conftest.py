"""Fixtures that several folders of tests share."""

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from app.spark import session


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """One local Spark for the whole run: starting it takes ten seconds."""
    opened = session("tests")
    yield opened
    opened.stop()
