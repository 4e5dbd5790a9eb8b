"""The compiled check: what it lets pass has no findings the long way, for random decks of every game."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import carddb
from carddb.app.deck_check import CheckRequest, deck_and_context
from carddb.cards import Card, Deck, Entry, Pool
from carddb.deck.check import check, long_way
from carddb.deck.compiled_checks import compiled_checks
from carddb.deck.context import Context
from carddb.file_entries import CardLine, CardLines, FileEntries, LineWords
from carddb.findings import in_order
from carddb.game import GameSpec
from carddb.games import folders
from tests.deck_samples import DAY, SPEC, card, game
from tests.shoals_game import write_game

LANTERNS = Path(__file__).parent / "outside" / "lanterns"
GAMES = sorted((*(key for key, folder in folders().items() if folder.bundled), "lanterns", "shoals"))
FULL = 1_000_000
"""The decks of the full run, a seventh for each game, and as many again of random limits."""

LIMITS: tuple[dict[str, Any], ...] = (
    {"copies": "", "max": 2},
    {"copies": "type:unit", "min": 2, "max": 3},
    {"copies": "", "max": 3, "max_field": "cost"},
    {"copies": "", "max": 3, "by": "school"},
    {"copies": "", "max": 4, "by": "name", "over": ["main"]},
    {"total": "type:spell", "min": 1, "max": 5},
    {"total": "type:spell", "max": 3, "over": ["side"]},
    {"total": "type:spell", "min": {"4": 1, "8": 3}},
    {"total": "type:spell", "max": 2, "given": "name=Cara", "given_over": ["side"]},
    {"ratio": "type:spell", "per": "type:unit", "each": 2},
    {"ratio": "type:spell", "per": "type:unit", "min": 1, "max": 3},
    {"requires": "type:unit", "given": "type:spell", "min": 2, "max": 6},
    {"requires": "", "given": "school:ice", "min": 3},
    {"budget": "", "of": "cost", "max": 20},
    {"budget": "type:spell", "of": "cost", "min": 3, "max": 30},
    {"budget": "", "weights": {"school:fire": 5, "type:spell": -2}, "max": 9},
    {"budget": "", "weights": {"school:fire": 0.5, "type:spell": 0.25}, "max": 2},
    {"budget": "", "of": "cost", "copy_factors": [1.0, 2.0], "max": 30},
    {"same": "type:spell", "of": "school"},
    {"same": "", "of": "school", "by": "name"},
    {"same": "", "of": "era", "chosen": "eras", "min": 1, "max": 9},
    {"same": "", "of": "school", "subset_of": ["fire", "ice"]},
    {"different": "", "min": 2, "max": 4},
    {"different": "type:spell", "by": "school", "max": 2},
    {"copies": "name=Ann", "max": 1, "instead": [{"given": "ref:bob", "max": 4}]},
    {"total": "type:spell", "max": "@aide.cost"},
    {"total": "school=@aide.school", "max": 3},
    {"budget": "", "of": "cost", "max": {"2": 9, "6": 20}, "given": "type:spell"},
    {"total": "", "max": 5, "given": "school=@aide.school"},
    {"same": "", "of": "school", "subset_of": "@aide.school", "over": ["side"]},
    {"total": "", "max": 6, "when": "strict"},
    {"total": "type:unit", "max": 3, "formats": ["ice"]},
)  # fmt: skip
PARTS: dict[str, Any] = {
    "options": {"strict": {"type": "boolean", "default": False}},
    "header": {"Eras": "eras"},
    "roles": {"aide": {"match": "rare:true", "optional": True}},
    "formats": {
        "ice": {"name": "Ice", "pool": [{"must": "school:ice or type:unit", "code": "not_ice"}]},
        "new": {"name": "New", "from": "2026-01-01", "rotation": {"of": "era", "legal": {"young": {}}}},
        "gone": {"name": "Gone", "until": "2026-01-01"},
    },
}
CARDS = [
    card("Ann", cost=1, school="fire", era="young"),
    card("Bob", cost=2, school="ice", era="young"),
    card("Cara", cost=3, era="old"),
    card("Ann", cost=2, school="ice", era="old")._replace(ref="ann2"),
    card("Dust", "spell", cost=4, school="fire", era="young"),
    card("Eel", "spell", cost=-1, school="ice", era="old"),
    card("Fog", "spell", cost=0.5, school="ice"),
    card("Gem", "spell", cost=2, school="old", era="young", rare=True),
    card("Map", "aid"),
    card("Wall", cost=11, school="ice", era="young"),
]  # fmt: skip


def agree(deck: Deck, spec: GameSpec, pool: Pool, context: Context) -> tuple[bool, bool]:
    """Whether a deck passes the compiled check, and whether it is right; it has the findings of the long way."""
    findings = in_order(long_way(deck, spec, context))
    assert check(deck, spec, pool, context) == findings, deck
    return compiled_checks(spec).view_unless_legal(deck, context) is None, not findings


def any_limits(chance: random.Random) -> GameSpec:
    """The small game with some limits of all kinds."""
    drawn = chance.sample(LIMITS, chance.randint(0, 4))
    sections = {key: {**part, "size": [0, 14]} for key, part in SPEC["sections"].items()}
    if chance.random() < 0.2:
        sections["picked"] = {"part_of": ["main"]}
    limits = [{**limit, "code": f"x{number}"} for number, limit in enumerate(drawn)]
    return game(**PARTS, sections=sections, limits=limits, identity=chance.choice([["type", "name"], ["ref"]]))


def any_deck(chance: random.Random, spec: GameSpec) -> Deck:
    """A deck of random lines, few of them odd."""
    lengths = [8, *[1] * (len(spec.sections) - 1), 0.1]
    sections = chance.choices([*spec.sections, "nowhere"], lengths, k=chance.randint(0, 6))
    cards = chance.choices([*CARDS, None], [1] * 8 + [0.2, 0.2, 0.1], k=len(sections))
    counts = chance.choices([0, 1, 2, 3, 7], [0.1, 4, 3, 1, 0.2], k=len(sections))
    drawn = zip(sections, counts, cards, strict=True)
    lines = [Entry(section, count, held.name if held else "Zoe", held) for section, count, held in drawn]
    headers = {"eras": chance.choice(["", "young", "young; old"])}
    format_ = chance.choice(["", "", "ice", "new", "gone", "unheard"])
    return Deck(spec.key, tuple(lines), headers | ({"format": format_} if format_ else {}))


def random_limits(specs: int, decks: int, seed: int) -> tuple[int, int]:
    """How many decks passed the compiled check, and how many were legal."""
    chance, passed, legal = random.Random(seed), 0, 0
    pool = Pool(CARDS)
    for _ in range(specs):
        spec = any_limits(chance)
        options = {"strict": True} if chance.random() < 0.3 else {}
        context = Context(DAY, options=options, format="ice" if chance.random() < 0.2 else None)
        for _ in range(decks):
            passes, right = agree(any_deck(chance, spec), spec, pool, context)
            passed += passes
            legal += right
    return passed, legal


def test_any_limits() -> None:
    """Games of any limits: what passes has nothing to say, and most of what has nothing to say passes."""
    passed, legal = random_limits(40, 30, 1)
    assert passed > 0.5 * legal > 50


@pytest.mark.full
def test_any_limits_at_full_size() -> None:
    """The same for a million decks."""
    assert random_limits(FULL // 200, 200, 2)[0] > FULL // 20


def test_decks_of_many_kinds_pass() -> None:
    """Decks whose owners chose in a hundred ways have a compiled check for each way, though they come mixed."""
    limits = [{"same": "", "of": "era", "chosen": "eras", "code": "era"}]
    spec = game(**PARTS, sections={"main": {"size": [0, 9]}}, limits=limits)
    line = Entry("main", 1, "Ann", CARDS[0])
    decks = [Deck(spec.key, (line,), {"eras": f"young; {number}"}) for number in range(100)]
    for deck in decks * 3:
        check(deck, spec, Pool(CARDS), Context(DAY))
    checks = compiled_checks(spec)
    assert not any(checks.view_unless_legal(deck, Context(DAY)) for deck in decks)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> carddb.Project:
    """A project with the samples of all games, those from outside among them."""
    folder = tmp_path_factory.mktemp("compiled")
    shoals = write_game(folder / "shoals")
    project = carddb.open(folder, games=[LANTERNS, shoals])
    for key, cards in (("lanterns", LANTERNS), ("shoals", shoals)):
        project.load(cards / "cards.csv", game=key)
    return project


def decks_of(project: carddb.Project, key: str) -> list[tuple[carddb.Game, Deck, Pool, Context]]:
    """The example decks of a game, ready to be checked."""
    found = []
    for path in project.only_game(key).folder.decks:
        read, context = deck_and_context(project, path, CheckRequest(key, on=DAY))
        found.append((read.game, read.deck, read.pool, context))
    return found


def changed(deck: Deck, cards: list[Card], chance: random.Random) -> Deck:
    """The deck with a few changes, or none."""
    lines = list(deck.entries)
    for _ in range(chance.choice([0, 0, 1, 1, 2, 5])):
        at = chance.randrange(len(lines)) if lines else 0
        kind = chance.choice(["count", "other", "more", "less", "move", "twice"])
        if kind == "more" or not lines:
            lines.append(Entry(chance.choice(lines).section if lines else "main", 1, "", chance.choice(cards)))
        elif kind == "less":
            del lines[at]
        elif kind == "twice":
            lines.append(lines[at])
        elif kind == "count":
            lines[at] = replace(lines[at], count=max(1, lines[at].count + chance.choice([-1, 1])))
        elif kind == "other":
            lines[at] = replace(lines[at], card=chance.choice(cards))
        else:
            lines[at] = replace(lines[at], section=chance.choice(lines).section)
    return replace(deck, entries=tuple(lines))


def from_file(deck: Deck) -> Deck:
    """The same deck as if its lines had been read before from a file; unknown cards are entries there too."""
    parts: list[CardLines | Entry] = []
    numbers: dict[str, int] = {}
    for entry in deck.entries:
        if entry.card and entry.count > 0:
            words = LineWords(entry.count, entry.ref, "", 1, "")
            line = CardLine(entry.count, entry.card, numbers.setdefault(entry.ref, len(numbers)), words)
            parts.append(CardLines(entry.section, len(parts) + 1, [line]))
        else:
            parts.append(entry)
    return replace(deck, entries=FileEntries(deck.file, parts))


def random_decks(project: carddb.Project, key: str, number: int, seed: int) -> Iterator[tuple[bool, bool]]:
    """Whether each of so many changed example decks passes the compiled check, and whether it is right."""
    chance = random.Random(seed)
    examples = [(each, list(each[2])) for each in decks_of(project, key)]
    for _ in range(number):
        (loaded, deck, pool, context), cards = chance.choice(examples)
        formats = [None, None, None, *list(loaded.spec.formats)[: number // 30]]
        context = replace(context, format=chance.choice(formats), bans=None)
        deck = changed(deck, cards, chance)
        deck = from_file(deck) if chance.random() < 0.3 else deck
        yield agree(deck, loaded.spec, pool, context)


@pytest.mark.parametrize("key", GAMES)
def test_random_decks(project: carddb.Project, key: str) -> None:
    """Changed example decks of every game are found the same by both ways, and most that are right pass."""
    passed, right = map(sum, zip(*random_decks(project, key, 60, 3), strict=True))
    assert passed > 0.6 * right > 5


@pytest.mark.full
@pytest.mark.parametrize("key", GAMES)
def test_random_decks_at_full_size(project: carddb.Project, key: str) -> None:
    """The same for very many."""
    passed, right = map(sum, zip(*random_decks(project, key, FULL // len(GAMES), 4), strict=True))
    assert passed > 0.9 * right > 100
