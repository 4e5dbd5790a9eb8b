"""What is printed of a list: the notice of an announcement, and the list to hang up, each on one page where it fits."""

from __future__ import annotations

from types import MappingProxyType

from carddb.bans.edition import Edition
from carddb.findings import Finding
from carddb.press.bans.notice_parts import NoticeParts, Pictures
from carddb.press.bans.paper import FIRST, LATER, Document, best_layout, printed
from carddb.press.bans.typeset import Unit, paged
from carddb.press.bans.word_forms import day
from carddb.press.bans.wording import Publication, headline, list_title
from carddb.press.faces.workshop import Workshop

_NOTICE_SCALES = (1.25, 1.12, 1.0, 0.92, 0.86)
"""Sizes of the whole list on a notice, the best first."""
_FACES = {1.7: 13.5, 1.5: 12.0, 1.35: 10.5, 1.2: 9.0}
"""Widths of the faces beside the names of a list to hang up in mm, by the scale of the names, the best first."""
_FACE_COLUMNS = (2, 3)
_NONE: Pictures = MappingProxyType({})
_LIST_SCALES = ((2.2, 1), (1.9, 1), (1.7, 2), (1.5, 2), (1.35, 2), (1.2, 2), (1.1, 3), (1.0, 3), (0.9, 3))
"""Scales and columns of names on a list to hang up, the best first."""


def notice_pdf(
    workshop: Workshop, edition: Edition, publication: Publication, window: tuple[int, int], paper: str, creation: int,
    pictures: Pictures = _NONE,
) -> tuple[bytes, list[Finding]]:  # fmt: skip
    """The notice as PDF and what is wrong with its pages; of an edition without news the list alone.

    The faces of `pictures` stand beside changes where that takes no further page; the workshop has them.
    `creation` is seconds since 1970. Raises UsageError, FontError.
    """
    document = Document(workshop, edition, publication, headline(edition), paper, creation)
    tries = [(scale, shown) for shown in ((pictures, _NONE) if pictures else (_NONE,)) for scale in _NOTICE_SCALES]
    parts = (
        NoticeParts(edition, publication, window, document.setter, scale, pictures=shown) for scale, shown in tries
    )
    layouts = (paged(_notice_units(part), FIRST, LATER, document.bottom) for part in parts)
    return printed(document, best_layout(layouts, smallest=tries.index((1.0, _NONE))))


def _notice_units(parts: NoticeParts) -> list[Unit]:
    edition = parts.edition
    units = list(parts.masthead(headline(edition)))
    if edition.news:
        units += [*parts.steps("Stricter", edition.news.stricter), *parts.steps("Softer", edition.news.softer)]
    whole = parts.whole(f"Whole list from {day(edition.day)}")
    return [*units, *parts.groups(edition.groups), *whole, *parts.foot()]


def list_pdf(
    workshop: Workshop, edition: Edition, publication: Publication, window: tuple[int, int], paper: str, creation: int,
    pictures: Pictures = _NONE,
) -> tuple[bytes, list[Finding]]:  # fmt: skip
    """What may be played on a day, as large as one page allows, as PDF; and what is wrong with its pages.

    The faces of `pictures` stand beside the names where they go on the page; the workshop has them.

    `creation` is seconds since 1970. Raises UsageError, FontError.
    """
    title = f"{list_title(edition)} on {day(edition.day)}"
    document = Document(workshop, edition, publication, title, paper, creation)
    faces = _FACES if pictures else {}
    tries = [
        *((scale, columns, wide) for scale, wide in faces.items() for columns in _FACE_COLUMNS),
        *((scale, columns, 0.0) for scale, columns in _LIST_SCALES),
    ]
    parts = (
        NoticeParts(edition, publication, window, document.setter, scale, columns, pictures, face)
        for scale, columns, face in tries
    )
    layouts = (paged(_list_units(part), FIRST, LATER, document.bottom) for part in parts)
    return printed(document, best_layout(layouts, smallest=-1))


def _list_units(parts: NoticeParts) -> list[Unit]:
    return [
        *parts.masthead(list_title(parts.edition)),
        *parts.whole("The whole list"),
        *parts.groups(parts.edition.in_force),
        *parts.foot(note=False),
    ]
