"""A deck being read: sections, headers, cards, and their findings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from carddb.cards.cards import HEADER_KEYS, Card, Deck, Entry, Pool
from carddb.core.groups import grouped
from carddb.core.names import Vocabulary, did_you_mean, fold
from carddb.core.plain_text import without_controls
from carddb.findings import Finding, Place, error, info, warning
from carddb.game.game import GameSpec
from carddb.read.decks import line as syntax
from carddb.read.decks.card_match import CardMatch, Matcher, inexact, printing_of, repeated, unknown
from carddb.read.decks.line import CATEGORY, SECTION, Claims, HeadingLine, LineReading

_NEXT = re.compile(r"(?<!\s)\s*+[/;,|\u00b7]\s*+(?=([A-Za-z][^:/;,|\u00b7]*+):)")
"""The separator before a second key on one line: `Path: Steel / Role: Aggressor`."""


class Header:
    """The header of one deck: `values` and their `places` by field, and `keys`, with which its lines may begin."""

    def __init__(self, spec: GameSpec, findings: list[Finding]) -> None:
        self.values: dict[str, str] = {}
        self.places: dict[str, Place] = {}
        self.keys = (*HEADER_KEYS, *spec.header)
        self._words = spec.vocabulary(self.keys, "header")
        self._findings = findings
        self._spec = spec

    def knows(self, key: str) -> bool:
        """Returns whether `key` may begin a header line."""
        return self._words.find(key) is not None

    def take(self, key: str, value: str, place: Place) -> bool:
        """Reads the header line `key: value`, and others on the same line; returns False if the key is unknown."""
        word = self._words.find(key)
        if word is None:
            return False
        for following in _NEXT.finditer(value) if ":" in value else ():
            if self.knows(following[1].strip()):
                further, _, rest = value[following.end() :].partition(":")
                value = value[: following.start()]
                self.take(further.strip(), rest.strip(), place)
                break
        name = self._spec.header.get(word, word)
        if name in self._spec.header_tables:
            self._take_cell(key, name, value, place)
            return True
        value = self._in_words(name, value)
        if name == "game":
            spec = self._spec
            if value and value != spec.key and fold(value.partition(":")[0]) not in (fold(spec.key), fold(spec.name)):
                message = f"the deck names the game {value[:80]}, but it is read as a deck of {spec.key}"
                fix = f"Choose the game of the deck when you open it, or change this line to Game: {spec.key}."
                self._findings.append(error("game_differs", message, place, fix=fix))
        elif self.values.get(name, value) != value:
            self._findings.append(unread(f"{key} is given twice; the first one is used", place, "Remove one of them."))
        elif value:
            self._set(name, value, place)
        return True

    def _in_words(self, name: str, value: str) -> str:
        """Returns the key that a header's value means in the game's lists of words, or the value itself if in none."""
        if name == "format":
            return self._spec.format_named(value) or value
        for words in self._lists(name) if name in self._spec.header_words else ():
            if key := words.find(value):
                return key
        return value

    def _lists(self, name: str) -> Iterator[Vocabulary]:
        spec = self._spec
        for list_ in spec.header_words.get(name, ()):
            if list_ == "types":
                yield spec.type_words
            elif list_ in spec.fields:
                yield spec.fields[list_].words
            else:
                yield spec.vocabulary(tuple(spec.words[list_]), list_)

    def _take_cell(self, key: str, name: str, value: str, place: Place) -> None:
        """Reads a header line that names a cell of a table in the game's data; sets the headers of row and column."""
        header = self._spec.header_tables[name]
        table: Mapping[str, Mapping[str, Any]] = self._spec.data
        for step in header.table.split("."):
            table = table[step]
        cells = {str(cell): (row, column) for row, cells in table.items() for column, cell in cells.items()}
        words = Vocabulary(cells)
        cell = words.find(value)
        if cell is None:
            fix = did_you_mean(value[:80], words.keys)
            self._findings.append(unread(f"there is no {key.lower()} {value[:80]!r}", place, fix))
            return
        row, column = cells[cell]
        self.take(header.rows, row, place)
        self.take(header.columns, column, place)

    def take_title(self, text: str, place: Place) -> None:
        """Takes a first line without a key, as other programs write it, for the name of the deck."""
        self._set("name", text, place)
        fix = f"Write the line as Name: {text[:80]}"
        self._findings.append(info("title_assumed", f"{text[:80]!r} was read as the name of the deck", place, fix=fix))

    def _set(self, name: str, value: str, place: Place) -> None:
        self.values[name] = without_controls(value)
        self.places[name] = place


