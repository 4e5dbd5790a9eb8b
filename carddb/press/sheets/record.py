"""The record of a print: the cards on paper, with their looks and size, to which later prints can be compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

from carddb.cards.cards import Card
from carddb.cards.print_history import Look, PrintedCard, PrintJob
from carddb.deck.context import identity
from carddb.game.game import GameSpec
from carddb.layout.stock import card_size
from carddb.press.faces.bank import FaceStreams
from carddb.press.sheets.card_sheets import sides
from carddb.press.sheets.options import SheetOptions, target_size


def size_name(spec: GameSpec, options: SheetOptions) -> str:
    """Returns the printed size of cards as a record names it, with their colours if these are inks of a press, which
    look different on every card. Raises UsageError for unknown names.
    """
    size = target_size(card_size(spec.card_size), options)
    return f"{size}, CMYK" if options.press else str(size)


def print_job(streams: FaceStreams, copies: Sequence[tuple[Card, int]], options: SheetOptions, title: str) -> PrintJob:
    """Returns the record of printing a selection. `streams` must be digesting; faces not drawn yet are drawn."""
    spec = streams.bank.workshop.game.spec
    printed: dict[Look, PrintedCard] = {}
    for card, count in copies:
        look = look_of(streams, card)
        if look in printed:
            printed[look] = printed[look]._replace(copies=printed[look].copies + count)
            continue
        back = sides(streams.bank, card, options)[1]
        digest = "" if back is None else streams.digest(back)
        printed[look] = PrintedCard(card.ref, card.name, count, look[1], digest)
    return PrintJob(spec.key, title, size_name(spec, options), tuple(printed.values()))


def look_of(streams: FaceStreams, card: Card) -> Look:
    """Returns a card's reference and the digest of its front. `streams` must be digesting."""
    return card.ref, streams.digest(streams.bank.front(card))


def missing(
    spec: GameSpec, copies: Sequence[tuple[Card, int]], owned: Iterable[tuple[Card, int]]
) -> list[tuple[Card, int]]:
    """Returns the copies of a selection that a player does not own. The game decides which cards count as the same."""
    left = Counter[Hashable]()
    for card, count in owned:
        left[identity(spec, card, None) or card.ref] += count
    out: list[tuple[Card, int]] = []
    for card, count in copies:
        key = identity(spec, card, None) or card.ref
        have = min(count, left[key])
        left[key] -= have
        if count > have:
            out.append((card, count - have))
    return out
