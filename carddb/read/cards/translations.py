"""Reading translations: from a separate file, from columns of a card file, or from PO files."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from carddb.cards.cards import ReadTranslation
from carddb.core.errors import DataFault
from carddb.core.plain_text import amount
from carddb.findings import Finding, Place, error, has_errors, info, warning
from carddb.game.game import GameSpec
from carddb.game.parts import PICTURES
from carddb.read.cards.joined import PatchLine
from carddb.read.cards.lines import Headings, RawCard, labelled
from carddb.read.cards.record import CardKind
from carddb.read.cards.values import HtmlTexts, code_of
from carddb.read.pictures import PictureFolders, Pictures

_MOST_PLACES = 8
"""The most places that one finding names."""
TypeOfCard = Callable[[str], tuple[str, str] | None]
"""A function that returns (reference, type) of the card with a reference or printing code, or None if there is none."""


class TranslatedHeadings(Headings):
    """The headings of a file of translations: `ref`, and fields, alone or followed by a language.

    A field alone means its translation into `lang`. Fields without translations, such as numbers, and the original
    texts, which are there for translators, are left out.
    """

    def __init__(self, spec: GameSpec, lang: str, columns: Mapping[str, str] = MappingProxyType({})) -> None:
        super().__init__(spec, columns)
        self.identifying, self.typed = ("ref",), False
        self._lang = lang
        self._untranslated = _untranslated(spec)
        """Fields marked as the same in every language, which are reported if a row has a value for them."""
        paths = {path: self._in_this(field, path) for path, field in self.paths.items()}
        self.paths = {path: field for path, field in paths.items() if field}

    def field(self, header: str) -> str | None:
        return self._in_this(super().field(header), header)

    def _in_this(self, field: str | None, header: str) -> str | None:
        """Returns a field with its language (by default the file's), `name.ja`; None for a heading to leave out."""
        if (field in self.translatable or field in self._untranslated) and not self.is_of_game(header):
            self.in_languages.add(f"{field}.{self._lang}")
            return f"{field}.{self._lang}"
        return field if field == "ref" or field in self.in_languages else None

    def leaves_out(self, header: str) -> bool:
        return super().leaves_out(header) or (self.field(header) is None and super().field(header) is not None)


def _untranslated(spec: GameSpec) -> frozenset[str]:
    """Returns the fields that are marked as the same in every language."""
    fields = (field for key in spec.types or [""] for field in spec.fields_of(key).items())
    return frozenset(name for name, field in fields if not field.translate) - spec.translatable


class Translator:
    """Turns cells under headings such as `name.ja` into translations, and appends faults to `findings`."""

    def __init__(self, spec: GameSpec, images_root: PictureFolders, findings: list[Finding], html: HtmlTexts) -> None:
        self._spec = spec
        self._pictures = Pictures(images_root)
        self._findings = findings
        self._kind = cache(lambda card_type: CardKind(spec.fields_of(card_type), html))
        self._fixed = _untranslated(spec)
        self._untranslated: dict[str, list[Place]] = {}

    def rows(self, line: RawCard, fields: Collection[str], ref: str, card_type: str) -> Iterator[ReadTranslation]:
        """Yields the translations of the card `ref`, one for each language in `fields`, which are such as `name.ja`."""
        by_language: dict[str, dict[str, Any]] = {}
        columns: dict[str, set[str]] = {}
        for heading in fields:
            name, _, lang = heading.rpartition(".")
            if name in self._fixed:
                if str(line.cells.get(heading) or "").strip():
                    self._untranslated.setdefault(name, []).append(line.place(heading))
                continue
            values = by_language.setdefault(lang, {})
            columns.setdefault(lang, set()).add(name)
            if heading in line.cells and (value := self._value(line, heading, name, card_type)) is not None:
                values[name] = value
        for lang, values in by_language.items():
            originals = {
                name: line.originals[f"{name}.{lang}"] for name in columns[lang] if f"{name}.{lang}" in line.originals
            }
            yield ReadTranslation(ref, lang, values, frozenset(columns[lang]), line.place(), originals=originals)

    def rows_of_file(self, lines: Iterable[RawCard], card_of: TypeOfCard) -> Iterator[ReadTranslation]:
        """Yields the translations in a file of these. Every fault is a finding, and a line with an error gives none."""
        for line in lines:
            before = len(self._findings)
            self._findings.extend(line.faults)
            ref = str(line.cells.get("ref", "")).strip()
            card = card_of(ref)
            if card is None:
                message = f"{ref} is translated, but no card has this reference" if ref else "the row names no card"
                fix = "Load the cards first, or correct the reference." if ref else "Fill in the reference of the card."
                self._report(line, "ref", error("translation_of_no_card", message, fix=fix))
                continue
            rows = list(self.rows(line, [field for field in line.fields if field != "ref"], *card))
            if not has_errors(self._findings[before:]):
                yield from rows
        for name, places in self._untranslated.items():
            message = f"{name} is the same in every language, so its values in this file are ignored"
            fix = "Remove the column, or remove translate: false from the field in game.yaml."
            self._findings.append(warning("field_not_translated", message, *places[:_MOST_PLACES], fix=fix))

    def _value(self, line: RawCard, heading: str, name: str, card_type: str) -> Any:
        kind = self._kind(card_type)
        if name not in kind.fields:
            message = f"a card of type {self._spec.label_of(card_type)} has no {name}"
            fix = f"Leave {heading} empty for this card."
            self._report(line, heading, error("field_not_of_type", message, fix=fix))
            return None
        spec = kind.fields[name]
        try:
            value = kind.convert[name](line.typed(heading) if name in kind.typed else line.cells[heading])
        except DataFault as fault:
            self._report(line, heading, fault.finding._replace(code=code_of(fault.finding, spec)))
            return None
        if name in PICTURES and value and (flaw := self._pictures.check(value)):
            severity = warning if flaw.code == "image_missing" else error
            self._report(line, heading, severity(code_of(flaw, spec), flaw.message, fix=flaw.fix))
        return value

    def _report(self, line: RawCard, heading: str, finding: Finding) -> None:
        message = labelled(line.label, finding.message)
        self._findings.append(finding._replace(message=message, where=(line.place(heading),)))


_LINE = re.compile(r'(?:(msgctxt|msgid|msgstr)\s+)?"((?:[^"\\]|\\.)*)"')
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}
_ESCAPED = re.compile(r"\\(.)")
_LETTERS = {"n": "\n", "t": "\t", "r": "\r"}
_LANGUAGE = re.compile(r"^Language:[ \t]*([\w-]+)", re.MULTILINE)


