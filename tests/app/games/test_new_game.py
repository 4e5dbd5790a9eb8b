"""A game of one's own begins as a folder that works at once: every command that `init` prints does."""

from __future__ import annotations

import json
import shlex
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from carddb.catalog.store import Catalog
from carddb.core import files
from carddb.core.errors import CatalogError
from carddb.games import folders
from carddb.read.documents import located_document
from tests.conftest import OUTSIDE, Told

Call = Callable[..., Told]
FULL = [pytest.param(key, marks=pytest.mark.full) for key in folders()]


def printed_commands(said: str) -> list[list[str]]:
    """The commands below `Next:`, without the one that enters the folder."""
    lines = said.partition("Next:\n")[2].splitlines()
    return [shlex.split(line)[1:] for line in lines if line.startswith("  carddb ")]


@pytest.mark.parametrize("like", [None, *FULL])
@pytest.mark.door
def test_every_command_that_init_prints_works(call: Call, monkeypatch: pytest.MonkeyPatch, like: str | None) -> None:
    """A new game, small or like a bundled one, does what its last lines say, without a finding of severity error."""
    made = call("init", "mine", "--new-game", "night-market", *(["--like", like] if like else []))
    assert made.code == 0
    monkeypatch.chdir("mine")
    commands = printed_commands(made.err)
    assert len(commands) == (5 if like else 6)
    assert [(words, call(*words).code) for words in commands] == [(words, 0) for words in commands]
    assert all(Path(name).is_file() for name in ("sheets.pdf", "components.pdf", "rules.pdf"))


def test_a_new_game_has_something_of_everything(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has three types, an icon, a font place, a deck, limits, a rule sheet, and an example for every code."""
    assert call("init", "--new-game", "night-market").code == 0
    game = Path("night-market")
    spec = located_document.load(game / "game.yaml")[0]
    assert spec and len(spec.value["types"]) == 3 and len(spec.value["limits"]) == 3
    assert '<symbol id="icon-coin"' in (game / "templates" / "symbols.svg").read_text("utf-8")
    assert (game / "fonts").is_dir() and (game / "guide.md").is_file() and list((game / "decks").iterdir())
    codes = located_document.load(game / "rules.yaml")[0]
    assert codes and {path.stem for path in (game / "examples").iterdir()} == set(codes.value["codes"])


@pytest.mark.full
def test_editors_find_the_schemas_of_a_new_game(call: Call) -> None:
    """Each file names a schema that lies in the project, has an address of its own, and finds the file valid."""
    assert call("init", "--new-game", "night-market").code == 0
    for file in ("night-market/game.yaml", "night-market/rules.yaml", "carddb.toml"):
        path = Path(file)
        text = path.read_text("utf-8")
        modeline = next(line for line in text.splitlines() if "schema" in line)
        place = (path.parent / modeline.replace("=", " ").split()[-1]).resolve()
        schema = json.loads(place.read_text("utf-8"))
        assert schema["$id"].startswith("urn:carddb:schema:")
        parsed = located_document.load(path)[0] if path.suffix == ".yaml" else None
        jsonschema.validate(parsed.value if parsed else tomllib.loads(text), schema)


def test_the_folder_of_a_game_is_remembered(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """`init --games` writes where the game is into carddb.toml, and the project is for it."""
    made = call("init", "mine", "--games", str(OUTSIDE / "lanterns"))
    assert made.code == 0
    monkeypatch.chdir("mine")
    settings = tomllib.loads(Path("carddb.toml").read_text("utf-8"))
    assert settings["game"] == "lanterns"
    assert [Path(path).resolve() for path in settings["games"]] == [OUTSIDE / "lanterns"]
    assert call("games", "lanterns").code == 0
    assert [call(*words).code for words in printed_commands(made.err)] == [0, 4]  # its rules.py does not run


def test_who_names_no_game_hears_where_they_are_looked_for(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown game is answered with the nearest, and with every place where games are looked for."""
    monkeypatch.setenv("CARDDB_GAMES", str(OUTSIDE))
    for verb in ("games", "conform"):
        told = call(verb, "lantern")
        assert told.code == 2 and "Did you mean lanterns?" in told.err
        assert f"games of carddb.toml (nothing), CARDDB_GAMES ({OUTSIDE}), --games (nothing)" in told.err


@pytest.mark.full
def test_a_game_like_another_has_its_rules_and_faces(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy of a bundled game checks its decks and asks its referee, under a key and a name of its own."""
    assert call("init", "--new-game", "night-guard", "--like", "guarda").code == 0
    told = call("--games", "night-guard", "check", "night-guard/decks/three-by-three.deck")
    assert told.code == 0 and "Legal: Night Guard" in told.out
    assert "night_guard." in call("--games", "night-guard", "judge", "--list").out
    templates = "".join(path.read_text("utf-8") for path in Path("night-guard/templates").iterdir())
    assert '"night-guard/' in templates and '"guarda/' not in templates


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--new-game", "Night Market"], "cannot be the key of a game"),
        (["--new-game", "guarda"], "another game already has the key or the prefix 'guarda'"),
        (["--new-game", "eg"], "already has the key or the prefix 'eg'"),
        (["--new-game", "x", "--bare"], "cannot be combined with --new-game"),
        (["--like", "guarda"], "--like only works with --new-game"),
        (["--new-game", "x", "--like", "gurda"], "Did you mean guarda?"),
    ],
)
def test_what_cannot_be_begun_is_misuse(call: Call, folder: Path, arguments: list[str], words: str) -> None:
    """A key that cannot be one, or is taken, and options that do not go together are refused; nothing is written."""
    told = call("init", *arguments)
    assert told.code == 2 and words in " ".join(told.err.split())
    assert not list(folder.iterdir())


def test_nothing_is_overwritten(call: Call) -> None:
    """A game that stands in the folder already stays as it is."""
    assert call("init", "--new-game", "night-market").code == 0
    Path("carddb.toml").unlink()
    Path("night-market/cards.csv").write_text("mine", "utf-8")
    assert call("init", "--new-game", "night-market").code == 3
    assert Path("night-market/cards.csv").read_text("utf-8") == "mine"


@pytest.mark.parametrize("arguments", [("--game", "guarda"), ("--new-game", "night-market")])
@pytest.mark.full
def test_what_fails_half_way_can_be_tried_again(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    """Where the disk is full nothing of the project is left, and the same command makes it when there is room."""
    create, replace = Catalog.create, files.replace
    (folder / "mine.txt").write_text("mine", "utf-8")

    def no_room(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    def no_catalogue(*_: object) -> None:
        raise CatalogError("no room")

    def room_for_one(path: Path, *arguments: Any, **options: Any) -> None:
        monkeypatch.setattr(files, "replace", no_room)
        replace(path, *arguments, **options)

    monkeypatch.setattr(files, "replace", room_for_one)
    assert call("init", *arguments).code == 3
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]
    monkeypatch.setattr(files, "replace", replace)
    monkeypatch.setattr(Catalog, "create", no_catalogue)
    assert call("init", *arguments).code == 3
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]
    monkeypatch.setattr(Catalog, "create", create)
    assert call("init", *arguments).code == 0
