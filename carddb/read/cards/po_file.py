"""PO files: what translators' programs read and write (GNU gettext, section 3.1, The Format of PO Files).

An entry has the reference of a card and a field as its context, `M-1/name`, the game's words as its text, and the words
of the language as its translation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from carddb.core.amounts import amount
from carddb.findings import Finding, Place, error, info
from carddb.read.cards.lines import Headings
from carddb.read.cards.patch_file import PatchLine

_LINE = re.compile(r'(?:(msgctxt|msgid|msgstr)\s+)?"((?:[^"\\]|\\.)*)"')
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}
_ESCAPED = re.compile(r"\\(.)")
_LETTERS = {"n": "\n", "t": "\t", "r": "\r"}
_LANGUAGE = re.compile(r"^Language:[ \t]*([\w-]+)", re.MULTILINE)


class PoEntry(NamedTuple):
    """One text: where it belongs, the words, and their translation; `fuzzy` ones wait for a translator's look."""

    context: str
    text: str
    translation: str
    fuzzy: bool = False
    line: int = 0


def po_entries(text: str, file: str) -> Iterator[PoEntry | Finding]:
    """The entries of a PO file, the head among them, which has neither context nor text; lines that are none as
    findings. Obsolete entries and comments are passed over.
    """
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
            yield error("po_invalid", f"this is no line of a PO file: {line[:60]}", Place(file, number))


def po_lines(text: str, file: str, headings: Headings, findings: list[Finding]) -> Iterator[PatchLine]:
    """The cards of a PO file, each once, with their translated fields."""
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
        message = f"{amount(waiting, 'translation')} marked as fuzzy left out"
        findings.append(info("po_fuzzy", message, Place(file), fix="Take the mark away when they are right."))
    yield from lines.values()


def po_language(text: str) -> str:
    """The language that the head of a PO file names; empty where it names none."""
    head = next((entry for entry in po_entries(text, "") if isinstance(entry, PoEntry) and not entry.text), None)
    match = _LANGUAGE.search(head.translation) if head else None
    return match[1] if match else ""


def po_bytes(entries: Iterable[PoEntry], lang: str) -> bytes:
    """A PO file in UTF-8."""
    head = f"Language: {lang}\nMIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\n"
    return "\n".join(_written(entry) for entry in (PoEntry("", "", head), *entries)).encode()


def _written(entry: PoEntry) -> str:
    pairs = (("msgctxt", entry.context), ("msgid", entry.text), ("msgstr", entry.translation))
    mark = "#, fuzzy\n" if entry.fuzzy else ""
    return mark + "".join(f"{key} {_quoted(text)}\n" for key, text in pairs if text or key != "msgctxt")


def _quoted(text: str) -> str:
    """A text in quotes, each of its lines on one of its own where it has several."""
    lines = [f'"{"".join(_ESCAPES.get(char, char) for char in line)}"' for line in text.splitlines(keepends=True)]
    return "\n".join(['""', *lines]) if len(lines) > 1 else "".join(lines) or '""'
