"""From cells to values: a converter for each type of field, made once and called for every row."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import unescape
from html.parser import HTMLParser
from types import MappingProxyType
from typing import Any

from carddb.core.errors import DataFault
from carddb.core.names import fold_word
from carddb.core.plain_text import amount
from carddb.findings import Finding, Place, warning
from carddb.game.parts import RESERVED, FieldSpec
from carddb.read.documents.located_document import parse_all

_STARS = {"b": "**", "strong": "**", "i": "*", "em": "*", "cite": "*"}
_PARAGRAPHS = frozenset({"p", "div", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "hr"})
_SPECIAL = re.compile(r"[*{}\\]")
_HTML = re.compile(r"<[a-zA-Z/!]|&[a-zA-Z#]")
_GAPS = re.compile(r"(?<![ \t])[ \t]*+\n\s*+")
_BASIC = re.compile(rf"</?(?:{'|'.join(_STARS)}|br|p|ul|ol|li)\b[^<>]*>", re.IGNORECASE)
_NOT_COUNTED = frozenset({"li", "br", "span", *_STARS, *_PARAGRAPHS})
"""Tags that become marks or line ends, and `span`, which changes nothing by itself."""


class HtmlTexts:
    """Reads the HTML of other databases in the texts of a file, and counts the tags that have no equivalent mark.

    A game asks for this in a field by `markup: html`; with `in_all_fields` it applies to all texts that may have marks.
    `replace` maps symbols in texts to replacements, such as `[coin]` to `{icon:coin}`.
    """

    def __init__(self, *, in_all_fields: bool = False, replace: Mapping[str, str] = MappingProxyType({})) -> None:
        self._in_all_fields = in_all_fields
        self._replace = replace
        self._left_out: Counter[str] = Counter()
        self._texts = 0

    def reads(self, name: str, spec: FieldSpec) -> bool:
        """Returns whether texts of the field `name` may change when they are read: HTML into marks, or symbols."""
        return self._has_html(name, spec) or (bool(self._replace) and _has_marks(name, spec))

    def _has_html(self, name: str, spec: FieldSpec) -> bool:
        """Returns whether the field `name` may contain HTML; of the fields that every game has, only `name` may."""
        if name in RESERVED:
            return self._in_all_fields and name == "name"
        return (spec.type == "text" and spec.markup == "html") or (self._in_all_fields and _has_marks(name, spec))

    def read(self, name: str, spec: FieldSpec, text: str) -> str:
        """Returns a text of the field `name` with its HTML turned into marks, and with symbols replaced."""
        if name == "name":
            return unescape(text)
        if self._has_html(name, spec):
            left_out: Counter[str] = Counter()
            text = to_marks(text, left_out)
            self._texts += bool(left_out)
            self._left_out += left_out
        for sign, mark in self._replace.items():
            text = text.replace(sign, mark)
        return text

    def findings(self, file: str, fields: Mapping[str, FieldSpec], cards: Iterable[Mapping[str, Any]]) -> list[Finding]:
        """Returns up to two findings: HTML without an equivalent mark was removed, and HTML in texts was not read."""
        findings = []
        if self._left_out:
            tags = ", ".join(f"<{tag}> ({count})" for tag, count in self._left_out.most_common())
            texts = amount(self._texts, "text")
            message = f"HTML tags that carddb cannot use were removed from {texts}, but not the words in them: {tags}"
            data = {"texts": self._texts, "tags": dict(self._left_out)}
            findings.append(warning("html_left_out", message, Place(file), data=data))
        marked = [name for name, spec in fields.items() if spec.type == "text" and spec.markup == "marks"]
        in_cards = ((values[name] for name in marked if name in values) for values in cards)
        unread = 0 if self._in_all_fields else sum(any(map(_BASIC.search, texts)) for texts in in_cards)
        if unread:
            message = f"texts of {amount(unread)} contain HTML, whose tags are printed like other words"
            fix = "Load the file with --html, which turns the tags into bold, italic and line breaks."
            findings.append(warning("html_unread", message, Place(file), data={"cards": unread}, fix=fix))
        return findings


def _has_marks(name: str, spec: FieldSpec) -> bool:
    return name not in RESERVED and spec.type == "text" and spec.markup in ("marks", "html")


def to_marks(text: str, left_out: Counter[str] | None = None) -> str:
    """Returns a text with marks for `<b>`, `<strong>`, `<i>`, `<em>`, `<br>`, paragraphs and lists.

    Other tags are removed and counted in `left_out`, but the text inside them stays. Characters that would be marks get
    a backslash. A text without tags and entities is unchanged, so that converting twice does no harm.
    """
    if not _HTML.search(text):
        return text
    reader = _Reader(Counter() if left_out is None else left_out)
    # After the last `>` no tag is complete, but the parser would search the rest for an end from every `<` again.
    whole, end, rest = text.rpartition(">")
    reader.feed(whole + end)
    reader.close()
    reader.handle_data(unescape(rest))
    return _GAPS.sub("\n", "".join(reader.out)).strip()


class _Reader(HTMLParser):
    def __init__(self, left_out: Counter[str]) -> None:
        super().__init__(convert_charrefs=True)
        self.out: list[str] = []
        self._left_out = left_out
        self._counts: list[int] = []
        """The last number of each open list, or -1 for a list without numbers."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _STARS:
            self.out.append(_STARS[tag])
        elif tag == "br":
            self.out.append("{br}")
        elif tag == "li":
            bullet = "•"
            if self._counts and self._counts[-1] >= 0:
                self._counts[-1] += 1
                bullet = f"{self._counts[-1]}."
            self.out.append(f"\n{bullet} ")
        elif tag in _PARAGRAPHS:
            self.out.append("\n")
            if tag in ("ul", "ol"):
                self._counts.append(-1 if tag == "ul" else 0)
        if tag not in _NOT_COUNTED:
            self._left_out[tag] += 1

    def handle_endtag(self, tag: str) -> None:
        if tag in _STARS:
            self.out.append(_STARS[tag])
        elif tag in _PARAGRAPHS or tag == "li":
            self.out.append("\n")
            if tag in ("ul", "ol") and self._counts:
                self._counts.pop()

    def handle_data(self, data: str) -> None:
        self.out.append(_SPECIAL.sub(r"\\\g<0>", data))


