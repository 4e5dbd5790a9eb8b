"""A rule sheet as PDF: page after page, as a booklet, or as the sheet that tries whether a booklet can be printed."""

from __future__ import annotations

from carddb.core.languages import is_right_to_left
from carddb.core.units import Size
from carddb.layout.documents.blocks import Document, Listing, Paragraph, Span
from carddb.layout.documents.fonts import DocumentFonts
from carddb.layout.stock import paper_label
from carddb.paint.documents.booklet import Binding, Edge
from carddb.paint.documents.pdf import booklet_pdf, document_pdf
from carddb.paint.figures import Figures


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


_TITLE = "Booklet test"
_PAGES = (
    ("1, the front", "Print this sheet on both sides, turned over its short edge, at 100 %.",
     ("Fold it in the middle, so that this page is in front.", "Open it: 2 lies at the {before}, 3 at the {behind}.",
      "Close it: 4 is the back.")),
    ("2, inside {before}", "This page stands upright behind page 1.",
     ("Is it upside down? Choose the other edge: short edge, also called “flip on the short side” or “tumble”.",
      "Is the other side empty? Print on both sides, or lay the sheet in again by hand.")),
    ("3, inside {behind}", "This page faces page 2.",
     ("Is it smaller than page 1? Print at 100 %, not “fit to page”.",
      "Does the fold miss the middle? Push the guides of the tray against the paper.")),
    ("4, the back", "This page is behind page 3.",
     ("All four as they say? Print the booklet in the same way.", "Lay its sheets in one another, page 1 in front.",
      "Staple twice through the fold, from outside.")),
)  # fmt: skip


def booklet_test_pdf(fonts: DocumentFonts, paper: Size, accent: str, creation: int = 0, fold: Edge = "left") -> bytes:
    """One sheet, printed as a booklet with this fold is; the same input gives the same bytes. Raises FontError."""
    before, behind = ("left", "right") if fold == "left" else ("right", "left")
    documents = [
        Document(
            title.format(before=before, behind=behind),
            (Listing(tuple((Paragraph((Span(line.format(before=before, behind=behind)),)),) for line in lines), 1),),
            (Span(lead),), (_TITLE,), accent=accent,
        )
        for title, lead, lines in _PAGES
    ]  # fmt: skip
    return booklet_pdf(documents, fonts, paper, f"half of {paper_label(paper)}", creation, fold=fold)[0]
