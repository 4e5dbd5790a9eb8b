"""Units of an edition put on paper."""

from __future__ import annotations

from collections.abc import Sequence

from carddb.bans.edition import Edition
from carddb.findings import CardCount, Finding, warning
from carddb.layout.display_list import Face
from carddb.layout.face import draw
from carddb.layout.stock import paper_label, paper_size
from carddb.paint.sheets_pdf import faces_pdf
from carddb.press.bans.typeset import LABEL, Look, Placed, Typesetter
from carddb.press.bans.wording import Publication, grouped, list_title, one_line
from carddb.press.workshop import BASE, Workshop
from carddb.units import to_mm

FIRST, LATER = 15.0, 24.0
"""Where the first page and later ones begin, from the top in mm."""
FOOT = 21.0
"""What stays free at the bottom."""
_TEMPLATE = f"{BASE}/ban-page.svg"


def typesetter(workshop: Workshop) -> Typesetter:
    """What measures the words of a workshop's pages."""
    return Typesetter(workshop.studio.setter)


def height_of(paper: str) -> float:
    """The height of a paper in mm. Raises UsageError."""
    return to_mm(paper_size(paper).height)


def grounded(laid: list[list[Placed]], bottom: float) -> list[list[Placed]]:
    """The same pages, the foot of the last at its bottom."""
    *rest, last = laid[-1]
    return [*laid[:-1], [*rest, Placed(last.unit, bottom - last.unit.height)]]


def printed(
    workshop: Workshop, setter: Typesetter, edition: Edition, publication: Publication,
    laid: Sequence[Sequence[Placed]], paper: str, title: str, creation: int,
) -> tuple[bytes, list[Finding]]:  # fmt: skip
    """Pages of units as PDF and what is wrong with them. Raises FontError."""
    faces, findings = _pages(workshop, setter, edition, publication, laid, paper, title)
    data = as_pdf(workshop, faces, f"{publication.game.name}: {title}", creation)
    return data, [*findings, *glyphs_lost(setter, title)]


def _pages(
    workshop: Workshop, setter: Typesetter, edition: Edition, publication: Publication,
    laid: Sequence[Sequence[Placed]], paper: str, title: str,
) -> tuple[list[Face], list[Finding]]:  # fmt: skip
    size = paper_size(paper)
    told = f" · announcement {one_line(edition.news.announcement.id)}" if edition.news else ""
    game = publication.game.name
    left, _ = setter.fitted(f"{game} · {list_title(edition)}{told}", Look(LABEL, 7.5, 9), 80, 7.4)
    head, _ = setter.fitted(title, Look(LABEL, 8.6, 10, 600), 140, 8.5)
    common = {
        "width": to_mm(size.width), "height": to_mm(size.height), "total": len(laid), "title": title, "game": game,
        "head": head, "left": left, "right": f"{paper_label(size)} · fingerprint {grouped(edition.fingerprint)}",
    }  # fmt: skip
    faces: list[Face] = []
    findings: list[Finding] = []
    for number, units in enumerate(laid, start=1):
        drawn_units = [
            {"kind": placed.unit.kind, "y": placed.y, "height": placed.unit.height, "data": placed.unit.data}
            for placed in units
        ]
        context = {"page": {**common, "number": number}, "units": drawn_units}
        drawn = draw(workshop.studio, _TEMPLATE, context, CardCount("", f"{title}, page {number}"))
        faces.append(drawn.face)
        findings.extend(drawn.findings)
    return faces, findings


def glyphs_lost(setter: Typesetter, title: str) -> list[Finding]:
    """A warning where words of a page have letters that no font has."""
    if not setter.lost:
        return []
    message = f"{title}: no font has {' '.join(setter.lost)}; on paper ◊ stands for each, the reference beside it"
    return [warning("glyph_missing", message, fix="The web pages, the data and the feed have every letter.")]


def as_pdf(workshop: Workshop, faces: Sequence[Face], title: str, creation: int) -> bytes:
    """Pages as one file. Raises FontError."""
    return faces_pdf(faces, workshop.studio.book, workshop.images, title=title, creation=creation)
