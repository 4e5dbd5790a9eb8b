"""The samples of a game are not used beside own cards and lists, and never dropped in silence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from carddb.app.cards.load import LoadReport
from carddb.app.decks.check import Report
from carddb.door import Project
from carddb.games import folders

OWN = {
    "ref": "X-1",
    "name": "Mine",
    "type": "strategy",
    "effect": "Draw a card.",
    "requirement": "You have 2 officers.",
}
DECK = "Name: Roads\nGame: cahrd\n\n## Main\n2 Trebuchet\n"


def checked(project: Project, deck: str) -> Report:
    """The report on one deck."""
    report = project.check(deck)
    assert isinstance(report, Report)
    return report


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "decks").mkdir()
    (tmp_path / "decks/roads.deck").write_text(DECK, "utf-8")
    (tmp_path / "own.json").write_text(json.dumps([OWN]), "utf-8")
    (tmp_path / "bans.yaml").write_bytes((folders()["cahrd"].path / "bans.yaml").read_bytes())
    return Project(tmp_path)


def told(report: LoadReport) -> str:
    return "".join(each.message for each in report.notices if each.code == "samples_step_back")


@pytest.mark.parametrize("dry_run", [True, False])
def test_samples_no_longer_used_are_named(project: Project, dry_run: bool) -> None:
    """Loading a card of one's own, or trying to, names the number of cards, the lists, and the decks that break."""
    message = told(project.load("own.json", game="cahrd", dry_run=dry_run))
    assert "152 sample cards" in message and "lists long and short" in message and "decks/roads.deck" in message
    assert "--keep-samples" in message


def test_samples_that_are_kept_stay(project: Project) -> None:
    """With `keep_samples` every sample is used, now and later, and no deck misses a card."""
    (project.folder / "carddb.toml").write_text('game = "cahrd"\n\n[columns]\nPicture = "art"\n', "utf-8")
    report = project.load("own.json", game="cahrd", keep_samples=True)
    assert not told(report) and any(each.code == "samples_kept" for each in report.notices)
    later = Project(project.folder)
    assert later.settings.keep_samples == ("cahrd",) and later.settings.columns == {"Picture": "art"}
    assert not told(later.load("own.json", game="cahrd"))
    cards = later.cards("", game="cahrd")
    assert {"X-1", "CAH-152"} <= {card.ref for card in cards}
    assert not [each for each in checked(later, "decks/roads.deck").findings if each.code == "card_unknown"]


def test_loading_again_brings_them_back(project: Project) -> None:
    """Samples return when the file is loaded again and they are kept; `true` keeps those of every game."""
    project.load("own.json", game="cahrd")
    assert len(Project(project.folder).cards("", game="cahrd")) < 10
    project.load("own.json", game="cahrd", keep_samples=True)
    assert len(Project(project.folder).cards("", game="cahrd")) > 150
    (project.folder / "carddb.toml").write_text("keep_samples = true\n", "utf-8")
    assert len(Project(project.folder).cards("", game="cahrd")) > 150


def test_a_card_of_ones_own_replaces_the_sample_of_its_name(project: Project) -> None:
    """A deck that names a kept sample and a card of one's own by the same name means one's own."""
    (project.folder / "own.json").write_text(json.dumps([{**OWN, "name": "Veteran Line"}]), "utf-8")
    project.load("own.json", game="cahrd", keep_samples=True)
    assert [card.ref for card in project.cards('name="Veteran Line"', game="cahrd")] == ["X-1"]


def test_own_lists_replace_the_sample_lists_alone(project: Project) -> None:
    """Own ban lists replace the sample lists, which are named, and no card; with kept cards the lists are kept."""
    project.load("own.json", game="cahrd", keep_samples=True)
    with project.catalog() as catalog:
        assert catalog.samples_in_use("cahrd") == (True, True)
    message = told(project.load("bans.yaml", game="cahrd"))
    assert "lists long and short" in message and "sample cards" not in message


def test_the_setting_keeps_what_it_said(project: Project) -> None:
    """A list of several lines gains the game, wherever it is written before the first table."""
    (project.folder / "carddb.toml").write_text('keep_samples = [\n  "guarda",\n] # two\ngame = "cahrd"\n', "utf-8")
    project.load("own.json", game="cahrd", keep_samples=True)
    settings = Project(project.folder).settings
    assert settings.keep_samples == ("guarda", "cahrd") and settings.game == "cahrd"
