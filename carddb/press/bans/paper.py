"""Documents about a list on paper: pages drawn by a template, put together as PDF."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from carddb.bans.edition import Edition
from carddb.core.units import to_mm
from carddb.findings import CardCount, Finding, warning
from carddb.layout.display_list import Face
from carddb.layout.drawing.face import draw
from carddb.layout.stock import paper_label, paper_size
from carddb.paint.pdf.images import PdfImages
from carddb.paint.pdf.sheets import faces_pdf
from carddb.press.bans.typeset import LABEL, Look, PlacedUnit, Typesetter
from carddb.press.bans.word_forms import grouped, one_line
from carddb.press.bans.wording import Publication, list_title
from carddb.press.faces.workshop import BASE, Workshop

FIRST, LATER = 15.0, 24.0
"""Where the first page and later ones begin, from the top in mm."""
FOOT = 21.0
"""What stays free at the bottom."""
_DPI = 300
"""Pixels per inch of the faces of cards."""
_TEMPLATE = f"{BASE}/ban-page.svg"

Layout = list[list[PlacedUnit]]


class Document:
    """A document about an edition: its words are measured with `setter`, then its pages drawn.

    `creation` is in seconds since 1970. Raises UsageError for unknown paper.
    """

    def __init__(
        self, workshop: Workshop, edition: Edition, publication: Publication, title: str, paper: str, creation: int
    ) -> None:
        self.edition, self.publication, self.title = edition, publication, title
        self.size = paper_size(paper)
        self.setter = Typesetter(workshop.studio.setter)
        self._workshop = workshop
        self._creation = creation
        self._faces: list[Face] = []
        self._findings: list[Finding] = []

    @property
    def bottom(self) -> float:
        """Where pages end, from the top in mm."""
        return to_mm(self.size.height) - FOOT

    def draw(self, template: str, context: Mapping[str, Any], subject: str) -> None:
        """Adds a page; findings name its subject. Raises TemplateError, FontError."""
        drawn = draw(self._workshop.studio, template, context, CardCount("", subject))
        self._faces.append(drawn.face)
        self._findings += drawn.findings

    def pdf(self, subject: str) -> tuple[bytes, list[Finding]]:
        """The pages as one file and what is wrong with them. Raises FontError."""
        data = faces_pdf(
            self._faces, self._workshop.studio.book, PdfImages(self._workshop.images, _DPI),
            title=f"{self.publication.game.name}: {self.title}", creation=self._creation,
        )  # fmt: skip
        lost = self.setter.lost
        if lost:
            message = f"{subject}: no font has {' '.join(lost)}; on paper ◊ stands for each, the reference beside it"
            fix = "The web pages, the data and the feed have every letter."
            self._findings.append(warning("glyph_missing", message, fix=fix))
        return data, self._findings


def best_layout(layouts: Iterable[Layout], smallest: int) -> Layout:
    """The first layout that takes one page; where none does, of those from place `smallest` on the shortest."""
    tried: list[Layout] = []
    for pages in layouts:
        if len(pages) == 1:
            return pages
        tried.append(pages)
    return min(tried[smallest:], key=len)


def printed(document: Document, pages: Layout) -> tuple[bytes, list[Finding]]:
    """Pages of units as PDF, the foot of the last at its bottom, and what is wrong with them. Raises FontError."""
    *units, foot = pages[-1]
    pages = [*pages[:-1], [*units, PlacedUnit(foot.unit, document.bottom - foot.unit.height)]]
    edition, title, setter, size = document.edition, document.title, document.setter, document.size
    announcement = f" · announcement {one_line(edition.news.announcement.id)}" if edition.news else ""
    game = document.publication.game.name
    left, _ = setter.fitted(f"{game} · {list_title(edition)}{announcement}", Look(LABEL, 7.5, 9), 80, 7.4)
    head, _ = setter.fitted(title, Look(LABEL, 8.6, 10, 600), 140, 8.5)
    common = {
        "width": to_mm(size.width), "height": to_mm(size.height), "total": len(pages), "title": title, "game": game,
        "head": head, "left": left, "right": f"{paper_label(size)} · fingerprint {grouped(edition.fingerprint)}",
    }  # fmt: skip
    for number, page in enumerate(pages, start=1):
        units_ = [
            {"kind": placed.unit.kind, "y": placed.y, "height": placed.unit.height, "data": placed.unit.data}
            for placed in page
        ]
        document.draw(_TEMPLATE, {"page": {**common, "number": number}, "units": units_}, f"{title}, page {number}")
    return document.pdf(title)