Converter = Callable[[Any], Any]
"""A function that returns a cell as the field's value, or None if it is empty. Raises DataFault if it does not fit."""

MAX_CELL_BYTES = 64 << 10
MAX_LINE = 500
"""The most characters of a name, reference or file name."""
_DIGITS = 15
"""The number of digits that spreadsheets keep; they change a number with more digits."""
_LARGEST = 10**_DIGITS
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_INTEGER = re.compile(r"[-+]?[0-9]{1,400}")
_NUMBER = re.compile(r"[-+]?(?:[0-9]{1,400}(?:\.[0-9]{0,400})?|\.[0-9]{1,400})(?:[eE][-+]?[0-9]{1,4})?")
_DASHES = frozenset("-\u2013\u2014\u2212")
_NONE = "none"
_BETWEEN = re.compile("[,/\u00b7|]")
_ENTRY = re.compile(r"(\S.{0,79}?)(?::\s+|\s+[-\u2010-\u2015]\s+)(\S.*)")
BRACKETS = frozenset("[]{}")
"""The characters that a reference must not contain."""
_ONE_LINE = frozenset({"ref", "name", "type", "set", "art", "emblem", "face_image"})


def converter(name: str, spec: FieldSpec, html: HtmlTexts | None = None) -> Converter:
    """Returns the converter of the field `name`; `html` reads the HTML in its texts, and counts what cannot be used."""
    make = {"boolean": _boolean, "choice": _choice, "list": _list, "object": _object}
    make |= dict.fromkeys(("integer", "number"), _number)
    return make[spec.type](name, spec) if spec.type in make else _text(name, spec, html or HtmlTexts())


def shown(raw: Any) -> str:
    """Returns a cell as findings quote it, shortened if it is long."""
    if isinstance(raw, Finding):
        return ""
    text = raw if isinstance(raw, str) else json.dumps(raw, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:59] + "…"


