"""How fast legal decks are judged: `python -m tests.benchmarks.decks`.

In one process, the real checker with all its findings in turn with the reference: a count of names against plain
dicts, which answers yes or no. Decks are ready in the form that each of the two wants.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from random import Random

from carddb.cards.cards import Deck, Entry, Pool
from carddb.deck.check.check import check
from carddb.deck.context import Context
from carddb.game.game import GameSpec
from carddb.games import folders, load
from carddb.read.decks.text import read_deck
from carddb.read.decks.writer import write_deck
from tests.benchmarks.inputs import COPIES, DECK_SIZE, KEY, barred, rows, write_project
from tests.benchmarks.timing import ALONE, Ratio, alternate, print_ratio

CARDS = 5_400
DECKS = 2_000


def drawn(names: Sequence[str], rarity: Mapping[str, str], random: Random) -> dict[str, int]:
    """A legal deck of the least size: copies by name."""
    deck: dict[str, int] = {}
    size = 0
    while size < DECK_SIZE[0]:
        name = random.choice(names)
        if name not in deck:
            deck[name] = min(random.randint(1, COPIES[rarity[name]]), DECK_SIZE[0] - size)
            size += deck[name]
    return deck


def measure(folder: Path) -> None:
    write_project(folder, CARDS, pictures=False)
    game, _ = load(folders([(folder / KEY, False)])[KEY])
    assert game
    spec = game.spec
    cards = list(rows(CARDS))
    banned = set(barred(CARDS))
    rarity = {str(card["name"]): str(card["rarity"]) for card in cards}
    out = {str(card["name"]) for card in cards if card["ref"] in banned}
    random = Random(7)
    allowed = [name for name in rarity if name not in out]
    decks = [drawn(allowed, rarity, random) for _ in range(DECKS)]
    lists = [[name for name, count in deck.items() for _ in range(count)] for deck in decks]
    pool = Pool(spec.card(str(card["ref"]), {**card, "set": "all"}) for card in cards)
    read = [made(deck, pool) for deck in decks]

    def legal(names: list[str]) -> bool:
        if not DECK_SIZE[0] <= len(names) <= DECK_SIZE[1]:
            return False
        for name, count in Counter(names).items():
            known = rarity.get(name)
            if known is None or name in out or count > COPIES[known]:
                return False
        return True

    def theirs() -> None:
        assert all(legal(names) for names in lists)

    context = Context(date(2026, 6, 20))
    assert not any(check(deck, spec, pool, context) for deck in read)
    ratio = alternate(lambda: judged(read, spec, pool, context), theirs)
    print_ratio("time of judging decks", ratio)
    print_rate("decks judged a second", ratio, "at least 0.15  0.3")
    texts = [write_deck(deck, spec) for deck in read]
    ratio = alternate(lambda: read_all(texts, spec, pool), theirs)
    print_ratio("time of reading decks from their text", ratio)
    print_rate("decks read a second", ratio, "at least 0.08  0.16")


def print_rate(title: str, ratio: Ratio, bound: str) -> None:
    """Prints how many times as many decks a second are done as by the reference."""
    speeds = sorted(1 / each for each in ratio.processor)
    print(f"{title:44} {speeds[len(speeds) // 2]:.2f}  {ALONE}  {bound}")


def judged(decks: Sequence[Deck], spec: GameSpec, pool: Pool, context: Context) -> None:
    for deck in decks:
        check(deck, spec, pool, context)


def read_all(texts: Sequence[str], spec: GameSpec, pool: Pool) -> None:
    for text in texts:
        read_deck(text, spec, pool)


def made(deck: Mapping[str, int], pool: Pool) -> Deck:
    entries = (Entry("main", count, name, pool.named(name)[0]) for name, count in deck.items())
    return Deck(KEY, tuple(entries))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        measure(Path(place))
