"""The schemas that are checked in agree with the program, and the files in the house follow them; the public door."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from pathlib import Path
from typing import get_args

import jsonschema
import pytest

import carddb
from carddb.app.games.new_project import SETTINGS
from carddb.app.workspace.workspace import CATALOGUE
from carddb.bans.log import Kind, Status
from carddb.games import folders
from carddb.games.schemas import texts
from carddb.read.decks.builder import MAX_COUNT
from carddb.read.documents import located_document
from tests.conftest import OUTSIDE
from tests.rows import every, usually

SCHEMA = Path(__file__).parents[2] / "schema"


@cache
def schemas() -> dict[str, str]:
    """What the models say today, by the name of the file."""
    return texts()


def test_the_schemas_are_not_stale(request: pytest.FixtureRequest) -> None:
    """Each schema file says what its model says."""
    if request.config.getoption("--update-goldens"):
        for name, text in schemas().items():
            (SCHEMA / name).write_text(text, "utf-8")
    on_disk = {name: (SCHEMA / name).read_text("utf-8") for name in schemas()}
    assert on_disk == schemas(), "run pytest --update-goldens"


def test_the_schemas_that_no_model_makes_agree_with_the_program() -> None:
    """The schemas of decks and published ban lists have the bounds and words of the program; the two of lists agree."""
    deck, bans, upcoming = (
        json.loads((SCHEMA / f"{name}.schema.json").read_text("utf-8")) for name in ("deck", "bans", "bans-upcoming")
    )
    assert deck["$defs"]["DeckCard"]["properties"]["count"]["maximum"] == MAX_COUNT
    parts = bans["$defs"]
    assert parts["EditionNews"]["properties"]["kind"]["enum"] == list(get_args(Kind))
    assert parts["EditionAnswer"]["properties"]["kind"]["enum"] == list(get_args(Kind))
    assert parts["EditionLevel"]["properties"]["status"]["enum"] == list(get_args(Status))
    edition = upcoming["$defs"].pop("EditionFile")
    assert upcoming["$defs"] == parts
    assert (edition["properties"], edition["required"]) == (bans["properties"], bans["required"])


@every("name", sorted(path.name for path in SCHEMA.glob("*.json")))
def test_every_key_has_a_description(name: str) -> None:
    """A schema says of every key what it is, so that an editor can tell while the file is written; it has an id."""
    schema = json.loads((SCHEMA / name).read_text("utf-8"))
    objects = [schema, *schema.get("$defs", {}).values()]
    bare = [key for each in objects for key, value in each.get("properties", {}).items() if "description" not in value]
    assert not bare and schema["$id"] == f"urn:carddb:schema:{name.removesuffix('.schema.json')}"


@usually("key", folders([(OUTSIDE, True)]))
@usually("file", ["game", "rules"])
def test_every_game_follows_the_schema(key: str, file: str) -> None:
    """game.yaml and rules.yaml of every game are valid by the published schema."""
    parsed, findings = located_document.load(folders([(OUTSIDE, True)])[key].path / f"{file}.yaml")
    assert parsed is not None and not findings
    jsonschema.validate(parsed.value, json.loads(schemas()[f"{file}.schema.json"]))


def test_a_project_file_follows_the_schema() -> None:
    """What `carddb init` writes is valid by the published schema."""
    jsonschema.validate(
        tomllib.loads(SETTINGS.format(key="x", catalogue=CATALOGUE)), json.loads(schemas()["project.schema.json"])
    )


def test_every_public_name_can_be_had() -> None:
    """The names of the door exist, are sorted, and no other is offered."""
    assert list(carddb.__all__) == sorted(carddb.__all__)
    assert dir(carddb) == list(carddb.__all__)
    for name in carddb.__all__:
        assert getattr(carddb, name) is not None
    unknown = "no_such_thing"
    with pytest.raises(AttributeError, match="no public name"):
        getattr(carddb, unknown)


@pytest.mark.full
def test_a_save_and_a_module_follow_their_schemas() -> None:
    """A session as it is saved, and the shipped modules as one would write them, are valid by the published schemas."""
    modules = Path(carddb.__file__).parent / "games" / "cdg_solo" / "modules"
    module = json.loads(schemas()["module.cdg-solo.schema.json"])
    for path in sorted(modules.glob("*.json")):
        jsonschema.validate(json.loads(path.read_text("utf-8")), module)
    jsonschema.validate({"base": "paths-of-glory", "patch": {"title": "Mine"}}, module)
    save = json.loads(schemas()["solo-save.cdg-solo.schema.json"])
    for path in sorted((Path(__file__).parent / "older_saves").glob("*.json")):
        jsonschema.validate(json.loads(path.read_text("utf-8")), save)
