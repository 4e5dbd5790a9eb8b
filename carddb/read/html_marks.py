"""The basic HTML in texts of other card databases, as carddb's marks."""

from __future__ import annotations

import re
from html.parser import HTMLParser

_STARS = {"b": "**", "strong": "**", "i": "*", "em": "*", "cite": "*"}
_PARAGRAPHS = frozenset({"p", "div", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "hr"})
_SPECIAL = re.compile(r"[*{}\\]")
_HTML = re.compile(r"<[a-zA-Z/!]|&[a-zA-Z#]")
_GAPS = re.compile(r"[ \t]*\n\s*")


def to_marks(text: str) -> str:
    """A text with `<b>`, `<strong>`, `<i>`, `<em>`, `<br>`, paragraphs and lists as a text with marks.

    Other tags are left out, and their words stay; characters that would be marks get a backslash. A text without tags
    and entities stays as it is, so that one that was converted before is not changed again.
    """
    if not _HTML.search(text):
        return text
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return _GAPS.sub("\n", "".join(reader.out)).strip()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.out: list[str] = []
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
