"""BPMN written by tests: elements and flows in, a file out."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

HEAD = '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" id="d" targetNamespace="t">'


def elements(text: str) -> str:
    """`start s; task a "Send quote"; exclusiveGateway x; end e` as elements, and `s a x` as flows between."""
    made, flows = [], 0
    for part in filter(None, (part.strip() for part in text.split(";"))):
        found = re.fullmatch(
            r'(\w+(?:Event|Task|Gateway|Activity)|task|start|end) (\w+)(?: "([^"]*)")?', part
        )
        if found:
            tag = {"start": "startEvent", "end": "endEvent"}.get(found[1], found[1])
            name = f' name="{found[3]}"' if found[3] else ""
            made.append(f'<{tag} id="{found[2]}"{name}/>')
            continue
        steps = part.split()
        for source, target in pairwise(steps):
            flows += 1
            made.append(f'<sequenceFlow id="f{flows}" sourceRef="{source}" targetRef="{target}"/>')
    return "".join(made)


def write(folder: Path, inner: str, name: str = "test.bpmn") -> Path:
    path = folder / name
    path.write_text(f'{HEAD}<process id="p" name="Test">{inner}</process></definitions>', encoding="utf-8")
    return path
