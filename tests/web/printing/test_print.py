"""The print room by HTTP: its file is that of the command it shows, and it tells what printing comes to."""

from __future__ import annotations

import html
import io
import re
import shlex
import shutil
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pypdfium2
import pytest

from carddb.app.printing.options import PAPER
from carddb.cli.main import run
from carddb.door import Project
from tests.conftest import OUTSIDE
from tests.paint.pdf.test_prepress import PROFILE
from tests.web.front import Answer, Server, serving

pytestmark = pytest.mark.door

DECK = "Name: Roads\nGame: cahrd\n\n## Main\n2 Siege Train\n3 Trebuchet\n1 Hannibal Barca\n"
LANTERNS = {"q": "game:lanterns", "allow_faults": "1"}
WITH_PROFILE = pytest.mark.skipif(not PROFILE.is_file(), reason="Ghostscript is not installed")
OWNED = b"name,count\nTrebuchet,2\nSiege Train,9\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("project")) as running:
        yield running


def post(server: Server, path: str, fields: Mapping[str, str], files: Mapping[str, tuple[str, bytes]] = {}) -> Answer:
    """A form as a browser sends it, with the token of the page."""
    fields = {"form_token": server.front.form_token, **fields}
    parts = [(f'name="{name}"', value.encode()) for name, value in fields.items()]
    parts += [(f'name="{name}"; filename="{file}"', data) for name, (file, data) in files.items()]
    body = b"".join(b"--line\r\nContent-Disposition: form-data; %b\r\n\r\n%b\r\n" % (h.encode(), v) for h, v in parts)
    headers = {"Content-Type": "multipart/form-data; boundary=line"}
    return server.ask(path, body + b"--line--\r\n", headers=headers)


def shown(server: Server, fields: Mapping[str, str], files: Mapping[str, tuple[str, bytes]] = {}) -> str:
    """The page as text with its markup."""
    answer = post(server, "/print", fields, files)
    assert answer.status == 200
    return html.unescape(answer.body.decode())


def command(page: str) -> list[str]:
    """The words of the command that a page shows."""
    match = re.search(r'id="cmd">(.*?)</code>', page)
    assert match
    return shlex.split(match[1])


COMBINATIONS = [
    {"q": "name:trebuchet", "game": "cahrd", "paper": "a4", "ink": "light", "flip": "short-edge", "on": "2026-06-20"},
    {"q": "CAH-089", "own_paper": "150x200mm", "gutter": "4mm", "marks": "cards", "bleed": "1mm", "guides": "1"},
]
MORE = [
    {"deck": DECK.removeprefix("Name: Roads\n"), "allow_illegal": "1", "missing": "1"},
    {"q": "CAH-089", "product": "drivethru-poker"},
    {
        "q": "CAH-089",
        "product": "box.tuck",
        "paper": "a4",
        "cards": "30",
        "sleeved": "1",
        "play": "2mm",
        "title": "A & B",
    },
    {"q": "CAH-089"},
    {"q": "CAH-089", "stock": "index-3x5", "flip": "none", "outlines": "1", "margin": "5mm"},
    {"deck": DECK, "allow_illegal": "1", "fold": "1", "option.allow_printed_s": "true"},
    {
        "deck": DECK,
        "allow_illegal": "1",
        "format": "war",
        "ink": "text",
        "card_size": "tarot",
        "art_dpi": "150",
        "max_mb": "5",
    },
]
FOR_A_PRESS = {"q": "CAH-089", "colour": "cmyk", "standard": "x1a", "ink_limit": "280"}


@pytest.mark.parametrize(
    "fields",
    [
        *COMBINATIONS,
        *(pytest.param(more, marks=pytest.mark.full) for more in MORE),
        pytest.param(FOR_A_PRESS, marks=[WITH_PROFILE, pytest.mark.full]),
    ],
    ids=" ".join,
)
def test_the_file_is_that_of_the_command_that_the_page_shows(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fields: dict[str, str]
) -> None:
    """Byte for byte, for decks and queries with every kind of option: the command runs as it is copied."""
    files = {"owned": ("own.csv", OWNED)} if "missing" in fields else {}
    if "colour" in fields:
        files["icc"] = ("press.icc", PROFILE.read_bytes())
    words = command(shown(server, fields, files))
    if "deck" in fields:
        (tmp_path / words[2]).write_text(fields["deck"], "utf-8")
    for name, data in files.values():
        (tmp_path / name).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    run(["-q", "--catalog", str(server.front.project().catalog_path), *words[1:], *no_remember(fields)])
    answer = post(server, "/print/file", {**fields, "no_remember": "1"}, files)
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.body == (tmp_path / words[-1]).read_bytes()


