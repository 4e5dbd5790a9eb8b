"""A playtest table as it is laid out: every card in its zone, shuffled, and the opening hands dealt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from carddb.game.game import GameSpec
from carddb.play.playtest.session import MOST_CARDS, DeckLine, Piece, PlaytestSession, PlaytestTable, SeatDeck
from carddb.play.playtest.zones import Zone, zone_of, zones_of
from carddb.play.question import refuse
from carddb.play.stream import Stream
from carddb.play.table.session import Rng

SectionLines = Mapping[str, Sequence[DeckLine]]
"""The cards of a deck by section."""


def new(spec: GameSpec, decks: Sequence[SeatDeck], seed: int) -> PlaytestSession:
    """A table of a game, laid out from the seed. Refuses `too_many_cards`, `no_such_zone`."""
    zones = {key: zone_of(key, zone) for key, zone in zones_of(spec).items()}
    hand = next((key for key, zone in zones_of(spec).items() if zone.opening_hand), "")
    return laid_out(spec, PlaytestTable(rng=Rng(seed=seed), of=spec.key, zones=zones, hand=hand, seats=tuple(decks)))


def seat_deck(spec: GameSpec, name: str, sections: SectionLines, hands: Iterable[tuple[str, int]]) -> SeatDeck:
    """What a seat brings, its cards by zone; `hands` are the cards of the opening hand by section."""
    cards: dict[str, tuple[DeckLine, ...]] = {}
    opening: dict[str, int] = {}
    sizes = dict(hands)
    for key, zone in zones_of(spec).items():
        for section in zone.sections:
            cards[key] = (*cards.get(key, ()), *sections.get(section, ()))
            if sizes.get(section) and sections.get(section):
                opening[key] = opening.get(key, 0) + sizes[section]
    return SeatDeck(name=name, cards={key: lines for key, lines in cards.items() if lines}, opening=opening)


def laid_out(spec: GameSpec, table: PlaytestTable) -> PlaytestSession:
    """A table as it is before the first action. Refuses `too_many_cards`, `no_such_zone`."""
    stream = Stream(table.rng.seed)
    cards: list[DeckLine] = []
    piles: dict[str, list[Piece]] = {
        name: [] for key, zone in table.zones.items() for name in _names(key, zone, len(table.seats))
    }
    for seat, deck in enumerate(table.seats, 1):
        refuse(too_many_cards=sum(line.count for lines in deck.cards.values() for line in lines) > MOST_CARDS)
        for key, lines in deck.cards.items():
            refuse(no_such_zone=key not in table.zones)
            pile = piles[_own(key, table.zones[key], seat)]
            for line in lines:
                pile += [Piece(len(cards) + copy) for copy in range(line.count)]
                cards += [line] * line.count
    for name, pile in piles.items():
        if table.zones[name.partition(".")[0]].shuffled:
            stream.shuffle(pile)
    for seat, deck in enumerate(table.seats, 1):
        for key, count in deck.opening.items() if table.hand else ():
            refuse(no_such_zone=not {key, table.hand} <= table.zones.keys())
            pile = piles[_own(key, table.zones[key], seat)]
            piles[_own(table.hand, table.zones[table.hand], seat)] += pile[:count]
            del pile[:count]
    start = table.with_(rng=Rng(seed=stream.seed, draws=stream.draws), log=())
    laid = {name: tuple(pile) for name, pile in piles.items()}
    return PlaytestSession(spec, start, cards=tuple(cards), piles=laid)


def _names(key: str, zone: Zone, seats: int) -> list[str]:
    return [_own(key, zone, seat) for seat in range(1, seats + 1 if zone.whose == "player" else 2)]


def _own(key: str, zone: Zone, seat: int) -> str:
    return f"{key}.{seat}" if zone.whose == "player" else key
