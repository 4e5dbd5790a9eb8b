"""Near names among many."""

from __future__ import annotations

from carddb.read.near_names import NearNames


def test_a_word_is_found_among_many_long_names_that_begin_with_it() -> None:
    """Names with as many parts in common do not crowd out the short one that is nearest."""
    long = [f"Elephant Guard of the River {number}" for number in range(500)]
    assert NearNames([*long, "elephant"]).near("elephent")[0] == "elephant"
