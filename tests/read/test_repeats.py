"""Repeats: what is written again and again takes time by its length, in every reader of foreign text."""

from __future__ import annotations

import contextlib
import resource
import subprocess
import sys
from collections.abc import Callable
from itertools import product

import pytest

from carddb.cards.cards import Pool
from carddb.layout.drawing.art import read_vector
from carddb.layout.drawing.path import parse_path, parse_transform
from carddb.layout.drawing.svg_parser import DrawingError
from carddb.layout.text.words import tokens
from carddb.read.cards.translations import po_language
from carddb.read.cards.values import to_marks
from carddb.read.decks.pasted import divide
from carddb.read.decks.text import header_of, mentioned_words, read_deck
from tests.games.cahrd.samples import SPEC

_SECONDS = 60
"""Of the processor, for all: ten are enough; one expression that is more than linear takes minutes."""
_SIGNS = (
    "\n", "\t", " ", "a ", "a", "1", "1,", "a,", "1\t", "1 a, ", ",", "(", "[", "[a](/", "<a ", "<a b='", "<!--",
    "*", "_", "`", "~~", "a:", "a: b/", "=", ">", "&#", "x", "1x", "|", "/*", "{", "}", "a{", "scale(1", "M1",
    '"', "\\", "{icon:", "{sc:",
)  # fmt: skip
_HEADS = ("", "1 a", "hi", "1 ", "total", "From: ", "Name: a", "<b>")


def _svg(style: str) -> None:
    read_vector(
        "a", f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><style><![CDATA[{style}]]></style></svg>'
    )


_WHOLE: tuple[Callable[[str], object], ...] = (
    lambda text: header_of(text, "", "game"), divide, to_marks, parse_transform, parse_path, _svg, tokens, po_language,
)  # fmt: skip
_BY_LINE: tuple[Callable[[str], object], ...] = (
    lambda text: read_deck(text, SPEC, Pool(())), mentioned_words,
)  # fmt: skip


def read_all(*heads: str) -> None:
    """Reads 60,000 characters of each sign behind each beginning, and twenty lines as long as a deck may have."""
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    for head, sign in product(heads, _SIGNS):
        for read in _WHOLE:
            _tried(read, head + sign * (60_000 // len(sign)))
        for read in _BY_LINE:
            _tried(read, "\n".join([(head + sign * 2_000)[:1_999]] * 2))


def _tried(read: Callable[[str], object], text: str) -> None:
    with contextlib.suppress(DrawingError, ValueError):  # what is no outline, transform or drawing
        read(text)


@pytest.mark.full
@pytest.mark.door
def test_repeats_take_time_by_their_length() -> None:
    """Decks, pasted lists, HTML, marks, outlines, transforms, styles and translations of repeats end in good time."""
    ends(*_HEADS[:2])


@pytest.mark.full
def test_repeats_behind_every_beginning_take_time_by_their_length() -> None:
    """The same behind words that a reader knows."""
    ends(*_HEADS[2:])


def ends(*heads: str) -> None:
    """Reads everything in a process that may not take long."""
    program = f"from {__name__} import read_all; read_all(*{heads!r})"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
