"""What a game names in one file and has in another: rules in its guide and data, cards in its ban lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from carddb.bans.lint import KnownCards, lint
from carddb.cards import Pool
from carddb.findings import Finding, Place, error
from carddb.games.coverage import named
from carddb.games.loaded import Game
from carddb.games.rulebook import RULES_FILE
from carddb.names import did_you_mean
from carddb.read.bans import read_bans

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


def bans_astray(path: Path, pool: Pool) -> list[Finding]:
    """What is wrong with a file of ban lists, cards that are not in the pool among it."""
    read = read_bans(path)
    return [*read.findings, *lint(read.log, KnownCards({card.ref for card in pool}, read.places))]
