"""YAML 1.2 to plain values with their places. It is built from events, so that nothing is expanded or executed."""

from __future__ import annotations

import re
from collections.abc import Iterable
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
    """Returns the value of a YAML text, None if it is empty. Raises DataFault if it cannot be read whole."""
    try:
        return _build(yaml.parse(text, Loader=_Loader), notes)
    except yaml.MarkedYAMLError as fault:
        mark = fault.problem_mark or fault.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
        if "maximum nesting depth" in (fault.problem or ""):  # libyaml's own limit, reached while it looks ahead
            raise notes.too_deep(line, column) from fault
        if "\t" in (text.split("\n")[line - 1 : line] or [""])[0][:column]:
            message, fix = "a tab; YAML is indented by spaces", "Replace the tab by spaces."
            raise notes.end("document_syntax", line, column, message, fix=fix) from fault
        reason = " ".join(part for part in (fault.context, fault.problem) if part)
        fix = "Check indentation and quotes."
        raise notes.end("document_syntax", line, column, f"this is not YAML: {reason}", fix=fix) from fault
    except yaml.reader.ReaderError as fault:
        line = text.count("\n", 0, fault.position) + 1
        code = fault.character if isinstance(fault.character, int) else ord(str(fault.character)[:1] or "\0")
        message = f"the character U+{code:04X} may not stand in YAML"
        raise notes.end("document_syntax", line, 0, message, fix="Remove it.") from fault
    except UnicodeEncodeError as fault:
        line = text.count("\n", 0, fault.start) + 1
        raise notes.end("document_syntax", line, 0, "half a surrogate pair is not a character") from fault


class _Frame:
    """A list or mapping under construction; `key` and `mark` are those of the entry that awaits its value."""

    def __init__(self, path: Path_, value: list[Any] | dict[str, Any]) -> None:
        self.path = path
        self.value = value
        self.key: str | None = None
        self.mark: tuple[int, int] = (0, 0)

    def add(self, value: Any) -> None:
        if isinstance(self.value, list):
            self.value.append(value)
        else:
            self.value[self.key or ""] = value
            self.key = None


def _build(events: Iterable[Any], notes: Notes) -> Any:
    values: list[Any] = []
    stack = [_Frame((), values)]
    documents = 0
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                fix = "Keep one document in a file, without a line of three hyphens between."
                message = "the file holds more than one document"
                raise notes.end("document_several", *_position(event), message, fix=fix)
        elif isinstance(event, yaml.CollectionEndEvent):
            done = stack.pop()
            stack[-1].add(done.value)
        elif isinstance(event, yaml.NodeEvent):
            _node(event, stack, notes)
    return values[0] if values else None


def _position(event: Any) -> tuple[int, int]:
    return event.start_mark.line + 1, event.start_mark.column + 1


def _node(event: Any, stack: list[_Frame], notes: Notes) -> None:
    line, column = _position(event)
    top = stack[-1]
    values = top.value
    if event.anchor or getattr(event, "tag", None):
        _refuse_extras(event, notes, line, column)
    if isinstance(values, dict):
        if top.key is None:
            top.key, top.mark = _key(event, top.path, values, notes), (line, column)
            return
        path: Path_ = (*top.path, top.key)
        line, column = top.mark
    else:
        path = (*top.path, len(values)) if len(stack) > 1 else ()
    if isinstance(event, yaml.CollectionStartEvent):
        notes.put(path, line, column)
        if len(stack) > MAX_DEPTH:
            raise notes.too_deep(line, column)
        stack.append(_Frame(path, [] if isinstance(event, yaml.SequenceStartEvent) else {}))
    elif isinstance(event, yaml.ScalarEvent):
        text = event.value
        value = resolve(text) if event.style in _PLAIN and event.tag is None else text
        notes.put(path, line, column, text[:TEXT_SHOWN] if value is text else text)
        top.add(value)
    else:
        notes.put(path, line, column)
        top.add(None)


def _key(event: Any, path: Path_, values: dict[str, Any], notes: Notes) -> str:
    line, column = _position(event)
    if isinstance(event, yaml.CollectionStartEvent):
        raise notes.end("document_syntax", line, column, "a key must be a word, not a list or mapping")
    key: str = event.value if isinstance(event, yaml.ScalarEvent) else event.anchor
    if key == "<<" and event.style in _PLAIN:
        notes.fault("yaml_alias", line, column, "merge keys cannot be used", key, "Write the values out.")
    if key in values:
        notes.repeated(line, column, key, notes.places[(*path, key)].line)
    notes.count_keys(values, line, column)
    return key


def _refuse_extras(event: Any, notes: Notes, line: int, column: int) -> None:
    """Records anchors, aliases and tags as errors, since with them a document means more than it shows."""
    if event.anchor:
        kind, sign = ("alias", "*") if isinstance(event, yaml.AliasEvent) else ("anchor", "&")
        text = sign + event.anchor
        notes.fault("yaml_alias", line, column, f"the {kind} {text} cannot be used", text, "Write the values out.")
    tag = getattr(event, "tag", None)
    if tag:
        notes.fault("yaml_tag", line, column, f"the tag {tag} cannot be used", tag, "Leave the tag out.")


def resolve(text: str) -> Scalar:
    """Returns the value of a plain scalar; `no`, dates, `007`, `.inf` and huge numbers are text."""
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
