"""One line to one card: every cell converted by what its type of card wants, every fault reported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from pathlib import Path
from typing import Any, NamedTuple

from carddb.findings import Finding, Place, error
from carddb.game import GameSpec
from carddb.game_parts import RESERVED, FieldSpec
from carddb.names import did_you_mean
from carddb.read.card_lines import Line, labelled
from carddb.read.cell_fault import Fault
from carddb.read.pictures import Pictures
from carddb.read.values import BRACKETS, MAX_LINE, Converter, code_of, converter, plain, shown

_CACHE_SIZE = 500
"""Sets of fields that are remembered."""
_SCALARS = ("integer", "number", "boolean", "choice")


class Draft(NamedTuple):
    """A card that may still lack its reference (empty); `sound` where its line has no error, `label` as its line's."""

    ref: str
    values: dict[str, Any]
    place: Place
    sound: bool
    label: str = ""


class _Kind(NamedTuple):
    """A type of card, ready to read lines.

    `texts` are fields that take any text of one line, `converted` caches the values of fields whose cells come again
    and again, `split` caches which of some fields are texts.
    """

    fields: Mapping[str, FieldSpec]
    convert: Mapping[str, Converter]
    required: tuple[str, ...]
    needed: Set[str]
    typed: Set[str]
    texts: Set[str]
    converted: Mapping[str, dict[str, Any]]
    split: dict[tuple[str, ...], tuple[list[str], list[str]]]

    def part(self, line: Line) -> tuple[dict[str, Any], Sequence[str]]:
        """The values of a line that are texts and need no conversion, and the fields that are left to be read."""
        cells = line.cells
        names = tuple(cells)
        if not line.tidy or BRACKETS.search(cells.get("ref", "")):
            return {}, names
        split = self.split.get(names)
        if split is None:
            if len(self.split) >= _CACHE_SIZE:
                self.split.clear()
            texts, others = ([name for name in names if (name in self.texts) == is_text] for is_text in (True, False))
            split = self.split[names] = texts, others
        values = {name: cells[name] for name in split[0]}
        return (values, split[1]) if max(map(len, values.values()), default=0) <= MAX_LINE else ({}, names)


class Drafter:
    """Turns the lines of one file into drafts; what is wrong goes to `findings`."""

    def __init__(self, spec: GameSpec, default_set: str, images_root: Path, findings: list[Finding]) -> None:
        self._spec = spec
        self._set = default_set
        self._pictures = Pictures(images_root)
        self._findings = findings
        self._kinds = {key: self._prepare(key) for key in spec.types or [""]}

    def _prepare(self, key: str) -> _Kind:
        fields = {**{name: FieldSpec() for name in RESERVED}, **self._spec.fields_of(key)}
        always = ("ref", "name", "type")
        required = tuple(name for name, field in fields.items() if field.required and name not in always)
        typed = {name for name, field in fields.items() if field.type == "object"}
        texts = {name for name, field in fields.items() if field.type == "text" and not field.of}
        converted: dict[str, dict[str, Any]] = {name: {} for name, field in fields.items() if field.type in _SCALARS}
        convert = {name: converter(name, field) for name, field in fields.items()}
        return _Kind(fields, convert, required, {"name", *required}, typed, texts, converted, {})

    def draft(self, line: Line) -> Draft | None:
        """The card of a line; None where its type is unknown, and then nothing else of it is checked."""
        before = len(self._findings)
        self._findings.extend(line.faults)
        key = self._type(line)
        if key is None:
            return None
        kind = self._kinds[key]
        values, left = kind.part(line)
        faulty: set[str] = set()
        for name in left:
            raw = line.cells[name]
            read = kind.converted.get(name)
            if read and type(raw) is str and raw in read:
                values[name] = read[raw]
                continue
            convert = kind.convert.get(name)
            if convert is None:
                self._not_of_type(line, name, key)
                continue
            try:
                value = convert(line.typed(name) if name in kind.typed else raw)
            except Fault as fault:
                self._report(line, name, kind.fields[name], fault)
                faulty.add(name)
                continue
            if value is not None:
                values[name] = value
                if read is not None and type(raw) is str:
                    read[raw] = value
            elif name == "ref":
                fix = "Write one, or leave the key out to have one made."
                self._error(self._spec.ref_code, "the reference is blank", line, "ref", fix=fix)
        if not kind.needed <= values.keys():
            self._missing(line, key, values.keys() | faulty)
        if "art" in values and (flaw := self._pictures.check(values["art"])):
            self._report(line, "art", kind.fields["art"], flaw)
        if key:
            values["type"] = key
        values.setdefault("set", self._set)
        ref = values.pop("ref", "")
        return Draft(ref, values, line.place(), len(self._findings) == before, line.label)

    def _type(self, line: Line) -> str | None:
        types = self._spec.types
        if not types:
            return ""
        raw = line.cells.get("type", "")
        if type(raw) is str and raw in types:
            return raw
        try:
            key = plain(raw, "type")
        except Fault:
            key = shown(raw)
        if (canonical := self._spec.type_words.find(key)) is not None:
            return canonical
        message = f"{shown(key)!r} is no type of card in {self._spec.name}" if key else "the card has no type"
        self._error(self._spec.type_code, message, line, "type", fix=self._near_type(key))
        return None

    def _near_type(self, text: str) -> str:
        near = self._spec.type_words.nearest(text)
        return f"Did you mean {near}?" if near else did_you_mean(text[:100], self._spec.types)

    def _missing(self, line: Line, key: str, fields: Set[str]) -> None:
        if "name" not in fields:
            self._error(self._spec.name_code, "the card has no name", line, "name", fix="Fill in the name.")
        for name in self._kinds[key].required:
            if name not in fields:
                field = self._kinds[key].fields[name]
                message = f"{name} is missing; every {self._spec.label_of(key)} has one"
                code = field.code("missing")
                self._error(code, message, line, name, fix=f"Fill in {name}.", rules=field.rules)

    def _not_of_type(self, line: Line, name: str, key: str) -> None:
        owners = [self._spec.label_of(other) for other, kind in self._kinds.items() if name in kind.fields]
        message = f"{name} is no field of {self._spec.label_of(key)} (only of {', '.join(owners)})"
        self._error("field_not_of_type", message, line, name, fix=f"Empty {name}, or change the type.")

    def _report(self, line: Line, name: str, field: FieldSpec, fault: Fault) -> None:
        self._error(code_of(fault, field), fault.message, line, name, fix=fault.fix, rules=field.rules)

    def _error(self, code: str, message: str, line: Line, name: str, **rest: Any) -> None:
        self._findings.append(error(code, labelled(line.label, message), line.place(name), **rest))
