"""The credits of pictures: each picture once, and a warning for what is not known of them."""

from __future__ import annotations

from carddb.cards.cards import Card, Printing
from carddb.games import Game
from carddb.press.documents.credits import credits_markdown, picture_credits, uncredited


def test_each_picture_is_credited_once_and_gaps_are_one_warning_each(game: Game) -> None:
    """A printing may say the artist; no picture on purpose needs no credit; pictures with the same gap are one."""
    printing = Printing("1", "A", "one", artist="Ada")
    cards = [
        Card("g", "A", {"name": "Ox", "art": "ox.png"}, printings=(printing,)),
        Card("g", "B", {"name": "Ram", "art": "ox.png"}),
        Card("g", "C", {"name": "Cow", "face_image": "cow|1.png"}),
        Card("g", "D", {"name": "Hen", "art": "hen.png"}),
        Card("g", "E", {"name": "Bee", "art": "-"}),
        Card("g", "F", {"name": "Ant"}),
    ]
    credits = picture_credits(game.spec, cards)
    assert [credit.picture for credit in credits] == ["cow|1.png", "hen.png", "ox.png"]
    found = {finding.message for finding in uncredited(credits)}
    assert found == {
        "2 pictures without artist, source and licence: cow|1.png, hen.png",
        "1 picture without source and licence: ox.png",
    }
    rows = credits_markdown(game.spec, credits).splitlines()
    assert "| ox.png | Ada | ? | ? | Ox, Ram |" in rows and any("cow\\|1.png" in row for row in rows)
