"""YAML and JSON with the line and column of every value kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from carddb.findings import Finding, Place, error, has_errors
from carddb.read import source
from carddb.read.documents import json_text
from carddb.read.documents.parse_notes import Notes, Path_

__all__ = ["Document", "load", "parse", "parse_all"]

MAX_BYTES = 16 << 20


class Document(NamedTuple):
    """One file's value (dict, list, str, int, float, bool or None) and the place of each part of it.

    `places` maps a path, such as `("limits", 0, "code")`, to the place of its key or list item; the place's
    text is the scalar as written.
    """

    value: Any
    places: dict[Path_, Place]

    def place(self, path: Path_) -> Place:
        """The place of the part at `path`; parts of `path` that the file lacks are skipped."""
        nearest: Path_ = ()
        for part in path:
            if (*nearest, part) in self.places:
                nearest = (*nearest, part)
        return self.places.get(nearest, Place())


def parse(text: str, file: str) -> tuple[Document | None, list[Finding]]:
    """A JSON document where `file` ends in `.json`, else a YAML one; None where there is any error.

    Codes: document_syntax, document_several, key_repeated, nesting_too_deep, file_too_large, yaml_alias (anchors,
    aliases, merge keys), yaml_tag.
    """
    document, findings = parse_all(text, file)
    return (None if has_errors(findings) else document), findings


def parse_all(text: str, file: str, fmt: str = "", limit: int = MAX_BYTES) -> tuple[Document | None, list[Finding]]:
    """As `parse`, but a document that could be read to its end is given in spite of findings.

    `fmt` is `json` or `yaml`, by default that of the file's name; `limit` counts characters.
    """
    if len(text) > limit:
        message = f"the document is larger than {source.size_in_words(limit)}, the most that is read"
        return None, [error("file_too_large", message, Place(file), data={"limit": limit}, fix="Split it.")]
    notes = Notes(file)
    try:
        value = _value(text, notes, fmt == "json" if fmt else file.lower().endswith(".json"))
        return Document(value, notes.places), notes.findings
    except source.Unreadable as end:
        return None, [*notes.findings, end.finding]


def _value(text: str, notes: Notes, as_json: bool) -> Any:
    if as_json:
        return json_text.value_of(text, notes)
    from carddb.read.documents import yaml_text  # PyYAML, 20 ms, which JSON does without

    return yaml_text.value_of(text, notes)


def load(path: Path | BinaryIO) -> tuple[Document | None, list[Finding]]:
    """Reads and parses a file. Raises InputError where it cannot be read."""
    data, findings = source.read_bytes(path, MAX_BYTES)
    if findings:
        return None, findings
    text, findings = source.decode(data, source.name_of(path))
    return (None, findings) if text is None else parse(text, source.name_of(path))
