"""A paragraph of words in several typefaces and colours, some in scripts that are shaped; broken at any width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from carddb.layout.display_list import Run, Word
from carddb.layout.text.line_breaking import MeasuredParagraph, Row
from carddb.layout.text.markup import Token
from carddb.layout.text.scripts import clusters
from carddb.layout.text.shaping import Typeface
from carddb.layout.text.text_direction import directed_parts, paragraph_level, visual_items


class Fragment(NamedTuple):
    """Words of one look, and where they lead (empty: nowhere)."""

    text: str
    typeface: Typeface
    colour: str
    target: str = ""


class Piece(NamedTuple):
    """A word or a part of one, with its look."""

    token: Token
    look: Fragment


class MixedParagraph:
    """Words in their order of reading; each knows its direction already."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._pieces = pieces
        self._tokens = tuple(piece.token for piece in pieces)
        words = [piece.look.typeface[piece.token.text] for piece in pieces]
        gaps = [piece.look.typeface.space if piece.token.spaced else 0 for piece in pieces]
        self._measured = MeasuredParagraph(self._tokens, [word.width for word in words], gaps, words)

    @classmethod
    def of(cls, fragments: Sequence[Fragment], is_right_to_left: bool) -> MixedParagraph:
        """The paragraph of some fragments, in a language that is written from right to left or is not."""
        words = list(_words(fragments))
        base = paragraph_level("".join([fragment.text for fragment in fragments]), is_right_to_left)
        parts = directed_parts([word.token for word in words], base)
        return cls([Piece(token, words[place].look) for place, token in parts])

    @property
    def is_right_to_left(self) -> bool:
        return bool(self._tokens) and self._tokens[0].levels.paragraph == 1

    def rows(self, width: int) -> list[Row]:
        """The lines at a width, in micrometres."""
        return self._measured.rows(width)

    def part(self, start: int, end: int) -> MixedParagraph:
        """Some of its lines, by the first and the last of their words."""
        return MixedParagraph(self._pieces[start:end])

    def longest(self) -> int:
        """The width of the longest word."""
        return max([row.width for row in self.rows(0)], default=0)

    def runs(self, row: Row, x: int, y: int) -> Iterator[tuple[Run, str]]:
        """The words of a line from left to right, each run with where it leads."""
        words: list[Word] = []
        look: tuple[object, ...] = ()
        start, colour, target = x, "", ""
        for at, is_space in visual_items(self._tokens, row.start, row.end):
            fragment = self._pieces[at].look
            for word in self._space(fragment, words) if is_space else fragment.typeface[self._tokens[at].text].words:
                own = (word.font, word.size, bool(word.glyphs), fragment.colour, fragment.target)
                if own != look and words:
                    yield Run(start, y, tuple(words), colour), target
                    words = []
                if not words:
                    look, start, colour, target = own, x, fragment.colour, fragment.target
                words.append(word)
                x += word.width
        if words:
            yield Run(start, y, tuple(words), colour), target

    @staticmethod
    def _space(fragment: Fragment, before: list[Word]) -> tuple[Word]:
        typeface = fragment.typeface
        is_near = bool(before) and before[-1].size == typeface.size
        return (typeface.space_beside(before[-1]) if is_near else typeface.space_in(typeface.letters.font.key),)


def _words(fragments: Sequence[Fragment]) -> Iterator[Piece]:
    """The words of fragments, parted where a line may end."""
    spaced = begun = False
    for fragment in fragments:
        for number, word in enumerate(fragment.text.split(" ")):
            spaced = spaced or number > 0
            for at, cluster in enumerate(clusters(word) if word else ()):
                leads = spaced and begun and not at
                yield Piece(Token(cluster, spaced=leads, breaks=leads or at > 0), fragment)
                spaced, begun = False, True
