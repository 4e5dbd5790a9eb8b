"""The lines of a deck in their order: each is read as the first kind of line that fits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from carddb.findings import Place, error
from carddb.names import did_you_mean, fold
from carddb.read import deck_line, deck_prose
from carddb.read.card_match import Match
from carddb.read.deck_builder import SIDEBOARD, Builder
from carddb.read.deck_line import Heading, Reading
from carddb.read.deck_table import find_table, read_row, single_cell

MAX_LINE = 2_000
_SHOWN = 200
_MAIN_WORDS = ("deck", "main", "maindeck", "main deck", "mainboard")
_OTHER_WORDS = (SIDEBOARD, "side board", "side", "maybeboard", "considering", "commander", "companion", "tokens")
"""Parts of a deck in other programs, which stand alone on a line."""
_NAME = re.compile(r"Name\s+(\S.*)")
_COUNTED = re.compile(r"[0-9]+[xX×]?\s+\S.*")


class LineReader:
    """Reads the lines of a deck into a builder; a line may depend on those beside it."""

    def __init__(self, lines: Sequence[str], builder: Builder) -> None:
        self._lines = lines
        self._builder = builder
        self._table = find_table(lines)
        self._content = [index for index, line in enumerate(lines) if line.strip()]
        self._sideboard = self._sideboard_line() if builder.has_sideboard else None
        self._mail_ended = False
        self._about = False

    def read(self) -> None:
        """Reads every line."""
        for index, line in enumerate(self._lines):
            if index == self._sideboard:
                self._builder.heading(Heading("", ((SIDEBOARD, None),)), Place(self._builder.file, index + 1))
            if not self._row(index, line):
                self._line(index, single_cell(line) if self._table else line)

    def _sideboard_line(self) -> int | None:
        """The one blank line between two blocks of counted cards, as Magic Online writes a sideboard."""
        tidied = [deck_line.tidy(line) for line in self._lines]
        if not self._content or not all(_COUNTED.fullmatch(tidied[index]) for index in self._content):
            return None
        gaps = [index for index in range(self._content[0], self._content[-1]) if not tidied[index]]
        return gaps[0] if len(gaps) == 1 else None

    def _row(self, index: int, line: str) -> bool:
        """Reads a line as a row of a table where it is one."""
        if self._table is None or index < self._table.row or len(line) > MAX_LINE:
            return False
        place = Place(self._builder.file, index + 1, 1, line.strip()[:_SHOWN])
        return index == self._table.row or read_row(self._table, line, place, self._builder)

    def _line(self, index: int, raw: str) -> None:
        builder = self._builder
        line = deck_line.tidy(raw)
        indent = len(raw) - len(raw.lstrip())
        place = Place(builder.file, index + 1, indent + 1, raw.strip()[:_SHOWN])
        if len(raw) > MAX_LINE:
            message = f"the line has {len(raw):,} characters, more than the {MAX_LINE:,} that are read"
            builder.findings.append(error("line_too_long", message, place, fix="Split it, one card a line."))
        elif not line or line.startswith(("# carddb", "# fingerprint")):
            return
        else:
            heading = deck_line.heading(line)
            if (heading and builder.heading(heading, place)) or (deck_line.is_comment(line) and not _is_label(heading)):
                return
            self._read_content(index, raw, line, heading, place)

    def _read_content(self, index: int, raw: str, line: str, heading: Heading | None, place: Place) -> None:
        """A header line, a card, or something that is neither."""
        builder = self._builder
        if heading and heading.mark == "#":
            builder.unknown_heading(heading, place)
            return
        pair = deck_line.key_value(line)
        # The value is taken as it was typed: a deck's name may have smart quotes.
        value = raw.partition(":")[2].strip() if ":" in raw else pair[1] if pair else ""
        if pair and builder.header.take(pair[0], value, place):
            return
        tidied = list(deck_line.readings(line))
        match = builder.matcher.match([*_typed(raw, line), *tidied], tidied[0])
        if self._plain_heading(index, line, match, place):
            return
        if match.how == "unknown" and (
            self._text(index, line, tidied, place) or self._no_card(line, heading, pair, tidied[0], place)
        ):
            return
        at = raw.find(match.reading.name) if match.reading.name else -1
        column = at + 1 if at >= 0 else place.column
        builder.card(match, tidied, Place(place.file, place.line, column, place.text))

    def _plain_heading(self, index: int, line: str, match: Match, place: Place) -> bool:
        """A heading without a mark, `Soldiers (13)` or `Deck`, where card lines follow and the line itself is none."""
        builder = self._builder
        heading = deck_line.unmarked_heading(line)
        whole = match.how == "exact" and match.reading.count is None
        bare = match.how == "unknown" and match.reading.count is None
        if whole or not (heading or bare) or not self._card_follows(index):
            return False
        if heading:
            if builder.heading(heading, place):
                return True
            if match.how == "unknown" and self._count_follows(index):
                builder.unknown_heading(heading, place)
                return True
        if not bare:
            return False
        label = line.strip("*_ ")
        plain = Heading("", ((label, None),))
        if builder.heading(plain, place):
            return True
        if fold(label) in _MAIN_WORDS:
            builder.zone(0, label, place)
        elif fold(label) in _OTHER_WORDS:
            builder.unknown_heading(plain, place)
        return fold(label) in (*_MAIN_WORDS, *_OTHER_WORDS)

    def _text(self, index: int, line: str, tidied: Sequence[Reading], place: Place) -> bool:
        """A line that is text, where no card matches it."""
        builder = self._builder
        counted = tidied[0].count is not None
        text = f"{tidied[0].count} {tidied[0].name}" if counted else line
        if (size := deck_prose.deck_size(text)) is not None:
            builder.claims.size(size, line, place)
            return True
        if self._arena_name(index, line, place):
            return True
        kind = deck_prose.kind_of(text, counted)
        if kind:
            self._mail_ended = deck_prose.ends_mail(kind) or self._mail_ended
        elif not counted and deck_line.could_be_card(tidied[0]):
            if self._mail_ended:
                kind = "a line of a signature"
            elif deck_prose.is_sentence(line) and not builder.matcher.suggest(tidied):
                kind = "a sentence"
            elif self._is_title(index, line) and not builder.matcher.suggest(tidied):
                builder.header.take_title(line, place)
                return True
        if kind:
            builder.pass_over(kind, line, place)
        return bool(kind)

    def _arena_name(self, index: int, line: str, place: Place) -> bool:
        """`About`, then `Name River Defence`: how Arena begins a list."""
        if fold(line) == "about" and _NAME.fullmatch(self._next(index)):
            self._about = True
            return True
        name = _NAME.fullmatch(line) if self._about else None
        return bool(name and self._builder.header.take("name", name[1], place))

    def _no_card(
        self, line: str, heading: Heading | None, pair: tuple[str, str] | None, reading: Reading, place: Place
    ) -> bool:
        """A line that is neither text nor a card, with its finding."""
        builder = self._builder
        if heading and (heading.mark == "[" or (line.endswith(":") and reading.count is None)):
            builder.unknown_heading(heading, place)
        elif pair and reading.count is None:
            fix = did_you_mean(pair[0], builder.header.keys)
            builder.unread(f"{pair[0]!r} is no header key, and no card is called {line[:80]!r}", place, fix)
        elif not deck_line.could_be_card(reading):
            builder.unread(f"{line[:80]!r} is neither a card, a heading nor a comment", place)
        else:
            return False
        return True

    def _is_title(self, index: int, line: str) -> bool:
        """Whether a line is the first, stands by itself or over header lines, and counted cards come later."""
        if index + 1 == len(self._lines):
            return False
        following = deck_line.tidy(self._lines[index + 1][:MAX_LINE])
        pair = deck_line.key_value(following)
        alone = not following or (pair is not None and self._builder.header.knows(pair[0]))
        later = (deck_line.tidy(self._lines[other]) for other in self._content if other > index)
        first = index == self._content[0] and self._builder.untitled and ":" not in line
        return alone and first and any(_COUNTED.fullmatch(other) for other in later)

    def _next(self, index: int) -> str:
        """The next line that is not blank."""
        later = (line for line in self._lines[index + 1 : index + 10] if line.strip())
        return deck_line.tidy(next(later, ""))[:MAX_LINE]

    def _count_follows(self, index: int) -> bool:
        return bool(_COUNTED.fullmatch(self._next(index)))

    def _card_follows(self, index: int) -> bool:
        readings = list(deck_line.readings(self._next(index)))
        return readings[0].count is not None or self._builder.matcher.match(readings, readings[0]).how != "unknown"


def _is_label(heading: Heading | None) -> bool:
    """`##` is never only a comment: an unknown label gives a finding."""
    return heading is not None and heading.mark == "#"


def _typed(raw: str, line: str) -> Iterator[Reading]:
    """The ways to read a line as it was typed, for a card's own name may hold what tidying takes away."""
    typed = deck_line.unquoted(raw.strip())
    return deck_line.readings(typed) if typed != line else iter(())
