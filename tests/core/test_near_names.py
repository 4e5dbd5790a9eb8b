"""Near names among many."""

from __future__ import annotations

from carddb.core.names import NearNames


def test_a_word_is_found_among_many_long_names_that_begin_with_it() -> None:
    """Names with as many parts in common do not crowd out the short one that is nearest."""
    long = [f"Elephant Guard of the River {number}" for number in range(500)]
    assert NearNames([*long, "elephant"]).near("elephent")[0] == "elephant"


def test_one_word_of_a_name_is_enough() -> None:
    """A card is proposed first where one of its words is meant, before whole names that only look a little alike."""
    near = NearNames(["Maharbal", "Adherbal", "Hannibal Barca", "Hasdrubal the Fair", "Lamp", "Lamp Post"]).near
    assert near("Hanibal")[0] == "Hannibal Barca" and near("Hasdrubal")[0] == "Hasdrubal the Fair"
    assert near("Lampe") == ["Lamp", "Lamp Post"]
