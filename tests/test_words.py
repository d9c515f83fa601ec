"""One word for one thing: a newcomer who has met a name knows it wherever it comes again."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("sase", "app", "dashboard", "simulator", "detectors")
SAME_THING = {"Incident"}  # what a detector should find: the simulator tells it, the demo's page hears of it
TEXTS = "dashboard/words/text"  # a page's texts are read with the page's name before them


def _modules(package: str) -> Iterator[tuple[str, ast.Module]]:
    for path in sorted((ROOT / package).rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if "migrations" not in name and not name.startswith(TEXTS):
            yield name, ast.parse(path.read_text())


def _numbers(module: ast.Module) -> Iterator[tuple[str, float]]:
    """The public constants of a module: `A = 1`, and `A, B = range(2)` or `A, B = 1, 2`."""
    for node in module.body:
        if isinstance(node, ast.Assign):
            (target,) = node.targets
            names = target.elts if isinstance(target, ast.Tuple) else [target]
            for name, value in zip(names, _values(node.value, len(names)), strict=False):
                public = isinstance(name, ast.Name) and name.id.isupper() and not name.id.startswith("_")
                if public and value is not None:
                    yield name.id, value


def _values(value: ast.expr, count: int) -> Iterator[float | None]:
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "range":
        yield from range(count)
        return
    for part in value.elts if isinstance(value, ast.Tuple) else [value]:
        number = isinstance(part, ast.Constant) and isinstance(part.value, int | float)
        yield part.value if number else None


def test_no_two_classes_share_a_name() -> None:
    homes = defaultdict(list)
    for package in PACKAGES:
        for name, module in _modules(package):
            for node in module.body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    homes[node.name].append(name)
    assert {name: where for name, where in homes.items() if len(where) > 1 and name not in SAME_THING} == {}


def test_constants_of_one_name_are_one_number() -> None:
    shared = {}
    for package in PACKAGES:
        homes = defaultdict(lambda: defaultdict(list))
        for name, module in _modules(package):
            for constant, value in _numbers(module):
                homes[constant][value].append(name)
        shared |= {constant: dict(values) for constant, values in homes.items() if len(values) > 1}
    assert shared == {}
