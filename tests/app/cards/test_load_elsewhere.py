"""What a load takes besides a table: nested documents, folders, addresses; headings left out and remembered."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from carddb.app.cards import load
from carddb.app.cards.card_import import save_columns
from carddb.core.errors import InputError, OutputError
from carddb.core.files import NamedBytes
from carddb.door import Project
from carddb.read import source
from carddb.read.documents.located_document import value_at
from tests.conftest import Told
from tests.rows import every

Call = Callable[..., Told]
NESTED = {
    "total": 2,
    "data": [
        {"id": "N-1", "attributes": {"title": "Rider", "stats": {"power": 3, "life": "04"}, "text": "Rides."},
         "kind": {"code": "soldier"}, "faction": "x", "faces": [{"rarity": "common"}]},
        {"id": "N-2", "attributes": {"title": "Guard", "stats": {"power": "much", "life": 4, "rarity": "common"}},
         "kind": {"code": "soldier"}, "faction": "y", "faces": [{"rarity": "rare"}, {"rarity": "common"}]},
    ],
}  # fmt: skip
MAPS = ("id=ref", "attributes.title=name", "kind.code=type", "attributes.stats.power=strength", "text=attributes.text",
        "attributes.stats.life=life", "faces.0.rarity=rarity", "*=-")  # fmt: skip
OPTIONS = [word for pair in MAPS for word in ("--map", pair)]
HEAD = "ref,name,type,rarity,strength,life\n"


@pytest.fixture
def carddb(folder: Path, call: Call) -> Call:
    """A project of Empires and Generals."""
    (folder / "carddb.toml").write_text('# mine\ngame = "empires-and-generals"\n', "utf-8")
    return call


def test_paths_lead_into_documents(carddb: Call, folder: Path) -> None:
    """Objects and lists are entered by headings with points, on either side; a fault stands at its own place."""
    path = folder / "dump.json"
    path.write_text(json.dumps(NESTED, indent=1), "utf-8")
    told = carddb("load", "dump.json", *OPTIONS)
    line = next(n for n, text in enumerate(path.read_text("utf-8").splitlines(), 1) if "much" in text)
    assert told.code == 1 and f"dump.json:{line}:" in told.err and "attributes.stats.power" in told.err
    path.write_text(json.dumps(NESTED).replace("much", "5"), "utf-8")
    assert carddb("load", "dump.json", *OPTIONS).code == 0
    card = json.loads(carddb("show", "N-1", "--json").out)
    assert {name: card[name] for name in ("name", "type", "strength", "life", "text", "rarity")} == {
        "name": "Rider", "type": "soldier", "strength": 3, "life": 4, "text": "Rides.", "rarity": "common",
    }  # fmt: skip


@every(
    "path, value",
    [
        ("a.b", ("a", "b", 1)),
        ("A.B", ("a", "b", 1)),
        ("l.1.n", ("l", 1, "n", 3)),
        ("l.n", ("l", [2, 3])),
        ("l.9", None),
        ("l.x", None),
        ("a.b.c", None),
    ],
)
def test_where_paths_lead(path: str, value: tuple[object, ...] | None) -> None:
    """Keys are found folded, numbers are places in lists, other parts are asked of every item."""
    hit = value_at({"a": {"b": 1}, "l": [{"n": 2}, {"n": 3}]}, path.split("."))
    assert hit == (value and (value[:-1], value[-1]))


def test_columns_are_left_out_by_name_or_all_together(carddb: Call, folder: Path) -> None:
    """`HEADER=-` leaves out one column that is no field, `*=-` all of them, in tables too."""
    (folder / "cards.csv").write_text(HEAD.strip() + ",Shop,Price\nA,B,soldier,common,1,1,x,2\n", "utf-8")
    assert carddb("load", "cards.csv").err.count("header_unknown") == 2
    assert carddb("load", "cards.csv", "--map", "Shop=-").err.count("header_unknown") == 1
    assert carddb("load", "cards.csv", "--map", "*=-").code == 0


def test_what_headings_mean_is_saved(carddb: Call, folder: Path) -> None:
    """`--save-map` writes the project file, keeps its other lines, and the next load needs no `--map`."""
    (folder / "cards.csv").write_text("ref,Card,type,rarity,Might,life\nA,B,soldier,common,1,1\n", "utf-8")
    assert carddb("load", "cards.csv", "--map", "Card=name", "--map", "Might=life", "--map", "life=strength").code == 0
    assert "columns" not in (folder / "carddb.toml").read_text("utf-8")
    assert carddb("load", "cards.csv", "--map", "Card=name", "--map", "Might=strength", "--save-map").code == 0
    text = (folder / "carddb.toml").read_text("utf-8")
    assert text.startswith("# mine\n")
    assert tomllib.loads(text)["columns"] == {"empires-and-generals": {"Card": "name", "Might": "strength"}}
    assert carddb("load", "cards.csv").code == 0


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", {"A.b": "text"}),
        (
            '[columns.empires-and-generals]\n"A.b" = "name"\nC = "life"\n\n[defaults]\npaper = "a4"\n',
            {"A.b": "text", "C": "life"},
        ),
        ('[columns."empires-and-generals"] # mine\n', {"A.b": "text"}),
        ('[columns]\nX = "life"\n', {"A.b": "text"}),
    ],
)  # fmt: skip
def test_a_project_file_with_columns(folder: Path, before: str, after: dict[str, str]) -> None:
    """A heading that stands there is replaced, the others and the sections behind them stay."""
    (folder / "carddb.toml").write_text(before, "utf-8")
    project = Project(folder)
    save_columns(project, project.game("empires-and-generals"), {"A.b": "text"})
    values = tomllib.loads((folder / "carddb.toml").read_text("utf-8"))
    assert values["columns"]["empires-and-generals"] == after
    assert ("defaults" in values) == ("defaults" in before)


def test_a_project_file_in_another_form_is_left_alone(folder: Path) -> None:
    """Columns on one line are not rewritten: the lines to write are said."""
    text = 'columns = {empires-and-generals = {C = "life"}}\n'
    (folder / "carddb.toml").write_text(text, "utf-8")
    project = Project(folder)
    with pytest.raises(OutputError, match='"A" = "text"'):
        save_columns(project, project.game("empires-and-generals"), {"A": "text"})
    assert (folder / "carddb.toml").read_text("utf-8") == text


def test_a_folder_stands_for_its_card_files(carddb: Call, folder: Path) -> None:
    """They are read in the order of their names, with all findings together; other files are passed over."""
    cards = folder / "cards"
    cards.mkdir()
    for name, ref, life in (
        ("set 10.csv", "A", 5),
        ("set 2.csv", "A", 1),
        ("set 11.csv", "B", "x"),
        ("set 12.csv", "C", "y"),
    ):
        (cards / name).write_text(f"{HEAD}{ref},Rider,soldier,common,1,{life}\n", "utf-8")
    for name in ("notes.txt", "game.yaml", ".hidden.csv"):
        (cards / name).write_text("nothing", "utf-8")
    told = carddb("load", "cards")
    assert told.code == 1 and "set 11.csv:2" in told.err and "set 12.csv:2" in told.err
    assert json.loads(carddb("show", "A", "--json").out)["life"] == 5
    (folder / "empty").mkdir()
    assert carddb("load", "empty").code == 3


def test_an_address_is_loaded_as_its_file(carddb: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file there is loaded under the name that it has there; other schemes are refused."""
    data = f"{HEAD}W-1,Rider,soldier,common,1,1\n".encode()
    monkeypatch.setattr(source, "fetch", lambda url: NamedBytes(data, "My set.csv"))
    assert "My set.csv: 1 added" in carddb("load", "https://cards.example/x").err
    assert json.loads(carddb("show", "W-1", "--json").out)["set"] == "My set"
    monkeypatch.undo()
    assert carddb("load", "http://cards.example/x").code == 3
    assert carddb("load", "https://localhost/x.csv").code == 3
    Path("cards.csv").write_text(HEAD, "utf-8")
    assert load.load_sources(["cards.csv"]) == [Path("cards.csv")]
    with pytest.raises(InputError, match="no such file"):
        load.load_sources(["crads.csv"])


