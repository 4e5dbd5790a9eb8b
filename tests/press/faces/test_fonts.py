"""The fonts of a job: which letters there are, and which family draws them."""

from __future__ import annotations

import string

import pytest
import uharfbuzz as hb

from carddb.game.parts import FontSpec
from carddb.games import Game, folders, load
from carddb.layout.text.fonts import FontBook
from carddb.press.faces.workshop import font_book
from tests.rows import every

ALPHABETS = {
    "Czech and Polish": "Příliš žluťoučký kůň; zażółć gęślą jaźń",
    "Greek": "Άνεμος, ήσυχος και ύστερα ψίθυρος: Ὅμηρος",
    "Russian and Ukrainian": "Подъём, ещё; ґанок її їжак, здіймається",
    "Turkish and Romanian": "İıĞğŞş, Țepeș",
    "Vietnamese": "Đặng Thị Nhu đỡ đòn",
}
IDEOGRAPHS = {"ja": "骨の灯、カード", "zh": "点亮这盏灯", "zh-Hant": "點亮這盞燈", "ko": "고요한 항구"}


def families(book: FontBook, text: str, family: str) -> list[str]:
    """The families that a text is set in, where it is asked for in one; nothing of it may be missing."""
    runs, missing = book.split(text, book.pick(family))
    assert not missing
    return [font.family for font, _ in runs]


def has_ideographs(book: FontBook) -> bool:
    return any(font.family == "Noto Sans JP" for font in book.fonts.values())


def game_of(key: str) -> Game:
    game, _ = load(folders()[key])
    assert game
    return game


@every("key", folders())
def test_every_family_of_every_game_has_the_alphabets_of_europe_and_vietnam(key: str) -> None:
    """What a family lacks comes from another that is always installed."""
    book = font_book(game_of(key).spec.fonts)
    always = {font.family for font in book.fonts.values() if not font.family.startswith("Noto")}
    for family in always:
        for text in ALPHABETS.values():
            assert always.issuperset(families(book, text, family))


@every("lang, family", [
    ("en", "JP"), ("ja", "JP"), ("ja-JP", "JP"), ("zh", "SC"), ("zh-CN", "SC"), ("ZH-tw", "TC"), ("zh-Hant-HK", "TC"),
    ("ko", "KR"), ("kok", "JP"),
])  # fmt: skip
def test_ideographs_are_drawn_as_the_language_has_them(lang: str, family: str) -> None:
    """The same ideograph comes from the family of the language; alphabets never come from it."""
    book = font_book({}, lang)
    if not has_ideographs(book):
        pytest.skip("the cjk extra is not installed")
    assert families(book, "骨", "Spectral") == [f"Noto Sans {family}"]
    assert families(book, "ΆΒ", "Spectral") == ["Alegreya Sans"]


@every("key", folders())
def test_figures_are_lining(key: str) -> None:
    """No figure of a bundled family is lower than a capital or hangs below the line, whatever its font has first."""
    game = game_of(key)
    for font in font_book(game.spec.fonts).fonts.values():
        if font.family in game.spec.fonts and font.has("0"):
            face = hb.Font(font.file.face())
            for digit in string.digits:
                glyph = face.get_nominal_glyph(ord(digit))
                extents, capital = face.get_glyph_extents(glyph), face.get_glyph_extents(face.get_nominal_glyph(72))
                assert extents.y_bearing > 0.9 * capital.y_bearing, (font.key, digit)
                assert extents.y_bearing + extents.height > -0.05 * capital.y_bearing, (font.key, digit)


@every("family", ["Alegreya Sans", "Barlow", "Fira Sans", "Fira Sans Condensed", "Spectral"])
def test_figures_in_columns_are_of_one_width(family: str) -> None:
    """Tabular figures advance alike, and all other characters as they always do."""
    specs = {name: spec for key in folders() for name, spec in game_of(key).spec.fonts.items()}
    book = font_book(specs)
    font = book.pick(family, 400, tabular=True)
    assert len(set(font.advances(string.digits))) == 1
    assert font.advances("Abc") == book.pick(family).advances("Abc")
    assert font.key in book.fonts


def test_a_family_without_figures_takes_them_from_its_alternative() -> None:
    """Marcellus has letters, Spectral the figures beside them."""
    assert families(font_book(game_of("rishar").spec.fonts), "Day 2", "Marcellus") == ["Marcellus", "Spectral"]


def test_a_title_with_a_letter_that_its_family_lacks_is_set_whole_in_the_alternative() -> None:
    """Arvo has no Polish l with a stroke; a sign that it lacks changes nothing for the words beside it."""
    book = font_book(game_of("cdg-solo").spec.fonts)
    assert book.family_for("Zbiórka", "Arvo") == "Arvo"
    assert book.family_for("Pułk ułanów", "Arvo") == "Fira Sans"
    assert book.family_for("→ Łódź", "Arvo") == "Fira Sans"
    assert book.family_for("Forward \u2192", "Arvo") == "Arvo"


def test_a_game_may_name_a_fallback_for_a_language() -> None:
    """The game's own fallback for Japanese goes before that of carddb in Japanese, and not in Korean."""
    file = "fonts/ofl/notosanstc/NotoSansTC[wght].ttf"
    own = FontSpec(
        package="justmytype_intl_cjk", files={"400": file}, variable=True, extra="cjk", fallback=True, languages=("ja",)
    )
    for lang, family in (("ja", "Mine"), ("ko", "Noto Sans KR")):
        book = font_book({"Mine": own}, lang)
        if not has_ideographs(book):
            pytest.skip("the cjk extra is not installed")
        assert families(book, "骨", "Spectral") == [family]


def test_chinese_japanese_and_korean_lack_nothing() -> None:
    """Whatever language a job is said to be in, the words of the others are there."""
    for lang in ("en", *IDEOGRAPHS):
        book = font_book({}, lang)
        if not has_ideographs(book):
            pytest.skip("the cjk extra is not installed")
        for text in IDEOGRAPHS.values():
            assert families(book, text, "IBM Plex Sans Condensed")
