"""Constraints of workflows: exactly those that hold, and words for what cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.cli import main
from app.constraints.workflow import of_workflow
from app.constraints.xml_elements import MOST_BYTES, UnusableWorkflowError
from tests.app.constraints.drawn import HEAD, elements, write

ORDER = Path(__file__).parents[3] / "docs" / "examples" / "order.bpmn"
ONE_AFTER_THE_OTHER = {"prior(A, B)", "require(A, B)", "require(B, A)"}
GATEWAY = "exclusiveGateway"

DRAWN = {
    "one after the other": ("start s; task A; task B; end e; s A B e", ONE_AFTER_THE_OTHER),
    "either": (
        f"start s; {GATEWAY} x; task A; task B; {GATEWAY} y; task C; s x A y; x B y C",
        {"prior(A, C)", "prior(B, C)", "exclusive(A, B)", "require(A, C)", "require(B, C)"},
    ),
    "both": (
        "start s; parallelGateway x; task A; task B; parallelGateway y; s x A y; x B y",
        {"require(A, B)", "require(B, A)"},
    ),
    "both, and then a third": (
        "start s; parallelGateway x; task A; task B; parallelGateway y; task C; s x A y; x B y C",
        {"prior(A, C)", "prior(B, C)", "require(A, B)", "require(B, C)", "require(C, A)"},
    ),
    "again and again": (
        f"start s; {GATEWAY} x; task A; {GATEWAY} y; task B; s x A y x; y B",
        {"prior(A, B)", "require(A, B)", "require(B, A)"},
    ),
    "back to the beginning": (
        f"start s; {GATEWAY} x; task A; task B; {GATEWAY} y; end e; s x A B y x; y e",
        {"require(A, B)", "require(B, A)"},
    ),
    "one may be left out": (
        f"start s; task A; {GATEWAY} x; task B; {GATEWAY} y; task C; s A x B y C; x y",
        {"prior(A, B)", "prior(B, C)", "prior(A, C)", "require(B, A)", "require(A, C)", "require(C, A)"},
    ),
    "a loop inside of a parallel part": (
        f"start s; parallelGateway x; {GATEWAY} l; task A; {GATEWAY} m; task B; parallelGateway y; task C;"
        "s x l A m y C; m l; x B y",
        {"prior(A, C)", "prior(B, C)", "require(A, B)", "require(B, C)", "require(C, A)"},
    ),
    "flows that part without a gateway are all taken": (
        "start s; task A; task B; task C; s A B; A C",
        {"prior(A, B)", "prior(A, C)", "require(A, B)", "require(B, C)", "require(C, A)"},
    ),
    "flows that meet without a gateway: done once for each": (
        "start s; parallelGateway x; task A; task B; task C; s x A C; x B C",
        {"require(A, B)", "require(B, C)", "require(C, A)"},
    ),
    "two beginnings": ("start s; start t; task A; task B; s A; t B", {"exclusive(A, B)"}),
    "without start and end events": ("task A; task B; A B", ONE_AFTER_THE_OTHER),
    "names become types": (
        'start s; userTask a "Send quote"; callActivity b "Ship-Order"; sendTask c "3rd e-mail"; s a b c',
        {
            *("prior(SendQuote, Ship-Order)", "prior(Ship-Order, Task3rdEMail)"),
            *("require(SendQuote, Ship-Order)", "require(Ship-Order, Task3rdEMail)"),
            "require(Task3rdEMail, SendQuote)",
        },
    ),
    "tasks of one name are one type": (
        'start s; task a "A"; task b "B"; task c "A"; s a b c',
        {"require(A, B)", "require(B, A)"},
    ),
    "a decision by events": (
        "start s; eventBasedGateway x; intermediateCatchEvent i; intermediateCatchEvent j; task A; task B;"
        "s x i A; x j B",
        {"exclusive(A, B)"},
    ),
}


@pytest.mark.parametrize(("drawn", "expected"), DRAWN.values(), ids=DRAWN.keys())
def test_what_a_drawing_says(drawn: str, expected: set[str], tmp_path: Path) -> None:
    assert set(of_workflow(write(tmp_path, elements(drawn))).known.texts()) == expected


def test_the_order_workflow_says_what_the_paper_says_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["constraints", str(ORDER), "--by", "order_id", "--for", "30 days"]) == 0
    lines = [line.rstrip(",") for line in capsys.readouterr().out.splitlines()]
    assert lines[-1] == "BY order_id FOR 30 days"
    assert {
        "exclusive(UseLocalStock, UseRemoteStock)",
        "prior(GenerateQuote, SendQuote)",
        "prior(GenerateInvoice, SendInvoice)",
        "exclusive(CancelOrder, CheckCredit)",
    } <= set(lines)


INNER = elements("start i; task A; task B; i A B").replace('"f', '"g')
PARTS = {
    "a sub-process is done when all of it is": (
        f'<startEvent id="s"/><subProcess id="p1">{INNER}</subProcess><task id="C"/>' + elements("s p1 C"),
        {*ONE_AFTER_THE_OTHER, "prior(B, C)", "require(B, C)", "require(C, A)"} - {"require(B, A)"},
    ),
    "a collapsed sub-process is a task": (
        elements("start s; task A") + '<subProcess id="B"/>' + elements("s A B"),
        ONE_AFTER_THE_OTHER,
    ),
    "an interrupted sub-process may have done anything": (
        f'<startEvent id="s"/><subProcess id="p1">{INNER}</subProcess><task id="C"/>'
        '<boundaryEvent id="b" attachedToRef="p1"/>' + elements("s p1; b C"),
        {"prior(A, B)", "prior(B, C)", "prior(A, C)", "require(B, A)"},
    ),
    "an interrupted task may have been done": (
        elements("start s; task A; task B; task C")
        + '<boundaryEvent id="b" attachedToRef="A"><timerEventDefinition/></boundaryEvent>'
        + elements("s A B; b C"),
        {"prior(A, B)", "prior(A, C)", "exclusive(B, C)", "require(B, A)"},
    ),
    "the end of all ends what runs beside it": (
        elements("start s; parallelGateway x; task A; task B")
        + '<endEvent id="e"><terminateEventDefinition/></endEvent>'
        + elements("s x A e; x B"),
        {"require(B, A)"},
    ),
    "a repeated task comes at least once": (
        elements("start s; task B")
        + '<task id="A"><standardLoopCharacteristics/></task>'
        + elements("s A B"),
        ONE_AFTER_THE_OTHER,
    ),
    "one of several instances may be none": (
        elements("start s; task B")
        + '<task id="A"><multiInstanceLoopCharacteristics/></task>'
        + elements("s A B"),
        {"prior(A, B)", "require(A, B)"},
    ),
    "the default is taken if no condition holds": (
        '<startEvent id="s"/><task id="A" default="d"/><task id="B"/><task id="C"/>'
        '<sequenceFlow id="c" sourceRef="A" targetRef="B"><conditionExpression/></sequenceFlow>'
        '<sequenceFlow id="d" sourceRef="A" targetRef="C"/>' + elements("s A"),
        {"prior(A, B)", "prior(A, C)", "exclusive(B, C)", "require(B, A)", "require(C, A)"},
    ),
    "lanes, notes and what others have added do not matter": (
        '<laneSet id="l"><lane id="k"><flowNodeRef>A</flowNodeRef></lane></laneSet><textAnnotation id="n"/>'
        '<x:task xmlns:x="urn:other" id="other"/><dataObject id="o"/>'
        + elements("start s; task A; task B; s A B"),
        ONE_AFTER_THE_OTHER,
    ),
}


@pytest.mark.parametrize(("inner", "expected"), PARTS.values(), ids=PARTS.keys())
def test_what_modellers_draw_besides(inner: str, expected: set[str], tmp_path: Path) -> None:
    inner = _flows_numbered(inner)
    assert set(of_workflow(write(tmp_path, inner)).known.texts()) == expected


def _flows_numbered(inner: str) -> str:
    """Each flow with an id of its own, whoever wrote it."""
    parts = inner.split('<sequenceFlow id="f')
    return parts[0] + "".join(f'<sequenceFlow id="f{number}x{part}' for number, part in enumerate(parts[1:]))


def test_a_run_that_cannot_end_and_a_task_that_nothing_reaches_are_told(tmp_path: Path) -> None:
    drawn = "start s; exclusiveGateway x; task A; task B; parallelGateway y; task C; s x A y C; x B y"
    found = of_workflow(write(tmp_path, elements(drawn)))
    assert found.known.texts() == ["exclusive(A, B)"]
    unreached, endless = found.notes
    assert unreached.startswith("no run reaches C")
    assert "cannot come to their end" in endless


def test_of_several_pools_one_is_chosen(tmp_path: Path) -> None:
    shop, bank = elements("start s; task A; task B; s A B"), elements("start s; task C; task D; s C D")
    pools = '<participant id="1" name="Shop" processRef="p"/><participant id="2" name="Bank" processRef="q"/>'
    path = tmp_path / "pools.bpmn"
    processes = f'<process id="p">{shop}</process><process id="q">{bank}</process>'
    path.write_text(f'{HEAD}<collaboration id="c">{pools}</collaboration>{processes}</definitions>')
    with pytest.raises(UnusableWorkflowError, match="choose a process with --process: Shop, Bank"):
        of_workflow(path)
    assert "prior(C, D)" in of_workflow(path, "Bank").known.texts()


BROKEN = {
    "no XML": ("<definitions", "line 1: this is no XML: unclosed token"),
    "nothing": ("", "line 1: this is no XML: no element found"),
    "another XML": ("<html/>", "this is no BPMN 2.0: it begins with <html>"),
    "an entity bomb": (
        '<!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;&x;">]>' + HEAD + "&y;</definitions>",
        "a document type (<!DOCTYPE …>) is refused",
    ),
    "an external entity": (
        '<!DOCTYPE a SYSTEM "file:///etc/passwd">' + HEAD + "</definitions>",
        "a document type",
    ),
    "depth": ("<a>" * 300, "nested more than 200 deep"),
    "no process": (HEAD + "</definitions>", "there is no process in it"),
    "an unknown encoding": ('<?xml version="1.0" encoding="klingon"?><a/>', "line 1"),
}


@pytest.mark.parametrize(("text", "words"), BROKEN.values(), ids=BROKEN.keys())
def test_a_file_that_is_no_workflow_gets_words(
    text: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "broken.bpmn"
    path.write_text(text, encoding="utf-8")
    assert main(["constraints", str(path)]) == 2
    told = capsys.readouterr().err
    assert words in told
    assert told.startswith("vigil constraints: broken.bpmn")


REFUSED = {
    "an inclusive gateway": (
        elements("start s; inclusiveGateway x; task A; s x A"),
        "not supported: an inclusive",
    ),
    "an event sub-process": ('<subProcess id="p1" triggeredByEvent="true"/>', "an event sub-process"),
    "an ad-hoc sub-process": ('<adHocSubProcess id="p1"/><task id="A"/>', "an ad-hoc sub-process"),
    "an event that does not interrupt": (
        '<task id="A"/><boundaryEvent id="b" attachedToRef="A" cancelActivity="false"/>',
        "does not interrupt",
    ),
    "a link": (
        '<intermediateThrowEvent id="l"><linkEventDefinition/></intermediateThrowEvent>',
        "a link event",
    ),
    "a flow to nowhere": (elements("start s; s A"), "there is no 'A'"),
    "a border of nothing": ('<task id="A"/><boundaryEvent id="b" attachedToRef="Z"/>', "border of 'Z'"),
    "an id that is given twice": (elements("task A; task A"), "'A' is given twice"),
    "a task without a name": ("<task/>", "<task> has no id"),
    "a name of 5,000 characters": (f'<task id="A" name="{"n" * 5000}"/>', "a name of 5,000 characters"),
    "a name of no letters": ('<task id="A" name="!!!"/>', "no event type can be made of the name '!!!'"),
    "tokens without end": (
        elements("start s; exclusiveGateway x; task A; s x A x; A x"),
        "tokens pile up without end",
    ),
    "more in parallel than can be looked at": (
        elements(
            "start s; parallelGateway x; parallelGateway y; s x;"
            + "".join(f"task A{n}; task B{n}; x A{n} B{n} y;" for n in range(12))
        ),
        "in more than 100,000 states",
    ),
    "no task": (elements("start s; end e; s e"), "no task of the process 'Test' can be reached"),
    "conditions beyond number": (
        '<startEvent id="s"/><task id="A"/><task id="B"/>'
        + "".join(
            f'<sequenceFlow id="c{n}" sourceRef="A" targetRef="B"><conditionExpression/></sequenceFlow>'
            for n in range(9)
        )
        + elements("s A"),
        "9 flows with conditions",
    ),
}


@pytest.mark.parametrize(("inner", "words"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_supported_gets_words(inner: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(UnusableWorkflowError) as refused:
        of_workflow(write(tmp_path, inner))
    assert words in str(refused.value)
    assert len(str(refused.value)) < 400


def test_a_huge_file_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "huge.bpmn"
    path.write_text(HEAD + " " * (MOST_BYTES + 1) + "</definitions>")
    with pytest.raises(UnusableWorkflowError, match="more than 20 MB"):
        of_workflow(path)


def test_a_folder_and_a_file_that_is_not_there_get_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["constraints", str(tmp_path / "no.bpmn")]) == 2
    assert "cannot be read: No such file or directory" in capsys.readouterr().err


def test_utf_16_and_a_prefix_for_every_element_are_read(tmp_path: Path) -> None:
    text = ORDER.read_text(encoding="utf-8").replace("UTF-8", "UTF-16")
    path = tmp_path / "wide.bpmn"
    path.write_text(text, encoding="utf-16")
    assert of_workflow(path).known.texts() == of_workflow(ORDER).known.texts()
