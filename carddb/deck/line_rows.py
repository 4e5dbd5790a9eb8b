"""What each line adds to the sums of its deck, as one integer of small fields: worked out once for each line.

A line is a section, a number of copies and a card, whatever deck it stands in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from threading import Lock

from carddb.cards import Deck, Entry
from carddb.deck.context import Context
from carddb.deck.deck_view import View
from carddb.deck.line_rules import NOTHING, LineRules
from carddb.deck.packed_numbers import MOST_ADDED, MOST_NUMBER, packed
from carddb.file_entries import FileEntries
from carddb.game import GameSpec

FAULT = MOST_ADDED << 1
"""What a line at fault adds to its last field. One of a card that is the same as another adds 1."""
ANY_RULE = 0
"""In the place of the id of a rule: the line may break any."""


class LineRows:
    """The rows of the lines that were seen in decks of one game, format, day and set of options."""

    def __init__(self, deck: Deck, spec: GameSpec, context: Context, rules: LineRules) -> None:
        self._deck = replace(deck, entries=())
        self._spec = spec
        self._context = context
        self._rules = rules
        self._rows: dict[str, dict[int, dict[int, int]]] = {}
        """By section, number of copies and card. Few rows differ: they are one object each, so that they stay near."""
        self._same_rows: dict[int, int] = {}
        self._faults: dict[tuple[str, int, int], set[int]] = {}
        """The ids of the rules that a line breaks by itself."""
        self._least_fault = packed([*[0] * len(rules.sums), FAULT - 1])
        """The rows of lines at fault are more, whatever they add to the sums, the others are less."""
        self._keys: dict[str, dict[int, Hashable]] = {by: {} for by in rules.separable}
        self._cards: dict[str, dict[Hashable, list[int]]] = {by: {} for by in rules.separable}
        """What makes cards the same, by card, and the cards of each."""
        self._values: list[dict[tuple[str, int], Hashable]] = [{} for _ in rules.agreeing]
        self._by_roles = any(limit.references for limit in rules.bound)
        self._roles: dict[tuple[str, int], tuple[str, ...]] = {}
        """The roles that the card of a line plays, by section and card, where it plays any."""
        self._lines: list[Entry] = []
        """The lines that are known; their cards live as long, so that no other card can have the id of one."""
        self._cards_of_lines: set[int] = set()
        self._preparing = Lock()

    def __len__(self) -> int:
        """How many lines were worked out."""
        return len(self._lines)

    def rows(self, entries: Sequence[Entry]) -> Sequence[int]:
        """The rows of some lines, which are worked out where they are not known yet.

        With a function for a line 2,000 decks took 1.5 times as long.
        """
        rows = self._rows
        try:
            if type(entries) is FileEntries:
                return self._rows_of_file(entries)
            return [rows[entry.section][entry.count][id(entry.card)] for entry in entries]
        except KeyError:
            with self._preparing:
                return [*map(self._row, entries)]

    def _rows_of_file(self, entries: FileEntries) -> Sequence[int]:
        """The same of a deck that was read from a file. Raises KeyError where a row is not known yet."""
        rows: list[int] = []
        for part in entries.parts:
            of_section = self._rows[part.section]
            if isinstance(part, Entry):
                rows.append(of_section[part.count][id(part.card)])
            else:
                rows += [of_section[line.copies][id(line.card)] for line in part.lines]
        return rows

    def faults(self, entries: Sequence[Entry], rows: Sequence[int]) -> Mapping[int, Sequence[Entry]]:
        """The rules that known lines, whose rows these are, break by themselves: those lines by the ids of rules."""
        faults: dict[int, list[Entry]] = {}
        for entry, row in zip(entries, rows, strict=True):
            if row >= self._least_fault:
                for rule in self._faults[entry.section, entry.count, id(entry.card)]:
                    faults.setdefault(rule, []).append(entry)
        return faults

    def same(self, entries: Sequence[Entry], by: str) -> list[Entry]:
        """Those of known lines whose cards have the same in a field as that of another."""
        of_card = self._keys[by]
        keys = [of_card[id(entry.card)] for entry in entries]
        counts = Counter(keys)
        return [entry for entry, key in zip(entries, keys, strict=True) if counts[key] > 1]

    def disagreeing(self, entries: Sequence[Entry]) -> Iterator[int]:
        """The ids of the rules whose values are not the same for all of these known lines."""
        for (rule, _), values in zip(self._rules.agreeing, self._values, strict=True):
            if len({values[entry.section, id(entry.card)] for entry in entries} - {NOTHING}) > 1:
                yield rule

    def roles(self, entries: Sequence[Entry]) -> Iterator[tuple[Hashable, ...]]:
        """The roles that cards of known lines play, where a limit names a role."""
        for entry in entries if self._by_roles else ():
            if roles := self._roles.get((entry.section, id(entry.card))):
                yield roles, id(entry.card), entry.count

    def _row(self, entry: Entry) -> int:
        """The row of a line, which is worked out where it is not known yet."""
        card = id(entry.card)
        if card not in self._cards_of_lines:
            self._know(entry)
        row = self._rows.setdefault(entry.section, {}).setdefault(entry.count, {})
        if card not in row:
            self._lines.append(entry)
            number = self._new_row(entry)
            row[card] = self._same_rows.setdefault(number, number)
        return row[card]

    def _know(self, entry: Entry) -> None:
        """Puts down what makes the card of a line the same as others; the rows of such others are worked out anew."""
        card = id(entry.card)
        self._cards_of_lines.add(card)
        self._lines.append(entry)
        view = View(self._deck, self._spec, self._context)
        for by, keys in self._keys.items():
            key = view.identity(by)(entry.card) if entry.card else None
            keys[card] = card if key is None else key
            same = self._cards[by].setdefault(keys[card], [])
            same.append(card)
            if len(same) == 2:
                for of_section in self._rows.values():
                    for row in of_section.values():
                        row.pop(same[0], None)

    def _new_row(self, entry: Entry) -> int:
        """What a line adds to the fields of its deck."""
        rules, card = self._rules, id(entry.card)
        line = View(replace(self._deck, entries=(entry,)), self._spec, self._context)
        for values, (_, value_of) in zip(self._values, rules.agreeing, strict=True):
            values[entry.section, card] = value_of(line)
        if self._by_roles:
            roles = tuple(name for name, role in self._spec.role_of.items() if line.players(role))
            self._roles[entry.section, card] = roles
        numbers = [each.of_line(line) for each in rules.sums]
        faults = {rule for rule, fault_of in rules.faults if fault_of(line)}
        if _is_unusual(entry, self._spec) or not all(map(_is_small, numbers)):
            numbers, faults = [0] * len(numbers), {ANY_RULE}
        same = any(len(self._cards[by][keys[card]]) > 1 for by, keys in self._keys.items())
        if faults:
            self._faults[entry.section, entry.count, card] = faults
        return packed([*map(int, numbers), FAULT * bool(faults) + same])


def _is_unusual(entry: Entry, spec: GameSpec) -> bool:
    """Whether a line has no card, no copies, or a section that is not the game's."""
    return entry.card is None or entry.count < 1 or entry.section not in spec.sections


def _is_small(number: int | float) -> bool:
    """Whether a number is whole, and small enough for a field."""
    return -MOST_NUMBER < number < MOST_NUMBER and number == int(number)
