"""Texts found by words: a full-text index in memory, for a few thousand texts."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from carddb.core.names import fold


class TextIndex:
    """Texts of several columns, whose words count by the column's weight. English endings make no difference."""

    def __init__(self, texts: Iterable[Sequence[str]], weights: Sequence[float]) -> None:
        self._connection = sqlite3.connect(":memory:")
        columns = [f"column_{number}" for number in range(len(weights))]
        self._connection.execute(
            f"CREATE VIRTUAL TABLE texts USING fts5({', '.join(columns)}, tokenize = 'porter unicode61')"
        )
        places = ", ".join("?" * (len(weights) + 1))
        rows = ([number, *map(fold, text)] for number, text in enumerate(texts))
        self._connection.executemany(f"INSERT INTO texts (rowid, {', '.join(columns)}) VALUES ({places})", rows)
        self._select = f"SELECT rowid, -bm25(texts, {', '.join(map(str, weights))}) FROM texts WHERE texts MATCH ?"

    def scores(self, phrase: str) -> dict[int, float]:
        """Returns how well each text that has a phrase fits it, by its number: a rare phrase more than a common one."""
        folded = fold(phrase)
        return dict(self._connection.execute(self._select, [f'"{folded}"'])) if folded else {}
