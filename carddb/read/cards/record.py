"""From lines to cards: every cell is converted as the type of its card demands, and every fault is reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Set
from types import MappingProxyType
from typing import Any, NamedTuple

from carddb.core.errors import DataFault
from carddb.core.names import slug
from carddb.findings import Finding, Place, error, has_errors, warning
from carddb.game.game import GameSpec
from carddb.game.parts import NO_PICTURE, PICTURES, RESERVED, FieldSpec
from carddb.read.cards.lines import RawCard, labelled
from carddb.read.cards.values import HtmlTexts, code_of, converter, plain, shown
from carddb.read.pictures import PictureFolders, Pictures


class CardKind:
    """A type of card, with the fields of every card and its own.

    `convert` has the converter of each field. `required` are the fields that a card must have besides ref, name and
    type, `needed` these fields and the name, and `typed` the fields whose values keep the file's types.
    """

    def __init__(self, of_type: Mapping[str, FieldSpec], html: HtmlTexts) -> None:
        self.fields = {**RESERVED, **of_type}
        self.convert = {name: converter(name, field, html) for name, field in self.fields.items()}
        always = ("ref", "name", "type")
        self.required = tuple(name for name, field in self.fields.items() if field.required and name not in always)
        self.needed = {"name", *self.required}
        self.typed = {name for name, field in self.fields.items() if field.type == "object"}


_ANY_TEXT = FieldSpec()
"""The specification used for a field if the type of the card is unknown."""
_WARNINGS = ("image_missing",)
"""Codes of faults that are only warnings, since a picture may come later."""
_NOTHING: Mapping[str, Any] = MappingProxyType({})


StoredValues = Callable[[str], Mapping[str, Any]]
"""A function that returns the values in the catalogue of the card with a reference; empty for a new card."""


def nothing_stored(ref: str) -> Mapping[str, Any]:
    """Returns no values for a reference, as if the catalogue had no card."""
    return {}


def made_reference(values: Mapping[str, Any], number: int) -> str:
    """Returns a reference made from type and name: `officer-zhang-fei`, or with `number` 2 `officer-zhang-fei-2`."""
    stem = "-".join(filter(None, (values.get("type", ""), slug(values.get("name", "")))))
    return stem if number == 1 else f"{stem}-{number}"


class CardDraft(NamedTuple):
    """A card whose reference may still be missing (empty).

    `sound` means that its line has no error. `values` come from the line; `stored_values` come from the card
    `stored_as` in the catalogue, for the fields that the file lacks. `label` is the label of the line.
    """

    ref: str
    values: dict[str, Any]
    place: Place
    sound: bool
    label: str = ""
    stored_as: str = ""
    stored_values: Mapping[str, Any] = _NOTHING


class Drafter:
    """Turns the lines of one file into drafts; faults go to `findings`. It skips the translated fields `others`."""

    def __init__(
        self,
        spec: GameSpec,
        images_root: PictureFolders,
        findings: list[Finding],
        stored: StoredValues,
        others: Set[str],
        html: HtmlTexts,
    ) -> None:
        self._spec = spec
        self._others = others
        self._pictures = Pictures(images_root)
        self._findings = findings
        self._stored = stored
        self._made: Counter[str] = Counter()
        self._missing_columns: set[tuple[str, tuple[Place, ...]]] = set()
        self._kinds = {key: CardKind(spec.fields_of(key), html) for key in spec.types or [""]}
        first, *rest = [spec.fields_of(key) for key in spec.types or [""]]
        alike = {name: field for name, field in first.items() if all(fields.get(name) == field for fields in rest)}
        self._of_all_types = CardKind(alike, html)

    def draft(self, line: RawCard) -> CardDraft:
        """Returns the card in a line. If its type is unknown, it has only the fields that are alike in all types."""
        before = len(self._findings)
        self._findings.extend(line.faults)
        try:
            ref = self._of_all_types.convert["ref"](line.cells.get("ref", "")) or ""
        except DataFault:
            ref = ""
        stored = self._stored(ref) if ref else {}
        key = self._type(line, stored)
        kind = self._of_all_types if key is None else self._kinds[key]
        values, faulty = self._values(line, kind, key)
        if "name" not in values and "name" not in stored and self._spec.name_from in values:
            values["name"] = values.pop(self._spec.name_from)
        if not ref and key is not None:
            stem = made_reference(values, 1)
            self._made[stem] += 1
            ref = made_reference(values, self._made[stem])  # provisional: another line may claim it
            stored = self._stored(ref)
        absent = kind.fields.keys() - line.fields
        stored_values = {name: value for name, value in stored.items() if name in absent}
        if not kind.needed <= values.keys():
            self._missing(line, kind, key, values.keys() | stored_values.keys() | faulty)
        sound = key is not None and not has_errors(self._findings[before:])
        return CardDraft(values.pop("ref", ""), values, line.place(), sound, line.label, ref, stored_values)

    def _values(self, line: RawCard, kind: CardKind, key: str | None) -> tuple[dict[str, Any], set[str]]:
        """Returns the values of a line by field, and the fields with faulty cells; `key` is the type or None."""
        values: dict[str, Any] = {}
        faulty: set[str] = set()
        for name, raw in line.cells.items():
            convert = kind.convert.get(name)
            if convert is None and name in self._others:
                continue
            if convert is None and key is not None:
                owners = [self._spec.label_of(other) for other, kind in self._kinds.items() if name in kind.fields]
                message = f"{name} is a field of {', '.join(owners)}, but not of {self._spec.label_of(key)}"
                self._error("field_not_of_type", message, line, name, fix=f"Empty {name}, or correct the type.")
                continue
            try:
                if convert:
                    value = convert(line.typed(name) if name in kind.typed else raw)
                else:  # of an unknown type, only what holds for every text is checked
                    value = plain(raw, name) if isinstance(raw, str) else None
            except DataFault as fault:
                self._report(line, name, kind.fields.get(name, _ANY_TEXT), fault.finding)
                faulty.add(name)
                continue
            if value is not None:
                values[name] = value
            elif name == "ref":
                fix = "Write a reference, or leave out ref, and carddb makes a reference."
                self._error(self._spec.ref_code, "the reference is blank", line, "ref", fix=fix)
        for name in PICTURES:
            named = values.get(name, NO_PICTURE)
            if named != NO_PICTURE and (flaw := self._pictures.check(named)):
                self._report(line, name, kind.fields[name], flaw)
        if key:
            values["type"] = key
        return values, faulty

    def _type(self, line: RawCard, stored: Mapping[str, Any]) -> str | None:
        types = self._spec.types
        if not types:
            return ""
        raw = line.cells.get("type", "")
        if type(raw) is str and raw in types:
            return raw
        if "type" not in line.fields and stored.get("type") in types:
            return str(stored["type"])
        try:
            key = plain(raw, "type")
        except DataFault:
            key = shown(raw)
        if (canonical := self._spec.type_words.find(key)) is not None:
            return canonical
        if not key and len(types) == 1:
            return next(iter(types))
        fix = self._spec.type_words.remedy(key)
        if key:
            message = f"{shown(key)!r} is not a type of card in {self._spec.name}"
            self._error(self._spec.type_code, message, line, "type", fix=fix)
        else:
            self._lacks(self._spec.type_code, "the card has no type", line, "type", fix=fix)
        return None

    def _missing(self, line: RawCard, kind: CardKind, key: str | None, fields: Set[str]) -> None:
        if "name" not in fields:
            self._lacks(self._spec.name_code, "the card has no name", line, "name", fix="Fill in the name.")
        for name in kind.required:
            if name not in fields:
                field = kind.fields[name]
                owner = "card" if key is None else self._spec.label_of(key)
                message = f"{name} is missing; every {owner} must have one"
                code = field.code("missing")
                self._error(code, message, line, name, fix=f"Fill in {name}.", rules=field.rules)

    def _lacks(self, code: str, message: str, line: RawCard, name: str, *, fix: str) -> None:
        """Reports that a name or type is missing; for a table without that column, only once, at its header."""
        fault = None if name in line.fields else line.column_missing(name)
        if fault is None:
            self._error(code, message, line, name, fix=fix)
        elif (name, fault.where) not in self._missing_columns:
            self._missing_columns.add((name, fault.where))
            self._findings.append(fault)

    def _report(self, line: RawCard, name: str, field: FieldSpec, fault: Finding) -> None:
        severity = warning if fault.code in _WARNINGS else error
        message = labelled(line.label, fault.message)
        where = line.place(name)
        self._findings.append(severity(code_of(fault, field), message, where, fix=fault.fix, rules=field.rules))

    def _error(self, code: str, message: str, line: RawCard, name: str, **rest: Any) -> None:
        self._findings.append(error(code, labelled(line.label, message), line.place(name), **rest))
