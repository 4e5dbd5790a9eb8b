"""A deck under construction: sections, headers, cards, and their findings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from carddb.cards import Card, Deck, Entry, Pool
from carddb.findings import CardCount, Finding, Place, error, info, warning
from carddb.game import GameSpec
from carddb.names import did_you_mean, fold
from carddb.read.card_match import Match, Matcher
from carddb.read.deck_line import Heading, Reading, could_be_card, forgiven
from carddb.vocabulary import Vocabulary

HEADER_KEYS = ("name", "game", "format", "player", "event", "date")
MAX_COUNT = 999
SIDEBOARD = "sideboard"
_UNPLACED = ""


class Labels:
    """What the headings of a game's decks are called, compared folded."""

    def __init__(self, spec: GameSpec) -> None:
        self.sections = spec.section_words
        self.types: set[str] = set()
        for key, kind in spec.types.items():
            for label in (key, spec.label_of(key), kind.plural, *kind.aliases):
                self.types.update(_numbers(fold(label)))


def _numbers(word: str) -> Iterable[str]:
    """A word as singular and as plural."""
    if not word:
        return ()
    ending = word[:-1] + "ies" if word.endswith("y") else word + "es" if word.endswith(("s", "x", "ch", "sh")) else word
    return (word, ending, word + "s")


@dataclass(slots=True)
class _Claim:
    """A heading that says how many cards follow."""

    label: str
    claimed: int | None
    place: Place
    counted: int = 0


