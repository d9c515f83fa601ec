"""Where things probably are: a state over entities and places that sightings refine, and questions to it.

It knows entities, places and sensors, nothing of what they are for (the Berkeley report of 2005, section 4).
"""

from sase.belief.learning.rounds import learn, likelihood
from sase.belief.state import State
from sase.belief.world.model import Model
from sase.belief.world.sensors import Gate, Watch

__all__ = ["Gate", "Model", "State", "Watch", "learn", "likelihood"]
