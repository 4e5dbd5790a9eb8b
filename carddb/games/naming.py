"""What a game names in one file and has in another: rules in its guide and data, cards in its ban lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

from carddb.findings import Finding, Place, error
from carddb.games.book import RULES_FILE
from carddb.games.coverage import named
from carddb.games.loaded import Game
from carddb.names import did_you_mean
from carddb.part import Path_
from carddb.pool import Pool
from carddb.read import document

_MARK = re.compile(r"\{([A-Z]+-\d+(?:, ?[A-Z]+-\d+)*)\}")


def rules_astray(game: Game) -> list[Finding]:
    """An error for each rule that the guide, the data or the program names and the book of rules lacks."""
    book = game.rule_book.rules
    strange: dict[str, Place] = {}
    for rule, place in chain(((rule, Place(text=part)) for rule, part in named(game)), _in_guide(game)):
        if rule not in book:
            strange.setdefault(rule, place)
    return [
        error(
            "rule_unknown",
            f"{RULES_FILE} has no rule {rule}" + (f", which {place.text} names" if place.text else ""),
            place,
            fix=did_you_mean(rule, book),
        )
        for rule, place in strange.items()
    ]


def _in_guide(game: Game) -> Iterator[tuple[str, Place]]:
    path = game.folder.path / "guide.md"
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    for number, line in enumerate(lines, start=1):
        for mark in _MARK.findall(line):
            yield from ((rule.strip(), Place(str(path), number)) for rule in mark.split(","))


def bans_astray(game: Game, pool: Pool) -> list[Finding]:
    """An error for each card that `bans.yaml` names by a reference that no card has."""
    path = game.folder.path / "bans.yaml"
    if not path.is_file():
        return []
    parsed, faults = document.load(path)
    if parsed is None:
        return faults
    refs = [card.ref for card in pool]
    return [
        error("ban_card_unknown", f"no card has the reference {ref}", parsed.place(where), fix=did_you_mean(ref, refs))
        for where, ref in _banned(parsed.value)
        if pool.get(ref) is None
    ]


def _banned(value: Any, path: Path_ = ()) -> Iterator[tuple[Path_, str]]:
    """The references under `card` and `members`, wherever they stand."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key in ("card", "members"):
                yield from (((*path, key), str(ref)) for ref in (item if isinstance(item, list) else [item]))
            else:
                yield from _banned(item, (*path, key))
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield from _banned(item, (*path, at))
