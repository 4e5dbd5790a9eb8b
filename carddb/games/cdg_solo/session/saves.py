"""A session begun, saved and loaded: JSON of version 1, with its hidden cards (SD-13)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from carddb.game import GameSpec
from carddb.games.cdg_solo.cards import CardText, printed_number
from carddb.games.cdg_solo.chits import LIMIT
from carddb.games.cdg_solo.module import Game, module_of
from carddb.games.cdg_solo.session.actions import initial
from carddb.games.cdg_solo.session.session import Session
from carddb.games.cdg_solo.session.state import Rng, SessionState
from carddb.play.question import BadInput, Refusal, read


def new(spec: GameSpec, game: Game, cards: Iterable[Mapping[str, Any]], seed: int) -> Session:
    """A session before its first phase, from the cards of the owner's decks.

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
    return initial(spec, module, table)


def save(session: Session) -> str:
    """The session as the text of a file; the hidden cards are in it."""
    return json.dumps(session.table.model_dump(mode="json"), ensure_ascii=False, indent=1) + "\n"


def load(spec: GameSpec, text: str) -> Session:
    """A session from the text of its file. Refuses `save_version_unknown`, `save_corrupt`."""
    try:
        data = json.loads(text)
        version = data["version"]
    except (ValueError, RecursionError, KeyError, TypeError):
        raise Refusal("save_corrupt") from None
    if version != SessionState.model_fields["version"].default:
        raise Refusal("save_version_unknown")
    try:
        table = SessionState.model_validate(data)
        session = Session.of(spec, module_of(spec, table.module), table)
    except (ValidationError, BadInput):
        raise Refusal("save_corrupt") from None
    if not _consistent(session):
        raise Refusal("save_corrupt")
    return session


def _consistent(session: Session) -> bool:
    """Whether a session is consistent: every card in one place (SD-14), every name known."""
    table, sides, cards = session.table, session.module.side_ids, session.table.cards
    dealt = sorted(card for deck in table.decks.values() for card in deck)
    if tuple(table.sides) != sides or set(table.decks) != set(session.module.decks) or dealt != sorted(cards):
        return False
    if (table.common is None) != (session.module.layout == "pile_in_c"):
        return False
    if table.phase_no and sorted(places(session)) != dealt:
        return False
    return _names_exist(session) and _step_fits(session)


def _names_exist(session: Session) -> bool:
    """Whether every side and card that the table names is there."""
    table, pending = session.table, session.table.pending
    plays = [pending.play] if pending.play else []
    sides = {*([] if table.active is None else [table.active]), *pending.nominated, *pending.discarded}
    sides |= {laid.side for laid in table.laid} | {play.side for play in plays}
    cards = {card for listed in pending.nominated.values() for card in listed}
    cards |= {*pending.order_counts, *pending.reshuffle, *(laid.card for laid in table.laid), *(p.card for p in plays)}
    for side in table.sides.values():
        cards |= {*side.flags, *([side.first_round_card] if side.first_round_card else [])}
        if side.chits.flipped > side.chits.total or side.chits.total > LIMIT:
            return False
        if (side.display.pile is None) != (table.common is not None):
            return False
    return sides <= set(session.module.side_ids) and cards <= set(table.cards)


def _step_fits(session: Session) -> bool:
    """Whether what the step needs is there: a side in its round, a result for a choice, a play to resolve."""
    table, play = session.table, session.table.pending.play
    between = table.step in ("setup", "end_phase")
    if (table.active is None) != between or (table.phase_no == 0) != (table.step == "setup"):
        return False
    if table.step in ("choosing", "choose_flip", "choose_home") and (table.roll is None or table.roll.result is None):
        return False
    if table.step == "choose_die" and table.roll is None:
        return False
    lying = session.display(play.side).find(play.card) if play and play.open else None
    return play is None or not play.open or (lying is not None and lying[1].up)


def places(session: Session) -> list[str]:
    """Every card once for each place it is in: spaces, piles, discards, removed, beside the displays (SD-14)."""
    cards = [slot.card for slot in session.display(session.module.side_ids[0]).stock] if session.table.common else []
    for name, side in session.table.sides.items():
        display = session.display(name)
        cards += [slot.card for lying in display.spaces.values() for slot in lying]
        cards += [slot.card for slot in display.stock] if session.table.common is None else []
        beside = side.off_display
        cards += [*side.discard, *side.removed, *beside.home, *beside.home_used, *beside.fo, *beside.tactician]
    return cards
