"""The components of a game by HTTP: the file is that of the command shown, and the page says what it comes to."""

from __future__ import annotations

import html
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from carddb.cli.main import run
from tests.web.front import Answer, Server, serving

pytestmark = pytest.mark.door

DECK = "Name: Roads\nGame: cahrd\n\n## Main\n2 Siege Train\n3 Trebuchet\n1 Hannibal Barca\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("project")) as running:
        yield running


def post(server: Server, path: str, fields: Mapping[str, str], file: tuple[str, str] | None = None) -> Answer:
    """A form as a browser sends it, with the token of the page."""
    fields = {"form_token": server.front.form_token, **fields}
    parts = [(f'name="{name}"', value) for name, value in fields.items()]
    parts += [(f'name="file"; filename="{file[0]}"', file[1])] if file else []
    body = "".join(f"--line\r\nContent-Disposition: form-data; {head}\r\n\r\n{value}\r\n" for head, value in parts)
    headers = {"Content-Type": "multipart/form-data; boundary=line"}
    return server.ask(f"/print/components{path}", f"{body}--line--\r\n".encode(), headers=headers)


def command(answer: Answer) -> list[str]:
    """The words of the command that a page shows."""
    match = re.search(r'id="cmd">(.*?)</code>', html.unescape(answer.body.decode()))
    assert match
    return shlex.split(match[1])


QUICK = [
    {"game": "guarda", "part.mode-card": "1", "part.pawns": "1", "set.n": "6", "players": "3", "paper": "a4",
     "ink": "light"},
    {"game": "cahrd", "part.tracking": "1", "deck": "Roads", "lang": "de", "option.allow_printed_s": "true"},
]  # fmt: skip
WHOLE = [
    {"game": "cdg-solo", "module": "paths-of-glory", "no_contents": "1", "fold": "1"},
    {"game": "cdg-solo", "module": "all"},
    *({"game": key} for key in ("cahrd", "empires-and-generals", "guarda", "rishar")),
]


@pytest.mark.parametrize(
    "fields", [*QUICK, *(pytest.param(whole, marks=pytest.mark.full) for whole in WHOLE)], ids=" ".join
)
def test_the_file_is_that_of_the_command_that_the_page_shows(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fields: dict[str, str]
) -> None:
    """Byte for byte, for each kind of choice: the command runs as it is copied."""
    answer = post(server, "/file", fields)
    assert answer.status == 200 and answer.body.startswith(b"%PDF")
    words = command(post(server, "", {**fields, "quick": "1"}))
    monkeypatch.chdir(tmp_path)
    assert run(["-q", *words[1:]]) == 0
    assert answer.body == Path("components.pdf").read_bytes()


def test_a_deck_that_is_opened_fills_in_what_its_file_would(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An uploaded deck is kept by the form, and its components are those of `--deck FILE`."""
    fields = {"game": "cahrd", "part.tracking": "1"}
    page = post(server, "", {**fields, "quick": "1"}, ("roads.deck", DECK))
    kept = {"deck_name": "roads.deck", "deck_text": DECK.strip()}
    assert b'name="deck_text"' in page.body and "--deck roads.deck" in shlex.join(command(page))
    monkeypatch.chdir(tmp_path)
    Path("roads.deck").write_text(DECK, "utf-8")
    assert run(["-q", *command(page)[1:]]) == 0
    assert post(server, "/file", {**fields, **kept}).body == Path("components.pdf").read_bytes()


def test_a_component_to_fill_in_comes_as_a_spreadsheet(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one component that is a table has a button for its spreadsheet, with the bytes of the command."""
    fields = {"game": "cahrd", "part.tracking": "1"}
    assert b'name="spreadsheet"' in post(server, "", {**fields, "quick": "1"}).body
    answer = post(server, "/file", {**fields, "spreadsheet": "1"})
    monkeypatch.chdir(tmp_path)
    assert run(["-q", "components", "cahrd", "tracking", "-o", "components.xlsx"]) == 0
    assert answer.body == Path("components.xlsx").read_bytes()


def test_sides_of_sheets_are_shown_as_pictures(server: Server) -> None:
    """The page counts sheets and pieces, and each of its pictures is a PNG."""
    fields = {"game": "guarda", "part.mode-card": "1"}
    page = post(server, "", fields).body.decode()
    pictures = [html.unescape(path) for path in re.findall(r'src="(/print/components/\d+\.png[^"]*)"', page)]
    assert len(pictures) == 2 and "1 sheet<" in page
    assert all(server.ask(path).body.startswith(b"\x89PNG") for path in pictures)
    assert server.ask(pictures[0].replace("/1.png", "/9.png")).status == 404


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"part.pawsn": "1"}, "pawns"),
        ({"module": "../x.yaml"}, "here is no module"),
        ({"deck": "/etc/passwd"}, "is the name of a file"),
        ({"players": "99"}, "at most 20"),
        ({"set.n": "12"}, "12"),
        ({"paper": "a7"}, "a7"),
    ],
)
def test_what_is_wrong_with_the_choice_is_told_on_the_page(server: Server, fields: dict[str, str], words: str) -> None:
    """A choice that cannot be printed is said in words, and no file of the server is read for it."""
    assert words in html.unescape(post(server, "", {"game": "guarda", **fields}).body.decode())


@pytest.mark.full
def test_strangers_print_no_components(tmp_path: Path) -> None:
    """A public front without `--sheets` answers 403."""
    with serving(tmp_path, public=True) as server:
        assert server.ask("/print/components").status == 403
