"""The games and sample cards against which pasted lists are read."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from carddb.cards.cards import Pool
from carddb.game.game import GameSpec
from carddb.games import folders, load
from carddb.read.decks.text import read_deck
from carddb.read.source import decode


@cache
def bundled(key: str) -> tuple[GameSpec, Pool]:
    """A bundled game and its sample cards."""
    game, findings = load(folders()[key])
    assert game is not None and game.own_file is not None, findings
    records = game.own_file.records
    return game.spec, Pool(game.spec.card(record.ref, record.values) for record in records)


PASTED = Path(__file__).parent / "pasted"


def outcome(path: Path) -> dict[str, Any]:
    """What is read of a pasted list `kind.game.ending`: name, copies by section and reference, findings by line."""
    spec, pool = bundled(path.name.split(".")[1])
    text, faults = decode(path.read_bytes(), path.name)
    assert text is not None, faults
    deck, findings = read_deck(text, spec, pool, path.name)
    return {
        "name": deck.name,
        "cards": {f"{section} {ref}": count for (section, ref), count in deck.tally().items()},
        "findings": [f"{item.where[0].line if item.where else 0} {item.severity} {item.code}" for item in findings],
    }
