"""Finding a scenario by name: one of those that come with Vigil, or a file of the site's own."""

from __future__ import annotations

from pathlib import Path

import scenarios

FOLDER = Path(scenarios.__file__).parent


def find(name: str) -> Path:
    """The file of a scenario; LookupError lists what there is."""
    path = Path(name) if name.endswith(".yaml") else FOLDER / f"{name}.yaml"
    if not path.is_file():
        known = ", ".join(sorted(each.stem for each in FOLDER.glob("*.yaml")))
        raise LookupError(f"there is no scenario {name}: one of {known}, or the path of a .yaml file")
    return path.resolve()
