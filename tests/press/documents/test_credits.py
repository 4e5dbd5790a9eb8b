"""The credits of pictures: each picture once, and a warning for what is not known of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import cast

from carddb.cards.cards import Card, Printing
from carddb.game.frozen import replaced
from carddb.games import Game
from carddb.layout.documents.blocks import Picture, Table, plain
from carddb.paint.documents.html import html_document
from carddb.press.documents.credits import PictureCredit, credits_document, picture_credits, uncredited
from carddb.press.faces.workshop import fonts_of


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
    (table,) = credits_document(game.spec, credits).blocks
    rows = [[plain(cell) for cell in row if not isinstance(cell, Picture)] for row in cast(Table, table).rows]
    assert ["", "Ox, Ram", "Ada", "not known", "not known", "ox.png"] in rows and rows[0][-1] == "cow|1.png"


def test_a_credit_shows_the_card_and_links_addresses(game: Game) -> None:
    """On a web page, an https address is a link, and no other text is one. A drawn card stands first."""
    card = Card("g", "A", {"name": "Ox"})
    credit = PictureCredit("ox.png", "Ada", "See https://a.example/ox-1?b=2. <i>", "javascript:1", (card,))
    (table,) = credits_document(game.spec, [credit], ("A",)).blocks
    assert cast(Table, table).rows[0][0] == Picture("A", "Ox")
    page = html_document(credits_document(game.spec, [credit]), fonts_of(game, "en")).decode()
    assert re.findall(r"<a [^>]*https?:[^>]*>", page) == ['<a href="https://a.example/ox-1?b=2" rel="noopener">']
    assert "<i>" not in page and page.count("<a ") == 1


def test_pictures_that_the_pattern_finds_are_credited(game: Game, tmp_path: Path) -> None:
    """A card that names no picture has the one of its name in the folder."""
    (tmp_path / "A.png").write_bytes(b"")
    spec = replaced(game.spec, art="{ref}.png")
    cards = [Card("g", "A", {"name": "Ox"}), Card("g", "B", {"name": "Ram"})]
    assert [credit.picture for credit in picture_credits(spec, cards, [tmp_path])] == ["A.png"]
