"""The start of a session, and its restoration from a save of version 1, including hidden cards (SD-13)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from carddb.game.game import GameSpec
from carddb.games.cdg_solo.module import Game, module_of
from carddb.games.cdg_solo.play.cards import CardText, printed_number
from carddb.games.cdg_solo.play.display import LIMIT, DisplayText
from carddb.games.cdg_solo.session.session import Common, Session, SessionState, Side
from carddb.play.question import BadInput, Refusal, read
from carddb.play.table.session import Rng


def new(spec: GameSpec, game: Game, cards: Iterable[Mapping[str, Any]], seed: int) -> Session:
    """Returns a session before its first phase, from the cards of the user's decks.

    A card has the fields of SD-2; its id is its printed number (`CP#1`, `#14`). Refuses `deck_empty`,
    `card_number_missing`, `card_number_duplicate`. Raises BadInput for an unknown module or deck.
    """
    module = module_of(spec, game)
    texts: dict[str, CardText] = {}
    decks: dict[str, list[str]] = {deck: [] for deck in module.decks}
    for card in cards:
        text = read(CardText, card, "cards")
        deck = text.deck or (module.decks[0] if len(module.decks) == 1 else text.side)
        if deck not in decks:
            raise BadInput("cards.deck")
        if text.number is None:
            raise Refusal("card_number_missing", card=text.title)
        id_ = printed_number(deck, text.number)
        if id_ in texts:
            raise Refusal("card_number_duplicate", card=id_)
        texts[id_] = text
        decks[deck].append(id_)
    for deck, listed in decks.items():
        if not listed:
            raise Refusal("deck_empty", deck=deck)
    table = SessionState(module=game, rng=Rng(seed=seed), cards=texts, decks={k: tuple(v) for k, v in decks.items()})
    return initial(Session.of(spec, module, table))


def initial(session: Session) -> Session:
    """Returns the session before its first action, with only the module, the seed and the decks."""
    module, table = session.module, session.table
    common = Common() if module.layout != "pile_in_c" else None
    empty = DisplayText(A=(), B=(), C=(), D=(), E=(), pile=None if common else ())
    start = SessionState(
        module=table.module,
        rng=Rng(seed=table.rng.seed),
        sides={side: Side(display=empty) for side in module.side_ids},
        common=common,
        cards=table.cards,
        decks=table.decks,
    )
    return Session.of(session.spec, module, start)


def restore(spec: GameSpec, table: SessionState) -> Session:
    """Returns the session of a save. Raises BadInput for a module that is unknown or invalid."""
    return Session.of(spec, module_of(spec, table.module, "module"), table)


def faults(session: Session) -> Iterator[str]:
    """Yields the contradictions in a session, such as a card in two places (SD-14), an unknown name, a step without
    result.
    """
    table, sides = session.table, session.module.side_ids
    if tuple(table.sides) != sides or set(table.decks) != set(session.module.decks):
        yield f"Its sides or decks are not those of {session.module.id}."
    elif (table.common is None) != (session.module.layout == "pile_in_c"):
        yield f"common: {session.module.id} has {'no' if table.common else 'a'} common pile."
    elif any((side.display.pile is None) != (table.common is not None) for side in table.sides.values()):
        yield "sides: a display has a pile that is not its own."
    else:
        yield from _card_faults(session)
        yield from _name_faults(session)
        yield from _step_faults(session)


def _card_faults(session: Session) -> Iterator[str]:
    """Yields a fault for each card that is in two places or in none."""
    table = session.table
    dealt = Counter(card for deck in table.decks.values() for card in deck)
    if dealt != Counter(list(table.cards)):
        yield "decks: they do not hold each of the cards once."
    elif table.phase_no:
        lying = Counter(places(session))
        for card in sorted(lying - dealt):
            yield f"{card} lies in two places." if card in dealt else f"{card} is no card of the decks."
        for card in sorted(dealt - lying):
            yield f"{card} lies nowhere."


def _name_faults(session: Session) -> Iterator[str]:
    """Yields a fault for each unknown side or card that the table names, and for impossible rows of chits."""
    table, pending = session.table, session.table.pending
    plays = [pending.play] if pending.play else []
    sides = {*([] if table.active is None else [table.active]), *pending.nominated, *pending.discarded}
    sides |= {laid.side for laid in table.laid} | {play.side for play in plays}
    cards = {card for listed in pending.nominated.values() for card in listed}
    cards |= {*pending.order_counts, *pending.reshuffle, *(laid.card for laid in table.laid), *(p.card for p in plays)}
    for name, side in table.sides.items():
        cards |= {*side.flags, *([side.first_round_card] if side.first_round_card else [])}
        if side.chits.flipped > side.chits.total or side.chits.total > LIMIT:
            yield f"sides.{name}.chits: {side.chits.flipped} of {side.chits.total} cannot be flipped."
    for side_id in sorted(sides - set(session.module.side_ids)):
        yield f"There is no side {side_id}."
    for card in sorted(cards - set(table.cards)):
        yield f"There is no card {card}."


def _step_faults(session: Session) -> Iterator[str]:
    """Yields a fault for what the step needs but the table lacks: an active side, a result, a play to resolve."""
    table, play = session.table, session.table.pending.play
    if (table.active is None) != (table.step in ("setup", "end_phase")):
        yield f"active: at the step {table.step} it cannot be {table.active}."
    if (table.phase_no == 0) != (table.step == "setup"):
        yield f"phase_no: at the step {table.step} it cannot be {table.phase_no}."
    chooses = table.step in ("choosing", "choose_flip", "choose_home")
    if (chooses and (table.roll is None or table.roll.result is None)) or (
        table.step == "choose_die" and table.roll is None
    ):
        yield f"roll: at the step {table.step} there is one."
    if play and play.open and play.side in table.sides:
        lying = session.display(play.side).find(play.card)
        if lying is None or not lying[1].up:
            yield f"pending.play: {play.card} does not lie up on the display of {play.side}."


def places(session: Session) -> list[str]:
    """Returns each card once for each place in which it is: spaces, piles, discards, removed, beside displays
    (SD-14).
    """
    cards = [slot.card for slot in session.display(session.module.side_ids[0]).stock] if session.table.common else []
    for name, side in session.table.sides.items():
        display = session.display(name)
        cards += [slot.card for lying in display.spaces.values() for slot in lying]
        cards += [slot.card for slot in display.stock] if session.table.common is None else []
        beside = side.off_display
        cards += [*side.discard, *side.removed, *beside.home, *beside.home_used, *beside.fo, *beside.tactician]
    return cards
