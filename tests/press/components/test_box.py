"""Boxes of the games: their faces, their sizes and their cut lines."""

from __future__ import annotations

from functools import lru_cache

import pypdfium2
import pytest

from carddb.core.errors import UsageError
from carddb.core.units import Size, mm
from carddb.games import folders, load
from carddb.layout.box import Inside, Style
from carddb.layout.sheets.grid import cutter_for
from carddb.layout.stock import card_size
from carddb.press.components.box import Pile, PilePart, print_box, with_components
from carddb.press.faces.workshop import Workshop, open_workshop
from carddb.press.sheets.options import SheetOptions
from tests.conftest import OUTSIDE

FOLDERS = folders()


@lru_cache
def workshop(key: str) -> Workshop:
    game, _ = load(FOLDERS[key])
    assert game
    return open_workshop(game)


def pile(key: str, cards: int = 54, **values: object) -> Pile:
    spec = workshop(key).game.spec
    parts = tuple(PilePart(spec.label_of(kind), type=kind) for kind in spec.types)
    return Pile(spec.name, card_size(spec.card_size), cards, 300, mm(1), parts=parts, **values)  # type: ignore[arg-type]


@pytest.mark.full
@pytest.mark.parametrize("key", FOLDERS)
def test_every_game_has_a_box(key: str) -> None:
    """Tuck box, lid and base, and dividers of each bundled game are drawn without a finding, and say its name."""
    styles: dict[Style, int] = {"tuck": 1, "two-part": 2}
    for style, pages in styles.items():
        printed = print_box(workshop(key), pile(key), style, SheetOptions(paper="a3"))
        assert (printed.pages, printed.findings) == (pages, ())
        text = pypdfium2.PdfDocument(printed.data)[0].get_textpage().get_text_range()
        assert workshop(key).game.spec.name.split()[0].casefold() in text.casefold()
    for parts in (pile(key).parts, (PilePart("Mine"), PilePart("Others"))):
        assert print_box(workshop(key), pile(key)._replace(parts=parts), "dividers", SheetOptions()).findings == ()


def test_dividers_have_the_colour_of_what_they_divide() -> None:
    """Items, tactics and strategies of C.A.H.R.D. have the colours of their faces, its two decks those of the backs.

    They share a sheet, although each has its tab at another place.
    """
    faces = workshop("cahrd").game.spec.data["faces"]
    shades = [faces["colours"][name]["line"] for name in ("blue", "purple", "brown")]
    backs = [faces["backs"]["dark red"]["ink"], faces["backs"]["black"]["ground"]]
    types = [PilePart("What they are called", type=kind) for kind in ("item", "tactic", "strategy")]
    sections = [PilePart("What it is called", section=key) for key in ("main", "strategy")]
    for parts, expected in ((types, shades), (sections, backs)):
        printed = print_box(workshop("cahrd"), pile("cahrd")._replace(parts=parts), "dividers", SheetOptions())
        assert printed.pages == 1
        page = pypdfium2.PdfDocument(printed.data)[0].render(scale=0.5).to_pil()
        shown = {colour for _, colour in page.getcolors(1 << 16)}
        assert {tuple(bytes.fromhex(each[1:])) for each in expected} <= shown


def test_a_box_is_as_large_as_its_cards() -> None:
    """Number times thickness and the play give the depth; sleeves make it thicker and wider; few cards still stand."""
    size = Size(mm(88), mm(63))
    assert Pile("", size, 60, 300, mm(1)).inside == Inside(mm(64), mm(89), mm(19))
    assert Pile("", size, 60, 300, mm(1), sleeved=True).inside == Inside(mm(67), mm(92), mm(19) + 60 * 120)
    assert Pile("", size, 3, 300, 0).inside == Inside(mm(63), mm(88), mm(8))


@pytest.mark.full
def test_a_box_for_a_machine_has_cut_and_score_lines() -> None:
    """Each net has its own files; without a machine there are none; a net that does not fit is refused."""
    options = SheetOptions(paper="a3", cutter=cutter_for("silhouette"))
    printed = print_box(workshop("rishar"), pile("rishar"), "two-part", options)
    assert [(each.ending, each.sheets) for each in printed.cut_files] == [
        (".cut.svg", "1"), (".cut.dxf", "1"), (".cut-2.svg", "2"), (".cut-2.dxf", "2")
    ]  # fmt: skip
    score, _, cut = printed.cut_files[0].data.decode().split("<g ")[1:]
    assert (score.count("<path"), cut.count("<path")) == (8, 1)
    by_hand = print_box(workshop("rishar"), pile("rishar"), "tuck", SheetOptions(paper="a3")).cut_files
    assert [each.ending for each in by_hand] == [".cut.svg", ".cut.dxf"]
    with pytest.raises(UsageError, match=r"the tuck box of .* does not fit"):
        print_box(workshop("rishar"), pile("rishar"), "tuck", SheetOptions(paper="105x148mm"))


@pytest.mark.full
def test_a_box_that_does_not_fit_becomes_one_that_does() -> None:
    """Too many cards for a tuck box on Letter lie in a base with a lid; for still more these hold two piles."""
    card = Size(mm(76), mm(127))
    for cards, inside in ((150, "77 × 128 × 46"), (220, "153 × 128 × 34")):
        printed = print_box(workshop("rishar"), Pile("", card, cards, 300, mm(1)), "tuck", SheetOptions())
        assert printed.pages == 2 and printed.label.startswith(f"two-part box, {inside} mm inside")


def test_the_box_of_a_game_holds_what_is_printed_for_it() -> None:
    """Cards and small components count, counters have room; cards that players bring have no number."""
    size = Size(mm(63), mm(88))
    guarda = with_components(Pile("", size, 140, 300, mm(1)), workshop("guarda").game)
    assert (guarda.cards, guarda.players) == (
        sum(each.pieces for each in guarda.contents if each.label != "Counters"),
        2,
    )
    assert "Game cards" not in dict(guarda.contents) and guarda.counters
    rishar = with_components(Pile("", Size(mm(64), mm(89)), 72, 300, mm(1)), workshop("rishar").game)
    assert dict(rishar.contents)["Game cards"] == 72 and rishar.cards > 72
    brought = with_components(Pile("", size, 110, 300, mm(1)), workshop("cdg-solo").game)
    assert not brought.counted and brought.room == "room for 110 cards"


def test_a_game_without_faces_for_a_box_has_a_plain_one() -> None:
    """A game outside that draws no box gets carddb's, with its name and without a finding."""
    game, _ = load(folders([(OUTSIDE / "lanterns", True)])["lanterns"])
    assert game
    printed = print_box(
        open_workshop(game), Pile("Lanterns", Size(mm(63), mm(88)), 40, 300, mm(1)), "tuck", SheetOptions()
    )
    text = pypdfium2.PdfDocument(printed.data)[0].get_textpage().get_text_range()
    assert printed.findings == () and text.count("Lanterns") >= 6
