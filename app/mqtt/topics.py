"""The topics on which the simulator and the dashboard's Demo page talk; neither of them knows the other."""

from __future__ import annotations

COMMAND = "vigil/simulator/command"
ANSWER = "vigil/simulator/answer"
TRUTH = "vigil/simulator/truth"
DIALS = "vigil/simulator/dials"
