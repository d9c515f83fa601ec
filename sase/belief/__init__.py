"""Where things probably are: a state over entities and places that sightings refine, and questions to it.

It knows entities, places and sensors, nothing of what they are for (the Berkeley report of 2005, section 4).
"""

from sase.belief.learning import learn, likelihood
from sase.belief.model import Model
from sase.belief.sensors import Gate, Watch
from sase.belief.state import State

__all__ = ["Gate", "Model", "State", "Watch", "learn", "likelihood"]
