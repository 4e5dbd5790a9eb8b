"""The calibration page of a printer as PDF."""

from __future__ import annotations

from carddb.layout.calibration import Calibration
from carddb.layout.calibration_page import calibration_pages
from carddb.layout.text_setting import Setter
from carddb.paint.drawn_page import DrawnPage
from carddb.paint.sheets_pdf import sheets_pdf
from carddb.press.workshop import font_book

_FAMILY = "IBM Plex Sans Condensed"


def calibration_pdf(page: Calibration, creation: int = 0) -> bytes:
    """Front and back; `creation` in seconds since 1970. Raises UsageError for paper that is too small."""
    book = font_book({})
    pages = map(DrawnPage, calibration_pages(page, Setter(book), _FAMILY))
    title = f"Printer calibration {page.name}".rstrip()
    return sheets_pdf(pages, book, {}, title=title, duplex=page.flip, creation=creation)