def _write_objects(folder: Path, cards: list[dict[str, object]]) -> None:
    folder.mkdir()
    for number, card in enumerate(cards):
        (folder / f"{number}.json").write_text(json.dumps(card, indent=1), "utf-8")


def test_a_folder_of_one_object_a_file_is_one_file_of_cards(carddb: Call, folder: Path) -> None:
    """JSON files of one card each are loaded as one file that is called after their folder, by folder or by name."""
    cards: list[dict[str, object]] = [
        {
            "id": f"N-{number}",
            "attributes": {"title": f"Rider {number}", "kind": "soldier", "power": 3, "life": 4, "rarity": "common"},
        }
        for number in range(3)
    ]
    _write_objects(folder / "riders", cards)
    pairs = ("id=ref", "attributes.title=name", "attributes.kind=type", "attributes.power=strength",
             "attributes.life=life", "attributes.rarity=rarity", "*=-")  # fmt: skip
    maps = [word for pair in pairs for word in ("--map", pair)]
    told = carddb("load", "riders", *maps)
    assert told.code == 0 and "riders: 3 added" in told.err
    assert json.loads(carddb("show", "N-2", "--json").out)["set"] == "riders"
    names = [f"riders/{number}.json" for number in range(3)]
    assert "riders: 0 added, 0 changed, 3 unchanged" in carddb("load", *names, *maps).err
    assert "2.json: 0 added, 0 changed, 1 unchanged" in carddb("load", "riders/2.json", *maps).err
    cards[1]["attributes"] = {"title": "Rider 1", "kind": "soldier", "power": "much", "life": 4}
    (folder / "riders" / "1.json").write_text(json.dumps(cards[1], indent=1), "utf-8")
    told = carddb("load", "riders", *maps)
    line = json.dumps(cards[1], indent=1).splitlines().index('  "power": "much",') + 1
    assert told.code == 1 and f"riders/1.json:{line}:" in told.err and "0.json" not in told.err