class Builder:
    """Takes a deck's parts in the order of its file; `findings` are complete after `finish`."""

    def __init__(self, spec: GameSpec, pool: Pool, file: str) -> None:
        self.file = file
        self.findings: list[Finding] = []
        self.game = spec.key
        self.pool = pool
        self.matcher = Matcher(pool)
        self._spec = spec
        self._labels = Labels(spec)
        self._keys = Vocabulary((*HEADER_KEYS, *spec.header))
        self._headers: dict[str, str] = {}
        self._places: dict[str, Place] = {}
        self._entries: list[Entry] = []
        self._assumed: list[Place] = []
        self._section = _UNPLACED
        self._section_claim: _Claim | None = None
        self._category_claim: _Claim | None = None
        self._size_claims: list[tuple[int, str, Place]] = []

    def heading(self, heading: Heading, place: Place) -> bool:
        """Begins a section or a category; False where the label is neither."""
        for label, claimed in heading.labels:
            section = self._labels.sections.find(label)
            if section is not None:
                self._close()
                self._section = section
                self._section_claim = _Claim(label, claimed, place)
                return True
        for label, claimed in heading.labels:
            if fold(label) in self._labels.types:
                self._close_category()
                self._category_claim = _Claim(label, claimed, place)
                return True
        return False

    def begin(self, section: str, place: Place) -> None:
        """Begins a section that a row of a table names; nothing where it goes on."""
        if self._labels.sections.find(section) != self._section or self._section == _UNPLACED:
            self.zone(None, section, place)

    def zone(self, number: int | None, label: str, place: Place) -> None:
        """Begins a section as another program names it: by a word of the game, else by its number there."""
        named = Heading("[", ((label, None),))
        if self.heading(named, place):
            return
        keys = list(self._spec.sections)
        if number is None or number >= len(keys):
            self.unknown_heading(named, place)
        else:
            self.heading(Heading("[", ((keys[number], None),)), place)

    def unknown_heading(self, heading: Heading, place: Place) -> None:
        """A heading that the game does not know; the cards under it stay in the section before."""
        label = heading.labels[-1][0][:80]
        self._close_category()
        message = f"{label!r} is no section of a deck in {self._spec.name}; the cards below it stay where they were"
        fix = did_you_mean(label, self._spec.sections)
        if heading.mark == "#":
            fix = f"{fix} A comment has one #.".strip()
        self.findings.append(error("section_unknown", message, place, fix=fix))

    def header_keys(self) -> list[str]:
        """Every key of a header line, as users write it."""
        return [*HEADER_KEYS, *self._spec.header]

    def has_key(self, key: str) -> bool:
        """Whether header lines may begin with a word."""
        return self._keys.find(key) is not None

    def header(self, key: str, value: str, place: Place) -> bool:
        """Takes a header line; False where the key is not known."""
        word = self._keys.find(key)
        if word is None:
            return False
        name = self._spec.header.get(word, word)
        if name == "format":
            value = self._spec.format_words.find(value) or value
        if name == "game":
            if value and fold(value) not in (fold(self._spec.key), fold(self._spec.name)):
                message = f"the deck says that it is for {value[:80]}, but it is read as one for {self._spec.key}"
                fix = f"Name the right game, or change the line to Game: {self._spec.key}."
                self.findings.append(error("game_differs", message, place, fix=fix))
        elif name in self._headers and self._headers[name] != value:
            self.unread(f"{key} is given twice; the first counts", place, "Keep one of them.")
        elif value:
            self._headers[name] = value
            self._places[name] = place
        return True

    def pass_over(self, kind: str, text: str, place: Place) -> None:
        """The finding for a line that is text and no card."""
        message = f"{text[:80]!r} is {kind}; it was passed over"
        fix = "If it is a card, write its name as the card has it; else put # in front."
        self.findings.append(warning("text_passed_over", message, place, fix=fix))

    def size_claim(self, claimed: int, text: str, place: Place) -> None:
        """A line that says how many cards there are: in the deck, or so far, or under the heading above it."""
        claims = (self._section_claim, self._category_claim)
        so_far = {sum(entry.count for entry in self._entries), *(claim.counted for claim in claims if claim)}
        if claimed not in so_far:
            self._size_claims.append((claimed, text, place))

    def title(self, text: str, place: Place) -> None:
        """A first line that is the name of the deck, as other programs write it."""
        self._headers["name"] = text
        self._places["name"] = place
        fix = f"Write Name: {text[:80]}"
        self.findings.append(info("title_assumed", f"{text[:80]!r} was read as the name of the deck", place, fix=fix))

    @property
    def untitled(self) -> bool:
        """Whether nothing but the game's own lines was read so far."""
        return not self._entries and "name" not in self._headers and self._section == _UNPLACED

    @property
    def has_sideboard(self) -> bool:
        """Whether the game has a section that other programs call a sideboard."""
        return self._labels.sections.find(SIDEBOARD) is not None

    def unread(self, message: str, place: Place, fix: str = "") -> None:
        """The finding for a line that cannot be read."""
        fix = fix or "Write cards as 3 Name [REF], comments with # in front."
        self.findings.append(error("line_unread", message, place, fix=fix))

    def bad_count(self, count: Any, place: Place) -> None:
        """A count that is none; the line adds nothing."""
        message = f"the count {str(count)[:20]} is not a whole number from 1 to {MAX_COUNT}; the line adds nothing"
        self.findings.append(error("bad_count", message, place, data={"limit": MAX_COUNT}, fix="Write another count."))

    def card(self, match: Match, readings: Sequence[Reading], place: Place) -> None:
        """Adds a card line."""
        reading, card = match.reading, match.card
        count = reading.count
        if count is None:
            count = 1
            self._assumed.append(place)
        if not 1 <= count <= MAX_COUNT:
            self.bad_count(count, place)
            return
        name = card.name if card else canonical_name(reading.name or reading.ref)
        entry = Entry(self._section, count, name, card, place)
        self._entries.append(entry)
        for claim in (self._section_claim, self._category_claim):
            if claim:
                claim.counted += count
        if match.how != "exact":
            self.findings.append(self._remark(match, readings, entry))

    def listed(self, readings: Sequence[Reading], place: Place) -> None:
        """Adds the card of a row or an element, whose parts are known; of several readings the best."""
        match = self.matcher.match(readings, readings[0])
        text = readings[0].name or readings[0].ref
        if match.how == "unknown" and not could_be_card(Reading(1, canonical_name(text))):
            self.unread(f"{text[:80]!r} is no name of a card", place)
        else:
            self.card(match, readings, place)

    def _remark(self, match: Match, readings: Sequence[Reading], entry: Entry) -> Finding:
        reading, place = match.reading, entry.place
        one = (CardCount(entry.ref, entry.name, entry.count),)
        if match.how == "repaired":
            message = f"{reading.name!r} was read as {_card_text(entry.card)}"
            return info("spelling_repaired", message, place, cards=one, fix=f"Write {entry.name}.")
        if match.how == "ambiguous":
            several = [CardCount(card.ref, card.name, entry.count) for card in match.cards[:20]]
            message = f"{len(match.cards)} cards are called {reading.name!r}: {_listed(match.cards)}"
            fix = f"Add the reference: {entry.count} {match.cards[0].name} [{match.cards[0].ref}]"
            return error("card_ambiguous", message, place, cards=tuple(several), fix=fix)
        if match.how == "differ":
            return _differ(match, entry)
        near = self.matcher.suggest(readings)
        fix = f"Did you mean {' or '.join(near)}?" if near else "Check the name, or load the set that has the card."
        message = f"no card is called {entry.name[:80]!r}"
        return error("card_unknown", message, place, cards=one, data={"nearest": near}, fix=fix)

    def finish(self) -> None:
        """Completes what needs the whole file: sections without headings, claims, repeated lines."""
        self._close()
        self._check_sizes()
        if not self._entries:
            self.findings.append(
                error(
                    "deck_empty", "the deck has no cards", Place(self.file), fix="Write one card a line: 3 Name [REF]"
                )
            )
        headed = any(entry.section for entry in self._entries) or self._section != _UNPLACED
        self._entries = [
            entry if entry.section else replace(entry, section=self._default(entry, headed)) for entry in self._entries
        ]
        if self._assumed:
            message = f"{len(self._assumed)} lines have no count and were read as one copy each"
            if len(self._assumed) == 1:
                message = "a line has no count and was read as one copy"
            self.findings.append(info("count_assumed", message, *self._assumed, fix="Write 1 in front."))
        groups: dict[tuple[str, str], list[Entry]] = defaultdict(list)
        for entry in self._entries:
            groups[entry.section, entry.ref].append(entry)
        self.findings.extend(_repeated(entries) for entries in groups.values() if len(entries) > 1)

    def deck(self) -> Deck:
        """The deck as built."""
        return Deck(self._spec.key, tuple(self._entries), dict(self._headers), self.file, dict(self._places))

    def _default(self, entry: Entry, headed: bool) -> str:
        """The section of a card without a section's heading above it."""
        first = next(iter(self._spec.sections), "main")
        if headed or entry.card is None:
            return first
        kind = entry.card.type
        return next((key for key, section in self._spec.sections.items() if kind in section.types), first)

    def _check_sizes(self) -> None:
        """The lines that name another number of cards than the deck has."""
        total = sum(entry.count for entry in self._entries)
        for claimed, text, place in self._size_claims:
            if claimed != total:
                message = f"{text[:80]!r} is a claim about the deck, which has {total}; it was passed over"
                data = {"count": total, "claimed": claimed}
                fix = "Add what is missing, or take the line out."
                self.findings.append(warning("count_claim_differs", message, place, data=data, fix=fix))

    def _close(self) -> None:
        self._close_category()
        self._check(self._section_claim)
        self._section_claim = None

    def _close_category(self) -> None:
        self._check(self._category_claim)
        self._category_claim = None

    def _check(self, claim: _Claim | None) -> None:
        if claim and claim.claimed is not None and claim.claimed != claim.counted:
            cards = "card" if claim.claimed == 1 else "cards"
            message = f"the heading {claim.label} says {claim.claimed} {cards}, but {claim.counted} follow"
            data = {"count": claim.counted, "claimed": claim.claimed}
            fix = f"Add what is missing, or write ({claim.counted})."
            self.findings.append(warning("count_claim_differs", message, claim.place, data=data, fix=fix))


