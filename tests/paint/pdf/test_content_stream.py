"""Sketches: the operators of a face, the same whoever makes them, until a file gives them its names and codes."""

from __future__ import annotations

from dataclasses import replace

import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from carddb.layout.display_list import Face, Group, Run
from carddb.paint.pdf.content_stream import DrawnPage, TransparentGroup
from carddb.paint.pdf.operators import StreamBuilder
from carddb.paint.pdf.sheets import faces_pdf, sheets_pdf
from tests.paint.pdf.test_sheets import pages
from tests.paint.samples import CARD, SANS, SERIF, book, drawn_pages, run

LETTERS = st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs"), max_codepoint=0x2300)
TEXTS = st.text(LETTERS, min_size=1, max_size=12)


def told(texts: list[str]) -> Face:
    lines = (run(text, 5000, 9000 + 4000 * at, (SANS, SERIF)[at % 2]) for at, text in enumerate(texts))
    return Face(CARD, tuple(line for line in lines if line.words[0].text))


@given(st.lists(st.lists(TEXTS, min_size=1, max_size=4), min_size=3, max_size=3))
@pytest.mark.full
def test_the_order_of_sketching_changes_nothing(texts: list[list[str]]) -> None:
    """Faces sketched from the last on, each by another hand, make the same file as those sketched as they come."""
    faces = [told(some) for some in texts]
    streams = {at: StreamBuilder(book()).face(faces[at]) for at in (2, 1, 0)}
    backwards = [DrawnPage(page, streams) for page in pages(3)]
    one, other = (sheets_pdf(some, book(), {}, title="t") for some in (drawn_pages(pages(3), faces), backwards))
    assert one == other


def test_one_hand_serves_many_files() -> None:
    """What it has sketched before counts for the next file too: no letter is missing from its fonts."""
    hand, faces = StreamBuilder(book()), [told(["one", "two"]), told(["two", "one (é)"])]
    for some in (faces, faces[::-1], faces[1:]):
        faces_by_number = [some[at % len(some)] for at in range(3)]
        data = sheets_pdf(drawn_pages(pages(3), faces_by_number, hand), book(), {}, title="t")
        text = pypdfium2.PdfDocument(data)[0].get_textpage().get_text_bounded()
        assert {"one", "two"} <= set(text.split())


def test_characters_beyond_ascii_stand_for_themselves() -> None:
    """A sketch has them as they are; only a file gives them a code."""
    sketch = StreamBuilder(book()).face(Face(CARD, (run("Žižka (é)", 0, 9000),)))
    text = "".join(piece for piece in sketch.items if isinstance(piece, str))
    assert "Ž" in text and "é" in text and "\\(" in text


def test_many_scripts_are_read_as_they_were_set() -> None:
    """More characters than one simple font holds, several fonts in turn: all of them extract, in their order."""
    points = [*range(0xA1, 0x17F), *range(0x391, 0x3A1), *range(0x410, 0x44F), *range(0x1E00, 0x1EF9)]
    chars = "".join(chr(point) for point in points if point in book().fonts[SERIF].characters and point != 0xAD)
    assert len(chars) > 300
    lines = [chars[at : at + 20] for at in range(0, len(chars), 20)]
    runs = [run(f"ab {line}(c)", 2000, 5000 + 4000 * at, SERIF, 2500) for at, line in enumerate(lines)]
    data = faces_pdf([Face(CARD, tuple(runs))], book(), {})
    page = pypdfium2.PdfDocument(data)[0].get_textpage().get_text_bounded()
    assert page.split("\r\n") == [f"ab {line}(c)" for line in lines]


def test_words_that_look_like_operators_are_words() -> None:
    """A text may say how a font is chosen: what comes after it is set in its own font all the same."""
    texts = ["/F99+0 9 Tf é", "/F2+0 9 Tf[(é", "/F2+0 9 Tf[ (ž) Tj", "\\) /F2+0 9 Tf[(ř"]
    faces = [Face(CARD, tuple(run(text, 2000, 9000 + 4000 * at) for at, text in enumerate(texts)))]
    page = pypdfium2.PdfDocument(faces_pdf(faces, book(), {}))[0].get_textpage().get_text_bounded()
    assert page.split("\r\n") == texts


def test_what_is_seen_through_stays_apart() -> None:
    """A veil keeps its opacity; an empty one is nothing."""
    hand = StreamBuilder(book())
    veil = Group((run("faint", 0, 9000),), opacity=400)
    [piece] = [piece for piece in hand.face(Face(CARD, (veil,))).items if isinstance(piece, TransparentGroup)]
    assert piece.opacity == 400
    assert hand.face(Face(CARD, (replace(veil, shapes=()),))).items == ()


def test_a_run_of_no_size_is_not_written() -> None:
    """Words too small to have a size leave no trace."""
    line = run("gone", 0, 9000)
    gone = Run(0, 0, (line.words[0]._replace(size=0),))
    assert StreamBuilder(book()).face(Face(CARD, (gone,))).items == ()