def no_remember(fields: Mapping[str, str]) -> list[str]:
    return [] if "product" in fields else ["--no-remember"]


@pytest.mark.parametrize(
    "product", ["mpc-poker", *(pytest.param(p, marks=pytest.mark.full) for p in ("png", "svg", "tts"))]
)
def test_an_archive_has_the_files_of_the_command(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, product: str
) -> None:
    """Every file that the command writes into its folder is in the archive with the same bytes, and no other."""
    fields = {"deck": DECK, "allow_illegal": "1", "product": product, **({"dpi": "60"} if product == "png" else {})}
    words = command(shown(server, fields))
    (tmp_path / words[2]).write_text(DECK, "utf-8")
    monkeypatch.chdir(tmp_path)
    run(["-q", "--catalog", str(server.front.project().catalog_path), *words[1:]])
    folder = tmp_path / words[-1]
    with zipfile.ZipFile(io.BytesIO(post(server, "/print/file", fields).body)) as archive:
        packed = {name: archive.read(name) for name in archive.namelist()}
    assert packed == {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.*")}
    assert packed


def test_sheets_for_a_machine_come_with_their_cut_lines(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The archive has the PDF and the cut lines of the command, and the page says that a machine cuts them."""
    fields = {"q": "name:trebuchet", "game": "cahrd", "cutter": "silhouette", "skip": "2", "mark_inset": "feeder"}
    page = shown(server, fields)
    assert "Make the archive" in page and "<dd>silhouette</dd>" in page
    monkeypatch.chdir(tmp_path)
    run(["-q", "--catalog", str(server.front.project().catalog_path), *command(page)[1:], "--no-remember"])
    with zipfile.ZipFile(io.BytesIO(post(server, "/print/file", fields | {"no_remember": "1"}).body)) as archive:
        packed = {Path(name).name.partition(".")[2]: archive.read(name) for name in archive.namelist()}
    assert packed == {path.name.partition(".")[2]: path.read_bytes() for path in tmp_path.glob("sheets.*")}
    assert packed.keys() == {"pdf", "cut.svg", "cut.dxf"}


def test_each_ink_has_its_figure(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The share beside each ink is the one that `carddb sheets` tells with that ink, whichever is chosen."""
    page = shown(server, {"q": "CAH-089", "ink": "light"})
    figures = re.findall(r"data-live>about (.*?)</small>", page)
    monkeypatch.chdir(tmp_path)
    catalogue = str(server.front.project().catalog_path)
    for ink, figure in zip(("full", "light", "text"), figures, strict=True):
        run(["--catalog", catalogue, "sheets", "CAH-089", "--ink", ink, "-o", "s.pdf"])
        assert f"about {figure} of the page" in capsys.readouterr().err
    assert f'id="ink-figure">{figures[1]}<' in page


def test_the_picture_is_the_first_sheet_of_the_file(server: Server) -> None:
    """Front and back are those of the whole file, with `1 of 2` and all; only what is needed is drawn."""
    from carddb.layout.stock import paper_size
    from carddb.paint.rasterizer import page_png

    fields = {"q": "trebuchet or battering", "game": "cahrd", "stock": "index-5x8"}
    pictures = [post(server, f"/print/{side}.png", fields).body for side in ("front", "back")]
    data = post(server, "/print/file", fields).body
    assert pictures == [page_png(data, number, 76, paper_size("5x8in")) for number in (0, 1)]


def load(server: Server, cards: Path, game: str) -> None:
    """Loads a file of cards into the project of a front."""
    project = server.front.project()
    assert isinstance(project, Project) and not project.load(cards, game=game).refused


@contextmanager
def serving_sizes(folder: Path, **sizes: str) -> Iterator[Server]:
    """A front whose project has the lanterns, with cards of these types in sizes of their own."""
    game = Path(shutil.copytree(OUTSIDE / "lanterns", folder / "lanterns"))
    own = (game / "game.yaml").read_text("utf-8")
    for card_type, size in sizes.items():
        own = own.replace(f"{card_type}: {{", f"{card_type}: {{size: {size}, ")
    (game / "game.yaml").write_text(own, "utf-8")
    (folder / "carddb.toml").write_text('games = ["lanterns"]\n', "utf-8")
    with serving(folder) as server:
        load(server, game / "cards.csv", "lanterns")
        yield server


@pytest.mark.full
def test_cards_of_each_size_are_told_and_shown(tmp_path: Path) -> None:
    """A landscape type and two of other sizes have their sheets, cuts and pictures, those of the file."""
    from carddb.layout.stock import paper_size
    from carddb.paint.rasterizer import page_png

    with serving_sizes(tmp_path, wind="3.5x2.5in", lamp="tarot") as server:
        page = shown(server, LANTERNS)
        data = post(server, "/print/file", LANTERNS).body
        pictures = [
            post(server, f"/print/{place}.png", LANTERNS).body for place in ("front", "back", "2/front", "2/back")
        ]
        assert post(server, "/print/3/front.png", LANTERNS).status == 404
    assert re.findall(r"<b>(\S+ × \S+ mm)</b></td><td>(\d+)", page) == [
        ("69.85 × 120.65 mm", "3"),
        ("88.9 × 63.5 mm", "1"),
    ]
    assert re.findall(r"<dd>(\d+)</dd>", page)[0] == "2" and ">4 cards<br>" in page
    assert page.count("The cuts of") == 2 and page.count('data-side="2/') == 2
    assert pictures == [page_png(data, number, 76, paper_size("letter")) for number in range(4)]


def test_a_sheet_that_sizes_share_is_told_and_shown(tmp_path: Path) -> None:
    """The room names the sizes on it with their cards, and shows its picture and cuts; the file has its two pages."""
    with serving_sizes(tmp_path, wind="3.5x2.5in") as server:
        page = shown(server, LANTERNS)
        data = post(server, "/print/file", LANTERNS).body
    assert re.findall(r"<b>(\S+ × \S+ mm)</b> (\d+)", page) == [("63.5 × 88.9 mm", "3"), ("88.9 × 63.5 mm", "1")]
    assert re.findall(r"<dd>(\d+)</dd>", page)[:2] == ["1", "2"] and "Shared sheet 1, front: 4 cards" in page
    assert "The cuts of 63.5 × 88.9 mm, 88.9 × 63.5 mm, in order" in page
    with pypdfium2.PdfDocument(data) as document:
        assert len(document) == 2


@pytest.mark.full
def test_only_what_is_missing_is_counted_and_shown(server: Server) -> None:
    """A list of owned cards leaves them out; its faulty rows are findings; the next form still has it."""
    page = shown(server, {"deck": DECK, "allow_illegal": "1"}, {"owned": ("own.csv", OWNED + b"Nobody,1\n")})
    assert "6 needed, 4 of them owned: 2 are missing" in page and "owned_unknown" in page
    data = re.search(r'name="owned_data" value="(.*?)"', page)
    assert data
    kept = {"deck": DECK, "allow_illegal": "1", "owned_name": "own.csv", "owned_data": data[1]}
    assert "6 needed" in shown(server, {**kept, "missing": "1"}) and "owned:" not in shown(server, kept)
    faulty = shown(server, {"deck": DECK, "allow_illegal": "1"}, {"owned": ("own.csv", b"name,number\nTrebuchet,1\n")})
    assert "header_missing" in faulty and re.search(r'id="make" disabled', faulty)


def test_only_what_changed_is_counted_and_what_goes_is_told(server: Server) -> None:
    """After a print nothing has changed; a smaller deck of the same name says what to throw away."""
    fields = {"deck": DECK, "allow_illegal": "1"}
    post(server, "/print/file", fields)
    for quick in ({}, {"quick": "1"}):
        page = shown(server, {**fields, "since": "last", **quick})
        assert "Nothing changed since the last print" in page and "Nothing to print" in page
        assert "data-side" not in page and 'id="make" disabled' in page and 'class="nums"' not in page
    fewer = DECK.replace("3 Trebuchet", "2 Trebuchet").replace("1 Hannibal Barca", "1 Julius Caesar")
    page = shown(server, {**fields, "deck": fewer, "since": "last"})
    assert "1 Trebuchet [CAH-091]" in page and "<dd>1</dd>" in page
    words = command(page)
    assert words[words.index("--since") + 1] == "last"


def test_no_file_of_the_server_is_named_by_a_form(server: Server) -> None:
    """What is compared with is the last print or a day, never a path."""
    page = shown(server, {"q": "CAH-089", "since_day": "/etc/passwd"})
    assert "is not a day" in page
    assert "last" in command(shown(server, {"q": "CAH-089", "since": "/etc/passwd"}))


def test_faulty_faces_are_findings_with_the_choice_to_print_them(tmp_path: Path) -> None:
    """Text that does not fit keeps the sheets from being made, until that is allowed."""
    cards = tmp_path / "own.csv"
    cards.write_text(f"ref,name,type,reserve_cost,text\nOWN-1,Long,item,1000,{'Word ' * 900}\n", "utf-8")
    with serving(tmp_path) as own:
        load(own, cards, "cahrd")
        page = shown(own, {"q": "OWN-1"})
        assert "Faces with errors" in page and "text_overflow" in page and re.search(r'id="make" disabled', page)
        refused = post(own, "/print/file", {"q": "OWN-1", "product": "svg"}).body.decode()
        assert "text_overflow" in refused and 'name="allow_faults"' in refused
        assert post(own, "/print/file", {"q": "OWN-1", "allow_faults": "1"}).body.startswith(b"%PDF")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"q": "CAH-089", "paper": "a44"}, "Did you mean a4?"),
        ({"q": "CAH-089", "art_dpi": "many"}, "Write a number"),
        ({"q": "CAH-089", "product": "mpc-pokr"}, "mpc-poker"),
        ({"q": "CAH-089", "ink": "lite"}, "light"),
        ({"q": "CAH-089", "product": "box.tuck", "play": "wide"}, "Write a length as 0.3mm"),
        ({"q": "CAH-089", "colour": "cmyk"}, "needs the colour profile"),
        ({"q": "CAH-089", "colour": "cmyk", "icc": "/etc/passwd"}, "The colour profile is damaged: it is not Base64"),
        ({"q": "CAH-089", "missing": "1", "owned_name": "a.csv", "owned_data": "?"}, "Choose the file again"),
        ({"q": "wra>4"}, "war"),
    ],
)
def test_what_is_wrong_with_the_choice_is_told_on_the_page(server: Server, fields: dict[str, str], words: str) -> None:
    """A word that is not known has its nearest beside it, and the form is there to be mended."""
    for path in ("/print", "/print/file"):
        answer = post(server, path, fields)
        assert words in html.unescape(answer.body.decode())


