"""A Battle on a terminal: both armies, the cards on the table, and what may be done."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import Any

from carddb.core.plain_text import styled
from carddb.games.rishar.session import TABLE, Session
from carddb.games.rishar.session.view import dice_words, forecast_words
from carddb.play.table.engine import public_view
from carddb.play.table.front import WIDTH

_LABELS = {"off": "Offense", "def": "Defense"}
_INDENT = " " * 13


def screen(session: Session) -> str:
    """Returns the public view as lines."""
    view = public_view(TABLE, session)
    return "\n".join([_head(view), *_armies(view), *_table(view), "", *_now(view)])


def _head(view: dict[str, Any]) -> str:
    parts = [styled("Rishar", bold=True)]
    if view["phase"]:
        parts.append(f"Phase {view['phase']}, turn {view['turn']}")
    if view["active"] and view["step"] != "over":
        parts.append(f"{view['armies'][view['active']]['name']} is on Offense")
    return "   ".join(parts)


def _now(view: dict[str, Any]) -> Iterator[str]:
    """Yields whom the step asks, and what may be done."""
    asked = view["decider"] and view["step"] != "over"
    decider = f"{view['armies'][view['decider']]['name']}: " if asked else ""
    choices = f" ({', '.join(view['choices'])})" if view["choices"] else ""
    yield from _wrapped("Now: ", f"{decider}{view['now']}{choices}".split(), " ")


def _armies(view: dict[str, Any]) -> Iterator[str]:
    for key, army in view["armies"].items():
        mark = "*" if key == view["decider"] and view["step"] != "over" else " "
        yield ""
        name = styled(f"{mark} {key}  {army['name']}", bold=True)
        if "morale" not in army:
            yield f"{name}   {army['class']}"
            continue
        yield f"{name}   Morale {_morale(army)}   hand {army['hand']}   kills {army['kills']}"
        yield from _wrapped("     ", _powers(army), "   ")
        for pile, cards in army["piles"].items():
            if cards:
                yield from _wrapped(f"     {pile.capitalize():9}  ", cards, ", ")


def _morale(army: dict[str, Any]) -> str:
    if army["routed"]:
        return styled("0, Routed", fg="red")
    base = army["morale"]["base"]
    return f"{army['morale']['own']}{f' and {base} of the Base' if base else ''}"


def _powers(army: dict[str, Any]) -> list[str]:
    """Returns the class and what is left of its power, and what there is to pay with."""
    chosen = "" if army["power"].startswith(army["class"]) else f"{army['class']}, "
    words = [f"{chosen}{army['power']}"]
    if army["uses_left"] is not None:
        words.append(f"uses left {army['uses_left']}")
    if army["oathbound"]:
        words.append(f"protects {army['oathbound']}")
    if army["dervish"]:
        words.append(f"against {next(iter(army['dervish'].values())).capitalize()}")
    if army["mindblade"] and "Mindblade" in army["power"]:
        words.append(f"streak +{army['mindblade']}")
    if army["kind"] == "pc":
        words.append(f"Favors {army['favors']}, Influence {army['influence']:g}")
    else:
        words.append("non-player")
    return words


def _table(view: dict[str, Any]) -> Iterator[str]:
    table = view["table"]
    if table:
        yield ""
    for side, label in _LABELS.items():
        card = table.get(side)
        if isinstance(card, str):
            yield f"  {label}    " + styled("a card, face down", dim=True)
        elif card:
            yield from _card(label, card)
    if table.get("forecast"):
        yield from _wrapped("  ", forecast_words(table).split(), " ")


def _card(label: str, card: dict[str, Any]) -> Iterator[str]:
    trained = 1 if card["trained"] else 0
    traits = map(str.capitalize, card["traits"])
    figures = [f"Strength {card['strength'] + trained}", card["role"], card["path"], *traits]
    yield f"  {label}    {styled(card['name'], bold=True)}: {', '.join(filter(None, figures))}"
    for text in card["texts"]:
        yield from _wrapped(_INDENT, text.split(), " ", dim=True)
    if card["bonuses"]:
        bonuses = [f"{bonus['by']} {bonus['add']:+} ({bonus['rule']})" for bonus in card["bonuses"]]
        yield from _wrapped(_INDENT, bonuses, ", ")
    yield f"{_INDENT}{card['before_dice']} and {dice_words(card)}"


def _wrapped(lead: str, words: Iterable[str], between: str, dim: bool = False) -> Iterator[str]:
    """Yields words on lines of the screen's width; they break between each other only."""
    text = between.join(word.replace(" ", "\u00a0") for word in words)
    lines = textwrap.wrap(text, WIDTH - len(lead), break_on_hyphens=False, break_long_words=False)
    for number, line in enumerate(lines):
        start = lead if number == 0 else " " * len(lead)
        full = start + line.replace("\u00a0", " ")
        yield styled(full, dim=True) if dim else full