class PoEntry(NamedTuple):
    """An entry of a PO file: context, original and translation of a text. If `fuzzy`, it awaits a review."""

    context: str
    text: str
    translation: str
    fuzzy: bool = False
    line: int = 0


def po_entries(text: str, file: str) -> Iterator[PoEntry | Finding]:
    """Yields the entries of a PO file, and findings for invalid lines. The file's head is an entry without text."""
    parts: dict[str, list[str]] = {}
    key, fuzzy, start = "", False, 0
    for number, raw in enumerate([*text.splitlines(), ""], start=1):
        line = raw.strip()
        match = _LINE.fullmatch(line)
        begins = not line or line.startswith("#") or (match and match[1] in ("msgctxt", "msgid") and "msgstr" in parts)
        if begins and "msgstr" in parts:
            context, words, translation = ("".join(parts.get(name, ())) for name in ("msgctxt", "msgid", "msgstr"))
            yield PoEntry(context, words, translation, fuzzy, start)
            parts, fuzzy = {}, False
        if line.startswith("#,"):
            fuzzy = "fuzzy" in line
        elif match and (match[1] or key in parts):
            key = match[1] or key
            start = start if parts else number
            parts.setdefault(key, []).append(_ESCAPED.sub(lambda m: _LETTERS.get(m[1], m[1]), match[2]))
        elif line and not line.startswith("#"):
            yield error("po_invalid", f"this is not a line of a PO file: {line[:60]}", Place(file, number))


def po_lines(text: str, file: str, headings: Headings, findings: list[Finding]) -> Iterator[PatchLine]:
    """Yields one line for each card of a PO file, with the card's translated fields; faults go to `findings`."""
    lines: dict[str, PatchLine] = {}
    waiting = 0
    for entry in po_entries(text, file):
        if isinstance(entry, Finding):
            findings.append(entry)
            continue
        if not (entry.context or entry.text):
            continue
        ref, _, name = entry.context.rpartition("/")
        field = headings.field(name)
        if not ref or field is None:
            findings.append(headings.unknown(name, Place(file, entry.line, 0, entry.context)))
            continue
        waiting += entry.fuzzy
        if not entry.fuzzy:
            line = lines.setdefault(ref, PatchLine(file, ref, entry.line))
            line.give(field, entry.translation, entry.line)
            line.originals = {**line.originals, field: entry.text}
    if waiting:
        message = f"ignored because of the mark “fuzzy”: {amount(waiting, 'translation')}"
        findings.append(info("po_fuzzy", message, Place(file), fix="Remove the mark from each one that is right."))
    yield from lines.values()


def po_language(text: str) -> str:
    """Returns the language that the head of a PO file names, or an empty text."""
    head = next((entry for entry in po_entries(text, "") if isinstance(entry, PoEntry) and not entry.text), None)
    match = _LANGUAGE.search(head.translation) if head else None
    return match[1] if match else ""


def po_bytes(entries: Iterable[PoEntry], lang: str) -> bytes:
    """Returns the bytes of a PO file in UTF-8."""
    head = f"Language: {lang}\nMIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\n"
    written = []
    for entry in (PoEntry("", "", head), *entries):
        pairs = (("msgctxt", entry.context), ("msgid", entry.text), ("msgstr", entry.translation))
        lines = (f"{key} {_quoted(text)}\n" for key, text in pairs if text or key != "msgctxt")
        written.append(("#, fuzzy\n" if entry.fuzzy else "") + "".join(lines))
    return "\n".join(written).encode()


def _quoted(text: str) -> str:
    """Returns a text in quotes for a PO file; if it has several lines, each of them is quoted on its own line."""
    lines = [f'"{"".join(_ESCAPES.get(char, char) for char in line)}"' for line in text.splitlines(keepends=True)]
    return "\n".join(['""', *lines]) if len(lines) > 1 else "".join(lines) or '""'
