"""Searches over the cards of several games."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from carddb.app.cards.search import find, search
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import QueryError, UsageError
from tests.conftest import Told

Call = Callable[..., Told]


@pytest.mark.parametrize(("query", "near"), [("type:soldjer", "soldier"), ("strenth>=6", "strength")])
def test_the_nearest_word_is_sought_in_all_games(query: str, near: str, tmp_path: Path) -> None:
    """Of several games that do not know a word, the one with the word most like it is quoted."""
    with pytest.raises(QueryError) as told:
        search(Workspace(tmp_path), query, None, None)
    assert told.value.remedy.startswith(f"Did you mean {near}?")


def test_a_card_is_found_by_its_reference_or_its_name(folder: Path, call: Call) -> None:
    """Both may be written in small letters; of several cards of one name, the references are told."""
    for ref in ("CAH-091", "cah-091", "trebuchet"):
        assert find(Workspace(folder), ref, "cahrd", None)[1].ref == "CAH-091"
    (folder / "cards.csv").write_text(
        "ref,name,type,effect,reserve_cost\nT-1,Ram,item,Draw a card.,1000\nT-2,Ram,tactic,Draw a card.,0\n", "utf-8"
    )
    assert call("load", "cards.csv", "--game", "cahrd").code == 0
    with pytest.raises(UsageError, match="2 cards are called 'Ram'") as told:
        find(Workspace(folder), "Ram", "cahrd", None)
    assert told.value.remedy == "Name one by its reference: T-1, T-2."