def test_a_folder_of_translations_of_one_object_a_file(carddb: Call, folder: Path) -> None:
    """Such a folder may hold translations: the language is in its name, or is said."""
    (folder / "cards.csv").write_text(HEAD + "N-0,Rider,soldier,common,1,1\nN-1,Guard,soldier,common,1,1\n", "utf-8")
    assert carddb("load", "cards.csv").code == 0
    _write_objects(folder / "cards.de", [{"ref": "N-0", "name": "Reiter"}, {"ref": "N-1", "name": "Wache"}])
    _write_objects(folder / "french", [{"ref": "N-0", "name": "Cavalier"}, {"ref": "N-1", "name": "Garde"}])
    assert "cards.de: translations de: 2 added" in carddb("load", "cards.de").err
    assert "french: translations fr: 2 added" in carddb("load", "french", "--lang", "fr").err


def test_a_new_column_says_from_which_day_it_holds(carddb: Call, folder: Path) -> None:
    """Values of a field that no card had before count from today on, which is said; with `--from` the user knows."""
    (folder / "cards.csv").write_text(HEAD + "N-0,Rider,soldier,common,1,1\nN-1,Guard,soldier,common,1,1\n", "utf-8")
    assert "new:" not in carddb("load", "cards.csv", "--from", "2026-01-01").err
    (folder / "more.csv").write_text("ref,text\nN-0,Rides.\nN-1,Waits.\n", "utf-8")
    told = carddb("load", "more.csv", "--dry-run")
    assert "new: text of 2 cards; in force from" in told.err and "--from always" in told.err
    assert "new:" not in carddb("load", "more.csv", "--from", "2026-01-01").err
    assert json.loads(carddb("show", "N-0", "--on", "2026-01-02", "--json").out)["text"] == "Rides."
    (folder / "more.csv").write_text("ref,text\nN-0,Rides on.\n", "utf-8")
    assert "new:" not in carddb("load", "more.csv").err


@pytest.mark.full
def test_a_new_column_may_hold_always(carddb: Call, folder: Path) -> None:
    """With `--from always` a field that a card never had is in all its states, and other changes count from today."""
    cards, more = folder / "cards.csv", folder / "more.csv"
    for strength, day in ((1, "2026-01-01"), (2, "2026-02-01")):
        cards.write_text(HEAD + f"N-0,Rider,soldier,common,{strength},1\nN-1,Guard,soldier,common,1,1\n", "utf-8")
        assert carddb("load", "cards.csv", "--from", day).code == 0
    more.write_text("ref,text,rarity\nN-0,Rides.,rare\nN-1,Waits.,common\n", "utf-8")
    told = carddb("load", "more.csv", "--from", "always")
    assert "new: text of 2 cards; in force on all days" in told.err and "2 changed" in told.err

    def on(ref: str, day: str) -> list[object]:
        shown = json.loads(carddb("show", ref, "--on", day, "--json").out)
        return [shown.get(name) for name in ("strength", "rarity", "text")]

    assert on("N-0", "2025-12-31") == [1, "common", "Rides."] and on("N-0", "2026-02-02") == [2, "common", "Rides."]
    assert on("N-1", "1999-01-01") == [1, "common", "Waits."]
    assert "N-0" in carddb("cards", "rides rarity:rare").out and carddb("doctor").code == 0
    assert "always: changed" in carddb("history", "N-1").out and "2 unchanged" in carddb("load", "more.csv").err
