"""BPMN 2.0 as any modeller saves it: what happens in a process, without how it is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from app.constraints.process import DrawnProcess, FlowNode, Repeats, Role, Way
from app.constraints.type_names import LONGEST, event_type
from app.constraints.xml_elements import UnusableWorkflowError, XmlElement, read_xml

NAMESPACE = "http://www.omg.org/spec/BPMN/20100524/MODEL"
_TASKS = {
    *("task", "userTask", "manualTask", "serviceTask", "scriptTask", "sendTask", "receiveTask"),
    *("businessRuleTask", "callActivity"),
}
_ROLES = {
    **dict.fromkeys(_TASKS, Role.TASK),
    "startEvent": Role.START,
    "endEvent": Role.PASS,
    "intermediateCatchEvent": Role.PASS,
    "intermediateThrowEvent": Role.PASS,
    "boundaryEvent": Role.INTERRUPT,
    "exclusiveGateway": Role.CHOICE,
    "eventBasedGateway": Role.CHOICE,
    "parallelGateway": Role.ALL,
    "subProcess": Role.PART,
    "transaction": Role.PART,
}
_REFUSED = {
    "inclusiveGateway": "an inclusive gateway; draw its combinations with exclusive and parallel ones",
    "complexGateway": "a complex gateway; draw it with exclusive and parallel ones",
    "adHocSubProcess": "an ad-hoc sub-process, whose tasks have no order",
}
_REFUSED_EVENTS = {
    "linkEventDefinition": "a link event; draw the sequence flow",
    "compensateEventDefinition": "compensation",
    "cancelEventDefinition": "the cancelling of a transaction",
}
_ENDS_ALL = {"terminateEventDefinition", "errorEventDefinition"}


def read_process(path: Path, wanted: str | None = None) -> DrawnProcess:
    """The one process of a file that has tasks, or that of this id or name."""
    root = read_xml(path)
    if (root.namespace, root.name) != (NAMESPACE, "definitions"):
        raise UnusableWorkflowError(
            f"{path.name}, line {root.line}: this is no BPMN 2.0: it begins with <{root.name}>, not with "
            f"<definitions> of {NAMESPACE}"
        )
    return _Drawing(path.name, _pools(root)).process(_chosen(path, root, wanted))


def _pools(root: XmlElement) -> dict[str, str]:
    """The titles of the pools by the process that each holds."""
    held = (pool for one in root.each("collaboration") for pool in one.each("participant"))
    return {pool.attributes.get("processRef", ""): pool.attributes.get("name", "") for pool in held}


def _chosen(path: Path, root: XmlElement, wanted: str | None) -> XmlElement:
    found = [one for one in root.each("process") if any(child.name in _ROLES for child in one.children)]
    names = [_title(one, _pools(root)) for one in found]
    if wanted is not None:
        found = [
            one
            for one, name in zip(found, names, strict=True)
            if wanted in (name, one.attributes.get("id"), one.attributes.get("name"))
        ]
    if len(found) == 1:
        return found[0]
    if not names:
        raise UnusableWorkflowError(f"{path.name}: there is no process in it")
    raise UnusableWorkflowError(f"{path.name}: choose a process with --process: {', '.join(names)}")


def _title(process: XmlElement, pools: dict[str, str]) -> str:
    id_ = process.attributes.get("id", "")
    return pools.get(id_) or process.attributes.get("name") or id_


class _Drawing:
    """Reads the elements of one file, each fault with its line."""

    def __init__(self, file: str, pools: dict[str, str]) -> None:
        self._file, self._pools = file, pools

    def process(self, element: XmlElement) -> DrawnProcess:
        made = DrawnProcess(_title(element, self._pools))
        for child in element.children:
            if child.namespace == NAMESPACE:
                self._add(child, made)
        for child in element.each("sequenceFlow"):
            made.ways.append(self._way(child, made))
        self._check_borders(made)
        return made

    def _add(self, element: XmlElement, made: DrawnProcess) -> None:
        if words := _REFUSED.get(element.name):
            self._refuse(element, words)
        if element.name in _ROLES:
            step = self._step(element)
            if step.id in made.steps:
                self._fault(element, f"the id {step.id!r} is given twice")
            made.steps[step.id] = step

    def _step(self, element: XmlElement) -> FlowNode:
        self._check_event(element)
        role, id_ = _ROLES[element.name], self._need(element, "id")
        default, of = element.attributes.get("default", ""), element.attributes.get("attachedToRef", "")
        if role is Role.PART:
            return self._part(element, id_, default)
        if role is Role.PASS and element.name == "endEvent" and _ENDS_ALL & _definitions(element):
            role = Role.STOP
        type_ = self._type(element) if role is Role.TASK else ""
        return FlowNode(id_, role, element.line, type_, _repeats(element), default, of)

    def _part(self, element: XmlElement, id_: str, default: str) -> FlowNode:
        if element.attributes.get("triggeredByEvent") == "true":
            self._refuse(element, "an event sub-process, which may begin at any time")
        if not any(child.name in _ROLES for child in element.children):  # drawn elsewhere: one task
            return FlowNode(id_, Role.TASK, element.line, self._type(element), _repeats(element), default)
        repeats = _repeats(element)
        several = next(element.each("multiInstanceLoopCharacteristics"), None)
        if several is not None and several.attributes.get("isSequential") != "true":
            self._refuse(element, "a sub-process of which several run at the same time")
        return FlowNode(id_, Role.PART, element.line, "", repeats, default, inner=self.process(element))

    def _check_event(self, element: XmlElement) -> None:
        found = _definitions(element)
        for name in sorted(found & _REFUSED_EVENTS.keys()):
            self._refuse(element, _REFUSED_EVENTS[name])
        if element.name == "boundaryEvent" and element.attributes.get("cancelActivity") == "false":
            self._refuse(element, "an event at the border of an activity that does not interrupt it")
        if element.attributes.get("isForCompensation") == "true":
            self._refuse(element, "compensation")

    def _type(self, element: XmlElement) -> str:
        name = element.attributes.get("name", "").strip() or self._need(element, "id")
        if len(name) > LONGEST:
            self._fault(element, f"a name of {len(name):,} characters; a task's has at most {LONGEST}")
        return event_type(name) or self._fault(element, f"no event type can be made of the name {name!r}")

    def _way(self, element: XmlElement, made: DrawnProcess) -> Way:
        source, target = self._need(element, "sourceRef"), self._need(element, "targetRef")
        for end in (source, target):
            if end not in made.steps:
                self._fault(element, f"a flow leads from {source!r} to {target!r}, but there is no {end!r}")
        conditional = next(element.each("conditionExpression"), None) is not None
        return Way(self._need(element, "id"), source, target, conditional)

    def _check_borders(self, made: DrawnProcess) -> None:
        for step in made.steps.values():
            if step.role is Role.INTERRUPT and step.of not in made.steps:
                raise UnusableWorkflowError(
                    f"{self._file}, line {step.line}: an event stands at the border of {step.of!r}, "
                    "which is not there"
                )

    def _need(self, element: XmlElement, attribute: str) -> str:
        return element.attributes.get(attribute) or self._fault(
            element, f"<{element.name}> has no {attribute}"
        )

    def _refuse(self, element: XmlElement, words: str) -> NoReturn:
        named = element.attributes.get("name") or element.attributes.get("id", "")
        self._fault(element, f"not supported: {words} ({named[:LONGEST]!r})")

    def _fault(self, element: XmlElement, words: str) -> NoReturn:
        raise UnusableWorkflowError(f"{self._file}, line {element.line}: {words}")


def _definitions(element: XmlElement) -> set[str]:
    return {child.name for child in _of_model(element) if child.name.endswith("EventDefinition")}


def _of_model(element: XmlElement) -> Iterator[XmlElement]:
    return (child for child in element.children if child.namespace == NAMESPACE)


def _repeats(element: XmlElement) -> Repeats:
    """A loop that asks before its first turn, and one over a collection, may do it no times at all."""
    for child in _of_model(element):
        if child.name == "multiInstanceLoopCharacteristics":
            return Repeats.ANY_NUMBER
        if child.name == "standardLoopCharacteristics":
            before = child.attributes.get("testBefore") == "true"
            return Repeats.ANY_NUMBER if before else Repeats.AT_LEAST_ONCE
    return Repeats.ONCE
