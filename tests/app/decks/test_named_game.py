"""Which game a deck is of, and suggestions that its format allows."""

from __future__ import annotations

import pytest

from carddb.app.decks.check import Report
from carddb.core.errors import UsageError
from carddb.door import Project
from carddb.games import folders


def checked(project: Project, deck: str) -> Report:
    """The report on one deck."""
    report = project.check(deck)
    assert isinstance(report, Report)
    return report


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return Project(tmp_path_factory.mktemp("project"))


@pytest.mark.parametrize("key", ["cahrd", "empires-and-generals", "rishar", "guarda"])
def test_a_deck_without_a_game_is_read_by_its_cards(project: Project, key: str) -> None:
    """A list that names no game is of the game whose cards it names, and says so; its title is understood too."""
    text = folders()[key].decks[0].read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("Game:")]
    report = checked(project, "\n".join(lines) + "\n")
    assert report.game.key == key and "game_assumed" in [each.code for each in report.findings]
    title = checked(project, "\n".join([f"Game: {report.game.spec.name}", *lines]) + "\n")
    assert title.game.key == key and "game_assumed" not in [each.code for each in title.findings]
    assert title.verdict == report.verdict


def test_a_deck_of_no_known_cards_asks_for_its_game(project: Project) -> None:
    """Where no card is known, or another name of a game stands there, nothing is guessed."""
    for text in ("2 Nobody\n", "Game: chess\n\n2 Trebuchet\n"):
        with pytest.raises(UsageError, match="which game"):
            checked(project, text)


def test_grid_cards_of_another_field_are_told(project: Project) -> None:
    """On 5×5 a grid card of 3×3 is a finding that names it, and a misspelt one is read as one of 5×5."""
    text = "Game: guarda\nFormat: 5x5\n\n## Grid cards\n1 Field 1 of 3×3\n1 Field 2\n1 Field 11\n"
    findings = {each.code: each for each in checked(project, text).findings}
    assert [card.name for card in findings["grid_card_of_other_field"].cards] == ["Field 1 of 3×3"]
    assert findings["card_unknown"].data["nearest"] == ["Field 1 of 5×5"]
