"""Faces adapt: texts take the step that holds them, art what they leave, larger cards have layouts of their own."""

from __future__ import annotations

from functools import cache

import pytest

from carddb.cards.cards import Card
from carddb.core.units import Box, mm, points
from carddb.findings import CardCount
from carddb.games import folders, load
from carddb.layout.display_list import Path, Run, walk
from carddb.layout.drawing.bleed import span_of
from carddb.layout.drawing.face import DrawnFace, draw
from carddb.layout.stock import card_size
from carddb.layout.text.text_setting import Setter, Setting, Style
from carddb.press.faces.bank import FaceBank
from carddb.press.faces.workshop import (
    Workshop,
    common_context,
    context_of,
    font_book,
    open_workshop,
    template_for,
    templates_of,
)
from tests.rows import every, usually

GAMES = {"rishar": "RIS-047", "empires-and-generals": "EG-BYZ-002", "cdg-solo": "generic-separate:S1-21"}
SIZES = ("poker", "index-3x5", "index-5x7")
FURTHER = ("index-4x6", "tarot")
"""Sizes that some games have layouts of their own for too."""


@cache
def workshop(key: str) -> Workshop:
    game, _ = load(folders()[key])
    assert game
    return open_workshop(game)


def card_of(key: str) -> Card:
    return next(card for card in workshop(key).game.own_cards if card.ref == GAMES[key])


def drawn(key: str, card: Card, size: str) -> DrawnFace:
    shop = workshop(key)
    template = template_for(shop, templates_of(shop.game, card)[0], card_size(size))
    return draw(shop.kit, template, context_of(shop, card), CardCount(card.ref, card.name), card_size(size))


def sizes_of(face: DrawnFace, words: str) -> set[int]:
    """The sizes in which the words of a face are set that are found in some text."""
    runs = [shape for shape in walk(face.face.shapes) if isinstance(shape, Run)]
    return {run.words[0].size for run in runs if len(run.text.strip()) > 8 and run.text.strip() in words}


def assert_no_dead_bands(key: str, size: str) -> None:
    """Fails unless words stand near the upper, the lower and the right edge of a card."""
    face = drawn(key, card_of(key), size)
    width, height = card_size(size)
    assert not face.findings and face.face.size == card_size(size)
    boxes = [shape for shape in walk(face.face.shapes) if isinstance(shape, Run)]
    tops, feet = min(run.y - run.words[0].size for run in boxes), max(run.y for run in boxes)
    assert tops < 0.1 * height and feet > height - mm(12)
    assert max(run.x + (0 if run.angle else run.width) for run in boxes) > width * 0.72


@every("size", SIZES)
@every("key", GAMES)
def test_every_size_has_a_layout_without_dead_bands(key: str, size: str) -> None:
    """Words stand near the upper, the lower and the right edge of a card, whatever its size, without a finding."""
    assert_no_dead_bands(key, size)


@usually("size", ["index-3x5", "index-4x6", "index-5x7", "tarot"])
@usually("key", ["cahrd", "guarda", "rishar"])
def test_every_card_sized_drawing_has_the_proportions_of_its_size(key: str, size: str) -> None:
    """Faces, backs and reference cards are laid out for their size: none is a smaller drawing between dead bands."""
    shop, asked = workshop(key), card_size(size)
    spec = shop.game.spec
    firsts = {card.type: card for card in shop.game.own_cards}.values()
    faces = [(templates_of(shop.game, card)[0], context_of(shop, card)) for card in firsts]
    data = shop.game.hook("component_data")
    assert data
    cards = [part for part in spec.components.values() if part.template and part.reference]
    for part in cards:
        extra = dict(part.rows[0]) if part.rows else {}
        for file in filter(None, (part.template, part.back)):
            faces.append((file, {**common_context(shop), **data(file.removesuffix(".svg"), spec, extra)}))
    assert len(faces) > 4
    for file, context in faces:
        template = template_for(shop, file, asked)
        face = draw(shop.kit, template, {**context, "size": size}, CardCount("", file)).face
        assert face.size.width * asked.height == pytest.approx(face.size.height * asked.width, rel=0.006), file


