from carddb.core.units import Box, Size
from carddb.layout.sheets.margin_text import PITCH, MarginSpace, MarginText, Where, place_text, width
from tests.paint.samples import label

SIDES: dict[str, Where] = {"bottom": "start"}


def room(wide: int, deep: int) -> MarginSpace:
    cards = Box(0, 0, wide, 100_000)
    return MarginSpace(Size(wide, 100_000 + deep), cards, cards, (), (), 1_000)


def test_a_text_takes_one_line_where_it_fits_and_more_where_not() -> None:
    """The same pieces stand on one line, on two of like length, or on three."""
    text, pieces = MarginText(label, " · "), ["Empires and Generals", "Harvest of the Sea", "fronts and backs"]
    lines = []
    for wide in (90_000, 45_000, 25_000):
        found = place_text(text, [[pieces]], room(wide, 30_000), SIDES, [1_000])
        assert found
        assert [piece for line in found.lines for piece in line] == pieces
        lines.append(len(found.lines))
        baselines = {run.y for run in found.runs()}
        assert max(baselines) - min(baselines) == (len(found.lines) - 1) * PITCH
    assert lines == [1, 2, 3]


def test_pieces_are_given_up_from_the_first_choice_on() -> None:
    """Where the best does not fit the next is tried, and where none fits nothing is set."""
    text = MarginText(label, " ")
    choices = [[["a very long notice that has no room"]], [["short"]]]
    found = place_text(text, choices, room(20_000, 10_000), SIDES, [1_000])
    assert found and found.lines == (("short",),)
    assert place_text(text, choices, room(20_000, 2_000), SIDES, [1_000]) is None


def test_a_tail_keeps_room_for_words_to_come() -> None:
    """Further words stand after the last, inside the length that was kept for them."""
    tail = width(label, " · sheet 9 of 9")
    text = MarginText(label, " · ", tail)
    found = place_text(text, [[["Deck", "fronts"]]], room(80_000, 10_000), SIDES, [1_000])
    assert found
    (run,) = found.continued("sheet 3 of 9")
    (before,) = found.runs()
    assert run.text == "· sheet 3 of 9" and run.y == before.y
    assert before.x + before.width < run.x < run.x + run.width <= found.slot.box.right + 100
