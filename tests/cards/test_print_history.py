"""What is to be printed again, and what to be thrown away."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from carddb.cards.cards import Card
from carddb.cards.print_history import CHANGED, FEWER, GONE, PrintedCard, PrintJob, Pull, difference, some_of


def before(*looks: PrintedCard, whole: bool = True) -> PrintJob:
    return PrintJob("g", "t", "1x1", looks, whole)


def test_one_changed_card_gives_one_card_and_one_pull() -> None:
    """A card that looks otherwise is printed in all its copies, and its old copies are pulled under their old name."""
    old = before(PrintedCard("a", "Ox", 3, "f1", "b"), PrintedCard("b", "Cow", 2, "f2", "b"))
    made = difference(old, [PrintedCard("a", "Bull", 4, "f9", "b"), PrintedCard("b", "Cow", 2, "f2", "b")])
    assert made.copies == {("a", "f9"): 4}
    assert made.pulls == (Pull("a", "Ox", 3, CHANGED),)


def test_one_more_copy_is_one_card() -> None:
    """Of an unchanged card only the copies that are missing are printed, and those too many are pulled."""
    old = before(PrintedCard("a", "Ox", 3, "f"), PrintedCard("b", "Cow", 3, "f"))
    made = difference(old, [PrintedCard("a", "Ox", 4, "f"), PrintedCard("b", "Cow", 1, "f")])
    assert made.copies == {("a", "f"): 1}
    assert made.pulls == (Pull("b", "Cow", 2, FEWER),)


def test_what_left_the_selection_is_pulled_only_from_the_same_job() -> None:
    """A card that is no longer wanted is pulled; not so where other jobs printed it."""
    looks = (PrintedCard("a", "Ox", 1, "f"), PrintedCard("b", "Cow", 2, "f"))
    assert difference(before(*looks), looks[:1]).pulls == (Pull("b", "Cow", 2, GONE),)
    assert difference(before(*looks, whole=False), looks[:1]).pulls == ()


def test_a_back_counts_where_it_is_printed() -> None:
    """Another back is another card; fronts alone are compared as fronts, and the old backs are still known after."""
    old = before(PrintedCard("a", "Ox", 1, "f", "b1"))
    assert difference(old, [PrintedCard("a", "Ox", 1, "f", "b2")]).copies == {("a", "f"): 1}
    fronts = difference(old, [PrintedCard("a", "Ox", 1, "f")])
    assert (fronts.copies, fronts.after) == ({}, (PrintedCard("a", "Ox", 1, "f", "b1"),))


looks = st.lists(
    st.builds(PrintedCard, st.sampled_from("abcdef"), st.sampled_from("xy"), st.integers(1, 4), st.sampled_from("12")),
    unique_by=lambda look: look.look,
)


@given(looks, looks)
def test_print_and_pull_lead_from_one_state_to_the_other(old: list[PrintedCard], new: list[PrintedCard]) -> None:
    """What was there, less what is pulled, and with what is printed, is what is wanted; then nothing is left to do."""
    made = difference(before(*old), new)
    held = Counter[str]()
    for look in old:
        held[look.ref] += look.copies
    for pull in made.pulls:
        held[pull.ref] -= pull.copies
    for (ref, _), copies in made.copies.items():
        held[ref] += copies
    wanted = Counter[str]()
    for look in new:
        wanted[look.ref] += look.copies
    assert +held == wanted
    assert {look.look: look.copies for look in made.after} == {look.look: look.copies for look in new}
    again = difference(before(*made.after), new)
    assert not again.copies and not again.pulls


def test_a_card_with_two_pictures_is_compared_picture_by_picture() -> None:
    """One picture more, fewer or other concerns that picture alone; a picture that went is pulled."""
    first, second = PrintedCard("a", "Ox", 2, "f1"), PrintedCard("a", "Ox", 1, "f2")
    old = before(first, second)
    assert difference(old, [second, first]).copies == {}
    assert difference(before(first), [first, second]) == ({("a", "f2"): 1}, (), (first, second))
    assert difference(old, [first]).pulls == (Pull("a", "Ox", 1, GONE),)
    assert difference(old, [first, second._replace(front="f3")])[:2] == (
        {("a", "f3"): 1}, (Pull("a", "Ox", 1, CHANGED),)
    )  # fmt: skip
    assert difference(before(first, second, whole=False), [first]).pulls == ()


def test_copies_are_taken_in_the_order_of_the_selection() -> None:
    """A card that stands in two sections is printed no more often than is wanted, each picture by itself."""
    a, b, other = Card("g", "a", {}), Card("g", "b", {}), Card("g", "a", {"art": "other.png"})

    def look_of(card: Card) -> tuple[str, str]:
        return card.ref, str(card.get("art", ""))

    copies = [(a, 2), (b, 1), (other, 3), (a, 2)]
    assert some_of(copies, {("a", ""): 3, ("a", "other.png"): 1}, look_of) == [(a, 2), (other, 1), (a, 1)]
