"""Words of closed lists: which entry a word means, and which lists are faulty."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from carddb.core.names import Vocabulary, fold_word
from tests.rows import every

RARITIES = Vocabulary(("common", "ultra_rare"), {"ultra_rare": "Ultra Rare"}, {"ultra_rare": ["UR", "very rare"]})


@every("word", ["ultra_rare", "Ultra Rare", "ULTRA-RARE", "ur", "Véry  Rare", "ultra – rare"])
def test_an_entry_is_known_by_key_label_and_alias(word: str) -> None:
    """Case, accents, spaces, hyphens and underscores make no difference."""
    assert RARITIES.find(word) == "ultra_rare"
    assert word in RARITIES


def test_an_unknown_word_means_nothing() -> None:
    """There is no guess, only a suggestion."""
    assert RARITIES.find("ultra") is None
    assert RARITIES.nearest("ultra rar") == "ultra_rare"
    assert RARITIES.nearest("zzz") is None


def test_a_key_comes_before_a_label_and_a_label_before_an_alias() -> None:
    """Where two entries fold alike the file is faulty, and the first rule still decides."""
    words = Vocabulary(("play-map", "card"), {"card": "Play Map"}, {"play-map": ["Card"]})
    assert words.find("play map") == "play-map"
    assert words.find("Card") == "card"
    assert list(words.clashes()) == [("Play Map", "play-map", "card"), ("Card", "card", "play-map")]


def test_an_exact_key_comes_before_a_folded_one() -> None:
    """Two keys that differ in case alone are told apart where they are written exactly."""
    words = Vocabulary(("V1", "v1"))
    assert (words.find("V1"), words.find("v1")) == ("V1", "v1")
    assert list(words.clashes()) == [("v1", "V1", "v1")]


@given(st.text())
def test_folding_is_stable(text: str) -> None:
    """Folding a folded word changes nothing."""
    assert fold_word(fold_word(text)) == fold_word(text)
