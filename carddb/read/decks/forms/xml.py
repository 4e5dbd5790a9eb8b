"""XML of deck files as a small tree: bounded, without document types and entities."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from carddb.findings import Finding, Place, error
from carddb.read.source import Unreadable

MAX_DEPTH = 10
MAX_ELEMENTS = 20_000
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(slots=True)
class Element:
    """One element: its attributes, its children in order, and its text without that of the children."""

    name: str
    attributes: dict[str, str]
    line: int
    column: int
    children: list[Element] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.parts).strip()

    def named(self, name: str) -> Iterator[Element]:
        """The children of this name."""
        return (child for child in self.children if child.name == name)


def printable(text: str) -> str:
    """A text with the characters that XML cannot hold replaced."""
    return _NOT_IN_XML.sub("\ufffd", text)


def parse_xml(text: str, file: str) -> tuple[Element | None, list[Finding]]:
    """The root of a document, or the one finding that says why it is not read. Never raises."""
    body = text.removeprefix("\ufeff").lstrip()
    try:
        return _Tree(file, text.count("\n", 0, len(text) - len(body))).parse(body), []
    except Unreadable as refusal:
        return None, [refusal.finding]


class _Tree:
    """Builds the tree while the parser runs."""

    def __init__(self, file: str, lines_before: int) -> None:
        self._file = file
        self._lines_before = lines_before
        self._open: list[Element] = []
        self._root: Element | None = None
        self._count = 0
        # The text is decoded already: what a declaration says of its encoding does not matter.
        self._parser = expat.ParserCreate("utf-8")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartDoctypeDeclHandler = self._document_type

    def parse(self, text: str) -> Element | None:
        try:
            self._parser.Parse(text.encode("utf-8", "replace"), True)
        except expat.ExpatError as fault:
            line, column = fault.lineno + self._lines_before, fault.offset + 1
            message = f"the file is no whole XML document: {expat.ErrorString(fault.code)}"
            place = Place(self._file, line, column)
            raise Unreadable(error("document_syntax", message, place, fix="Export the deck again.")) from fault
        return self._root

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if len(self._open) >= MAX_DEPTH:
            self._refuse("nesting_too_deep", f"elements are nested deeper than {MAX_DEPTH} levels")
        if self._count > MAX_ELEMENTS:
            self._refuse("file_too_large", f"a deck in XML has at most {MAX_ELEMENTS:,} elements")
        line, column = self._position()
        element = Element(name, attributes, line, column)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self._root = element
        self._open.append(element)

    def _end(self, _name: str) -> None:
        self._open.pop()

    def _characters(self, text: str) -> None:
        self._open[-1].parts.append(text)

    def _document_type(self, *_declaration: object) -> None:
        self._refuse("document_syntax", "a deck in XML has no document type and no entities of its own")

    def _position(self) -> tuple[int, int]:
        return self._parser.CurrentLineNumber + self._lines_before, self._parser.CurrentColumnNumber + 1

    def _refuse(self, code: str, message: str) -> None:
        raise Unreadable(error(code, message, Place(self._file, *self._position()), fix="Export the deck again."))