def test_a_cover_leads_to_the_cards_of_its_game(server: Server) -> None:
    """Each game of the empty room is a link to all its cards, whatever their set is called."""
    links = re.findall(r'href="(/print\?q=[^"]*)" aria-label="Cards of', server.ask("/print").body.decode())
    assert "/print?q=game:cahrd" in links
    page = server.ask(links[0]).body.decode()
    assert 'class="nums"' in page and "No card matches" not in page


@pytest.mark.parametrize("path", ["/print", "/print/components"])
def test_every_option_of_a_print_has_a_field(server: Server, path: str) -> None:
    """What the command line, the API and Python can be told of a print, a page can be told too."""
    page = server.ask(path).body.decode()
    assert [name for name in PAPER if f'name="{name}"' not in page] == []


def test_an_option_that_changes_nothing_is_told(server: Server) -> None:
    """The room says in the words of `carddb sheets` that a stock with paper of its own takes no other."""
    page = shown(server, {"q": "CAH-089", "stock": "avery-5388", "paper": "a4", "quick": "1"})
    assert "The stock avery-5388 has its own paper: --paper is not used." in page
    assert "not used" not in shown(server, {"q": "CAH-089", "paper": "a4", "quick": "1"})


def test_a_proof_and_a_deck_come_from_the_same_room(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The proof of one card is that of `carddb proof`; the file of the deck is the deck."""
    monkeypatch.chdir(tmp_path)
    run(
        [
            "-q",
            "--catalog",
            str(server.front.project().catalog_path),
            "proof",
            "CAH-089",
            "--ink",
            "text",
            "-o",
            "p.pdf",
        ]
    )
    for others in ({}, {"no_remember": "1"}, {"product": "png", "dpi": "60"}):
        fields = {"q": "CAH-089", "ink": "text", **others}
        assert post(server, "/print/proof", fields).body == Path("p.pdf").read_bytes()
    saved = post(server, "/print/deck", {"deck": DECK})
    assert saved.body.decode() == DECK and "roads.deck" in saved.headers["content-disposition"]


def test_strangers_see_nothing_of_the_owner(tmp_path: Path) -> None:
    """A public front that prints knows no printers and no earlier prints, and tells no paths."""
    with serving(tmp_path, public=True, sheets=True) as public:
        page = html.unescape(public.ask("/print?q=CAH-089&since=last", owner=False).body.decode())
        assert "--since" not in page and 'name="printer"' not in page and str(tmp_path) not in page
        assert public.ask("/print/file", b"q=CAH-089", headers=FORM, owner=False).body.startswith(b"%PDF")


FORM = {"Content-Type": "application/x-www-form-urlencoded"}
