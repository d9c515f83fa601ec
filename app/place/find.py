"""Finding a scenario by name: one of those that come with Vigil, or a file of the site's own."""

from __future__ import annotations

from pathlib import Path

import scenarios

SCENARIOS = Path(scenarios.__file__).parent


def find_scenario(name: str) -> Path:
    """The file of a scenario; LookupError lists what there is."""
    path = Path(name) if name.endswith(".yaml") else SCENARIOS / f"{name}.yaml"
    if not path.is_file():
        known = ", ".join(sorted(each.stem for each in SCENARIOS.glob("*.yaml")))
        raise LookupError(f"there is no scenario {name}: one of {known}, or the path of a .yaml file")
    return path.resolve()
