"""Zipped spreadsheets from strangers: parts inflated within a bound, XML without document types."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any
from xml.parsers import expat

from carddb.core.errors import InputError
from carddb.findings import Place, error
from carddb.read.source import Unreadable

MAX_INFLATED = 256 << 20
MAX_CELLS = 2_000_000
MAX_ELEMENTS = 20_000_000
_CHUNK = 1 << 16
_OLE = bytes.fromhex("d0cf11e0a1b11ae1")
_REMEDY = "Open it in a spreadsheet program and save it again as {}, without a password."


class Handler:
    """Takes the events of an XML part and ignores them; names are local, without namespace or prefix.

    `count` is how many of `things` it has read so far; there may be as many as `MAX_CELLS`.
    """

    counted = "cells"
    count = 0

    def start(self, name: str, attributes: dict[str, str]) -> None: ...

    def end(self, name: str) -> None: ...

    def text(self, data: str) -> None: ...


class _LocalNames(dict[str, str]):
    """Names without their namespaces."""

    def __missing__(self, name: str) -> str:
        local = self[name] = name.rpartition(" ")[2]
        return local


class Archive:
    """A spreadsheet file of `kind` (`xlsx`, `ods`). Raises InputError where it is broken or encrypted."""

    def __init__(self, data: bytes, file: str, kind: str) -> None:
        self.file = file
        self.kind = kind
        self.inflated = 0
        self.elements = 0
        if data.startswith(_OLE):
            raise self.broken("is protected by a password, or an old workbook")
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, EOFError, OSError, ValueError, NotImplementedError) as fault:
            raise self.broken("is no whole zip archive") from fault
        self._names = set(self._zip.namelist())

    def broken(self, fault: str) -> InputError:
        """The file is not what its name says; to be raised."""
        return InputError(f"{self.file} {fault}", _REMEDY.format(self.kind.upper()))

    def has(self, part: str) -> bool:
        """Whether there is a part of this name."""
        return part in self._names

    def chunks(self, part: str) -> Iterator[bytes]:
        """The inflated bytes of a part. Raises Unreadable past 256 MB in all, InputError where it is broken."""
        try:
            with self._zip.open(part) as stream:
                while chunk := stream.read(_CHUNK):
                    self.inflated += len(chunk)
                    if self.inflated > MAX_INFLATED:
                        raise self.too_large(f"unpacks to more than {MAX_INFLATED >> 20} MB")
                    yield chunk
        except KeyError as fault:
            raise self.broken(f"lacks the part {part}") from fault
        except RuntimeError as fault:
            raise self.broken("is protected by a password") from fault
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError) as fault:
            raise self.broken(f"is damaged in the part {part}") from fault

    def too_large(self, excess: str) -> Unreadable:
        """The finding `archive_too_large`; to be raised."""
        fix = "Delete what is not needed, and split the rest into several files."
        return Unreadable(error("archive_too_large", f"the spreadsheet {excess}", Place(self.file), fix=fix))

    def feed(self, part: str, handler: Handler) -> Iterator[None]:
        """Parses a part piece by piece, giving control back after each."""
        parser = self._parser(handler)
        try:
            for chunk in self.chunks(part):
                parser.Parse(chunk, False)
                self.check_count(handler)
                yield
            parser.Parse(b"", True)
        except (expat.ExpatError, LookupError, ValueError) as fault:  # the last two of an encoding that is unknown
            raise self.broken(f"is damaged in the part {part}, line {parser.CurrentLineNumber}") from fault
        yield

    def check_count(self, handler: Handler) -> None:
        """Raises Unreadable where a part holds too many things."""
        if handler.count > MAX_CELLS:
            raise self.too_large(f"holds more than {MAX_CELLS:,} {handler.counted}")

    def parse(self, part: str, handler: Handler) -> None:
        """Parses a whole part, if there is one of this name."""
        if self.has(part):
            for _ in self.feed(part, handler):
                pass

    def _parser(self, handler: Handler) -> expat.XMLParserType:
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        local = _LocalNames()

        def start(name: str, attributes: dict[str, str]) -> None:
            self.elements += 1
            if self.elements > MAX_ELEMENTS:
                raise self.too_large(f"holds more than {MAX_ELEMENTS:,} XML elements")
            handler.start(local[name], attributes and {local[key]: value for key, value in attributes.items()})

        def end(name: str) -> None:
            handler.end(local[name])

        def refuse(*_: Any) -> None:
            raise self.broken("declares a document type, which no spreadsheet program writes")

        parser.StartElementHandler = start
        parser.EndElementHandler = end
        parser.CharacterDataHandler = handler.text
        parser.StartDoctypeDeclHandler = refuse
        return parser
