"""The calibration page of a printer as PDF."""

from __future__ import annotations

from carddb.core.units import Size
from carddb.layout.calibration.drawing import lamp_drawing, sheet_drawing
from carddb.layout.calibration.gauges import LabelWriter
from carddb.layout.calibration.page import calibration_pages
from carddb.layout.calibration.page_value import Calibration
from carddb.layout.text.text_setting import Setter
from carddb.paint.pdf.content_stream import DrawnPage
from carddb.paint.pdf.sheets import sheets_pdf
from carddb.paint.svg import svg
from carddb.press.faces.workshop import font_book

_FAMILY = "IBM Plex Sans Condensed"


def sheet_svg(size: Size) -> str:
    """A small drawing of a page of that size, its scales by number. Raises UsageError for paper that is too small."""
    book = font_book({})
    return svg(sheet_drawing(size, LabelWriter(Setter(book), _FAMILY)), book, {})


def lamp_svg() -> str:
    """A drawing of one scale against a lamp, with its reading."""
    book = font_book({})
    return svg(lamp_drawing(LabelWriter(Setter(book), _FAMILY)), book, {})


def calibration_pdf(page: Calibration, creation: int = 0) -> bytes:
    """Front and back; `creation` in seconds since 1970. Raises UsageError for paper that is too small."""
    book = font_book({})
    pages = map(DrawnPage, calibration_pages(page, Setter(book), _FAMILY))
    title = f"Printer calibration {page.name}".rstrip()
    return sheets_pdf(pages, book, {}, title=title, duplex=page.flip, creation=creation)
