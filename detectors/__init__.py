"""The presets: what Vigil detects, one short file each; `ls` is the feature list."""

from detectors.library import composites, load

__all__ = ["composites", "load"]
