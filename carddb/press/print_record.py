"""What a job puts on paper, so that the next one can be compared with it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from carddb.cards import Card
from carddb.game import GameSpec
from carddb.layout.stock import card_size
from carddb.press.face_bank import FaceBank
from carddb.press.sheets import SheetOptions, face_bank, sides, target_size
from carddb.press.workshop import Workshop
from carddb.print_history import PrintedCard, PrintJob


def digesting_bank(workshop: Workshop, options: SheetOptions) -> FaceBank:
    """An empty bank that keeps the digest of every face it draws. Raises UsageError for unknown names."""
    bank = face_bank(workshop, options)
    bank.digesting = True
    return bank


def size_named(spec: GameSpec, options: SheetOptions) -> str:
    """The size that cards are printed at, as printings are known by it. Raises UsageError for unknown names."""
    return str(target_size(card_size(spec.card_size), options))


def print_job(bank: FaceBank, copies: Sequence[tuple[Card, int]], options: SheetOptions, title: str) -> PrintJob:
    """What there is on paper once a selection is printed; faces that were not looked at yet are drawn for it."""
    spec = bank.workshop.game.spec
    looks: dict[str, PrintedCard] = {}
    for card, count in copies:
        known = looks.get(card.ref)
        if known:
            looks[card.ref] = known._replace(copies=known.copies + count)
            continue
        front, back = sides(bank, card, options)
        seen = "" if back is None else bank.digest(back)
        looks[card.ref] = PrintedCard(card.ref, card.name, count, bank.digest(front), seen)
    return PrintJob(spec.key, title, size_named(spec, options), tuple(looks.values()))


def missing(
    spec: GameSpec, copies: Sequence[tuple[Card, int]], owned: Iterable[tuple[Card, int]]
) -> list[tuple[Card, int]]:
    """What a player lacks of a selection, by what the game takes for the same card."""
    left: dict[Hashable, int] = {}
    for card, count in owned:
        left[_same(spec, card)] = left.get(_same(spec, card), 0) + count
    out: list[tuple[Card, int]] = []
    for card, count in copies:
        have = min(count, left.get(_same(spec, card), 0))
        left[_same(spec, card)] = left.get(_same(spec, card), 0) - have
        if count > have:
            out.append((card, count - have))
    return out


def _same(spec: GameSpec, card: Card) -> Hashable:
    from carddb.deck.card_facts import identity

    return identity(spec, card, None) or card.ref