@every("size", FURTHER)
@every("key", ["empires-and-generals", "cdg-solo"])
def test_further_sizes_have_layouts_without_dead_bands(key: str, size: str) -> None:
    """On 4 x 6 inches and as a tarot card a face fills its sheet too: it has a layout of its own, not a scaled one."""
    assert_no_dead_bands(key, size)
    assert size in workshop(key).game.spec.layouts


@usually("size", ["poker", *SIZES[2:], *FURTHER])
def test_reference_cards_have_layouts_for_every_size(size: str) -> None:
    """Each reference card of Empires and Generals fills its sheet: the same margin left and right, no finding."""
    shop = workshop("empires-and-generals")
    bank = FaceBank(shop, size=card_size(size))
    for name, part in shop.game.spec.components.items():
        if part.template and not part.size:
            face = bank[bank.plain(part.template, {**part.faces[0], "deck": {}}, name)]
            spans = [span for shape in walk(face.shapes) if isinstance(shape, Path | Run) and (span := span_of(shape))]
            marks = [span for span in spans if span.right - span.left < face.size.width]
            left, right = min(span.left for span in marks), max(span.right for span in marks)
            assert abs(left - (face.size.width - right)) < mm(0.6), name
            assert left < face.size.width * 0.08, name
    assert bank.findings == []


@pytest.mark.parametrize("key", ["rishar", "empires-and-generals", "cdg-solo"])
def test_a_short_text_is_as_large_as_a_long_one(key: str) -> None:
    """The words of a card have one size however many they are, nine points; both fit."""
    card = card_of(key)
    short, long = "Draw a card from the pile.", " ".join(["Draw a card from the pile, and lay it open."] * 5)
    field = {"rishar": "special", "empires-and-generals": "text", "cdg-solo": "note"}[key]
    faces = []
    for text in (short, long):
        value = {"name": "", "text": text} if key == "rishar" else text
        faces.append(drawn(key, Card(card.game, card.ref, {**card.values, field: value}), "poker"))
    few, many = (min(sizes_of(face, words)) for face, words in zip(faces, (short, long), strict=True))
    assert few == many == points(9)
    assert not any(face.findings for face in faces)


def test_a_text_shrinks_by_the_steps_of_its_family() -> None:
    """With sizes of its own a text takes the largest of them that fits, else the smallest."""
    setter = Setter(font_book({}))
    style = Style("Spectral", points(10))
    sizes = (points(9), points(8), points(7))
    long = "A text of several words that is set in a narrow box. " * 3
    for height in range(8, 40, 2):
        block = setter.fit(long, style, Box(0, 0, mm(40), mm(height)), Setting(shrink=True, sizes=sizes))
        assert block.size in (style.size, *sizes)
        assert not block.over_height or block.size == sizes[-1]


def test_the_optical_middle_is_a_little_above_the_middle() -> None:
    """One line stands so that the room over its capitals is a little less than that under its line."""
    setter = Setter(font_book({}))
    block = setter.fit("HHH", Style("Spectral", mm(4)), Box(0, 0, mm(40), mm(20)), Setting(valign="optical"))
    baseline = block.runs[0].y
    over = baseline - setter.book.pick("Spectral").capital * mm(4) // 1000
    assert 0.8 < over / (mm(20) - baseline) < 1


def test_text_fit_gives_the_first_step_that_holds_a_text() -> None:
    """Steps are tried in their order; the last is taken where none holds it."""
    fit = workshop("rishar").kit.measures["text_fit"]
    steps = [[10, 5], [9, 9], [8, 12]]
    found = [fit(text, 50, "Spectral", steps) for text in ("One line", "Two lines of a text " * 3, "Words " * 90)]
    assert [step["step"] for step in found] == [0, 1, 2]
    assert found[0]["height"] <= 5 < found[1]["height"] <= 9 and found[2]["height"] > 12
