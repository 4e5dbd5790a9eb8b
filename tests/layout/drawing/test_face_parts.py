"""The parts of faces that every game has: each is drawn, has a sample, and keeps its words inside its box."""

from __future__ import annotations

from functools import cache
from xml.etree import ElementTree

import pytest

from carddb.core import assets
from carddb.core.errors import TemplateError
from carddb.findings import CardCount
from carddb.games import Game, folders, load
from carddb.layout.display_list import Run
from carddb.layout.drawing import svg_parser
from carddb.layout.drawing.face import DrawingKit, DrawnFace, draw, with_measures
from carddb.layout.templates.renderer import Sandbox
from carddb.layout.templates.template import Templates
from carddb.press.faces.art import ArtFolder
from carddb.press.faces.workshop import Workshop, common_context, context_of, open_workshop
from tests.handbook.face_words import ATTRIBUTES, ELEMENTS, VARIABLES
from tests.handbook.faces import FOLDER, parts

MANNERS = {
    "frame": ("band", "lines", "corners", "banner", "bitten"),
    "cost": ("disc", "diamond", "shield"),
    "art": ("rect", "round", "oval", "arch"),
    "back": ("plain", "rings", "diamonds", "stripes"),
}


@cache
def workshop() -> Workshop:
    """Any game has the parts."""
    game, _ = load(folders()["rishar"])
    assert game
    return open_workshop(game)


def replaced_rules(game: Game) -> Game:
    """The game without a program of its own."""
    return Game(game.folder._replace(trusted=False), game.spec)


def drawn(source: str) -> DrawnFace:
    """A face of a source that may use the parts."""
    shop = workshop()
    templates = Templates({**shop.kit.templates.sources, "t/a.svg": source})
    kit = DrawingKit(templates, shop.kit.book, shop.kit.library, ArtFolder(assets.templates() / "_new_game"))
    return draw(kit, "t/a.svg", common_context(shop), CardCount("", "a"))


def face(call: str) -> DrawnFace:
    """A poker card with one part on it."""
    head = '{% import "_parts/parts.svg" as parts %}<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 63.5 88.9">'
    return drawn(f'{head}<rect width="63.5" height="88.9" fill="#ffffff"/>{{{{ {call} }}}}</svg>')


@pytest.mark.full
def test_every_part_has_a_sample_without_fault() -> None:
    """The library and the page of samples have the same parts, and each sample is drawn without a finding."""
    names = [part.name for part in parts()]
    assert len(names) == 11
    for name in names:
        sample = drawn((FOLDER / "samples" / f"{name}.svg").read_text("utf-8"))
        assert sample.face.shapes and not sample.findings, name


def test_a_part_that_is_told_nonsense_names_the_face() -> None:
    """The place of a fault is the line of the game's template that uses a part, not one of the part."""
    with pytest.raises(TemplateError, match=r"t/a\.svg:1.*has no key 'violet'"):
        face('parts.frame("band", style=dict(parts.look, accent={"red": "#ff0000"}["violet"]))')


@pytest.mark.full
@pytest.mark.parametrize(
    "call",
    [
        'parts.title_bar("Ram", width=40',
        "parts.cost(3, x=50",
        'parts.type_line("Item", "more"',
        'parts.keywords("Swift", x=9, width=20',
        'parts.stats([("Strength", 3), ("Purse", 10), ("Luck", 7)]',
        'parts.collector("T-1", "you"',
    ],
)
def test_parts_stand_mirrored_where_the_style_has_the_direction(call: str) -> None:
    """With `dir=dir` every word is as far from the right edge as it is from the left without; its letters stay."""

    def places(direction: str) -> dict[str, tuple[int, int]]:
        shapes = face(f'{call}, style=dict(parts.look, dir="{direction}"))').face.shapes
        runs = [shape for shape in shapes if isinstance(shape, Run)]
        return {word.text: (run.x, run.x + word.width) for run in runs for word in run.words}

    left, right = places("ltr"), places("rtl")
    assert left and left == places("")
    if "keywords" in call or "title_bar" in call:  # paragraphs of Latin letters begin where they did, or turn
        assert left.keys() == right.keys()
    else:
        for text, (begin, end) in left.items():
            assert right[text] == pytest.approx((63_500 - end, 63_500 - begin), abs=1)


def test_the_chapter_has_every_element_and_attribute() -> None:
    """Each element and attribute of the dialect has words, and each stands in a sample that is drawn without fault."""
    assert ELEMENTS.keys() == svg_parser.ATTRIBUTES.keys()
    known = svg_parser.COMMON.union(*svg_parser.ATTRIBUTES.values())
    assert ATTRIBUTES.keys() == known
    samples = {name: (FOLDER / "samples" / f"element-{name}.svg").read_text("utf-8") for name in ELEMENTS}
    roots = {name: ElementTree.fromstring(text) for name, text in samples.items()}
    used = {name for root in roots.values() for element in root.iter() for name in element.attrib}
    assert not known - used
    for name, text in samples.items():
        assert f"<{name}" in text
        face = drawn(text)
        assert face.face.shapes and not face.findings, name


def test_the_chapter_has_every_variable() -> None:
    """It names what a card's template sees, no more and no less."""
    shop = workshop()
    card = next(iter(shop.game.own_cards))
    plain = Workshop(replaced_rules(shop.game), shop.kit, shop.prefix)
    assert VARIABLES.keys() == {*with_measures(shop.kit, context_of(plain, card), None), *Sandbox({}).globals}


@pytest.mark.full
@pytest.mark.parametrize(("part", "manner"), [(part, manner) for part, all_ in MANNERS.items() for manner in all_])
def test_every_manner_looks_otherwise(part: str, manner: str) -> None:
    """Each manner of a part is drawn, and none like another."""
    assert all(look(part, manner) != look(part, other) for other in MANNERS[part] if other != manner)


@cache
def look(part: str, manner: str) -> str:
    """Returns the shapes of a part in one of its manners."""
    arguments = {"cost": "3, ", "art": '"", '}.get(part, "")
    return repr(face(f'parts.{part}({arguments}manner="{manner}")').face.shapes)


@pytest.mark.parametrize("call", ["parts.cost(card_cost)", "parts.stats([('A', '')])", "parts.keywords([])"])
def test_a_part_without_words_is_empty(call: str) -> None:
    """An absent figure or word leaves nothing behind."""
    assert len(face(call.replace("card_cost", "''")).face.shapes) == 1


def test_long_words_stay_inside() -> None:
    """A long name and a long text are made smaller, which is told, and fit."""
    long = "The Extraordinarily Longwinded Admiral of the Western Isles and Seas"
    for call in (f'title_bar("{long}")', f'text_box("{long}. {long}.", "{long}.")'):
        assert {finding.code for finding in face(f"parts.{call}").findings} == {"text_shrunk"}
