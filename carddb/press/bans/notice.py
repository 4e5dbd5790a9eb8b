"""The notice of an announcement to print: what changes and why, the list after it, on one page where it fits."""

from __future__ import annotations

from carddb.bans.edition import Edition
from carddb.findings import Finding
from carddb.press.bans.notice_parts import NoticeParts
from carddb.press.bans.paper import FIRST, FOOT, LATER, grounded, height_of, printed, typesetter
from carddb.press.bans.typeset import Placed, Typesetter, Unit, paged
from carddb.press.bans.wording import Publication, day, headline
from carddb.press.workshop import Workshop

_SCALES = (1.25, 1.12, 1.0, 0.92, 0.86)
"""Sizes of the whole list, the best first."""


def notice_pdf(
    workshop: Workshop,
    edition: Edition,
    publication: Publication,
    window: tuple[int, int],
    paper: str = "letter",
    creation: int = 0,
) -> tuple[bytes, list[Finding]]:
    """The notice as PDF and what is wrong with its pages; of an edition without news the list alone.

    `creation` is seconds since 1970. Raises UsageError, FontError.
    """
    setter = typesetter(workshop)
    bottom = height_of(paper) - FOOT
    title = headline(edition)
    laid: list[list[Placed]] = []
    for scale in _SCALES:
        tried = paged(_units(setter, edition, publication, window, scale), FIRST, LATER, bottom)
        laid = tried if not laid or scale == 1 or len(tried) < len(laid) else laid
        if len(laid) == 1:
            break
    return printed(workshop, setter, edition, publication, grounded(laid, bottom), paper, title, creation)


def _units(
    setter: Typesetter, edition: Edition, publication: Publication, window: tuple[int, int], scale: float
) -> list[Unit]:
    pieces = NoticeParts(edition, publication, window, setter, scale)
    news = edition.news
    out = list(pieces.masthead(headline(edition)))
    if news:
        out += [*pieces.steps("Stricter", news.stricter), *pieces.steps("Softer", news.softer)]
    out += [*pieces.groups(edition.groups), *pieces.whole(f"Whole list from {day(edition.day)}"), *pieces.foot()]
    return out
