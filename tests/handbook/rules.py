"""The chapter "Rules as data": parts of a game's files, decks, and what the program says of them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from pydantic import BaseModel, ValidationError

from carddb.bans.log import Log
from carddb.cards.cards import Card, Pool
from carddb.deck import check
from carddb.deck.check.bans import check as check_bans
from carddb.deck.context import Context
from carddb.findings import Finding, error
from carddb.game import parts as game_parts
from carddb.game import rule_parts
from carddb.game.frozen import Frozen
from carddb.game.game import GameSpec
from carddb.games.schemas import descriptions
from carddb.read.decks.text import read_deck
from carddb.read.documents import ban_parts, bans
from carddb.read.documents.strict_models import checked

FILE = Path(__file__).parent / "rules_as_data.yaml"
_DAY = date(2026, 6, 1)
PARTS: dict[str, type[Frozen | BaseModel]] = {
    "limit": rule_parts.LimitSpec,
    "other bound": rule_parts.OtherBounds,
    "section": rule_parts.SectionSpec,
    "misplaced card": rule_parts.Misplaced,
    "role": rule_parts.RoleSpec,
    "option": game_parts.OptionSpec,
    "filter": rule_parts.FilterSpec,
    "demand": rule_parts.MustSpec,
    "format": rule_parts.FormatSpec,
    "rotation": rule_parts.RotationSpec,
    "list": ban_parts.ListPart,
    "level": ban_parts.LevelPart,
    "group": ban_parts.GroupPart,
    "component": game_parts.ComponentSpec,
}
"""The classes that the chapter shows the keys of, by what they are."""


class Example(NamedTuple):
    """A part of a `game.yaml` or a `bans.yaml`, a deck on a day, and the code that it raises; empty for none."""

    title: str
    text: str
    code: str
    game: str = ""
    bans: str = ""
    deck: str = ""
    day: date = _DAY


@cache
def data() -> Mapping[str, Any]:
    """The whole file of examples."""
    whole: dict[str, Any] = yaml.safe_load(FILE.read_text("utf-8"))
    return whole


def examples() -> Iterator[Example]:
    """Every example."""
    for chapter in data()["chapters"]:
        for values in chapter["examples"]:
            yield Example(**values)


def findings(example: Example) -> list[Finding]:
    """What the program says of an example: of its files, else of its deck."""
    base, more = yaml.safe_load(data()["game"]), yaml.safe_load(example.game) or {}
    merged = {**base, **more, "sections": base["sections"] | more.get("sections", {})}
    try:
        spec = checked(GameSpec, _with_texts(merged))
    except ValidationError as fault:
        misfits = [misfit for each in fault.errors() for misfit in each.get("ctx", {}).get("misfits", ())]
        return [error("document_invalid", message, fix=fix) for _, message, fix in misfits]
    pool = Pool(_cards(spec))
    deck, faults = read_deck(example.deck, spec, pool)
    log = _log(example.bans) if example.bans else None
    return [*faults, *check(deck, spec, pool, Context(example.day, bans=log), [check_bans])]


def _with_texts(value: Any) -> Any:
    """Plain data as the readers of carddb give it: days are texts, and keys are."""
    if isinstance(value, dict):
        return {str(key): _with_texts(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_texts(item) for item in value]
    return value.isoformat() if isinstance(value, date) else value


def _cards(spec: GameSpec) -> Iterator[Card]:
    rows = csv.DictReader(io.StringIO(data()["cards"]), skipinitialspace=True)
    for row in rows:
        values: dict[str, Any] = {}
        for key, text in row.items():
            kind = spec.all_fields()[key].type
            if text := (text or "").strip():
                values[key] = int(text) if kind == "integer" else text.split("; ") if kind == "list" else text
        yield Card(spec.key, values["ref"], values)


def _log(text: str) -> Log:
    read = bans.read_bans(io.BytesIO(text.encode()))
    assert not read.findings, read.findings
    return read.log


def rules_as_data() -> str:
    """The chapter."""
    parts = [
        "# Rules as data",
        "Most rules for decks can be written as data, without a program. Here is every kind of limit, section, role, "
        "option, filter, format, ban list and component, each with the lines to write, a deck that breaks it, and the "
        "finding that `carddb check` then gives.",
        "## The game of the examples",
        "Every example is added to this game:",
        _block("yaml", data()["game"]),
        "These are its cards:",
        _block("text", data()["cards"]),
    ]
    for chapter in data()["chapters"]:
        parts += [f"## {chapter['title']}", chapter["about"].strip()]
        for values in chapter["examples"]:
            parts += _shown(Example(**values))
        parts += (text for name in chapter["parts"] for text in _keys(name))
    return "\n\n".join(parts)


def _shown(example: Example) -> Iterator[str]:
    yield f"### {example.title}"
    yield example.text.strip()
    for text in filter(None, (example.game, example.bans)):
        yield _block("yaml", text)
    said = [f"{each.severity.value} {each.code}: {each.message}" for each in findings(example)]
    fixes = [f"    fix: {each.fix}" if each.fix else "" for each in findings(example)]
    lines = [line for pair in zip(said, fixes, strict=True) for line in pair if line] or ["No findings."]
    yield _block("text", "\n".join([*([example.deck.strip(), ""] if example.deck else []), *lines]))


def _keys(name: str) -> Iterator[str]:
    """The keys of a part, each with what it is."""
    kind = PARTS[name]
    words = getattr(kind, "written", {})
    yield f"### The keys of {'an' if name[0] in 'aeio' else 'a'} {name}".replace("an other", "another")
    rows = [f"| `{words.get(key, key)}` | {text.replace('{}', '`{}`')} |" for key, text in descriptions(kind).items()]
    yield "\n".join(("| Key | What it says |", "|---|---|", *rows))


def _block(kind: str, text: str) -> str:
    return f"```{kind}\n{text.strip()}\n```"