def canonical_name(text: str) -> str:
    """The name of an unknown card in the deck: writing it and reading it again gives the same."""
    return " ".join(forgiven(text).split()).lstrip(", ")


def _card_text(card: Card | None) -> str:
    return f"{card.name} [{card.ref}]" if card else "nothing"


def _listed(cards: Sequence[Card]) -> str:
    return ", ".join(_card_text(card) for card in cards[:5]) + (f" and {len(cards) - 5} more" if len(cards) > 5 else "")


def _repeated(entries: Sequence[Entry]) -> Finding:
    total = sum(entry.count for entry in entries)
    first = entries[0]
    message = f"{first.name} stands in {len(entries)} lines of {first.section}, {total} copies in all"
    return info(
        "line_repeated",
        message,
        *(entry.place for entry in entries),
        cards=(CardCount(first.ref, first.name, total),),
        fix=f"Write one line: {total} {first.name}",
    )


def _differ(match: Match, entry: Entry) -> Finding:
    reading, card = match.reading, match.card
    ref = reading.ref or f"({reading.set}) {reading.number}"
    known_by_reference = card is not None and card.ref == reading.ref
    by_reference = (
        f"the reference {ref} is {_card_text(card)}" if known_by_reference else f"no card has the reference {ref}"
    )
    by_name = f"{reading.name!r} is {_listed(match.cards)}" if match.cards else f"no card is called {reading.name!r}"
    every = dict.fromkeys((card.ref, card.name) for card in (*match.cards[:20], card) if card)
    cards = tuple(CardCount(ref, name, entry.count) for ref, name in every)
    fix = "Correct one of the two, or leave the reference out."
    return error("name_and_reference_differ", f"{by_reference}, but {by_name}", entry.place, cards=cards, fix=fix)
