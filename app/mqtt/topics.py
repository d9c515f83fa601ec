"""Every topic that Vigil publishes or listens to; a level below READINGS and STATUS names the reader.

A site with a name has them a level deeper, below `vigil/<site>/`. Only who talks to a broker knows of it:
what comes from there is the site's own, whatever a message says.
"""

from __future__ import annotations

ROOT = "vigil/"

READINGS = "vigil/readings"
STATUS = "vigil/status"
CONTROL = "vigil/control"
ALERTS = "vigil/alerts"
CHANGED = f"{ALERTS}/changed"
INCIDENTS = "vigil/incidents"
DOCTOR = "vigil/doctor"

# On these the simulator and the dashboard's Demo page talk; neither of them knows the other.
SIMULATOR_COMMAND = "vigil/simulator/command"
SIMULATOR_ANSWER = "vigil/simulator/answer"
SIMULATOR_TRUTH = "vigil/simulator/truth"
SIMULATOR_DIALS = "vigil/simulator/dials"
SIMULATOR_PEOPLE = "vigil/simulator/people"
SIMULATOR_STORY = "vigil/simulator/story"
SIMULATOR_WHERE = "vigil/simulator/where"
# The time of the world that is played, among the readings: ingest goes by it where `clock = "simulation"`.
SIMULATOR_CLOCK = "vigil/simulator/clock"


def at_site(site: str, topic: str) -> str:
    """The topic or filter as a broker knows it; those that are not Vigil's own stay as they are."""
    return f"{ROOT}{site}/{topic.removeprefix(ROOT)}" if site and topic.startswith(ROOT) else topic


def without_site(site: str, topic: str) -> str:
    """The topic as everybody else knows it."""
    mine = f"{ROOT}{site}/"
    return f"{ROOT}{topic.removeprefix(mine)}" if site and topic.startswith(mine) else topic