def plain(raw: Any, name: str) -> str:
    """Returns a cell's stripped text with LF line ends. Raises DataFault for lists, long texts, control characters."""
    if type(raw) is not str:
        raw = _as_text(raw, name)
    text: str = raw.strip()
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > MAX_CELL_BYTES >> 2 and len(text.encode("utf-8", "replace")) > MAX_CELL_BYTES:
        size = len(text.encode("utf-8", "replace"))
        message = f"{name} has {size:,} bytes, but may have at most {MAX_CELL_BYTES:,}"
        raise DataFault("cell_too_large", message, "Shorten it.")
    control = _CONTROL.search(text)
    if control:
        raise DataFault("invalid", f"{name} contains the control character U+{ord(control[0]):04X}", "Remove it.")
    return text


def _as_text(raw: Any, name: str) -> str:
    if isinstance(raw, Finding):
        raise DataFault(raw.code, f"{name}: {raw.message}", raw.fix)
    if isinstance(raw, bool):
        return "true" if raw else "false"
    if isinstance(raw, float):
        return str(int(raw)) if raw.is_integer() and abs(raw) < _LARGEST else repr(raw)
    if isinstance(raw, int):
        return str(raw)
    raise DataFault("invalid", f"{name} must be a single value, not a list or mapping")


def _check_range(name: str, spec: FieldSpec, value: float) -> None:
    """Raises DataFault if a number is outside the field's range."""
    if spec.reaches(value):
        return
    low, high = spec.min, spec.max
    least, most = f"{low or 0:g}", f"{high or 0:g}"
    expected = f"at least {least}" if high is None else f"at most {most}" if low is None else f"from {least} to {most}"
    example = f"a number {expected}"
    if low == high is not None:
        expected = example = least
    raise DataFault("range", f"{name} is {value}, but must be {expected}", f"Write {example}.")


def _text(name: str, spec: FieldSpec, html: HtmlTexts) -> Converter:
    one_line = name in _ONE_LINE
    is_ref = name == "ref"
    is_html = html.reads(name, spec)
    words = spec.words

    def convert(raw: Any) -> str | None:
        text = plain(raw, name)
        if is_html:
            text = html.read(name, spec, text)
        if one_line and not text.isalnum():
            text = " ".join(text.split())
        if one_line and len(text) > MAX_LINE:
            message = f"{name} has {len(text)} characters, but may have at most {MAX_LINE}"
            raise DataFault("invalid", message, "Shorten it.")
        if is_ref and not BRACKETS.isdisjoint(text):
            raise DataFault("invalid", "a reference may not contain brackets or braces", "Remove them.")
        return words.find(text) or text or None

    return convert


def _entered(raw: Any, name: str) -> str:
    """Returns the text of a cell; empty if it is a dash or `none`, which users write for a missing value."""
    text = plain(raw, name)
    return "" if text in _DASHES or (not text.isdigit() and fold_word(text) == _NONE) else text


def _number(name: str, spec: FieldSpec) -> Converter:
    is_whole = spec.type == "integer"
    expected = "a whole number" if is_whole else "a number"

    def convert(raw: Any) -> int | float | None:
        if type(raw) is str and len(raw) <= _DIGITS and raw.isascii() and raw.isdigit():
            # This short cut takes a fifth of the time; a cache would not help, since the numbers of cards differ.
            value: int | float = int(raw)
            _check_range(name, spec, value)
            return value
        text = spec.without_unit(_entered(raw, name))
        text = text.removeprefix("#") if is_whole else text
        if not text:
            return None
        if not _NUMBER.fullmatch(text):
            fix = "Write only digits, with at most one decimal point and without a unit."
            raise DataFault("invalid", f"{name} must be {expected}, not {shown(text)!r}", fix)
        value = int(text) if _INTEGER.fullmatch(text) else float(text)
        if abs(value) >= _LARGEST:
            raise DataFault("range", f"{name} has more than fifteen digits before the decimal point; no more are kept")
        if value == int(value):
            value = int(value)
        elif is_whole:
            raise DataFault("invalid", f"{name} must be a whole number, not {shown(text)}", "Round it.")
        _check_range(name, spec, value)
        return value

    return convert


