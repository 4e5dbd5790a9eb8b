"""Full-text search in texts that are in memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing

from carddb.core.names import fold


def phrase_scores(
    texts: Iterable[Sequence[str]], weights: Sequence[float], phrases: Iterable[str]
) -> dict[str, dict[int, float]]:
    """Returns, for each phrase, the index of every text that has it and how well it fits (bm25), as `{index: score}`.

    A text has as many columns as there are `weights`, by which a hit in a column counts. Rare phrases score higher than
    common ones. Case, accents and English endings are ignored.
    """
    columns = ", ".join(f"column_{number}" for number in range(len(weights)))
    places = ", ".join("?" * (len(weights) + 1))
    select = f"SELECT rowid, -bm25(texts, {', '.join(map(str, weights))}) FROM texts WHERE texts MATCH ?"
    with closing(sqlite3.connect(":memory:")) as index:
        index.execute(f"CREATE VIRTUAL TABLE texts USING fts5({columns}, tokenize = 'porter unicode61')")
        rows = ([number, *map(fold, text)] for number, text in enumerate(texts))
        index.executemany(f"INSERT INTO texts (rowid, {columns}) VALUES ({places})", rows)
        folded = {phrase: fold(phrase) for phrase in phrases}
        return {phrase: dict(index.execute(select, [f'"{text}"'])) for phrase, text in folded.items() if text}
