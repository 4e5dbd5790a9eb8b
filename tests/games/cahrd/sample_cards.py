"""The sample cards of C.A.H.R.D., for its tests."""

from __future__ import annotations

from collections.abc import Iterator

from carddb.cards.cards import Card, Pool
from carddb.findings import Finding
from carddb.read.cards.file import CardReading, read_cards
from tests.games.referee_samples import game

GAME = game("cahrd")
SPEC = GAME.spec
STATS: list[str] = SPEC.data["stats"]
TEXTS = ("trait", "requirement", "effect", "extra_cost")


def _read() -> tuple[Pool, list[Finding]]:
    assert GAME.folder.cards_file
    file = read_cards(GAME.folder.cards_file, CardReading(SPEC, "sample", GAME.folder.path))
    return Pool(SPEC.card(record.ref, record.values) for record in file.records), file.findings


POOL, FINDINGS = _read()


def cards(kind: str) -> list[Card]:
    return [card for card in POOL if card.type == kind]


def texts(card: Card) -> Iterator[str]:
    """What a card tells its player to do."""
    yield from (str(card.get(field)) for field in TEXTS if card.get(field))


def rules_text(card: Card) -> str:
    return "\n".join(texts(card))
