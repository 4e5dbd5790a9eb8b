from carddb.games.printed_words import fill


def test_words_keep_markup_and_unknown_figures() -> None:
    """Only known figures are filled in, however deep the words lie; icons and other braces stay as written."""
    assert fill({"a": ["{icon:ch} at {n}, {other}"]}, {"n": 5}) == {"a": ["{icon:ch} at 5, {other}"]}
