"""The parts of faces that every game has: each is drawn, has a sample, and keeps its words inside its box."""

from __future__ import annotations

from functools import cache

import pytest
from handbook_faces import FOLDER, parts

from carddb.findings import CardCount
from carddb.games import folders, load
from carddb.layout.face import DrawnFace, Studio, draw
from carddb.layout.template import Templates
from carddb.press.workshop import Workshop, common_context, open_workshop

MANNERS = {
    "frame": ("band", "lines", "corners", "banner"),
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


def drawn(source: str) -> DrawnFace:
    """A face of a source that may use the parts."""
    shop = workshop()
    templates = Templates({**shop.studio.templates.sources, "t/a.svg": source})
    studio = Studio(templates, shop.studio.book, shop.studio.library, shop.studio.art)
    return draw(studio, "t/a.svg", common_context(shop), CardCount("", "a"))


def face(call: str) -> DrawnFace:
    """A poker card with one part on it."""
    head = '{% import "_parts/parts.svg" as parts %}<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 63.5 88.9">'
    return drawn(f'{head}<rect width="63.5" height="88.9" fill="#ffffff"/>{{{{ {call} }}}}</svg>')


def test_every_part_has_a_sample_without_fault() -> None:
    """The library and the page of samples have the same parts, and each sample is drawn without a finding."""
    names = [part.name for part in parts()]
    assert len(names) == 11
    for name in names:
        sample = drawn((FOLDER / "samples" / f"{name}.svg").read_text("utf-8"))
        assert sample.face.shapes and not sample.findings, name


@pytest.mark.parametrize(("part", "manner"), [(part, manner) for part, all_ in MANNERS.items() for manner in all_])
def test_every_manner_looks_otherwise(part: str, manner: str) -> None:
    """Each manner of a part is drawn, and none like another."""
    arguments = {"cost": "3, ", "art": '"", '}.get(part, "")
    looks = {other: repr(face(f'parts.{part}({arguments}manner="{other}")').face.shapes) for other in MANNERS[part]}
    assert all(looks[manner] != look for other, look in looks.items() if other != manner)


@pytest.mark.parametrize("call", ["parts.cost(card_cost)", "parts.stats([('A', '')])", "parts.keywords([])"])
def test_a_part_without_words_is_empty(call: str) -> None:
    """An absent figure or word leaves nothing behind."""
    assert len(face(call.replace("card_cost", "''")).face.shapes) == 1


def test_long_words_stay_inside() -> None:
    """A long name and a long text are made smaller, and fit."""
    long = "The Extraordinarily Longwinded Admiral of the Western Isles and Seas"
    assert not face(f'parts.title_bar("{long}")').findings
    assert not face(f'parts.text_box("{long}. {long}.", "{long}.")').findings
