"""Faces before they are printed: what shows in a hand, and what stands too near."""

from __future__ import annotations

from carddb.press.sheets.options import SheetOptions
from carddb.press.sheets.proof import preflight
from tests.golden.test_pictures import GAMES, first_of_types, opened
from tests.rows import usually

SIZES = ("", "playing-card", "tarot", "index-4x6", "index-5x7")


@usually("game", GAMES, "rishar")
def test_bundled_cards_show_in_a_hand_and_have_air(game: str) -> None:
    """On every size the upper left shows what the template names; on a card's own size words keep their distance."""
    cards = [card for card in first_of_types(game) if card.type != "grid"]
    for size in SIZES:
        found = preflight(opened(game)[0], cards, SheetOptions(paper="tabloid", card_size=size))
        wanted = {"hidden_in_hand", "text_overlap", "text_overflow", "text_too_small"}
        wanted |= {"text_crowded"} if not size else set()
        assert [finding.message for finding in found if finding.code in wanted] == []
