"""The digest of a face: equal where it prints the same, different where it does not."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path as Place

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carddb.cards.cards import Pool
from carddb.core.units import Box, Size
from carddb.layout.display_list import Face, Group, Path, PlacedImage, Run, Shape, Stroke, rectangle
from carddb.layout.text.fonts import Font, FontBook
from carddb.paint.pdf.content_stream import DIGITS
from carddb.paint.pdf.operators import StreamBuilder
from carddb.press.faces.bank import FaceBank, FaceStreams
from carddb.press.faces.workshop import Workshop
from tests.paint.samples import SANS, SERIF, book, word
from tests.rows import every

SANS_FILE, SERIF_FILE = (book().fonts[key].file.data for key in (SANS, SERIF))
FONTS = (Font("A 400", "A", "400", SANS_FILE), Font("B 400", "B", "400", SERIF_FILE))
WORD = word("Ox", "A 400", 3000, (1500, 1500))
RUN = Run(1, 2, (WORD,), "#102030")
CARD = Size(63_000, 88_000)
BOX = Box(0, 0, 900, 900)
PICTURE = PlacedImage("0f", BOX, BOX)
FILLED = Path(rectangle(BOX), "#ff0000")
GROUP = Group((FILLED,))
OUTLINE = Path(rectangle(BOX), None, Stroke("#000000", 100))


def of(*shapes: Shape, fonts: tuple[Font, ...] = FONTS, size: Size = CARD) -> str:
    return StreamBuilder(FontBook(fonts)).face(Face(size, shapes)).digest


@pytest.mark.door
def test_a_digest_is_the_same_in_another_process() -> None:
    """It is made of what a face says and of nothing that one run of the program has to itself."""
    root = str(Place(__file__).parents[3])
    program = "from tests.paint.pdf.test_digest import *\nprint(of(RUN, GROUP, PICTURE))"
    code = f"import sys; sys.path[:0] = [{root!r}]\n{program}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == of(RUN, GROUP, PICTURE) and len(of(RUN)) == DIGITS


@every(
    "other",
    [
        RUN._replace(x=2),
        RUN._replace(y=3),
        RUN._replace(colour="#000000"),
        RUN._replace(angle=90),
        RUN._replace(words=(WORD._replace(text="Oy"),)),
        RUN._replace(words=(WORD._replace(size=2999),)),
        RUN._replace(words=(WORD._replace(font="B 400"),)),
        RUN._replace(words=(WORD._replace(tracking=10),)),
        RUN._replace(words=(WORD, WORD)),
        PICTURE,
        GROUP,
        OUTLINE,
    ],
)
def test_whatever_is_seen_counts(other: Shape) -> None:
    """Place, colour, turn, words, size, font and spacing of a text each make another digest."""
    assert of(other) != of(RUN)


@every(
    "one, other",
    [
        (PICTURE, PICTURE._replace(key="0e")),
        (PICTURE, PICTURE._replace(angle=90)),
        (PICTURE, PICTURE._replace(clip=Box(0, 0, 800, 900))),
        (FILLED, FILLED._replace(evenodd=True)),
        (OUTLINE, OUTLINE._replace(stroke=Stroke("#000000", 101))),
        (OUTLINE, OUTLINE._replace(stroke=Stroke("#000000", 100, dash=(10, 10)))),
        (OUTLINE, OUTLINE._replace(ops=rectangle(Box(0, 0, 900, 901)))),
        (GROUP, replace(GROUP, opacity=500)),
        (GROUP, replace(GROUP, clip=rectangle(BOX))),
        (GROUP, replace(GROUP, shapes=(OUTLINE._replace(fill="#ff0000"),))),
    ],
)
def test_shapes_count_by_all_they_are(one: Shape, other: Shape) -> None:
    """Any part of a picture, an outline or a group makes another digest."""
    assert of(one) != of(other)


def test_words_count_as_they_are_read() -> None:
    """How a line is parted into words is not seen, nor which field it tells."""
    first, then = (word(char, "A 400", 3000, (advance,)) for char, advance in zip("Ox", (1500, 1500), strict=True))
    assert of(RUN._replace(words=(first, then), field="name")) == of(RUN)


def test_only_a_font_that_is_used_counts() -> None:
    """Another file for a font changes the faces that have words in it, and no other; a font more changes nothing."""
    unused = (Font("C 400", "C", "400", b"three"), FONTS[0], Font(FONTS[1].key, "B", "400", b"other"))
    assert of(RUN, fonts=unused) == of(RUN)
    assert of(RUN, fonts=(Font(FONTS[0].key, "A", "400", SANS_FILE + b"!"), FONTS[1])) != of(RUN)
    assert of(RUN, fonts=(Font(FONTS[0].key, "A", "400", FONTS[0].file.data, {"wght": 500.0}), FONTS[1])) != of(RUN)


def test_size_and_order_count() -> None:
    """What lies above what is seen, and so is the size of the card."""
    assert of(RUN, GROUP) != of(GROUP, RUN)
    assert of(RUN, size=Size(63_000, 88_001)) != of(RUN)


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=6), min_size=1, max_size=4))
def test_words_cannot_run_into_each_other(texts: list[str]) -> None:
    """Different lists of lines have different digests, whatever characters are in them."""
    runs = [RUN._replace(words=(word(text, "A 400", 3000, (0,) * len(text)),)) for text in texts]
    joined = RUN._replace(words=(word("".join(texts), "A 400", 3000, (0,) * len("".join(texts))),))
    assert (of(*runs) == of(joined)) == (len(texts) == 1)


@pytest.mark.full
def test_faces_of_a_game_have_digests(workshop: Workshop, pool: Pool) -> None:
    """Whatever a template draws can be digested: the same twice drawn, and of cards that differ not the same."""
    cards = list(pool)[:40]
    one, two = FaceStreams(FaceBank(workshop)), FaceStreams(FaceBank(workshop))
    digests = [one[one.bank.front(card)].digest for card in cards]
    assert digests == [two[two.bank.front(card)].digest for card in reversed(cards)][::-1]
    assert len(set(digests)) == len(cards)
