"""Small capitals: capital letters of a smaller size for small letters, as few fonts have drawn ones of their own."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from carddb.layout.text.shaping import Letters, Sized, Typeface

_SHARE = 780
"""The size of a small capital, in thousandths of the size of the text."""


def small_size(size: int) -> int:
    """The size of small capitals in a text of a size, in micrometres."""
    return size * _SHARE // 1000


def width(letters: Letters, text: str, size: int, tracking: int) -> int:
    """The width of a word in small capitals, in micrometres."""
    sizes = {True: small_size(size), False: size}
    return sum(letters.width(part, sizes[is_small], tracking) for is_small, part in _parts(text))


class SmallCapitals(dict[str, Sized]):
    """Words in small capitals, made when first asked for: capitals as they are, small letters in a smaller typeface."""

    def __init__(self, capitals: Typeface, small: Typeface) -> None:
        super().__init__()
        self._typefaces = {True: small, False: capitals}

    def __missing__(self, text: str) -> Sized:
        parts = [self._typefaces[is_small][part] for is_small, part in _parts(text)]
        words = tuple(word for part in parts for word in part.words)
        sized = self[text] = Sized(words, sum(part.width for part in parts), "".join(p.missing for p in parts), None)
        return sized


def _parts(text: str) -> Iterator[tuple[bool, str]]:
    """The parts of a word, as they are set, and whether they are small."""
    for is_small, chars in groupby(text, key=str.islower):
        part = "".join(chars)
        yield is_small, part.upper() if is_small else part
