"""A list to hang up: what may be played on a day, as large as one page allows."""

from __future__ import annotations

from carddb.bans.edition import Edition
from carddb.findings import Finding
from carddb.press.bans.notice_parts import NoticeParts
from carddb.press.bans.paper import FIRST, FOOT, LATER, grounded, height_of, printed, typesetter
from carddb.press.bans.typeset import Placed, Typesetter, Unit, paged
from carddb.press.bans.wording import Publication, day, list_title
from carddb.press.workshop import Workshop

_SIZES = ((2.2, 1), (1.9, 1), (1.7, 2), (1.5, 2), (1.35, 2), (1.2, 2), (1.1, 3), (1.0, 3), (0.9, 3))
"""Scales and columns of names, the best first."""


def sheet_pdf(
    workshop: Workshop,
    edition: Edition,
    publication: Publication,
    window: tuple[int, int],
    paper: str = "letter",
    creation: int = 0,
) -> tuple[bytes, list[Finding]]:
    """The list as PDF and what is wrong with its pages; `creation` is seconds since 1970.

    Raises UsageError, FontError.
    """
    setter = typesetter(workshop)
    bottom = height_of(paper) - FOOT
    title = f"{list_title(edition)} on {day(edition.day)}"
    laid: list[list[Placed]] = []
    for scale, columns in _SIZES:
        laid = paged(_units(setter, edition, publication, window, scale, columns), FIRST, LATER, bottom)
        if len(laid) == 1:
            break
    return printed(workshop, setter, edition, publication, grounded(laid, bottom), paper, title, creation)


def _units(
    setter: Typesetter, edition: Edition, publication: Publication, window: tuple[int, int], scale: float, columns: int
) -> list[Unit]:
    pieces = NoticeParts(edition, publication, window, setter, scale, columns)
    return [
        *pieces.masthead(list_title(edition)),
        *pieces.whole("The whole list"),
        *pieces.groups(edition.in_force),
        *pieces.foot(note=False),
    ]