def unread(message: str, place: Place, fix: str = "") -> Finding:
    """Returns the finding for a line that cannot be read."""
    return error("line_unread", message, place, fix=fix or "Write a card as 3 Name [REF], a comment with # in front.")


MAX_BYTES = 1 << 20
"""The most bytes of a deck's file."""
MAX_COUNT = 999
SIDEBOARD = "sideboard"
_ZONES = {"main": 0, "mainboard": 0, "maindeck": 0, "side": 1, SIDEBOARD: 1}
"""The names that other programs' tables use for a game's first and second section, each with the section's index."""
_UNPLACED = ""
_MAX_GROUP = 60
"""The most characters of a field's value that may be a heading above cards."""
_WORD = re.compile(r"[\w']+")


class Builder:
    """Receives the parts of a deck in file order; `findings` are complete after `finish`."""

    def __init__(self, spec: GameSpec, pool: Pool, file: str, format_: str | None = None) -> None:
        """Starts an empty deck; `format_` is the format that the user chose, which overrides the deck's own."""
        self.file = file
        self.findings: list[Finding] = []
        self.game = spec.key
        self.pool = pool
        self._format = format_
        self._spec = spec
        self._sections = spec.section_words
        self.header = Header(spec, self.findings)
        self._entries: list[Entry] = []
        self._assumed: list[Place] = []
        self._no_sideboard: list[Place] = []
        self.section = _UNPLACED
        self.placed_by_type = False
        """True if cards without a section are placed by their type even if other cards have a section."""
        self.claims = Claims(self.findings)

    @cached_property
    def matcher(self) -> Matcher:
        """The matcher that finds the cards of lines; it is made when it is first needed."""
        return Matcher(self.pool, self._spec.printed_name, self._format_label)

    def _format_label(self) -> str:
        formats = self._spec.formats
        keys = (self._format, self.header.values.get("format"), self._spec.default_format)
        return next((formats[key].label for key in keys if key and key in formats), "")

    @cached_property
    def _type_headings(self) -> set[str]:
        """The headings that mean a type of card, in singular and plural, folded."""
        types = self._spec.types.items()
        labels = ((key, self._spec.label_of(key), kind.plural, *kind.aliases) for key, kind in types)
        return {number for words in labels for word in words for number in _numbers(fold(word))}

    @cached_property
    def _group_headings(self) -> set[str]:
        """The words by which other programs group cards, folded: names of sets, and short values of other fields."""
        words = {printing.set for card in self.pool for printing in card.printings}
        for value in (card.values[key] for card in self.pool for key in card.values if key != "name"):
            for text in value if isinstance(value, list | tuple) else (value,):
                if isinstance(text, str) and len(text) <= _MAX_GROUP:
                    words |= {text, *text.split(" - ")}  # `Icebreaker - Fracter` is two words
        return {number for word in words for number in _numbers(fold(word))}

    def heading(self, heading: HeadingLine, place: Place) -> bool:
        """Begins a section or a category; returns False if no label of the heading is known."""
        for label, claimed in heading.labels:
            section = self._sections.find(label)
            if section is not None:
                self.section = section
                self.claims.begin(SECTION, label, claimed, place)
                return True
        for label, claimed in heading.labels:
            if fold(label) in self._type_headings:
                self.claims.begin(CATEGORY, label, claimed, place)
                return True
        return False

    def has_label(self, heading: HeadingLine) -> bool:
        """Returns whether a heading would begin a section or a category."""
        labels = [label for label, _ in heading.labels]
        return any(self._sections.find(label) is not None or fold(label) in self._type_headings for label in labels)

    def begin(self, section: str, place: Place) -> None:
        """Begins the section that a row of a table names, unless it is the current one."""
        if self._sections.find(section) != self.section or self.section == _UNPLACED:
            self.zone(_ZONES.get(fold(section)), section, place)

    def zone(self, number: int | None, label: str, place: Place) -> None:
        """Begins a section of another program's list: the game's section `label`, else the one at index `number`."""
        heading = HeadingLine("[", ((label, None),))
        if self.heading(heading, place):
            return
        keys = list(self._spec.sections)
        if number is None or number >= len(keys):
            self.unknown_heading(heading, place)
        else:
            self.heading(HeadingLine("[", ((keys[number], None),)), place)

    def unknown_heading(self, heading: HeadingLine, place: Place) -> None:
        """Adds the finding for an unknown heading; the cards below it belong to the section above it.

        There is no finding if the heading is a word by which other programs group cards.
        """
        for label, claimed in heading.labels:
            if fold(label) in self._group_headings:
                self.claims.begin(CATEGORY, label, claimed, place)
                return
        label = heading.labels[-1][0][:80]
        self.claims.end(CATEGORY)
        message = f"{label!r} is not a section of a deck in {self._spec.name}; its cards went into the section above"
        fix = did_you_mean(label, self._spec.sections)
        if heading.mark == "#":
            fix = f"{fix} A comment begins with a single #.".strip()
        self.findings.append(error("section_unknown", message, place, fix=fix))

    def pass_over(self, kind: str, text: str, place: Place) -> None:
        """Adds the finding for a line that is text and not a card; `kind` says what text, such as `a greeting`."""
        message = f"{text[:80]!r} is {kind}, so the line was ignored"
        fix = "If it is a card, write its exact name; if not, put # in front of the line."
        self.findings.append(warning("text_passed_over", message, place, fix=fix))

    @property
    def untitled(self) -> bool:
        """True as long as neither a card, a section nor the name of the deck has been read."""
        return not self._entries and "name" not in self.header.values and self.section == _UNPLACED

    @property
    def has_sideboard(self) -> bool:
        """True if the game has a section that lists of other programs may call a sideboard."""
        return self._sections.find(SIDEBOARD) is not None

    def unread(self, message: str, place: Place, fix: str = "") -> None:
        """Adds the finding for a line that cannot be read."""
        self.findings.append(unread(message, place, fix))

    def bad_count(self, count: Any, place: Place) -> None:
        """Adds the finding for an invalid count; the line adds no cards."""
        message = f"the count {str(count)[:20]} is not a whole number from 1 to {MAX_COUNT}, so the line was ignored"
        fix = f"Write a count from 1 to {MAX_COUNT}."
        self.findings.append(error("bad_count", message, place, data={"limit": MAX_COUNT}, fix=fix))

    def add(self, entry: Entry, apart: bool = False) -> None:
        """Adds the entry of a card line; if `apart`, the card does not count for the heading above it."""
        self._entries.append(entry)
        self.claims.count(entry.count, apart)

    def card(self, match: CardMatch, readings: Sequence[LineReading], place: Place, side: bool = False) -> None:
        """Adds a matched card line, to the sideboard if `side` says that another program's list puts it there."""
        reading, card = match.reading, match.card
        count = reading.count
        if count is None:
            count = 1
            self._assumed.append(place)
        if not 1 <= count <= MAX_COUNT:
            self.bad_count(count, place)
            return
        name = card.name if card else canonical_name(reading.name or reading.ref)
        section = self._side_section(card, place) if side else self.section
        entry = Entry(section, count, name, card, place, printing_of(card, reading) if card else "")
        self.add(entry, apart=side)
        if match.how == "unknown":
            self.findings.append(unknown(entry, self.matcher.suggest(readings)))
        elif match.how != "exact":
            self.findings.append(inexact(match, entry))

    def _side_section(self, card: Card | None, place: Place) -> str:
        """Returns the section for a card that another program's list puts in the sideboard.

        It is the game's sideboard, else the second section if that takes cards of this type, else the current section.
        """
        sideboard = self._sections.find(SIDEBOARD)
        second = next(iter([*self._spec.sections][1:]), "")
        if sideboard is not None or (second and (card is None or card.type in self._spec.sections[second].types)):
            return sideboard or second
        self._no_sideboard.append(place)
        return self.section

    def listed(self, readings: Sequence[LineReading], place: Place) -> None:
        """Adds the card of a table row or an XML element; of its `readings`, the one that matches best counts."""
        match = self.matcher.match(readings)
        text = readings[0].name or readings[0].ref
        if match.how == "unknown" and not syntax.could_be_card(LineReading(1, canonical_name(text))):
            self.unread(f"{text[:80]!r} is not the name of a card", place)
        else:
            self.card(match, readings, place)

    def finish(self) -> None:
        """Completes what needs the whole file: cards without section headings, claims, repeated lines."""
        sections = {entry.section for entry in self._entries}
        if _UNPLACED in sections:
            headed = not self.placed_by_type and (len(sections) > 1 or self.section != _UNPLACED)
            for at, entry in enumerate(self._entries):
                if not entry.section:
                    home = default_section(None if headed else entry.card, self._spec)
                    self._entries[at] = replace(entry, section=home)
        self.claims.close(self._lesser_sizes)
        if not self._entries:
            fix = "Write one card per line: 3 Name [REF]"
            self.findings.append(error("deck_empty", "the deck has no cards", Place(self.file), fix=fix))
        if self._no_sideboard:
            message = f"a deck in {self._spec.name} has no sideboard, so the cards for it went into the section above"
            fix = "Write these cards below the heading of a section."
            self.findings.append(error("section_unknown", message, *self._no_sideboard, fix=fix))
        if self._assumed:
            message = f"{len(self._assumed)} lines have no count and were read as one copy each"
            if len(self._assumed) == 1:
                message = "a line has no count and was read as one copy"
            self.findings.append(info("count_assumed", message, *self._assumed, fix="Write 1 in front of the name."))
        groups = grouped(((entry.section, entry.ref), entry) for entry in self._entries)
        self.findings.extend(repeated(entries) for entries in groups.values() if len(entries) > 1)

    def _lesser_sizes(self) -> set[int]:
        """Returns the deck's sizes without leaders (cards in roles), without uncounted sections, and without both."""
        leaders: set[int] = set()
        for role in self._spec.role_of.values():
            fits = self._spec.query(role.match).matches if role.match else None
            for entry in self._entries:
                if (not role.over or entry.section in role.over) and (not fits or (entry.card and fits(entry.card))):
                    leaders.add(id(entry))
        beside = {key for key, section in self._spec.sections.items() if not section.counted}
        return {
            sum(entry.count for entry in self._entries if entry.section not in sections and id(entry) not in without)
            for sections in (beside, ())
            for without in (leaders, ())
        }

    def deck(self) -> Deck:
        """Returns the deck as built."""
        header = self.header
        return Deck(self._spec.key, tuple(self._entries), dict(header.values), self.file, dict(header.places))


def default_section(card: Card | None, spec: GameSpec) -> str:
    """Returns the section of a card in a deck without headings; for an unknown card (None), the first section."""
    first = next(iter(spec.sections), "main")
    kind = card.type if card else ""
    return next((key for key, section in spec.sections.items() if kind in section.types), first)


def canonical_name(text: str) -> str:
    """Returns a cleaned name for an unknown card, which stays the same when it is written and read again."""
    name = " ".join(without_controls(syntax.forgiven(text)).split()).lstrip(", ")
    # A name that would be read as several cards after a count becomes its plain words.
    if len(syntax.parts(f"1 {name}")) > 1:
        return syntax.without_sign(LineReading(1, " ".join(_WORD.findall(name)))).name
    return name


def _numbers(word: str) -> tuple[str, ...]:
    """Returns a word and its singular or plural forms."""
    if not word:
        return ()
    ending = word[:-1] + "ies" if word.endswith("y") else word + "es" if word.endswith(("s", "x", "ch", "sh")) else word
    return (word, ending, word + "s")
