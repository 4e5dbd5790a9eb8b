"""The keys that only some games need, as the handbook shows them, and words by which chapters are found."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from carddb.app.documents import handbook_passages, search_passages
from tests.conftest import Told
from tests.handbook.test_docs import HANDBOOK

CARDS = """ref,name,type,printed no,field,colour,urgent
S-1,,flag,V1,5,red,
S-2,Five and six,flag,V1,6,blue,
S-3,Fire,alarm,A1,5,,
S-4,Coast of 6,map,M1,6,,
"""


@pytest.fixture
def signals(folder: Path, call: Callable[..., Told]) -> Callable[..., Told]:
    """The handbook's game in a folder, with cards."""
    text = (HANDBOOK / "further-keys.md").read_text("utf-8")
    match = re.search(r"```yaml game.yaml\n(.*?)```", text, re.DOTALL)
    assert match
    (folder / "signals").mkdir()
    (folder / "signals" / "game.yaml").write_text(match[1], "utf-8")
    (folder / "signals" / "cards.csv").write_text(CARDS, "utf-8")
    return lambda *words: call("--games", "signals", *words)


@pytest.mark.full
def test_the_example_of_further_keys_does_what_is_said(signals: Callable[..., Told]) -> None:
    """Columns, a name from a field, a type's own fields and values, and printed names work as the table says."""
    assert signals("load", "signals/cards.csv", "--game", "signals").code == 0
    cards = {
        card["ref"]: card for card in signals("cards", "game:signals", "--game", "signals", "--json").json()["cards"]
    }
    assert (cards["S-1"]["name"], cards["S-1"]["hue"], cards["S-3"]["urgent"]) == ("V1", "red", True)
    Path("my.deck").write_text("Game: signals\nFormat: large\n1 V1\n1 Coast\n", "utf-8")
    told = signals("check", "my.deck", "--json").json()
    assert told["findings"] == [] and told["sections"][0]["cards"] == 2
    assert signals("event", "new", "Cup", "--day", "2099-06-20", "--game", "signals", "--no-lists").code == 0
    assert signals("event", "check-in", "cup", "Ann", "Ben").code == 0 and signals("event", "pair", "cup").code == 0
    assert signals("event", "result", "cup", "1", "1-1").code == 2  # without `draws`


@pytest.mark.full
def test_chapters_are_found_by_the_words_of_designers() -> None:
    """A search of the handbook for a word that designers use finds a passage in a chapter that is no list of names."""
    passages = handbook_passages()
    for word in ("landscape", "gutterfold", "italic", "copies"):
        found = [hit.passage.file for hit in search_passages(passages, word)]
        assert any("generated" not in file for file in found), (word, found)
