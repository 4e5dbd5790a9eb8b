"""The fonts of a job: which letters there are, and which family draws them."""

from __future__ import annotations

import pytest

from carddb.games import folders, load
from carddb.layout.fonts import FontBook
from carddb.press.workshop import font_book

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


@pytest.mark.parametrize("key", folders())
def test_every_family_of_every_game_has_the_alphabets_of_europe_and_vietnam(key: str) -> None:
    """What a family lacks comes from another that is always installed."""
    game, _ = load(folders()[key])
    assert game
    book = font_book(game.spec.fonts)
    always = {font.family for font in book.fonts.values() if not font.family.startswith("Noto")}
    for family in always:
        for text in ALPHABETS.values():
            assert always.issuperset(families(book, text, family))


@pytest.mark.parametrize(("lang", "family"), [
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


def test_chinese_japanese_and_korean_lack_nothing() -> None:
    """Whatever language a job is said to be in, the words of the others are there."""
    for lang in ("en", *IDEOGRAPHS):
        book = font_book({}, lang)
        if not has_ideographs(book):
            pytest.skip("the cjk extra is not installed")
        for text in IDEOGRAPHS.values():
            assert families(book, text, "IBM Plex Sans Condensed")
