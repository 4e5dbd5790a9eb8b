"""Reads every published form of a ban list back: the cards with their levels, as somebody finds them there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pypdfium2

Pairs = set[tuple[str, int]]

ATOM = "{http://www.w3.org/2005/Atom}"
_LEVEL = re.compile(r"^__Level (\d+): ")
_ENTRY = re.compile(r".*\[(.*)\], level (\d+): ")
_ESCAPED = re.compile(r"\\([^0-9A-Za-z\s])")


def pdf_pages(data: bytes) -> list[str]:
    """The text of each page."""
    return [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(data)]


def pdf_pairs(data: bytes, refs: Iterable[str]) -> Pairs:
    """What stands under the levels of printed pages."""
    out: Pairs = set()
    level = 0
    ends = "Groups|Is your deck|At most|A deck with|(?:Sample, not|Changes on)"
    known = "|".join(re.escape(ref) for ref in sorted(refs, key=len, reverse=True))
    sought = re.compile(rf"Level (?P<level>\d+): |(?P<end>{ends})|(?<!\S)(?P<ref>{known})(?!\S)")
    for found in sought.finditer("\n".join(pdf_pages(data))):
        if found["level"] or found["end"]:
            level = int(found["level"] or 0)
        elif level:
            out.add((found["ref"], level))
    return out


class Page(HTMLParser):
    """A web page: its rows, links, elements, and words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.pairs: Pairs = set()
        self.links: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.entries: list[str] = []
        self._open: list[str] = []
        self._ref = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.elements.append((tag, given))
        for name in ("href", "src"):
            if given.get(name):
                self.links.append(str(given[name]))
        if tag == "li":
            self.entries.append("")
        if tag not in ("meta", "link", "path", "br"):
            self._open.append(f"{tag}.{given.get('class') or given.get('scope') or ''}")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop().partition(".")[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        self.words.append(data)
        if "li." in "".join(self._open) and self.entries:
            self.entries[-1] += data
        if "th.row" in self._open and "span.ref" in self._open:
            self._ref = data
        if "tbody." in self._open and "td." in self._open and data.strip().isdecimal():
            self.pairs.add((self._ref, int(data)))


def html_pairs(data: bytes) -> Pairs:
    """The table of the whole list."""
    return Page(data.decode()).pairs


def json_pairs(data: bytes) -> Pairs:
    """The cards of an edition."""
    return {(card["ref"], card["level"]) for card in json.loads(data)["cards"]}


def feed_pairs(data: bytes, title: str) -> Pairs:
    """The whole list in the entry of that title."""
    entries = ET.fromstring(data).findall(f"{ATOM}entry")
    content = next(entry.findtext(f"{ATOM}content") for entry in entries if entry.findtext(f"{ATOM}title") == title)
    found = (_ENTRY.search(" ".join(entry.split())) for entry in Page(content or "").entries)
    return {(match[1], int(match[2])) for match in found if match}


def discord_pairs(parts: Iterable[str]) -> Pairs:
    """The whole list in messages, as they are shown."""
    out: Pairs = set()
    level, whole = 0, False
    for line in "\n".join(parts).splitlines():
        whole = whole or line.startswith("**Whole list")
        if found := _LEVEL.search(line):
            level = int(found[1])
        elif whole and level and line.startswith("- "):
            shown = _ESCAPED.sub(r"\1", line.replace("\u200b", "").replace("\u2068", "").replace("\u2069", ""))
            out.add((shown.rpartition("]")[0].rpartition("[")[2], level))
    return out
