"""Lines that are typed at a solo table: short forms, the names of cards, the uses of hooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from carddb.games.cdg_solo.play.hooks import HOOKS
from carddb.games.cdg_solo.session import Session
from carddb.games.cdg_solo.session.events import due
from carddb.games.cdg_solo.session.hooks import may_exchange, usage
from carddb.games.cdg_solo.session.session import SessionState
from carddb.play.table.engine import Action

_CARDS = ("card", "from_discard", "flip_card")
"""The parameters of hooks that name cards or places."""


def words_of(session: Session, words: list[str]) -> list[str]:
    """Returns what a short line means at this step: a number is a die, a place or a card is a flip or a play."""
    step, first = session.step, words[0]
    if first == "exchange" and len(words) == 2:
        return ["hook", "exchange_632", f"card={words[1]}"]
    if first == "hook" and len(words) > 1 and "=" in words[1]:
        waiting = due(session)
        return ["hook", waiting[0].hook, *words[1:]] if waiting else ["hook"]
    if alternatives := [code for code in session.module.alternatives if code.startswith(first.replace("-", "_"))]:
        return ["alternative", alternatives[0], *words[1:]]
    place = len(first) <= 2 and first[0].upper() in "ABCDE" and first[1:] in ("", "1", "2")
    if first.isdecimal() and step in ("round_ready", "choose_die"):
        return ["roll" if step == "round_ready" else "pick", *words]
    if place and step == "choose_flip":
        return ["flip", *words]
    is_card = card_id(session.table, first) in session.table.cards
    return ["play", *words] if place or is_card else words


def usages(action: Action[Session, Any], session: Session | None) -> list[str]:
    """Returns what may be said of each hook, of those alone that may be carried out now where there is a session.

    Of an alternative to the roll its codes, which may be typed alone; of a scenario the setups of the module; nothing
    for other actions.
    """
    if action.name == "alternative" and session is not None:
        return [code.replace("_", "-") for code in session.module.alternatives]
    if action.name == "set_up" and session is not None:
        return [f"set-up {key}" for key in session.module.setup_exceptions]
    if action.name != "hook":
        return []
    names: Sequence[str] = list(HOOKS)
    if session is not None:
        names = [*(event.hook for event in due(session)), *(["exchange_632"] if may_exchange(session) else [])]
    return [" ".join([name, *usage(name)]) for name in names]


def with_cards(session: Session, words: dict[str, Any]) -> dict[str, Any]:
    """Returns what was said, with cards by their ids: `14` is `#14`, `cp22` and CP's `22` are `CP#22`."""
    out = dict(words)
    for name in ("card", "cards"):
        if isinstance(out.get(name), str):
            out[name] = card_id(session.table, out[name])
        elif isinstance(out.get(name), list):
            out[name] = [card_id(session.table, text) for text in out[name]]
    if isinstance(out.get("params"), dict):
        ids = {name: card_id(session.table, str(out["params"][name])) for name in _CARDS if name in out["params"]}
        out["params"] = {**out["params"], **ids}
    return out


def card_id(table: SessionState, text: str) -> str:
    """Returns the id of a card as it was typed; the text itself where there is no such card."""
    if text in table.cards:
        return text
    ids = {_flat(id_): id_ for id_ in table.cards}
    return ids.get(_flat(text)) or ids.get(_flat(f"{table.active}{text}")) or text


def _flat(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()
