"""What of the table on a terminal is the solo session's own: short lines, the names of cards, the uses of hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from carddb.cli.table.terminal import Front

if TYPE_CHECKING:
    from carddb.games.cdg_solo.session import Session
    from carddb.games.cdg_solo.session.state import SessionState
    from carddb.play.table.action import Action
    from carddb.play.table.engine import TableGame

ALIASES = {"next": "next_round", "flip": "choose_flip", "flag": "set_flag", "hold": "hold_as_fo", "fo": "play_fo"}


def _table() -> TableGame[Session]:
    from carddb.games.cdg_solo.session import TABLE

    return TABLE


def _screen(session: Session) -> str:
    from carddb.cli.solo.screen import screen

    return screen(session)


def words_of(session: Session, words: list[str]) -> list[str]:
    """What a short line means at this step: a number is a die, a place or a card is a flip or a play."""
    step, first = session.step, words[0]
    place = len(first) <= 2 and first[0].upper() in "ABCDE" and first[1:] in ("", "1", "2")
    if first.isdecimal() and step in ("round_ready", "choose_die"):
        return ["roll" if step == "round_ready" else "pick", *words]
    if place and step == "choose_flip":
        return ["flip", *words]
    is_card = card_id(session.table, first) in session.table.cards
    return ["play", *words] if place or is_card else words


def hook_usages(action: Action[Session, Any], session: Session | None) -> list[str]:
    """What may be said of each hook, of those of a module alone where there is a session; nothing for other actions."""
    from carddb.games.cdg_solo.hooks import HOOKS
    from carddb.games.cdg_solo.session.hooks import usage

    if action.name != "hook":
        return []
    own = set(HOOKS)
    if session is not None:
        own = {entry.hook for entry in session.module.exceptions} | set(session.module.hooks)
    return [" ".join([name, *usage(name)]) for name in HOOKS if name in own]


def with_cards(session: Session, words: dict[str, Any]) -> dict[str, Any]:
    """What was said, with cards by their ids: `14` is `#14`, `cp22` and CP's `22` are `CP#22`."""
    out = dict(words)
    for name in ("card", "cards"):
        if isinstance(out.get(name), str):
            out[name] = card_id(session.table, out[name])
        elif isinstance(out.get(name), list):
            out[name] = [card_id(session.table, text) for text in out[name]]
    return out


def card_id(table: SessionState, text: str) -> str:
    """The id of a card as it was typed; the text itself where there is no such card."""
    if text in table.cards:
        return text
    ids = {_flat(id_): id_ for id_ in table.cards}
    return ids.get(_flat(text)) or ids.get(_flat(f"{table.active}{text}")) or text


def _flat(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


FRONT: Front[Session] = Front(
    verb="solo",
    schema="carddb.solo",
    table=_table,
    screen=_screen,
    line=words_of,
    fields=with_cards,
    aliases=ALIASES,
    usages=hook_usages,
)
