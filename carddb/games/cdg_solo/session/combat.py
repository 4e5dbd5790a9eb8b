"""Combats and reactions during a play (mechanics #3 and #3a)."""

from __future__ import annotations

from typing import Literal

from carddb.games.cdg_solo.play.combat import Fight, Role, chit_flips, chits_added, has_role, hit, lowest_values
from carddb.games.cdg_solo.play.combat import why_not as why_not_fight
from carddb.games.cdg_solo.play.display import Space
from carddb.games.cdg_solo.play.plays import destination, left_down
from carddb.games.cdg_solo.session.plays import label, sent, surplus, up_card
from carddb.games.cdg_solo.session.session import Session, with_reaction
from carddb.play.question import BadInput, Die, Many, refuse, refuse_for
from carddb.play.table.engine import action

FIGHTING = ("resolving",)


def _owner(session: Session, role: Role) -> str:
    """Returns the side that has a role; the attacker is the active side."""
    return session.active if role in ("attacker", "active") else session.opponent


def _role_of(session: Session, card: str) -> Role:
    """Returns the role of the side that has the card face up, or beside its display."""
    other = session.opponent
    others = (*session.display(other).ups(), *session.side(other).off_display.tactician)
    return "defender" if card in others or not has_role(session.module, "attacker") else "attacker"


def fight(session: Session, role: Role) -> Fight:
    """Returns the situation of a side that may play a card in a combat or a reaction."""
    owner = _owner(session, role)
    side = session.side(owner)
    roll = session.table.roll
    return Fight(
        session.module,
        role,
        session.display(owner),
        session.cards(owner),
        session.plays_left(owner),
        side.conditions_met,
        side.fought,
        roll.result if roll else None,
    )


@action(
    *("S-66", "S-75", "S-76", "S-77", "S-132", "S-133", "S-134", "S-145", "S-154", "S-167", "S-180", "S-182", "S-200"),
    *("SR-24", "SR-44"),
    at=FIGHTING,
)
def combat(session: Session, card: str, role: Role | None = None, mode: Literal["play", "discard"] = "play") -> Session:
    """Play a card in a combat or a reaction, or discard one where that helps; its place is filled when it ends.

    Without a role a card is played by the side that has it; a place is the active side's, where that plays such cards.
    """
    role = role or _role_of(session, card)
    owner = _owner(session, role)
    beside = card in session.side(owner).off_display.tactician
    card = card if beside else up_card(session, owner, card)
    late = role == "attacker" and session.side(session.other(owner)).fought > 0
    play = session.table.pending.play
    being_played = play is not None and play.open and play.card == card
    refuse(wrong_step=being_played or late)
    held = session.cards(owner)[card]
    refuse_for(why_not_fight(fight(session, role), held, mode == "discard", beside))
    flips = chit_flips(session.module, held, mode == "discard", beside)
    session = _taken(session, owner, card, beside).with_flips(owner, flips)
    session = session.with_chits_added(owner, chits_added(session.module, held) if beside else 0)
    session = session.with_side(owner, fought=session.side(owner).fought + 1)
    if mode == "play":
        session = with_reaction(session, owner, card)
    words = "discards" if mode == "discard" else "plays"
    return session.say(f"{owner} {words} {label(session, card)} in the combat.")


def _taken(session: Session, owner: str, card: str, beside: bool) -> Session:
    """Moves a card played in a combat to its destination; its space is refilled when the combat ends."""
    side = session.side(owner)
    if beside:
        left = tuple(other for other in side.off_display.tactician if other != card)
        return sent(
            session.with_side(owner, off_display=side.off_display.with_(tactician=left)), owner, card, "removed"
        )
    display = session.display(owner)
    place = display.find(card)
    assert place is not None
    space, refilled = place[0], place[0] not in surplus(session, owner)
    session = session.with_display(owner, display.without(card))
    if refilled:
        session = session.with_side(owner, waiting=(*side.waiting, space))
    return sent(session, owner, card, destination(session.cards(owner)[card], "event"))


def _nominates(session: Session) -> bool:
    return session.module.options.combat_rule == "experimental"


@action("S-79", "S-80", "SR-25", at=FIGHTING, serves=_nominates)
def nominate(session: Session, cards: Many[str], role: Role = "attacker") -> Session:
    """Name up Combat cards that may take part, by the experimental rule; the method die decides which do."""
    refuse(not_in_combat=not _nominates(session))
    owner = _owner(session, role)
    if role == "defender":
        # The top of the pile, or the card in C, is turned up (S-80).
        session = session.with_supply(owner)
        display = session.display(owner)
        if down := [slot.card for slot in display.at("C") if not slot.up]:
            session = session.with_display(owner, display.turned_up(down)).say(f"{owner} turns its card in C up.")
    cards = tuple(up_card(session, owner, card) for card in cards)
    for card in cards:
        refuse_for(why_not_fight(fight(session, role), session.cards(owner)[card]))
    labels = ", ".join(label(session, card) for card in cards) or "nothing"
    nominated = {**session.table.pending.nominated, owner: tuple(cards)}
    return session.with_pending(nominated=nominated).say(f"{owner} nominates {labels}.")


@action("S-78", "S-81", "S-82", "S-83", "S-181", at=FIGHTING)
def combat_end(session: Session, faces: dict[str, Die] | None = None, keep: Many[str] = ()) -> Session:
    """End the combat: nominated cards are rolled for, and the places of the cards played are filled.

    `faces` are method dice typed in, by side; `keep` names nominated cards that are not played where a side has too
    few chits for all.
    """
    waits = any(side.waiting or side.fought for side in session.table.sides.values())
    refuse(not_in_combat=not waits and not session.table.pending.nominated)
    for side, cards in session.table.pending.nominated.items():
        if cards:
            session = _rolled_for(session, side, [card for card in cards if card not in keep], (faces or {}).get(side))
    session = session.with_pending(nominated={})
    for side in session.module.side_ids:
        for space in sorted(session.side(side).waiting):
            session = session.with_supply(side)
            display, _ = session.display(side).refilled(space, left_down(session.module))
            session = session.with_display(side, display)
        session = session.with_side(side, waiting=(), fought=0)
    return session.say("The combat is over.")


def _rolled_for(session: Session, side: str, cards: list[str], face: int | None) -> Session:
    session, (rolled,) = session.rolled(1, () if face is None else (face,))
    result = session.module.table[str(rolled)]
    display, held = session.display(side), session.cards(side)
    at: dict[str, Space] = {card: place[0] for card in cards if (place := display.find(card))}
    values = lowest_values((space, held[card]) for card, space in at.items())
    spaces = hit(result, list(at.values()), session.module.options.m3a_lowest, values)
    session = session.say(f"{side} rolls {rolled}: {result}.")
    for card, space in at.items():
        if space in spaces:
            if session.plays_left(side) < 1:
                raise BadInput("keep")
            flips = chit_flips(session.module, held[card])
            session = _taken(session, side, card, False).with_flips(side, flips)
            session = session.with_side(side, fought=session.side(side).fought + 1)
            session = with_reaction(session, side, card).say(f"{label(session, card)} is played.")
    return session