def _boolean(name: str, spec: FieldSpec) -> Converter:
    def convert(raw: Any) -> bool | None:
        if isinstance(raw, bool):
            return raw
        text = plain(raw, name)
        if not text:
            return None
        value = spec.truth.get(fold_word(text))
        if value is None:
            raise DataFault("invalid", f"{name} must be true or false, not {shown(text)!r}", "Write true or false.")
        return value

    return convert


def _choice(name: str, spec: FieldSpec) -> Converter:
    words = spec.words

    def convert(raw: Any) -> str | None:
        text = plain(raw, name)
        value = words.find(text)
        if value is None:
            text = _entered(text, name)
        if value is None and text and spec.closed:
            message = f"{name} must be one of {', '.join(spec.of)}, not {shown(text)!r}"
            raise DataFault("invalid", message, words.remedy(text))
        return value or text or None

    return convert


def split_list(text: str) -> list[str]:
    """Returns the items of a list cell, which are separated by semicolons or are a JSON list of texts."""
    if text.startswith("["):
        items = _json(text)
        if isinstance(items, list) and all(isinstance(item, str) for item in items):
            return [item for item in items if item]
    return [item for part in text.split(";") if (item := part.strip())]


def _list(name: str, spec: FieldSpec) -> Converter:
    one = _choice(name, spec) if spec.of else _text("", FieldSpec(), HtmlTexts())
    words = spec.words
    separator = re.compile("|".join(map(re.escape, spec.separators))) if spec.separators else None

    def separated(item: Any) -> Sequence[Any]:
        """Returns the parts of an item, split at the field's own separators."""
        return separator.split(item) if separator and isinstance(item, str) else [item]

    def known(item: str) -> list[str]:
        """Returns the words of an item, divided at commas and strokes, if all are known values; else the whole item."""
        parts = list(filter(None, map(str.strip, _BETWEEN.split(item))))
        return parts if parts and item not in words and all(part in words for part in parts) else [item]

    def convert(raw: Any) -> list[str] | None:
        cell = split_list(_entered(raw, name)) if not isinstance(raw, list) else raw
        cell = [part for item in cell for part in separated(item)]
        items = [part for item in cell for part in (known(item) if isinstance(item, str) else [item])]
        values = [value for item in items if (value := one(item)) is not None]
        return values or None

    return convert


def _object(name: str, spec: FieldSpec) -> Converter:
    def convert(raw: Any) -> Any:
        value = raw
        if not isinstance(raw, dict | list):
            text = _entered(raw, name)
            if not text:
                return None
            value = _json(text) if text[0] in "[{" or len(spec.keys) != 2 else _entries(text, spec.keys)
        if spec.fault(value) or value is None:
            lines = f"{name} must be lines such as “Name: text”, or"
            message = f"{lines if spec.keys else f'{name} must be'} a mapping in JSON, or a list of mappings"
            raise DataFault("invalid", f"{message}, not {shown(raw)!r}", 'Write it like {"name": "…", "text": "…"}.')
        plain(json.dumps(value, ensure_ascii=False), name)
        return value or None

    return convert


def _entries(text: str, keys: Sequence[str]) -> Any:
    """Returns lines `Name: text` or `Name - text` as mappings of the two keys: one, or a list; None for other text."""
    entries = []
    for line in filter(None, map(str.strip, text.split("\n"))):
        match = _ENTRY.fullmatch(line)
        if not match:
            return None
        entries.append(dict(zip(keys, match.groups(), strict=True)))
    return entries[0] if len(entries) == 1 else entries


def _json(text: str) -> Any:
    """Returns the value of a JSON text, or None if the text has a fault."""
    document, findings = parse_all(text, "", "json")
    return None if document is None or findings else document.value


def code_of(fault: Finding, spec: FieldSpec) -> str:
    """Returns the code of a fault in a field: for `invalid` and `range` the game's own code, if it has one."""
    if fault.code == "invalid":
        return spec.code("invalid")
    return spec.code("range") if fault.code == "range" else fault.code
