"""Reads the detectors' files, and tells every fault of every file at once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from detectors import explanation, parameters
from detectors.detector import (
    SEVERITIES,
    AbsentComponent,
    Composite,
    Detector,
    IncidentRule,
    LoanQuestion,
    Verdict,
)
from detectors.document import Entry, Fault, FaultyFileError, Section, read
from sase.check.query import check
from sase.constraints.parse import parse_constraints
from sase.errors import QueryError
from sase.language.parse import parse
from sase.language.tree import QueryTree
from sase.language.walk import absent_names, happening, leaves

HERE = Path(__file__).parent
_EVENTS = "events"
_COMPOSITE = ("title", "summary", "query", "parameters")
_DETECTOR = (
    "title",
    "severity",
    "summary",
    "query",
    "breaks",
    "parameters",
    "explanation",
    "verdict",
    "absent",
    "subject",
    "incident",
    "loan",
    "advice",
    "blind_spots",
)


Loaded = tuple[dict[str, Detector], dict[str, Composite]]


@lru_cache(maxsize=16)
def load_folder(folder: Path, _as_of: object = None) -> Loaded:
    """The detectors and the composite events of a folder by name, read once for each `_as_of`;
    FaultyFileError if any file has a fault."""
    faults: list[Fault] = []
    paths = sorted([*folder.glob("*.yaml"), *folder.glob("*/*.yaml")])
    made = {path.stem: _composite(path, faults) for path in paths if path.parent.name == _EVENTS}
    found = {path.stem: _detector(path, faults) for path in paths if path.parent.name != _EVENTS}
    if faults:
        raise FaultyFileError(faults)
    return found, made


def _shown(path: Path) -> str:
    """Ours by their place in the package, a site's by their path."""
    return str(path) if HERE not in path.parents else f"detectors/{path.parent.name}/{path.name}"


def _composite(path: Path, faults: list[Fault]) -> Composite:
    section = read(path, faults, _shown(path)).ordered(*_COMPOSITE)
    known = parameters.parse(section.section("parameters"))
    tree = _checked(section, known)
    if tree is not None and tree.into is None:
        section.need("query").fault("a composite event is named by INTO, which is missing")
    return Composite(path.stem, section.text("title"), section.text("summary"), section.text("query"), known)


def _detector(path: Path, faults: list[Fault]) -> Detector:
    section = read(path, faults, _shown(path)).ordered(*_DETECTOR)
    known = parameters.parse(section.section("parameters"))
    tree = _checked(section, known)
    if tree is not None:
        _check_words(section, tree, known)
    return Detector(
        name=path.stem,
        title=section.text("title"),
        summary=section.text("summary"),
        query=section.text("query"),
        breaks=_breaks(section, tree),
        parameters=known,
        group=path.parent.name,
        severity=section.need("severity").choice(SEVERITIES),
        explanation=" ".join(section.text("explanation").split()),
        verdict=_verdict(section),
        absent=_absent(section, tree),
        subject=section.text("subject"),
        incident=tuple(_incident(section, tree)),
        loan=_loan(section, tree),
        advice=" ".join(section.text("advice").split()),
        blind_spots=" ".join(section.text("blind_spots").split()),
        version=hashlib.sha256(path.read_bytes()).hexdigest()[:12],
    )


def _checked(section: Section, known: dict[str, parameters.DetectorParameter]) -> QueryTree | None:
    entry = section.need("query")
    text = entry.text()
    try:
        return check(parse(text), text, {name: one.default for name, one in known.items()})
    except QueryError as error:
        # The text of a block begins on the line after its bar.
        message = f"query: {error.message} {error.hint}".strip()
        entry.faults.append(Fault(entry.file, entry.line + error.line, message))
        return None


def _check_words(section: Section, tree: QueryTree, known: dict[str, parameters.DetectorParameter]) -> None:
    present, absent = _present(tree), absent_names(tree.pattern)
    words = section.need("explanation")
    for text, parameter, component in explanation.placeholders(words.text()):
        span = component in absent and text == f"{component}.span"
        if parameter not in known and component not in {*present, "detected"} and not span:
            words.fault(f"{{{text}}} names neither a component that is present nor a parameter")
    _check_attribute(section.need("subject"), tree)


def _check_attribute(entry: Entry, tree: QueryTree) -> None:
    if entry.text().split(".")[0] not in _present(tree) or entry.text().count(".") != 1:
        entry.fault(f"{entry.data!r}: a present component and its attribute expected, such as x.id")


def _present(tree: QueryTree) -> set[str]:
    absent = absent_names(tree.pattern)
    return {leaf.var for leaf in leaves(tree.pattern) if leaf.var and leaf.var not in absent}


def _breaks(section: Section, tree: QueryTree | None) -> str | None:
    """One group of priors, between components that the query has: a breach is then a match of the query."""
    entry = section.get("breaks")
    if entry is None:
        return None
    text = " ".join(entry.text().split())
    try:
        groups = parse_constraints(text).groups
    except QueryError as error:
        entry.fault(f"breaks: {error.message} {error.hint}".strip())
        return None
    happens = {kind for leaf in (happening(tree.pattern) if tree else ()) for kind in leaf.types}
    told = [one for group in groups for one in group.constraints]
    if len(groups) > 1 or any(one.form != "prior" or not happens.issuperset(one.types) for one in told):
        entry.fault("breaks: one group of prior(A, B) expected, of types that the query asks for")
    return text


def _incident(section: Section, tree: QueryTree | None) -> Iterator[IncidentRule]:
    for entry in section.entries("incident"):
        fields = entry.section().only("same", "within")
        shared = fields.need("same").entries()
        if tree is not None:
            for one in shared:
                _check_attribute(one, tree)
        if not shared:
            fields.need("same").fault("what alerts of one incident share is missing, such as [x.area]")
        yield IncidentRule(tuple(one.text() for one in shared), fields.need("within").duration())


def _loan(section: Section, tree: QueryTree | None) -> LoanQuestion | None:
    if section.get("loan") is None:
        return None
    fields = section.section("loan").only("item", "patrons")
    item, patrons = fields.need("item"), fields.need("patrons").entries()
    if tree is not None:
        for entry in (item, *patrons):
            _check_attribute(entry, tree)
    return LoanQuestion(item.text(), tuple(patron.text() for patron in patrons))


def _verdict(section: Section) -> Verdict | None:
    """Rests on an absence, which may be proven or not."""
    if section.get("verdict") is None:
        return None
    fields = section.section("verdict").only("watched", "unwatched")
    if section.get("absent") is None:
        fields.fault("a verdict rests on what is absent: field 'absent' is missing")
    return Verdict(*(" ".join(fields.text(name).split()) for name in ("watched", "unwatched")))


def _absent(section: Section, tree: QueryTree | None) -> AbsentComponent | None:
    if section.get("absent") is None:
        return None
    fields = section.section("absent").only("component", "kinds", "put_right")
    component = fields.need("component")
    if tree is not None:
        component.choice(sorted(absent_names(tree.pattern)))
    kinds, put_right = fields.need("kinds").entries(), fields.get("put_right")
    return AbsentComponent(
        component.text(), tuple(kind.text() for kind in kinds), put_right.text() if put_right else ""
    )
