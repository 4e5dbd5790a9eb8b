"""The words of cards in other languages, as they are read on a day."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from datetime import date
from typing import Any

from carddb.catalog.search import values_of
from carddb.core.languages import language_chain

_IN_LANGUAGE = """
SELECT card.ref, translation.data FROM card JOIN translation ON translation.id = (
    SELECT id FROM translation WHERE card_id = card.id AND lang = ?
    AND (in_force_from IS NULL OR in_force_from <= ?) ORDER BY in_force_from DESC, id DESC LIMIT 1)
WHERE card.game = ?"""


def words(
    connection: sqlite3.Connection, game: str, lang: str, day: date, fields: Collection[str]
) -> dict[str, dict[str, Any]]:
    """The words of a game's cards in a language on a day, by reference; those it is a kind of fill its gaps.

    `fields` are those that are translated today.
    """
    out: dict[str, dict[str, Any]] = {}
    for tag in reversed(language_chain(lang)):
        for ref, data in connection.execute(_IN_LANGUAGE, [tag, day.isoformat(), game]):
            if values := {name: value for name, value in values_of(data).items() if name in fields}:
                out[ref] = {**out.get(ref, {}), **values}
    return out
