"""Card lines that were read before: a deck of them reads as it did at first; entries are made when asked for."""

from __future__ import annotations

import pickle
import random

import pytest

from carddb.cards import Deck, Pool
from carddb.file_entries import FileEntries
from carddb.findings import Finding
from carddb.read.deck_text import read_deck
from tests.test_read_decklist import NAMES, POOL, SPEC

FULL = 20_000
"""The decks of the full run."""
FORMS = (
    "{count} {name}", "{count} {name} [{ref}]", "{count}x {name}", "({count}) {name}", "{name} x{count}",
    "{name}, {count}", "{count}\t{name}", "- {count} {name}", "> {count} {name}", "{name}", "{ref}", "SB: 1 {name}",
    "{count} {name} ({ref})", "-1 {name}", "0 {name}", "1000 {name}", "{count} {name} {ref}", "**{count} {name}**",
    "{count} {name}, 2 Longbow", "{count},{name},{ref}", "  {count} {name}  ", "{count} {name}\x1b[1m", "2 Nobody",
)  # fmt: skip
OTHERS = ("", "## Resource (3)", "## main", "Soldiers (4)", "Sideboard", "Name: One", "# a comment", "count,name,ref",
          "name;reference", "Total: 9", "Thanks, Ann", "2 name, count", "## Nowhere")  # fmt: skip


def any_text(chance: random.Random) -> str:
    """Lines of cards in every form, among other lines; some stand twice."""
    lines = []
    for _ in range(chance.randint(1, 12)):
        card = chance.choice(CARDS)
        form = chance.choice(FORMS[:2] * 8 + FORMS)
        lines.append(form.format(count=chance.randint(1, 4), name=card.name, ref=card.ref))
    lines += chance.choices(OTHERS, k=chance.randint(0, 4)) + chance.choices(lines, k=chance.randint(0, 2))
    chance.shuffle(lines)
    return "\n".join(lines)


CARDS = list(POOL)


def read_alike(number: int, seed: int) -> None:
    """Reads so many texts with cards that no line was read with before, and with those of all texts before."""
    chance, pool = random.Random(seed), Pool(CARDS)
    for _ in range(number):
        text = any_text(chance)
        first = described(read_deck(text, SPEC, Pool(CARDS), "deck.txt"))
        assert described(read_deck(text, SPEC, pool, "deck.txt")) == first, text
        assert described(read_deck(text, SPEC, pool, "deck.txt")) == first, text


def described(read: tuple[Deck, list[Finding]]) -> object:
    deck, findings = read
    return deck, [entry.printing for entry in deck.entries], deck.places, findings


def test_a_known_line_means_what_it_meant() -> None:
    """A deck reads the same whether its lines were read before or not."""
    read_alike(150, 5)


@pytest.mark.full
def test_a_known_line_means_what_it_meant_at_full_size() -> None:
    """The same for very many decks."""
    read_alike(FULL, 6)


def test_a_bad_count_stays_bad() -> None:
    """A count that is none is found in every deck that has such a line, not in the first alone."""
    for _ in range(2):
        _, findings = read_deck("-1 Longbow\n-1 Longbow\n2 Grain\n", SPEC, POOL)
        assert [finding.code for finding in findings if finding.code == "bad_count"] == ["bad_count"] * 2


def test_entries_of_a_file_are_a_sequence() -> None:
    """The entries of a deck that was read compare, slice and travel as a tuple of them does."""
    deck = [read_deck(f"## main\n2 {NAMES[0]}\n1 Longbow\n1 Nobody\n", SPEC, POOL)[0] for _ in range(2)][1]
    assert isinstance(deck.entries, FileEntries)
    entries = tuple(deck.entries)
    assert deck.entries == entries == tuple(pickle.loads(pickle.dumps(deck.entries)))
    assert len(deck.entries) == len(entries) == 3
    assert deck.entries[1:] == entries[1:]
    assert repr(deck.entries) == repr(entries)
