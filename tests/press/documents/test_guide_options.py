"""Rule sheets follow the options: what a sentence tells is what the table plays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from carddb.games import Game, folders, load
from carddb.layout.documents.blocks import Heading, contents, plain
from carddb.press.documents.guide import guide_document
from tests.rows import usually

ELSEWHERE = ("House readings", "Where the rules are silent", "What a table may choose", "Other fields and readings")
"""The section of a guide that lists readings beside each other."""
ON_SHEETS_ONLY = ("reshuffle_with_discards", "tournament_634", "dice_count", "augment_variant")
"""The options of the solo method that one game's tweak sheet has, and not the guide."""
AS_TOLD = (("patterns", "lines_x_all"), ("on_empty", "rebalance_then_reshuffle"))
"""What the guide tells anyway: of the usual field, of a deck for both sides."""
OBJECTS: Mapping[str, Any] = {
    "imd_level_limits": {"1": 1, "2": 1, "3": 0},
    "die_table": {"1": "AB", "2": "C_JR", "3": "DE", "4": "ABC", "5": "CDE", "6": "UP"},
}
GAMES = {key: game for key in folders() for game, _ in [load(folders()[key])] if game}
VALUES = [
    (key, name, value)
    for key, game in GAMES.items()
    for name, option in game.spec.options.items()
    if option.changeable and name not in ON_SHEETS_ONLY
    for value in option.others or (OBJECTS[name],)
]


def told(game: Game, changed: tuple[str, ...] = ()) -> Iterator[str]:
    """The sentences of a guide that tell the rules: without the note at its head, the lists of readings, the end."""
    document, findings = guide_document(game, changed=changed)
    assert findings == ()
    telling = not changed
    for block in document.blocks:
        if isinstance(block, Heading) and block.level == 2:
            title = plain(block.content)
            if title == game.spec.sheet_words.decided:
                return
            telling = title not in ELSEWHERE
        if telling:
            yield from (plain(content) for content in contents([block]))


@cache
def usually_told(key: str) -> tuple[str, ...]:
    """Returns the sentences of a game's guide by its own options."""
    return tuple(told(GAMES[key]))


@usually("key, name, value", VALUES, *VALUES[::12])
def test_a_sentence_follows_each_option(key: str, name: str, value: Any) -> None:
    """Where a guide tells the usual reading, with the option it tells the other one, and nothing else changes."""
    game = GAMES[key]
    usual = usually_told(key)
    own = tuple(told(Game(game.folder, game.spec.with_defaults({name: value})), (name,)))
    assert (own == usual) == ((name, value) in AS_TOLD)
    assert (Counter(usual) - Counter(own)).total() <= 14


def test_an_object_is_told_by_its_keys_and_values() -> None:
    """The levels of the restricted list and the faces of the die stand in the note as they are."""
    game = GAMES["cahrd"]
    own = Game(game.folder, game.spec.with_defaults({"imd_level_limits": OBJECTS["imd_level_limits"]}))
    texts = [plain(content) for content in contents(guide_document(own, changed=("imd_level_limits",))[0].blocks)]
    assert "imd_level_limits 1: 1, 2: 1, 3: 0: Copies that each IMD level allows" in texts
