"""Reading YAML 1.2 to plain values with places, from the parser's events, so that nothing is executed; writing YAML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isfinite
from typing import Any

import yaml

from carddb.read.documents.parse_notes import MAX_DEPTH, TEXT_SHOWN, Notes, Path_

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_PLAIN = frozenset({None, ""})
Scalar = str | int | float | bool | None
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_LONGEST_NUMBER = 300
# Made by a call, because its base class depends on the installed PyYAML.
_Dumper: Any = type("_Dumper", (getattr(yaml, "CSafeDumper", yaml.SafeDumper),), {"ignore_aliases": lambda *_: True})


def value_of(text: str, notes: Notes) -> Any:
    """Returns the value of a YAML text, None if it is empty. Raises DataFault unless `notes` can record its faults."""
    try:
        return _Builder(yaml.parse(text, Loader=_Loader), notes).document()
    except yaml.MarkedYAMLError as fault:
        mark = fault.problem_mark or fault.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
        if "maximum nesting depth" in (fault.problem or ""):  # libyaml's own limit, reached while it looks ahead
            raise notes.too_deep(line, column) from fault
        if "\t" in (text.split("\n")[line - 1 : line] or [""])[0][:column]:
            message, fix = "a tab indents this line, but YAML allows only spaces", "Replace the tab with spaces."
            raise notes.end("document_syntax", line, column, message, fix=fix) from fault
        reason = " ".join(part for part in (fault.context, fault.problem) if part)
        fix = "Check the indentation and the quotes in this line and above it."
        raise notes.end("document_syntax", line, column, f"this is not YAML: {reason}", fix=fix) from fault
    except yaml.reader.ReaderError as fault:
        line = text.count("\n", 0, fault.position) + 1
        code = fault.character if isinstance(fault.character, int) else ord(str(fault.character)[:1] or "\0")
        message = f"the character U+{code:04X} is not allowed in YAML"
        raise notes.end("document_syntax", line, 0, message, fix="Remove it.") from fault
    except UnicodeEncodeError as fault:
        line = text.count("\n", 0, fault.start) + 1
        raise notes.end("document_syntax", line, 0, "half a surrogate pair is not a character") from fault


def _position(event: Any) -> tuple[int, int]:
    return event.start_mark.line + 1, event.start_mark.column + 1


class _Builder:
    """Builds the value of a document from the parser's events; anchors, aliases and tags are errors."""

    def __init__(self, events: Iterator[Any], notes: Notes) -> None:
        self._events = events
        self._notes = notes

    def document(self) -> Any:
        """Returns the value of the document, or None if there is none. Raises DataFault if there are several."""
        values: list[Any] = []
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                if values:
                    fix = "Remove the line of three hyphens, or split the file there."
                    message = "the file holds more than one document"
                    raise self._notes.end("document_several", *_position(event), message, fix=fix)
                top = self._next()
                values.append(self._value(top, (), _position(top)))
        return values[0] if values else None

    def _next(self) -> Any:
        """Returns the next event. Records an anchor, alias or tag as an error, because it hides what is meant."""
        event = next(self._events)
        place = _position(event)
        if anchor := getattr(event, "anchor", None):
            kind, sign = ("alias", "*") if isinstance(event, yaml.AliasEvent) else ("anchor", "&")
            text = sign + anchor
            self._notes.fault("yaml_alias", *place, f"the {kind} {text} cannot be used", text, "Write the value there.")
        if tag := getattr(event, "tag", None):
            self._notes.fault("yaml_tag", *place, f"the tag {tag} cannot be used", tag, "Remove the tag.")
        return event

    def _value(self, event: Any, path: Path_, place: tuple[int, int]) -> Any:
        """Returns the value that begins with `event`; `place` is where its key is, or if it has none, the value."""
        if isinstance(event, yaml.CollectionStartEvent):
            self._notes.put(path, *place)
            if len(path) >= MAX_DEPTH:
                raise self._notes.too_deep(*place)
            return self._sequence(path) if isinstance(event, yaml.SequenceStartEvent) else self._mapping(path)
        if isinstance(event, yaml.AliasEvent):
            self._notes.put(path, *place)
            return None
        text: str = event.value
        value = resolve(text) if event.style in _PLAIN and event.tag is None else text
        self._notes.put(path, *place, text[:TEXT_SHOWN] if value is text else text)
        return value

    def _sequence(self, path: Path_) -> list[Any]:
        values: list[Any] = []
        while not isinstance(event := self._next(), yaml.CollectionEndEvent):
            values.append(self._value(event, (*path, len(values)), _position(event)))
        return values

    def _mapping(self, path: Path_) -> dict[str, Any]:
        values: dict[str, Any] = {}
        while not isinstance(event := self._next(), yaml.CollectionEndEvent):
            key, place = self._key(event, path, values), _position(event)
            values[key] = self._value(self._next(), (*path, key), place)
        return values

    def _key(self, event: Any, path: Path_, values: dict[str, Any]) -> str:
        place = _position(event)
        if isinstance(event, yaml.CollectionStartEvent):
            raise self._notes.end("document_syntax", *place, "a key must be a word, not a list or mapping")
        key: str = event.value if isinstance(event, yaml.ScalarEvent) else event.anchor
        if key == "<<" and event.style in _PLAIN:
            self._notes.fault("yaml_alias", *place, "the merge key << cannot be used", key, "Write out the keys.")
        if key in values:
            self._notes.repeated(*place, key, self._notes.places[(*path, key)].line)
        self._notes.count_keys(values, *place)
        return key


def resolve(text: str) -> Scalar:
    """Returns the value of a scalar without quotes; `no`, dates, `007`, `.inf` and huge numbers stay text."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789" or len(text) > _LONGEST_NUMBER:
        return text
    if _INTEGER.fullmatch(text):
        return int(text)
    if _BASED.fullmatch(text):
        return int(text, 0)
    if _FLOAT.fullmatch(text) and isfinite(number := float(text)):
        return number
    return text


def _quoted(dumper: Any, text: str) -> Any:
    """Returns the node of a text, quoted if it would otherwise be read as another value."""
    style = None if resolve(text) == text else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _quoted)


def yaml_text(value: Any) -> str:
    """Returns plain data as YAML, in the given order."""
    text: str = yaml.dump(value, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=1000)
    return text
