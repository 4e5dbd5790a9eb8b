"""The events that are being played, and what each still has to do to displays and chits (§7.8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from carddb.games.cdg_solo.module.module import CardException
from carddb.games.cdg_solo.play.cards import exceptions_for
from carddb.games.cdg_solo.play.hooks import HOOKS, Name
from carddb.games.cdg_solo.session.session import Play, Session

REPLACING = frozenset({"take_card", "draw_from_discard", "tournament_redraw"})
"""The hooks that decide what fills the event's place and which chits turn."""


class DueEvent(NamedTuple):
    """A hook that the event of a play has yet to carry out, and what the card's exception says of it."""

    play: Play
    hook: Name
    rule: Mapping[str, Any]


def hooks_of(session: Session, side: str, card: str) -> list[tuple[Name, CardException]]:
    """Returns what the event of a card does by hooks where this side plays it, by optional rules in force too."""
    entries = exceptions_for(session.module, session.table.cards[card])
    by_hook = {entry.hook: entry for entry in entries if _in_force(session, entry, side)}
    return [(cast(Name, name), by_hook[name]) for name in HOOKS if name in by_hook]


def _in_force(session: Session, entry: CardException, side: str) -> bool:
    option = entry.params.get("option")
    if option is None:
        return True
    return bool(getattr(session.module.options, option, False)) and entry.params.get("side") in (None, side)


def replaces_play(session: Session, side: str, card: str) -> bool:
    """Returns whether the event of a card decides what fills its place, so that the play is not complete before it."""
    return any(name in REPLACING for name, _ in hooks_of(session, side, card))


def plays(session: Session) -> Sequence[Play]:
    """Returns the events that are being played: that of the round, then those in combat and reaction."""
    pending = session.table.pending
    played = (*([pending.play] if pending.play else []), *pending.reactions)
    return [play for play in played if play.mode == "event"]


def due(session: Session) -> list[DueEvent]:
    """Returns what the events that are being played have yet to do, each hook of a card once."""
    return [
        DueEvent(play, name, entry.params)
        for play in plays(session)
        for name, entry in hooks_of(session, play.side, play.card)
        if name not in play.done and (play.open or name not in REPLACING)
    ]


def with_reaction(session: Session, side: str, card: str) -> Session:
    """Returns the session with an event that was played in a combat, in reaction or from beside the display."""
    reaction = Play(side=side, card=card, mode="event", to="discard")
    return session.with_pending(reactions=(*session.table.pending.reactions, reaction))


def with_done(session: Session, event: DueEvent) -> Session:
    """Returns the session with a hook carried out, which its event cannot do again."""
    pending = session.table.pending
    if pending.play is not None and pending.play.card == event.play.card:
        return session.with_pending(play=pending.play.with_(done=(*pending.play.done, event.hook)))
    reactions = [
        play.with_(done=(*play.done, event.hook)) if play.card == event.play.card else play
        for play in pending.reactions
    ]
    return session.with_pending(reactions=tuple(reactions))
