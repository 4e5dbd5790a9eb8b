"""The parts that follow the guide in a rule sheet, as Markdown: changed options, rulings and credits."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from carddb.core.groups import grouped
from carddb.game.game import GameSpec
from carddb.game.parts import SIGN, CreditsSpec
from carddb.games import Game
from carddb.games.printed_words import Decision, decisions

_FOOT = 120
"""The most characters that fit the foot of a Letter or A4 sheet."""
_QUOTED = re.compile('"([^"]*)"')


def own_readings(game: Game, changed: Sequence[str]) -> str:
    """Returns, in Markdown, a note on the `changed` options with their values, labels and rules; empty without any."""
    if not changed:
        return ""
    words, lines = game.spec.sheet_words, []
    for name, (value, label) in zip(changed, own_reading_values(game.spec, changed), strict=True):
        rules = game.spec.options[name].rules
        lines.append(f"> - {value}: {label}" + (f" {{{', '.join(rules)}}}" if rules else ""))
    return "\n".join([f"> **{words.printed_with}** {words.own_intro}", ">", *lines])


def own_reading_values(spec: GameSpec, changed: Sequence[str]) -> list[tuple[str, str]]:
    """Returns the `changed` options, each as (name and value, label)."""
    options = spec.options
    return [(f"{name} {value_text(options[name].default)}", options[name].label or name) for name in changed]


def own_readings_line(spec: GameSpec, changed: Sequence[str]) -> str:
    """Returns the `changed` options as one line for the foot of a sheet; empty if there are none.

    Options that do not fit the line are only counted.
    """
    if not changed:
        return ""
    line = f"{spec.sheet_words.printed_with.lower()}:"
    for at, (value, _) in enumerate(own_reading_values(spec, changed)):
        if at and len(line) + len(value) > _FOOT:
            return f"{line}, +{len(changed) - at}"
        line += f"{',' if at else ''} {value}"
    return line


def decided(game: Game, changed: Sequence[str]) -> str:
    """Returns, in Markdown, the section with all rulings in the game's book of rules; empty if there are none."""
    rulings, words = decisions(game, game.rule_book.rules), game.spec.sheet_words
    if not rulings:
        return ""
    rows = [f"| {words.decided_reading} | {words.why} |", "|---|---|"]
    for section, group in groupby(rulings, key=lambda each: game.rule_book.rules[each.rule].section):
        rows += [f"| **{_cell(section)}** | |"] if section else []
        rows += [f"| {' | '.join(_reading(game, each, changed))} |" for each in group]
    own = game.spec.author == "me" or game.spec.credits == CreditsSpec()
    intro = words.decided_own_intro if own else words.decided_intro
    options = "\n".join(_option_rows(game.spec, rulings))
    keys = (f"### {words.options}", f"| {words.rule} | {words.option} | {words.values} |\n|---|---|---|\n{options}")
    return "\n\n".join((f"## {words.decided}", f"{SIGN} {intro}", "\n".join(rows), *(keys if options else ())))


def _option_rows(spec: GameSpec, rulings: Sequence[Decision]) -> Iterator[str]:
    """Yields a table row for each option that rulings depend on: their rules, the option's label, its other values."""
    rules = grouped(
        ((name, _values(spec, name, values)), each.rule) for each in rulings for name, values in each.options.items()
    )
    for (name, others), changed in rules.items():
        texts = (", ".join(changed), spec.options[name].label or name, others)
        yield f"| {' | '.join(_cell(text) for text in texts)} |"


def _values(spec: GameSpec, name: str, values: Sequence[Any]) -> str:
    """Returns the labels of an option's `values`; if there are none, what the option accepts."""
    option, words = spec.options[name], spec.sheet_words
    labels = [
        (words.so if value else words.not_so)
        if isinstance(value, bool)
        else option.labels.get(str(value), value_text(value).replace("_", " "))
        for value in values
    ]
    return ", ".join(labels) or option.labels.get("any", option.accepted)


def credits(game: Game) -> str:
    """Returns, in Markdown, the section with the credits of the game; empty if there are none."""
    spec, words = game.spec.credits, game.spec.sheet_words
    parts = [
        (words.by, (spec.by or game.spec.by,)),
        (words.version, (", ".join(filter(None, (spec.version, spec.date))),)),
        (words.copyright, (spec.copyright,)),
        (words.contact, (spec.contact,)),
        (words.story, (spec.story,)),
        (words.aims, spec.aims),
        (words.mottoes, spec.mottoes),
        (words.thanks, spec.thanks),
    ]
    lines = [f"- **{label}.** {' '.join(_line(text) for text in texts)}" for label, texts in parts if any(texts)]
    subtitle = f"{game.spec.name}: {_line(spec.subtitle)}." if spec.subtitle else ""
    return "\n\n".join(filter(None, (f"## {words.credits}", subtitle, "\n".join(lines)))) if lines else ""


def value_text(value: Any) -> str:
    """Returns an option's value as a user types it; for an object, its keys and values."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {value_text(item)}" for key, item in value.items())
    return value if isinstance(value, str) else json.dumps(value)


def _reading(game: Game, decision: Decision, changed: Sequence[str]) -> tuple[str, str]:
    """Returns the two cells of a ruling: its rule and reading; the reason in italics, and the other readings.

    If an option of the ruling is in `changed`, the cells have the new value and the reading that it replaces.
    """
    words, options = game.spec.sheet_words, game.spec.options
    if own := [name for name in decision.options if name in changed]:
        chosen = " ".join(f"{options[name].label}: **{value_text(options[name].default)}**." for name in own)
        return f"{{{decision.rule}}} {_cell(chosen)}", f"*{words.own_reading}: {_cell(decision.reading)}*"
    others = dict.fromkeys(
        options[name].label or name if not values or True in values  # the label states the reading
        else _values(game.spec, name, values)
        for name, values in decision.options.items()
    )  # fmt: skip
    rest = "".join(f" **{words.other_reading}:** {_cell(other)}." for other in others)
    return f"{{{decision.rule}}} {_cell(decision.reading)}", f"*{_cell(decision.why)}*{rest}"


def _cell(text: str) -> str:
    """Returns a text as the cell of a table: on one line, without backticks and with curved quotation marks."""
    return _QUOTED.sub("“\\1”", _line(text)).replace("'", "’").replace("`", "").replace("|", "\\|")


def _line(text: str) -> str:
    return " ".join(text.split())
