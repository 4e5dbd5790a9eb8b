"""Faces of one run serve the next: the same file, and only what changed is drawn."""

from __future__ import annotations

import os
import pickle
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from carddb.core import cache
from carddb.layout.drawing.face import draw
from carddb.press.faces import bank as face_bank
from carddb.press.faces import cache as face_cache
from carddb.press.templates import foreign_templates
from tests.conftest import OUTSIDE, Told
from tests.rows import usually

Call = Callable[..., Told]

HEAD = "ref,name,type,light,text,art\n"
LAMP, WIND = "L-1,Storm lantern,lamp,4,Burns {(all)} night.,\n", "L-2,North wind,wind,0,Blows \\ wide.,\n"


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the faces that are drawn from their templates from now on."""
    names: list[str] = []

    def counted(kit: Any, template: str, context: Any, subject: Any, *others: Any) -> Any:
        names.append(subject.name)
        return draw(kit, template, context, subject, *others)

    monkeypatch.setattr(face_bank, "draw", counted)
    return names


@pytest.fixture
def project(folder: Path, call: Call, monkeypatch: pytest.MonkeyPatch) -> Iterator[Call]:
    """A project with two cards of a game that can be changed, and a cache of its own."""
    monkeypatch.setenv("CARDDB_CACHE", str(folder / "cache"))
    shutil.copytree(OUTSIDE / "lanterns", folder / "games" / "lanterns")
    call("init", "--bare", "--games", "games/lanterns")
    load(call, LAMP, WIND)
    yield call


def load(call: Call, *rows: str) -> None:
    Path("cards.csv").write_text(HEAD + "".join(rows), "utf-8")
    assert call("load", "cards.csv", "--set", "mine", "--prune").code == 0


def sheets(call: Call, *options: str) -> bytes:
    """The file of all cards; no faces are drawn to tell the ink."""
    report = call("-q", "sheets", "set:mine", "-o", "x.pdf", "--no-remember", *options)
    assert report.code == 0, report.err
    return Path("x.pdf").read_bytes()


def test_a_second_run_draws_nothing_and_prints_the_same_file(project: Call, drawn: list[str]) -> None:
    """All faces of the first run serve the second, byte for byte, and so does a file without any cache."""
    first = sheets(project)
    assert sorted(drawn) == ["North wind", "Storm lantern", "back"]
    drawn.clear()
    assert sheets(project) == first and not drawn
    shutil.rmtree("cache")
    assert sheets(project) == first and drawn


def test_a_changed_card_alone_is_drawn(project: Call, drawn: list[str]) -> None:
    """Of a set with one changed text only that face is drawn, and the file is the one of a run without a cache."""
    sheets(project)
    load(project, LAMP.replace("night", "day"), WIND)
    drawn.clear()
    with_cache = sheets(project)
    assert drawn == ["Storm lantern"]
    shutil.rmtree("cache")
    assert sheets(project) == with_cache


@usually(
    ("file", "before", "after"),
    [
        ("templates/card.svg", "16pt", "15pt"),
        ("templates/symbols.svg", "1.4", "1.5"),
        ("game.yaml", "label: Lamp,", "label: Lantern,"),
    ],
)
def test_a_changed_game_is_drawn_anew(project: Call, drawn: list[str], file: str, before: str, after: str) -> None:
    """A template, a symbol or a word of the game that changed gives other faces."""
    first = sheets(project)
    path = Path("games/lanterns", file)
    path.write_text(path.read_text("utf-8").replace(before, after), "utf-8")
    drawn.clear()
    assert sheets(project) != first and len(drawn) == 3


@usually("options", [("--ink", "text"), ("--card-size", "tarot"), ("--lang", "de")])
@pytest.mark.full
def test_other_inks_sizes_and_languages_are_other_faces(project: Call, drawn: list[str], options: Any) -> None:
    """What is printed otherwise is drawn otherwise; the faces from before stay."""
    first = sheets(project)
    drawn.clear()
    sheets(project, *options)
    assert len(drawn) >= 2
    drawn.clear()
    assert sheets(project) == first and not drawn


@pytest.mark.full
def test_another_version_of_the_program_draws_anew(
    project: Call, drawn: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A module of carddb that changed may draw otherwise."""
    sheets(project)
    drawn.clear()
    monkeypatch.setattr(cache, "program_stamps", lambda: ["another"])
    sheets(project)
    assert len(drawn) == 3


IMAGE = "{% if card.art %}<image href='{{ card.art }}' x='5' y='24' width='20' height='20'/>{% endif %}</svg>"


def show_pictures() -> None:
    """The cards of the game show their pictures from now on."""
    card = Path("games/lanterns/templates/card.svg")
    card.write_text(card.read_text("utf-8").replace("</svg>", IMAGE), "utf-8")


def save_picture(colour: str) -> None:
    """The picture of the lamp, as PNG and as a drawing."""
    Image.new("RGB", (300, 300), colour).save("lamp.png")
    drawing = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9" fill="{colour}"/></svg>'
    )
    Path("lamp.svg").write_text(drawing, "utf-8")


