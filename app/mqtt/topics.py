"""Every topic that Vigil publishes or listens to; a level below READINGS and STATUS names the reader."""

from __future__ import annotations

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
