"""The basic HTML in texts of other card databases, as carddb's marks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from html import unescape
from html.parser import HTMLParser
from types import MappingProxyType
from typing import Any

from carddb.core.amounts import amount
from carddb.findings import Finding, Place, warning
from carddb.game.card_fields import RESERVED, FieldSpec

_STARS = {"b": "**", "strong": "**", "i": "*", "em": "*", "cite": "*"}
_PARAGRAPHS = frozenset({"p", "div", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "hr"})
_SPECIAL = re.compile(r"[*{}\\]")
_HTML = re.compile(r"<[a-zA-Z/!]|&[a-zA-Z#]")
_GAPS = re.compile(r"[ \t]*\n\s*")
_BASIC = re.compile(rf"</?(?:{'|'.join(_STARS)}|br|p|ul|ol|li)\b[^<>]*>", re.IGNORECASE)
_UNTOLD = frozenset({"li", "br", "span", *_STARS, *_PARAGRAPHS})
"""Tags that become marks or lines, and the one that has no look of its own."""


class HtmlTexts:
    """The texts of a file in which the HTML of other databases is read, and what of it has no mark.

    A game says so of a field (`markup: html`); with `in_all_fields` it holds for every text that has marks. `replace`
    are signs of other databases in texts and what stands for them, as `{icon:coin}` for `[coin]`.
    """

    def __init__(self, *, in_all_fields: bool = False, replace: Mapping[str, str] = MappingProxyType({})) -> None:
        self._in_all_fields = in_all_fields
        self._replace = replace
        self._left_out: Counter[str] = Counter()
        self._texts = 0

    def reads(self, name: str, spec: FieldSpec) -> bool:
        """Whether the texts of a field are changed."""
        return self._has_html(name, spec) or (bool(self._replace) and _has_marks(name, spec))

    def _has_html(self, name: str, spec: FieldSpec) -> bool:
        """Whether a field has HTML. References and names of files never have; names of cards have its entities."""
        if name in RESERVED:
            return self._in_all_fields and name == "name"
        return (spec.type == "text" and spec.markup == "html") or (self._in_all_fields and _has_marks(name, spec))

    def read(self, name: str, spec: FieldSpec, text: str) -> str:
        """A text of a field, with marks in the place of HTML and of the signs that are replaced."""
        if name == "name":
            return unescape(text)
        if self._has_html(name, spec):
            text = self._to_marks(text)
        for sign, mark in self._replace.items():
            text = text.replace(sign, mark)
        return text

    def _to_marks(self, text: str) -> str:
        left_out: Counter[str] = Counter()
        marks = to_marks(text, left_out)
        self._texts += bool(left_out)
        self._left_out += left_out
        return marks

    def findings(self, file: str, fields: Mapping[str, FieldSpec], cards: Iterable[Mapping[str, Any]]) -> list[Finding]:
        """What has no mark, as one finding; another where texts hold basic HTML that nobody asked to read."""
        findings = []
        if self._left_out:
            tags = ", ".join(f"<{tag}> ({count})" for tag, count in self._left_out.most_common())
            message = f"HTML without a mark was left out of {amount(self._texts, 'text')}, and its words stay: {tags}"
            data = {"texts": self._texts, "tags": dict(self._left_out)}
            findings.append(warning("html_left_out", message, Place(file), data=data))
        marked = [name for name, spec in fields.items() if spec.type == "text" and spec.markup == "marks"]
        unread = 0 if self._in_all_fields else sum(_holds_html(values, marked) for values in cards)
        if unread:
            message = f"texts of {amount(unread)} hold HTML, which is printed as it stands"
            fix = "Load with --html, which makes marks of it."
            findings.append(warning("html_unread", message, Place(file), data={"cards": unread}, fix=fix))
        return findings


def _has_marks(name: str, spec: FieldSpec) -> bool:
    return name not in RESERVED and spec.type == "text" and spec.markup in ("marks", "html")


def _holds_html(values: Mapping[str, Any], fields: Iterable[str]) -> bool:
    texts = [values[name] for name in fields if name in values and "<" in values[name]]
    return any(map(_BASIC.search, texts))


def to_marks(text: str, left_out: Counter[str] | None = None) -> str:
    """A text with `<b>`, `<strong>`, `<i>`, `<em>`, `<br>`, paragraphs and lists as a text with marks.

    Other tags are left out and counted in `left_out`, and their words stay; characters that would be marks get a
    backslash. A text without tags and entities stays as it is, so that one that was converted before is not changed
    again.
    """
    if not _HTML.search(text):
        return text
    reader = _Reader(Counter() if left_out is None else left_out)
    reader.feed(text)
    reader.close()
    return _GAPS.sub("\n", "".join(reader.out)).strip()


class _Reader(HTMLParser):
    def __init__(self, left_out: Counter[str]) -> None:
        super().__init__(convert_charrefs=True)
        self.out: list[str] = []
        self._left_out = left_out
        self._counts: list[int] = []
        """The last number of each open list; -1 in one without numbers."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _STARS:
            self.out.append(_STARS[tag])
        elif tag == "br":
            self.out.append("{br}")
        elif tag == "li":
            self.out.append(f"\n{self._bullet()} ")
        elif tag in _PARAGRAPHS:
            self.out.append("\n")
            if tag in ("ul", "ol"):
                self._counts.append(-1 if tag == "ul" else 0)
        if tag not in _UNTOLD:
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

    def _bullet(self) -> str:
        if not self._counts or self._counts[-1] < 0:
            return "•"
        self._counts[-1] += 1
        return f"{self._counts[-1]}."
