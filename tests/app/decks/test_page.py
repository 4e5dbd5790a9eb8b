"""A deck as the checker shows it: remedies that name what they change, and the forecast after them."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from carddb.app.decks.check import CheckRequest
from carddb.app.decks.page import DeckPage, deck_choices
from carddb.door import Project
from carddb.web.decks import MOST_LINES, Checked
from tests.games.cahrd.samples import raiding_deck

REQUEST = CheckRequest(on=date(2026, 11, 22))


@pytest.fixture
def faulty(folder: Path) -> DeckPage:
    """A legal deck with a misspelt name and a copy too many."""
    text = raiding_deck()
    text = text.replace("Hannibal Barca [CAH-012]", "Hanibal Barca").replace("3 Trebuchet", "4 Trebuchet")
    return DeckPage(Project(folder), text, REQUEST)


def test_the_fixes_together_give_a_second_row_of_the_forecast(faulty: DeckPage) -> None:
    """The deck after all its first remedies is legal until the list changes; both rows have the same days."""
    remedied = faulty.with_remedies()
    assert faulty.report.verdict == "illegal" and remedied is not None and remedied.report.verdict == "legal"
    (_, as_it_is), (_, fixed) = Checked(faulty).rows
    assert [span.words for span in as_it_is] == ["2 faults, 1 warning"]
    assert [span.words for span in fixed] == ["Legal until 28 November 2026", "Not legal"]
    assert {spans[-1].last for spans in (as_it_is, fixed)} == {len(Checked(faulty).days) + 1}


def test_the_time_line_shows_from_when_a_deck_is_legal_again(folder: Path) -> None:
    """A deck that a list frees later has a span from that day on, and one more where the list forbids it anew."""
    text = raiding_deck()
    page = DeckPage(Project(folder), text, CheckRequest(on=date(2026, 5, 25)))
    checked = Checked(page)
    assert page.forecast.legal_again == date(2026, 6, 1)
    assert [(span.first, span.last, span.words) for span in checked.rows[0][1]] == [
        (1, 8, "1 fault"),
        (8, 14, "Legal again from 1 June 2026"),
        (14, 15, "Not legal"),
    ]
    assert [(day, legal_again) for day, _, legal_again in checked.coming] == [
        (date(2026, 6, 1), True),
        (date(2026, 11, 29), False),
    ]


def test_a_legal_deck_has_one_row(faulty: DeckPage) -> None:
    """Where there is nothing to mend, the forecast is that of the deck."""
    remedied = faulty.with_remedies()
    assert remedied is not None
    assert remedied.with_remedies() is None and len(Checked(remedied).rows) == 1


def test_a_fix_of_a_group_names_the_copies_that_it_takes_out(folder: Path) -> None:
    """A group over its limit has a button that says which cards go; pressed, the group is well."""
    text = raiding_deck()
    page = DeckPage(Project(folder), text, CheckRequest(on=date(2026, 11, 29)))
    number, group = next((at, each) for at, each in enumerate(page.report.findings) if each.code == "imd_group")
    (remedy,) = page.remedies(group)
    assert remedy.words.startswith("Take out ") and any(card.name in remedy.words for card in group.cards)
    mended = DeckPage(page.project, page.mended(f"{number}:{remedy.words}"), page.request).report
    assert "imd_group" not in {finding.code for finding in mended.findings}


def test_a_remedy_of_many_cards_names_some(folder: Path) -> None:
    """A deck far over its size has one button of bounded length."""
    names = [card.name for card in Project(folder).cards("game:cahrd type:item or type:tactic")]
    page = DeckPage(Project(folder), "Game: cahrd\n\n## Main\n" + "".join(f"3 {name}\n" for name in names), REQUEST)
    words = [remedy.words for finding in page.report.findings for remedy in page.remedies(finding)]
    assert any(word.endswith(" more") for word in words) and max(map(len, words)) < 300


@pytest.mark.full
def test_a_long_deck_shows_only_lines_with_notes(folder: Path) -> None:
    """Beyond a thousand lines the page has those with notes, by their numbers, and says how many findings wait."""
    text = "Game: cahrd\n\n## Main\n" + "".join(f"1 Nobody {number}\n" for number in range(MOST_LINES))
    checked = Checked(DeckPage(Project(folder), text, REQUEST))
    notes = checked.deck.notes
    lines = checked.lines(notes)
    assert checked.is_long and len(notes) == 100 and checked.further == len(checked.deck.report.findings) - 100
    assert all(text.splitlines()[line.number - 1] == line.text + line.faulty and line.notes for line in lines)
    assert len(lines) < 110 and len(checked.rows) == 1


def test_decks_are_offered_by_their_names(folder: Path) -> None:
    """Decks that can be chosen are sorted by the name in the deck, numbers by value, one's own before the examples."""
    (folder / "decks").mkdir()
    for number in (10, 9):
        (folder / "decks" / f"{number}.deck").write_text(f"Game: guarda\nName: Field {number}\n", "utf-8")
    choices = [choice for choice in deck_choices(Project(folder)) if choice.game == "guarda"]
    assert [choice.name for choice in choices if choice.is_own] == ["Field 9", "Field 10"]
    assert [choice.format for choice in choices if not choice.is_own] == [f"{n}x{n}" for n in range(3, 10)]
    assert [choice.is_own for choice in choices] == [True] * 2 + [False] * 7
