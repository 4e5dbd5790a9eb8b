"""The display of a Battle's table on a terminal, and the lines typed there."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from carddb.core.names import fold
from carddb.core.plain_text import styled
from carddb.games.rishar.session import TABLE, Session
from carddb.games.rishar.session.table_game import dice_words, forecast_words
from carddb.play.table.engine import Action
from carddb.play.table.front import WIDTH

ALIASES = {"p": "play", "d": "discard", "h": "heal", "r": "roll", "n": "next"}

_WORD_BY_WORD = ("roll", "look", "text", "status", "log", "undo", "hand", "?", "help")


_USAGES = {
    "play": ["CARD alone does the same; `2 spear` is the second copy"],
    "discard": [
        "CARD alone does the same; CARD for TARGET where its text moves a card",
        "to off|def: which unit gets the Strength; add N: how much, if not as printed",
        "morale N, enemy N: Morale by its text; move CARD pile PILE of a|b: by its text",
        "by a|b: who discards; die N: a Battlemage's die",
    ],
    "use": ["off or def, or the CARD that an Etherealist brings; die N: an Illusionist's die"],
    "heal": ["HEALER for CARD; as ROLE: a Shapeshifter makes it a Healer; die N: a Battlemage's die"],
    "roll": ["4 2 3 alone does the same: first the dice of Offense"],
    "save": ["favor, influence or morale; without it the first that there is"],
    "rescue": ["CARD with favor|influence"],
}
"""Further ways to type actions, beside their usage lines."""


def usages(action: Action[Session, Any], _session: Session | None) -> list[str]:
    """Returns further ways to type an action, beside its usage line."""
    return _USAGES.get(action.name, [])


def line_words(session: Session, words: list[str]) -> list[str]:
    """Returns the command that a typed line means at this step: dice, or a card for the step's action.

    The words of a name are joined. `discard field surgeons for 2 pike` has two names, separated by `for`; `to`, `add`
    and so on precede their values. `of` is part of a name, as in `wall of fire`, until a pile has been named.
    """
    first = words[0].lower()
    if all(word.isdecimal() for word in words) and session.words.get("enter") == "roll":
        return ["roll", *words]
    is_verb = ALIASES.get(first, first).replace("-", "_") in TABLE.actions or first in (*_WORD_BY_WORD, "quit")
    if not is_verb and (action := session.words.get("action")):
        first, words = action, [action, *words]
    action = ALIASES.get(first, first)
    return (
        [action, *words[1:]]
        if action in _WORD_BY_WORD
        else [action, *_arguments(action, words[1:], session.spec.data["table"]["marks"].get(action, {}))]
    )


def _arguments(action: str, words: list[str], marks: Mapping[str, str]) -> list[str]:
    names: list[list[str]] = [[]]
    options: list[tuple[str, list[str]]] = []
    for word in words:
        of_a_name = word == "of" and "--pile" not in dict(options)
        if word in marks and not of_a_name:
            options.append((marks[word], []))
        elif word == "for":
            names.append([])
        elif options:
            options[-1][1].append(word)
        else:
            names[-1].append(word)
    if action == "heal" and len(names) == 1:
        # `flask 2 barrow` is the Healer (a word, or a number and a word) followed by the card that comes back.
        words = names[0]
        cut = 2 if words and words[0].isdecimal() else 1
        names = [words[:cut], words[cut:]]
    joined = [" ".join(name) for name in names if name]
    return joined + [part for option, value in options for part in (option, " ".join(value))]


def with_armies(session: Session, words: dict[str, Any]) -> dict[str, Any]:
    """Returns the typed options with armies as `a` and `b`, found by the beginning of a Commander's name."""
    out = dict(words)
    for name in ("army", "of"):
        if isinstance(word := out.get(name), str):
            armies = [army for army, label in session.table.names.items() if fold(label).startswith(fold(word))]
            out[name] = word if word in session.table.names or len(armies) != 1 else armies[0]
    return out


def unseen(session: Session) -> bool:
    """Returns whether the line should be hidden as it is typed, because it plays a face-down card."""
    return session.step in ("offense", "defense")


_LABELS = {"off": "Offense", "def": "Defense"}
_INDENT = " " * 13


def screen(view: dict[str, Any]) -> list[str]:
    """Returns the public view as lines for the terminal."""
    return [_head(view), *_armies(view), *_table(view), "", *_now(view)]


def _head(view: dict[str, Any]) -> str:
    parts = [styled("Rishar", bold=True)]
    if view["phase"]:
        parts.append(f"Phase {view['phase']}, turn {view['turn']}")
    if view["active"] and view["step"] != "over":
        parts.append(f"{view['armies'][view['active']]['name']} is on Offense")
    return "   ".join(parts)


def _now(view: dict[str, Any]) -> Iterator[str]:
    """Yields lines that say who has to decide, and what may be done."""
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
    """Returns the class, the uses left of its power, and the Favors and Influence left."""
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
    """Yields lines of the screen's width; lines break only between items of `words`."""
    text = between.join(word.replace(" ", "\u00a0") for word in words)
    lines = textwrap.wrap(text, WIDTH - len(lead), break_on_hyphens=False, break_long_words=False)
    for number, line in enumerate(lines):
        start = lead if number == 0 else " " * len(lead)
        full = start + line.replace("\u00a0", " ")
        yield styled(full, dim=True) if dim else full
