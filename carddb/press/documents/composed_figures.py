"""A composed picture: faces placed on a page as its plan says, and over them the words of a template."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from carddb.core.units import Box, Size
from carddb.layout.sheets.grid import whole_page
from carddb.layout.sheets.imposition import Page, Placed, impose
from carddb.paint.pdf.content_stream import DrawnPage
from carddb.press.documents.families import fonts_of
from carddb.press.documents.figure_layout import Family, lay_out
from carddb.press.documents.figure_plan import FigurePlan
from carddb.press.documents.narrow_figure import lay_out_within
from carddb.press.faces.bank import FaceBank
from carddb.press.faces.streams import FaceStreams
from carddb.press.faces.workshop import Workshop

_TEMPLATE = "figure.svg"
_INK, _LINE = "#1c1a19", "#b9b4ac"


def compose(
    bank: FaceBank, plan: FigurePlan, faces: Sequence[int | None], title: str, room: Size | None = None
) -> DrawnPage:
    """The picture of a plan; `faces` are the numbers of what its items, or the steps of its strip, show.

    With a `room`, that of a page, it is arranged so that it is well seen there. Raises TemplateError, FontError.
    """
    workshop = bank.workshop
    sizes = [bank.size_of(number) if number is not None else None for number in faces]
    words = _words(workshop)
    setter, family = workshop.studio.setter, Family(words["heading"], words["text"])
    layout, is_turned = (
        lay_out_within(plan, sizes, setter, family, room) if room else (lay_out(plan, sizes, setter, family), False)
    )
    over = bank.page(_TEMPLATE, {**layout.to_context(), **words, "title": title})
    (page,) = impose([(over, None)], whole_page(layout.size), "none")
    shown = [number for number in faces if number is not None]
    below = [Placed(number, box, box, turn) for number, (box, turn) in zip(shown, layout.boxes, strict=True)]
    page = _with_faces(page, below)
    return FaceStreams(bank).drawn(_turned(page) if is_turned else page)


def _with_faces(page: Page, below: Sequence[Placed]) -> Page:
    """A page with more faces, under what lies on it."""
    return page._replace(placed=(*below, *page.placed))


def _turned(page: Page) -> Page:
    """A page turned by a quarter against the clock."""
    width = page.size.width

    def turned(box: Box) -> Box:
        return Box(box.y, width - box.right, box.height, box.width)

    placed = [Placed(it.face, turned(it.box), turned(it.clip), (it.angle + 270) % 360) for it in page.placed]
    return page._replace(grid=whole_page(page.size.turned), placed=tuple(placed))


def _words(workshop: Workshop) -> dict[str, Any]:
    """The families and colours of words on a figure of a game: those of its documents."""
    fonts = fonts_of(workshop.game, workshop.lang)
    return {
        "heading": fonts.heading, "text": fonts.text, "label_family": fonts.label,
        "accent": workshop.game.spec.accent, "ink": _INK, "line": _LINE,
    }  # fmt: skip
