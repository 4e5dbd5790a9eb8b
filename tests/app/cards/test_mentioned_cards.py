"""A deck whose names all match is checked without the rest of the catalogue, and with the same report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import carddb
from carddb import Report, Reports
from carddb.catalog.store import Catalog
from carddb.door import Project
from carddb.games import folders
from tests.conftest import Calls
from tests.rows import usually

ON = "2026-06-20"
GAMES = ("cahrd", "rishar", "empires-and-generals")
DECKS = sorted((path, key) for key in GAMES for path in (folders()[key].path / "decks").glob("*.deck"))[::2]


@pytest.fixture
def project(folder: Path) -> Project:
    return carddb.open(folder)


def without_references(text: str) -> str:
    return "\n".join(line.partition(" [")[0] for line in text.splitlines()) + "\n"


def by_all_cards(project: Project, text: str, key: str, folder: Path) -> dict[str, Any]:
    """The report by the whole pool, as a folder of decks gets it."""
    (folder / "many").mkdir(exist_ok=True)
    (folder / "many" / "a.deck").write_text(text, "utf-8")
    reports = project.check(folder / "many", game=key, on=ON)
    assert isinstance(reports, Reports)
    [report] = reports
    return report.to_json()


def test_a_deck_by_references_or_names_reads_its_cards_alone(project: Project, folder: Path, calls_to: Calls) -> None:
    """Neither form asks for all cards of the game."""
    text = (folders()["cahrd"].path / "decks" / "grain-roads.deck").read_text("utf-8")
    project.check(text, on=ON)
    read = calls_to(Catalog, "pool")
    for written in (text, without_references(text)):
        report = project.check(written, on=ON)
        assert isinstance(report, Report) and report.verdict == "legal"
    assert read == []


@usually("path, key", DECKS, ids=[path.stem for path, _ in DECKS])
def test_the_report_is_that_of_the_whole_catalogue(project: Project, folder: Path, path: Path, key: str) -> None:
    """As written, by names alone, in lower case, and with a slip in every name."""
    text = path.read_text("utf-8")
    names = without_references(text)
    for form in (text, names, names.lower(), names.replace("a", "e"), text.replace("[", "[X")):
        ours = project.check(form, game=key, on=ON).to_json()
        theirs = by_all_cards(project, form, key, folder)
        for report in (ours, theirs):
            report["deck"].pop("file")
            for finding in report["findings"]:
                for place in finding["where"]:
                    place.pop("file")
        assert ours == theirs


def test_a_rule_that_looks_at_other_cards_gets_them(project: Project, folder: Path) -> None:
    """Whoever asks a pool for more than the deck's cards is answered, after the catalogue was closed too."""
    from carddb.app.workspace.clock import to_day
    from carddb.app.workspace.day_cards import day_cards

    day = to_day(ON)
    assert day
    game = project.game("cahrd")
    with day_cards(project) as cards:
        some, every = cards.mentioned(game, day, lambda: {"Longbow"}), cards.pool(game, day)
    with day_cards(project) as cards:
        later = cards.mentioned(game, day, set)
    assert len(some) == len(every) == len(later) and some.names() == every.names() == later.names()
    for card in every:
        assert some.get(card.ref) == card and later.by_reference(card.ref.lower()) == card
        assert some.named(card.name) == every.named(card.name) and some.folded(card.name) == every.folded(card.name)
    assert some.get("nobody") is None and some.formerly("nobody") == ()
