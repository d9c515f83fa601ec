"""The topics of a site: a level deeper at the broker, the same for everybody else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app import site_name
from app.mqtt import publish, topics
from tests.app.brokers import Mosquitto, until
from tests.app.mqtt.test_subscriber import publications, receiving
from tests.app.processes import numbers


@pytest.mark.parametrize("topic", ["vigil/readings/+", "vigil/status/door", "vigil/control"])
def test_a_topic_of_a_site_and_back(topic: str) -> None:
    deeper = topics.at_site("north", topic)
    assert deeper == topic.replace("vigil/", "vigil/north/")
    assert topics.without_site("north", deeper) == topic
    assert topics.without_site("south", deeper) == deeper
    assert topics.at_site("", topic) == topics.without_site("", topic) == topic


def test_topics_that_are_not_vigils_own_are_left_alone() -> None:
    assert topics.at_site("north", "zebra/+/tags") == "zebra/+/tags"


def test_no_site_can_have_the_name_of_a_topic() -> None:
    named = [value for name, value in vars(topics).items() if name.isupper() and name != "ROOT"]
    assert {topic.split("/")[1] for topic in named} == set(site_name.RESERVED)


def test_sites_at_one_broker_do_not_hear_each_other(mosquitto: Mosquitto, tmp_path: Path) -> None:
    north, south = (replace(mosquitto.connection, site=name) for name in ("north", "south"))
    with receiving(north, tmp_path / "north"):
        publish.send(south, publications(100, 5))
        publish.send(mosquitto.connection, publications(200, 5))
        publish.send(north, publications(0, 5))
        until(lambda: len(numbers(tmp_path / "north")) == 5)
    assert numbers(tmp_path / "north") == [0, 1, 2, 3, 4]
