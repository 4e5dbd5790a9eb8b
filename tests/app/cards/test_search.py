"""Searches over the cards of several games."""

from __future__ import annotations

from pathlib import Path

import pytest

from carddb.app.cards.search import search
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import QueryError


@pytest.mark.parametrize(("query", "near"), [("type:soldjer", "soldier"), ("strenth>=6", "strength")])
def test_the_nearest_word_is_sought_in_all_games(query: str, near: str, tmp_path: Path) -> None:
    """Of several games that do not know a word, the one with the word most like it is quoted."""
    with pytest.raises(QueryError) as told:
        search(Workspace(tmp_path), query, None, None)
    assert told.value.remedy.startswith(f"Did you mean {near}?")
