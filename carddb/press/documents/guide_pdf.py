"""A rule sheet as PDF: page after page, as a booklet, or as the sheet that tries whether a booklet can be printed."""

from __future__ import annotations

from carddb.core.languages import is_right_to_left
from carddb.core.units import Size
from carddb.layout.documents.blocks import Document
from carddb.layout.documents.fonts import DocumentFonts
from carddb.layout.stock import paper_label
from carddb.paint.documents.booklet import Binding, Edge
from carddb.paint.documents.pdf import booklet_pdf, document_pdf
from carddb.paint.figures import Figures
from carddb.press.documents.booklet_test import booklet_test_pdf


def guide_pdf(
    document: Document,
    fonts: DocumentFonts,
    figures: Figures | None,
    paper: Size,
    accent: str,
    creation: int,
    binding: Binding,
) -> tuple[bytes, int]:
    """The PDF of a rule sheet and the number of its pages; `creation` is seconds since 1970. Raises FontError."""
    fold: Edge = "right" if is_right_to_left(document.lang) else "left"
    if binding == "booklet-test":
        return booklet_test_pdf(fonts, paper, accent, creation, fold), 4
    if binding == "booklet":
        return booklet_pdf([document], fonts, paper, f"half of {paper_label(paper)}", creation, figures, fold)
    return document_pdf(document, fonts, paper, paper_label(paper), creation, figures)