@usually(
    "picture, options",
    [("lamp.png", ()), ("lamp.svg", ()), ("lamp.png", ("--art-dpi", "90")), ("lamp.png", ("--max-mb", "1"))],
)
@pytest.mark.full
def test_a_face_with_a_picture_is_drawn_anew_when_the_picture_changes(
    project: Call, drawn: list[str], picture: str, options: tuple[str, ...]
) -> None:
    """A picture with the same bytes serves again, one with others never; so it is with one that goes and comes."""
    show_pictures()
    save_picture("#aa2020")
    load(project, LAMP.replace(",\n", f",{picture}\n"), WIND)
    first = sheets(project, *options)
    drawn.clear()
    assert sheets(project, *options) == first and not drawn
    save_picture("#20aa20")
    second = sheets(project, *options)
    assert drawn == ["Storm lantern"] and second != first
    drawn.clear()
    Path(picture).rename("elsewhere")
    assert project("-q", "sheets", "set:mine", "-o", "x.pdf", "--no-remember").code == 1
    assert drawn == ["Storm lantern"]
    Path("elsewhere").rename(picture)
    assert sheets(project, *options) == second
    shutil.rmtree("cache")
    assert sheets(project, *options) == second


@pytest.mark.full
def test_a_picture_that_comes_where_it_is_looked_for_first_is_shown(project: Call, drawn: list[str]) -> None:
    """A picture of the game's folder gives way to one of that name in the project's."""
    show_pictures()
    save_picture("#aa2020")
    Path("lamp.png").rename("games/lanterns/lamp.png")
    load(project, LAMP.replace(",\n", ",lamp.png\n"), WIND)
    first = sheets(project)
    save_picture("#20aa20")
    drawn.clear()
    assert sheets(project) != first and drawn == ["Storm lantern"]


@pytest.mark.full
def test_a_face_that_is_a_picture_serves_the_next_run(project: Call, drawn: list[str]) -> None:
    """A finished picture in place of a face is read again, and the face not drawn; another one is seen."""
    Path("cards.csv").write_text("ref,name,type,light,face_image\nL-1,Lamp,lamp,4,lamp.png\n", "utf-8")
    Image.new("RGB", (700, 980), "red").save("lamp.png")
    assert project("load", "cards.csv", "--set", "mine", "--prune").code == 0
    first = sheets(project)
    drawn.clear()
    assert sheets(project) == first and not drawn
    Image.new("RGB", (700, 980), "green").save("lamp.png")
    assert sheets(project) != first


@pytest.mark.full
def test_faces_with_findings_are_drawn_each_time(project: Call, drawn: list[str]) -> None:
    """A finding is told in every run; a picture that comes is seen."""
    show_pictures()
    load(project, LAMP.replace(",\n", ",lamp.png\n"), WIND.replace("wide", "wide " * 200))
    for expected in (["North wind", "Storm lantern", "back"], ["North wind", "Storm lantern"]):
        drawn.clear()
        report = project("-q", "sheets", "set:mine", "-o", "x.pdf", "--no-remember", "--allow-faults")
        assert "lamp.png" in report.err and "North wind" in report.err
        assert sorted(drawn) == expected
    before = Path("x.pdf").read_bytes()
    Image.new("RGB", (300, 300), "red").save("lamp.png")
    report = project("-q", "sheets", "set:mine", "-o", "x.pdf", "--no-remember", "--allow-faults")
    assert "no picture" not in report.err and Path("x.pdf").read_bytes() != before


@pytest.mark.full
def test_a_second_run_starts_no_process_for_templates(project: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """The templates of a game that nobody vouched for are not needed where all its faces are there."""
    first = sheets(project)
    foreign_templates._child(os.getpid()).end()

    def started(child: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(foreign_templates._Child, "start", started)
    assert sheets(project) == first


@pytest.mark.full
@pytest.mark.parametrize("data", [b"", b"no entry", *map(pickle.dumps, (None, [1], 7))])
def test_an_entry_that_is_none_is_not_there(project: Call, drawn: list[str], data: bytes) -> None:
    """What another program wrote into the cache is drawn over."""
    first = sheets(project)
    (entry,) = Path("cache").glob("faces-*")
    cache.keep("faces", entry.name.removeprefix("faces-"), data)
    drawn.clear()
    assert sheets(project) == first and len(drawn) == 3


@usually("value", [None, [], [1], {"a": 1}])
@pytest.mark.full
def test_symbols_that_are_none_are_not_there(project: Call, value: Any) -> None:
    """Files of symbols are filled in again where the cache has something else."""
    first = sheets(project)
    (entry,) = Path("cache").glob("symbols-*")
    before = entry.read_bytes()
    cache.keep_value("symbols", entry.name.removeprefix("symbols-"), value)
    assert sheets(project) == first and entry.read_bytes() == before


@pytest.mark.full
def test_a_cache_has_an_end(project: Call, drawn: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Faces beyond the room of an entry are drawn each time."""
    monkeypatch.setattr(face_cache, "_MOST", 1)
    first = sheets(project)
    drawn.clear()
    assert sheets(project) == first and len(drawn) == 2
