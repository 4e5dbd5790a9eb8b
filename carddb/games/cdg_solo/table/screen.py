"""The display of a solo table on a terminal, and the lines typed there."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from carddb.core.plain_text import styled
from carddb.games.cdg_solo.play.hooks import HOOKS
from carddb.games.cdg_solo.session import Session
from carddb.games.cdg_solo.session.events import may_exchange, usage
from carddb.games.cdg_solo.session.session import SessionState, due
from carddb.games.cdg_solo.session.table_game import figures, named
from carddb.play.table.engine import Action
from carddb.play.table.front import WIDTH as COLUMNS

_CARDS = ("card", "from_discard", "flip_card")
"""The parameters of hooks whose values are cards or places."""


def words_of(session: Session, words: list[str]) -> list[str]:
    """Returns the command that a line means at this step: a number is a die, a place or card a flip or play."""
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
    """Returns further ways to type an action: for hooks, their parameters; if there is a session, only pending hooks.

    For an alternative to the roll, its codes, which may be typed alone; for a scenario, the module's setups; empty for
    other actions.
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
    """Returns the typed options with cards as ids: `14` becomes `#14`, `cp22` or (for CP) `22` becomes `CP#22`."""
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
    """Returns the id of a card as typed, or `text` unchanged if there is no such card."""
    if text in table.cards:
        return text
    ids = {_flat(id_): id_ for id_ in table.cards}
    return ids.get(_flat(text)) or ids.get(_flat(f"{table.active}{text}")) or text


def _flat(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


WIDTH = 70
"""The number of letters on a line of a card's text."""


def screen(view: dict[str, Any]) -> list[str]:
    """Returns the public view as lines for the terminal."""
    return [_head(view), *_sides(view), *_events(view), *_foot(view)]


def _head(view: dict[str, Any]) -> str:
    parts = [styled(view["title"], bold=True)]
    if view["phase"]:
        parts.append(f"phase {view['phase']}, round {view['round']}")
    if view["active"]:
        parts.append(f"{view['active']} is active")
    if view["roll"]:
        dice = ", ".join(map(str, view["roll"]["dice"]))
        parts.append(f"rolled {dice}" + (f": {view['roll']['words']}" if view["roll"]["words"] else ""))
    return "   ".join(parts)


def _sides(view: dict[str, Any]) -> Iterator[str]:
    choices = {choice["card"]: choice["modes"] for choice in view["may"].get("play", ())}
    forced = set(view["may"].get("begin", {}).get("cards", ()))
    for key, side in view["sides"].items():
        mark = "*" if key == view["active"] else " "
        yield ""
        yield styled(f"{mark} {key}  {side['name']}", bold=True) + f"   {_chits(side)}"
        for space, cards in side["display"].items():
            pile = [f"  pile of {side['pile']}"] if space == "C" and side["pile"] is not None else []
            if not cards:
                yield "".join([f"    {space}  -", *pile])
            for number, card in enumerate(cards):
                letter = space if number == 0 else " "
                active = key == view["active"]
                parts = _card(card, choices if active else {}, forced if active else set())
                yield from _packed([f"    {letter}  {parts[0]}", *parts[1:], *pile])
                yield from _words(card, side["conditions_met"])
        for name, cards in side["beside"].items():
            if cards:
                yield from _listed(name.replace("_", " "), cards)
        if side["discard"]:
            yield f"    {len(side['discard'])} discarded, last {named(side['discard'][-1])}"
        if side["removed"]:
            yield from _listed("out of the game", side["removed"])
    if view["pile"] is not None:
        yield f"  common pile of {view['pile']}"


def _listed(name: str, cards: Iterable[dict[str, Any]]) -> list[str]:
    """Returns the cards of a pile beside the display, on as many lines as necessary."""
    text = f"{name}: {', '.join(named(card) for card in cards)}"
    return textwrap.wrap(text, COLUMNS, initial_indent="    ", subsequent_indent="      ", break_on_hyphens=False)


def _chits(side: dict[str, Any]) -> str:
    row: dict[str, int] | None = side["chits"]
    if row is None:
        return f"hand {side['hand']}"
    barred = "   may not pass" if side["pass_barred"] else ""
    return "●" * row["flipped"] + "○" * (row["total"] - row["flipped"]) + barred


def _card(card: dict[str, Any] | str, choices: dict[str, list[str]], forced: set[str]) -> list[str]:
    """Returns the parts of a card's line: number and title, ops value and kinds, modes in which it may be played."""
    if isinstance(card, str):
        return [styled("? face down", dim=True)]
    modes = choices.get(card["id"], ["event"] if card["id"] in forced else [])
    offered = [styled(f"   play: {', '.join(modes)}", fg="green")] if modes else []
    return [named(card), f"   {figures(card)}", *offered]


def _packed(parts: Sequence[str]) -> list[str]:
    """Returns lines filled with `parts`, with a new line whenever a part does not fit."""
    lines = [parts[0]]
    for part in parts[1:]:
        if len(lines[-1] + part) <= COLUMNS:
            lines[-1] += part
        else:
            lines.append(" " * 8 + part)
    return lines


def _words(card: dict[str, Any] | str, met: Collection[str]) -> Iterator[str]:
    """Yields the text of a face-up card: its conditions, whether they are met, and its note."""
    if isinstance(card, str):
        return
    remarks = [card["note"]] if "note" in card else []
    if "conditional" in card:
        state = "met" if card["id"] in met else "not met; set-flag"
        remarks.insert(0, f"if: {card.get('conditions', 'its conditions')} ({state})")
    for line in (line for text in remarks for line in textwrap.wrap(text, WIDTH, break_on_hyphens=False)):
        yield styled(f"         {line}", dim=True)


def _events(view: dict[str, Any]) -> Iterator[str]:
    """Yields the events being played, each with its sentence and the hooks to carry out."""
    for event in view["events"]:
        card = event["card"]
        open_ = event["hooks"] or not event["done"]
        if not open_ or not (event["sentence"] or card.get("note") or event["hooks"]):
            continue
        yield ""
        yield styled(f"event of {event['side']}: {named(card)}", bold=True)
        for text in (event["sentence"], card.get("note", "")):
            yield from (f"    {line}" for line in textwrap.wrap(text, WIDTH, break_on_hyphens=False))
        for hook in event["hooks"]:
            typed = " ".join(["to carry out: hook", hook["name"], *hook["takes"]])
            yield from textwrap.wrap(typed, WIDTH, initial_indent="    ", subsequent_indent="        ")
        if event["hooks"] and view["enter"] == "hook":
            yield "    Enter carries it out; next goes on without it"


def _foot(view: dict[str, Any]) -> Iterator[str]:
    yield ""
    begin = view["may"].get("begin", {})
    if begin.get("alternatives"):
        yield f"instead of rolling: {', '.join(code.replace('_', '-') for code in begin['alternatives'])}"
    if view["may"].get("beside"):
        yield f"beside the display: {', '.join(view['may']['beside'])}"
    if view["may"].get("needs"):
        yield "order-count CARD COUNT is needed before the lowest card is known"
    for warning in view["warnings"]:
        yield styled(f"warning: {warning.replace('_', ' ')}", fg="yellow")
    yield f"now: {view['now']}"
