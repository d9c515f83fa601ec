"""XML as a tree of plain elements, read without DTDs: nothing is expanded, fetched or believed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

MOST_BYTES = 20_000_000
_DEEPEST = 200
_CHUNK = 1 << 16


class UnusableWorkflowError(ValueError):
    """Says what is wrong with a workflow's file, where, and what to do."""


@dataclass
class XmlElement:
    """`name` is without its namespace, which stands beside it."""

    namespace: str
    name: str
    attributes: dict[str, str]
    line: int
    children: list[XmlElement] = field(default_factory=list)

    def each(self, *names: str) -> Iterator[XmlElement]:
        return (child for child in self.children if child.name in names)


def read_xml(path: Path) -> XmlElement:
    """The root of a file; UnusableWorkflowError if it is no XML, or more than a workflow needs."""
    try:
        with path.open("rb") as file:
            return _Reading(path.name).tree(iter(lambda: file.read(_CHUNK), b""))
    except OSError as error:
        raise UnusableWorkflowError(f"{path} cannot be read: {error.strerror}") from None


class _Reading:
    """One pass over a file."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.StartElementHandler = self._begin
        self._parser.EndElementHandler = self._end
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._open = [XmlElement("", "", {}, 0)]

    def tree(self, chunks: Iterator[bytes]) -> XmlElement:
        size = 0
        try:
            for chunk in chunks:
                size += len(chunk)
                if size > MOST_BYTES:
                    raise self._fault(f"a workflow of more than {MOST_BYTES // 1_000_000} MB is not read")
                self._parser.Parse(chunk)
            self._parser.Parse(b"", True)
        except expat.ExpatError as error:
            words = expat.ErrorString(error.code)
            raise self._fault(f"this is no XML: {words}", error.lineno) from None
        except UnusableWorkflowError:
            raise
        except (LookupError, ValueError) as error:  # an encoding that nobody knows
            raise self._fault(f"this is no XML that can be read: {error}") from None
        return self._open[0].children[0]

    def _begin(self, full: str, attributes: dict[str, str]) -> None:
        namespace, _, name = full.rpartition(" ")
        if len(self._open) > _DEEPEST:
            raise self._fault(f"elements nested more than {_DEEPEST} deep are no workflow")
        element = XmlElement(namespace, name, attributes, self._parser.CurrentLineNumber)
        self._open[-1].children.append(element)
        self._open.append(element)

    def _end(self, _name: str) -> None:
        self._open.pop()

    def _doctype(self, *_declared: object) -> None:
        raise self._fault("a document type (<!DOCTYPE …>) is refused; BPMN has none: remove that line")

    def _fault(self, words: str, line: int | None = None) -> UnusableWorkflowError:
        where = self._parser.CurrentLineNumber if line is None else line
        return UnusableWorkflowError(f"{self._name}, line {where}: {words}")
