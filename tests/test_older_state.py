"""What an earlier program left in a project opens as it is: catalogue, events, saves, printers, settings, a game."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import carddb
from carddb import Report
from tests.conftest import OUTSIDE, Told
from tests.web.front import serving
from tests.web.tables.client import begun

STATE = Path(__file__).parent / "older_state"
"""A project as it was kept when the catalogue had the schema 10; `told` holds what commands said of it then."""
SAVES = sorted(path.stem for path in (STATE / "solo").glob("*.json"))
SHEETS = ("sheets", "set:mine", "--on", "2026-06-20", "--no-remember", "--json", "-o", "x.pdf")
ASKED = {
    "cards.json": ("cards", "--on", "2026-06-20", "--json"),
    "cards-before.json": ("cards", "--on", "2026-02-01", "--json"),
    "officers.txt": ("cards", "--game", "cahrd", "--on", "2026-06-20"),
    "archer.json": ("show", "M-2", "--on", "2026-06-20", "--json"),
    "german.json": ("show", "M-1", "--on", "2026-06-20", "--lang", "de", "--json"),
    "history.json": ("history", "M-2", "--json"),
    "printings.csv": ("export", "set:mine", "--on", "2026-06-20", "--printings", "-o", "-", "--format", "csv"),
    "bans.json": ("bans", "show", "long", "--on", "2026-08-02", "--json"),
    "bans-log.json": ("bans", "log", "--game", "cahrd", "--json"),
    "check.json": ("check", "riders.deck", "--on", "2026-06-20", "--json"),
    "since-last.json": (*SHEETS, "--since", "last"),
    "since-file.json": (*SHEETS, "--since", "first.json"),
    "own-game.json": ("--games", "lanterns", "check", "lanterns/examples/no_wind.deck", "--on", "2026-06-20", "--json"),
    "own-game-as-data.json": ("check", "lanterns/examples/no_wind.deck", "--on", "2026-06-20", "--json"),
    "printers.json": ("printer", "show", "--json"),
    "events.json": ("event", "list", "--json"),
    "event.json": ("event", "show", "spring", "--json"),
    "player.json": ("event", "player", "spring", "Ben", "--json"),
    "battle.json": ("battle", "status", "--json"),
    "battle-log.json": ("battle", "log", "--json"),
    "battle-record.json": ("battle", "record"),
    **{f"{save}.txt": ("solo", "--session", f"solo/{save}.json", "status") for save in SAVES},
    **{f"{save}-log.txt": ("solo", "--session", f"solo/{save}.json", "log") for save in SAVES},
}  # fmt: skip
"""By the file of what was said the command that said it."""


@pytest.fixture
def club(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project in the working folder, with the game outside that its settings name."""
    shutil.copytree(STATE, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("told"))
    shutil.copytree(OUTSIDE / "lanterns", folder / "lanterns")
    monkeypatch.setenv("CARDDB_PRINTERS", str(folder / "printers.json"))
    return folder


@pytest.mark.parametrize("name", ASKED)
def test_it_says_what_it_said(name: str, club: Path, call: Callable[..., Told], request: pytest.FixtureRequest) -> None:
    """Each command says of an earlier program's files, to the letter, what it said, and leaves them as they are."""
    said = call(*ASKED[name]).out.replace(str(club), "CLUB")
    told = STATE / "told" / name
    if request.config.getoption("--update-goldens"):
        told.write_text(said, "utf-8")
    assert said == told.read_text("utf-8")
    kept = [path.relative_to(STATE) for path in STATE.rglob("*") if path.is_file() and path.parent.name != "told"]
    changed = [path.name for path in kept if (club / path).read_bytes() != (STATE / path).read_bytes()]
    # A database is brought to the tables of today, and a copy of the file is kept beside it.
    assert set(changed) == {path.name.partition(".bak-")[0] for path in club.glob("*.bak-*")}


@pytest.mark.parametrize("save", SAVES)
def test_a_session_is_gone_on_with(save: str, club: Path, call: Callable[..., Told]) -> None:
    """An action of an earlier program's solo save is taken back and done again."""
    session = ("solo", "--session", f"solo/{save}.json")
    before = (club / "solo" / f"{save}.json").read_bytes()
    assert call(*session, "undo").code == 0
    assert (club / "solo" / f"{save}.json").read_bytes() != before
    assert call(*session, "status").code == 0


def test_a_battle_is_gone_on_with(club: Path, call: Callable[..., Told]) -> None:
    """The last action of an earlier program's Battle is taken back, and its saved file changes."""
    assert call("battle", "undo").code == 0
    assert (club / "battle.json").read_bytes() != (STATE / "battle.json").read_bytes()


@pytest.mark.door
def test_a_playtest_is_gone_on_with(club: Path) -> None:
    """An earlier program's playtest save lies on the table again, and its seats draw on."""
    with serving(club) as server:
        table = begun(server, "own", save="playtest.json")
        assert len(table.seats) == 2 and len(table.log) == 4
        table.seats[0].press("draw", zone="deck", to="hand", count="1")
        assert len(table.log) == 5


def test_it_is_gone_on_with(club: Path, call: Callable[..., Told]) -> None:
    """An earlier program's catalogue, events and printers take what is new."""
    assert call("load", "cards.csv", "--set", "mine", "--from", "2026-04-01").code == 0
    (club / "cards.csv").write_text("ref,Deckname,strength\nM-3,Scout,2\n", "utf-8")
    assert call("load", "cards.csv", "--set", "mine", "--from", "2026-04-01").code == 0
    assert call("show", "M-3", "--on", "2026-04-02", "--json").json()["strength"] == 2
    assert call("event", "unlock", "spring").code == 0
    assert call("event", "recheck", "spring").code == 0
    assert call("printer", "set", "home", "--read", "F10,F10", "--paper", "a4", "--tray", "2").code == 0


def test_python_opens_it(club: Path) -> None:
    """`carddb.open` reads an earlier program's project: its game, its cards of a day, its verdicts."""
    project = carddb.open(club)
    assert [card.name for card in project.cards("set:mine", on="2026-06-20")][1] == "Archer of the Hills"
    assert project.card("M-2").ref == "M-2"
    report = project.check("riders.deck", on="2026-06-20")
    assert isinstance(report, Report) and report.verdict == "illegal"
    assert project.sheets("set:mine", on="2026-06-20").data.startswith(b"%PDF")
