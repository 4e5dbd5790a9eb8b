"""The API answers as the command line does, and lets nobody in who should not be."""

from __future__ import annotations

import asyncio
import json
import socket
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from carddb.cli.main import carddb
from carddb.web.http import answers, guard
from tests.web.front import Server, serving

pytestmark = pytest.mark.door

DECK = "Name: Roads\nGame: cahrd\n\n## Main\n4 Trebuchet\n1 Hanibal Barca\n1 Siege in Depth\n"
DAY = "2026-11-20"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("own")) as running:
        yield running


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("public"), public=True) as running:
        yield running


def by_command(server: Server, *arguments: str, stdin: str | None = None) -> Any:
    catalogue = str(server.front.project().catalog_path)
    result = CliRunner().invoke(carddb, ["--catalog", catalogue, *arguments], input=stdin, standalone_mode=False)
    return json.loads(result.stdout)


@pytest.mark.parametrize(
    ("path", "command"),
    [
        ("/api/v1/games", ["games", "--json"]),
        (
            "/api/v1/cards?q=type:officer%20war%3E4&game=cahrd",
            ["cards", "type:officer war>4", "--game", "cahrd", "--json"],
        ),
        ("/api/v1/cards/cahrd/CAH-091", ["show", "CAH-091", "--json"]),
        ("/api/v1/cards/cdg-solo/generic-separate%3AS1-1", ["show", "generic-separate:S1-1", "--json"]),
        (f"/api/v1/bans/short?on={DAY}", ["bans", "show", "short", "--on", DAY, "--json"]),
    ],
)
def test_reading_addresses_answer_as_the_command_line(server: Server, path: str, command: list[str]) -> None:
    """Games, cards, one card and a ban list are the JSON of their verbs."""
    answer = server.ask(path)
    assert answer.status == 200, answer.body
    assert answer.json() == by_command(server, *command)


def test_a_deck_is_checked_as_by_the_command_line(server: Server) -> None:
    """The report of a deck is that of `check --json`, but for the name of its file."""
    by_http = server.ask("/api/v1/check", {"deck": DECK, "on": DAY, "options": {"allow_printed_s": True}}).json()
    command = ["check", "-", "--on", DAY, "--option", "allow_printed_s=true", "--json"]
    by_terminal = by_command(server, *command, stdin=DECK)
    assert by_http["deck"].pop("file") == "" and by_terminal["deck"].pop("file") == "-"
    for report in (by_http, by_terminal):
        for finding in report["findings"]:
            for place in finding["where"]:
                place.pop("file")
    assert by_http == by_terminal


def test_the_referee_answers_and_refuses(server: Server) -> None:
    """An answer is that of `judge`, with its rules where they are asked for; a refusal is an answer."""
    answer = server.ask("/api/v1/judge/eg.hand_discard?why", {"hand": 9})
    assert answer.status == 200
    assert answer.json()["discard"] == 2 and answer.json()["rules"][0]["id"] == "E-100"
    assert server.ask("/api/v1/judge/eg.hand_discard", {"hnd": 9}).json()["reason"] == "bad_input"


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ({"art_dpi": "many"}, "art dpi cannot be 'many'"),
        ({"art_dpi": 5}, "at least 72"),
        ({"max_mb": "x"}, "max mb cannot be 'x'"),
        ({"max_mb": 0}, "above 0"),
        ({"fold": "yes"}, "Write true or false."),
        ({"paper": 5}, "Write it in quotes."),
        ({"margin": "900mm"}, "between 0 and 200 mm"),
        ({"margin": True}, "True is not a length"),
        ({"gutter": "1,2,3"}, "more than two lengths"),
        ({"ink": "red"}, "Choose one of: full, light, text."),
    ],
)
def test_an_option_of_another_kind_is_refused_in_words(server: Server, option: dict[str, Any], words: str) -> None:
    """What an option of a print cannot be is misuse, as on the command line, and the answer says what it may be."""
    answer = server.ask("/api/v1/sheets", {"q": "CAH-091", **option})
    assert answer.status == 400
    assert words in " ".join(answer.json().values())


def test_sheets_are_the_file_of_the_command_line(server: Server, tmp_path: Path) -> None:
    """The PDF of the API is byte for byte that of `carddb sheets` with the same options; for a machine, in a ZIP."""
    answer = server.ask("/api/v1/sheets", {"q": "CAH-091", "on": DAY, "paper": "a4", "flip": "short-edge"})
    assert answer.status == 200 and answer.headers["content-type"] == "application/pdf"
    file = tmp_path / "sheets.pdf"
    options = ["CAH-091", "--on", DAY, "--paper", "a4", "--flip", "short-edge", "-o", str(file)]
    catalogue = str(server.front.project().catalog_path)
    CliRunner().invoke(carddb, ["-q", "--catalog", catalogue, "sheets", *options], standalone_mode=False)
    assert answer.body == file.read_bytes()
    cut = server.ask("/api/v1/sheets", {"q": "CAH-091", "cutter": "generic", "skip": [1], "mark_count": 3})
    with zipfile.ZipFile(BytesIO(cut.body)) as archive:
        assert [name.partition(".")[2] for name in archive.namelist()] == ["pdf", "cut.svg", "cut.dxf"]


def test_a_face_may_be_kept_for_ever_at_its_own_address(server: Server) -> None:
    """A face has a tag by which it is not sent twice, may run nothing, and is never kept at a plain address."""
    first = server.ask("/api/v1/faces/cahrd/CAH-091.svg")
    assert first.body.startswith(b"<svg") and first.headers["cache-control"] == "no-cache"
    assert "sandbox" in first.headers["content-security-policy"]
    again = server.ask("/api/v1/faces/cahrd/CAH-091.svg", headers={"If-None-Match": first.headers["etag"]})
    assert again.status == 304 and not again.body
    picture = server.ask("/api/v1/faces/cahrd/CAH-091.png?side=back")
    assert picture.body.startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/api/v1/nothing", None, 404),
        ("/api/v1/cards/cahrd/NONE", None, 404),
        ("/api/v1/judge/eg.nothing", {}, 404),
        ("/api/v1/bans/nothing", None, 404),
        ("/api/v1/faces/cahrd/CAH-091.gif", None, 404),
        ("/api/v1/cards?q=war%3E%3E", None, 400),
        ("/api/v1/cards?query=x", None, 400),
        ("/api/v1/check", {"deck": DECK, "format": "../../etc/passwd"}, 400),
        ("/api/v1/check", {"deck": DECK, "fromat": "battle"}, 400),
        ("/api/v1/check", {"deck": 7}, 400),
        ("/api/v1/check", b"[", 400),
        ("/api/v1/check", None, 405),
        ("/api/v1/faces/cahrd/CAH-091.svg?side=left", None, 400),
    ],
)
def test_every_fault_is_a_sentence_and_a_remedy(server: Server, path: str, body: Any, status: int) -> None:
    """Misuse is 400, what is not there 404, each with an error and a remedy."""
    answer = server.ask(path, body)
    assert answer.status == status
    assert answer.json()["error"] and isinstance(answer.json()["remedy"], str)


@pytest.mark.parametrize(("path", "status"), [("/nowhere", 404), ("/bans/nothing", 404), ("/cards?q=war%3E%3E", 200)])
def test_a_wrong_address_is_a_page_in_a_browser(server: Server, path: str, status: int) -> None:
    """Who follows a link reads a sentence and the way on; a program gets the same as JSON."""
    page = server.ask(path, headers={"Accept": "text/html,application/xhtml+xml"})
    assert page.status == status and page.headers["content-type"].startswith("text/html")
    assert "content-security-policy" in page.headers and b'href="/"' in page.body
    if status == 404:
        assert server.ask(path).json()["error"] and server.ask(path).status == 404


def test_half_a_character_is_answered(server: Server) -> None:
    """A lone surrogate in a deck or a value of an answer is answered; JSON has an escape for it."""
    assert server.ask("/api/v1/check", {"deck": DECK + "1 \ud83d\n"}).status == 200
    assert answers.as_json({"\ud83d": 1}).body == b'{\n "\\ud83d": 1\n}\n'
    assert server.ask("/api/v1/judge/eg.resolve_attack", {"\ud83d": 1}).json()["ok"] is False


def test_bytes_that_no_address_has_are_refused(server: Server) -> None:
    """A query that is not ASCII is refused before a room reads it: not every server does so."""
    scope = {"type": "http", "method": "GET", "path": "/cards", "query_string": b"q=\xf0", "scheme": "http"}
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def nothing(*_: Any) -> Any:
        raise AssertionError("the request passes")

    front = guard.Guard(nothing, server.front)
    asyncio.run(front({**scope, "headers": [(b"host", b"127.0.0.1")]}, nothing, send))
    assert sent[0]["status"] == 400 and b"remedy" in sent[1]["body"]


def test_a_deck_is_never_taken_for_a_file(server: Server) -> None:
    """The text of a deck that is the name of a file is checked as text."""
    report = server.ask("/api/v1/check", {"deck": str(Path(__file__)), "game": "cahrd"}).json()
    assert report["deck"]["file"] == "" and report["verdict"] == "illegal"


def test_strangers_find_the_door_of_an_own_front_shut(server: Server) -> None:
    """Without token or cookie all but the health and the look is refused; an address opens once, for a strict cookie.

    The cookie is not the token, and does not serve pages of other programs on this host.
    """
    assert server.ask("/healthz", owner=False).json() == {"ok": True}
    assert server.ask("/static/style.css", owner=False).status == 200
    for path in (
        "/api/v1/games",
        "/check",
        "/static/checker.js",
        "/skins/cahrd/skin.css",
    ):
        assert server.ask(path, owner=False).status == 403
    token = server.front.entry()
    entry = server.ask(f"/check?game=cahrd&token={token}", owner=False)
    assert entry.status == 303 and entry.headers["location"] == "/check?game=cahrd"
    cookie = entry.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie
    assert token not in cookie and server.front.token not in cookie
    again = f"/check?token={token}"
    assert server.ask(again, owner=False).status == 403
    own = {"Cookie": cookie.partition(";")[0]}
    for site, status in (("none", 200), ("same-origin", 200), ("same-site", 403), ("cross-site", 403)):
        assert server.ask("/check", owner=False, headers={**own, "Sec-Fetch-Site": site}).status == status
    assert server.ask("/check", owner=False, headers=own).status == 200
    assert server.ask(again, owner=False, headers=own).headers["location"] == "/check"
    cross = server.ask(f"/check?token={server.front.entry()}", owner=False, headers={"Sec-Fetch-Site": "cross-site"})
    assert (cross.status, cross.headers["refresh"]) == (200, "0; url=/check") and "set-cookie" in cross.headers
    assert server.ask("/check?token=wrong", owner=False).status == 403
    for path in ("//evil.example/", "/\\evil.example", "///evil.example/x"):
        there = server.ask(f"{path}?token={server.front.entry()}", owner=False).headers["location"]
        assert urlsplit(there).netloc == "" and there.startswith("/") and there[1:2] not in "/\\"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 400),
        ({"Host": "127.0.0.1.evil.example"}, 400),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
    ],
)
def test_forged_hosts_and_origins_are_refused(server: Server, headers: dict[str, str], status: int) -> None:
    """A request under another name, or sent by another page, is not answered."""
    assert server.ask("/api/v1/check", {"deck": DECK}, headers=headers).status == status


def test_a_form_needs_the_token_of_its_page(server: Server) -> None:
    """A form that no page of this server made is refused."""
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert server.ask("/check", b"deck=1+Trebuchet&game=cahrd", headers=headers).status == 403
    token = server.front.form_token.encode()
    assert server.ask("/check", b"deck=1+Trebuchet&game=cahrd&form_token=" + token, headers=headers).status == 200


def test_what_is_too_large_is_refused_before_it_is_read(public: Server) -> None:
    """A body over the limit is 413, by its declared length and as it comes in chunks."""
    assert public.ask("/api/v1/check", b"x" * (public.front.mode.most_bytes({}) + 1)).status == 413
    with socket.create_connection(("127.0.0.1", public.port), timeout=30) as line:
        head = f"POST /api/v1/check HTTP/1.1\r\nHost: 127.0.0.1:{public.port}\r\nTransfer-Encoding: chunked\r\n\r\n"
        line.sendall(head.encode())
        chunk = b"10000\r\n" + b"x" * 65536 + b"\r\n"
        for _ in range(public.front.mode.most_bytes({}) // 65536 + 2):
            line.sendall(chunk)
        assert line.recv(64).startswith(b"HTTP/1.1 413")


def test_every_answer_has_the_strict_headers(server: Server) -> None:
    """Pages, files, faults: all have the policy without anything inline, and are not sniffed."""
    for path in ("/check", "/static/style.css", "/api/v1/games", "/nowhere"):
        headers = server.ask(path).headers
        assert headers["content-security-policy"] == guard.POLICY and headers["x-content-type-options"] == "nosniff"
    assert "unsafe" not in guard.POLICY and "*" not in guard.POLICY


def test_a_public_front_reads_only(public: Server) -> None:
    """Strangers may look and check without a token; they may not print."""
    assert public.ask("/api/v1/check", {"deck": DECK}, owner=False).status == 200
    assert public.ask("/check", owner=False).status == 200
    answer = public.ask("/api/v1/sheets", {"q": "CAH-091"}, owner=False)
    assert answer.status == 403 and answer.json()["remedy"]


def _ways_to_the_print_room(server: Server) -> list[bool]:
    """Whether the print room itself answers, and whether checker, gallery and card page lead to it."""
    form, headers = urlencode({"deck": DECK}).encode(), {"Content-Type": "application/x-www-form-urlencoded"}
    pages = [server.ask("/check", form, headers=headers)]
    pages += [server.ask(path) for path in ("/cards?game=cahrd&q=war>5", "/cards/cahrd/CAH-089")]
    assert all(page.status == 200 for page in pages)
    return [server.ask("/print").status == 200, *(b'="/print' in page.body for page in pages)]


def test_a_public_front_that_does_not_print_offers_no_printing(public: Server) -> None:
    """Without `--sheets` no page has a button or a link that would lead to 403."""
    assert _ways_to_the_print_room(public) == [False] * 4


@pytest.mark.full
def test_a_public_front_that_prints_offers_it(tmp_path: Path) -> None:
    """With `--sheets` a stranger finds the print room from every page that an owner finds it from."""
    with serving(tmp_path, public=True, sheets=True) as server:
        assert _ways_to_the_print_room(server) == [True] * 4


@pytest.mark.parametrize(
    "path",
    [
        "/cards",
        "/cards?game=cahrd&q=war%3E5",
        "/cards?game=cahrd&q=wra%3E5",
        "/build?game=cahrd",
        "/cards/cahrd/CAH-089",
        "/check?game=cahrd",
        "/bans/cahrd:short",
        "/referee?q=hand",
        "/print",
    ],
)
def test_a_page_opens_for_its_owner_and_for_strangers(server: Server, public: Server, path: str) -> None:
    """A query that cannot be read, a game, nothing at all: it is a page, where the front has the room."""
    assert server.ask(path).status == 200
    assert public.ask(path).status == (403 if path == "/print" else 200)


def test_the_builder_of_no_game_leads_to_the_cards(server: Server) -> None:
    """Without a game or a deck there is a choice of games, and no refusal in the words of the command line."""
    answer = server.ask("/build")
    assert (answer.status, answer.headers["location"]) == (303, "/cards")
    page = server.ask("/cards").body.decode()
    assert "/build?game=cahrd" in page and "/build?game=guarda" in page


def test_a_question_that_cannot_be_is_refused_in_words(server: Server) -> None:
    """The page of an operation says what a number may be, as the tables and `odds` do."""
    page = server.ask("/referee/guarda.cover_odds?cell=%5B2,9%5D&cards=3").body.decode()
    assert "<h2>Refused</h2>" in page and "cell.1 must be 1 to 5." in page
    assert "<h2>Answer</h2>" in server.ask("/referee/guarda.cover_odds?cell=%5B2,5%5D&cards=3").body.decode()


def test_a_browser_finds_an_icon_of_every_answer(server: Server) -> None:
    """An address that a browser asks for of itself leads to the mark."""
    answer = server.ask("/favicon.ico")
    assert server.ask(answer.headers["location"]).headers["content-type"] == "image/svg+xml"


def test_the_description_names_every_address_and_operation(server: Server) -> None:
    """The OpenAPI document has each operation's own question, and its schemas are schemas."""
    document = server.ask("/api/v1/openapi.json").json()
    assert document["openapi"] == "3.1.0"
    schemas = document["components"]["schemas"]
    for path, entry in document["paths"].items():
        if path.startswith("/judge/"):
            assert path.removeprefix("/judge/") in schemas, path
            assert entry["post"]["summary"]
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
    assert "#/$defs/" not in json.dumps(document)


def test_a_check_follows_the_catalogue(tmp_path: Path) -> None:
    """Requests share the cards that they read; a card that another program loads is known to the next check."""
    deck = {"deck": "Game: cahrd\n\n## Main\n1 Trebuchet\n1 Onager of Tests\n"}
    with serving(tmp_path) as running:
        unknown = [running.ask("/api/v1/check", deck).json() for _ in range(2)]
        assert all("Onager" in json.dumps(report["findings"]) for report in unknown)
        table = tmp_path / "own.csv"
        table.write_text(
            "ref,name,type,reserve_cost,effect\nOWN-1,Onager of Tests,item,4000,Gain 400 grain.\n", "utf-8"
        )
        command = ["--catalog", str(running.front.project().catalog_path), "load", str(table), "--game", "cahrd"]
        loaded = CliRunner().invoke(carddb, [*command, "--set", "own"], standalone_mode=False)
        assert not loaded.return_value, loaded.output
        findings = json.dumps(running.ask("/api/v1/check", deck).json()["findings"])
    assert "Onager" not in findings


_FIGURES = "9" * 4301


@pytest.mark.parametrize(
    "path",
    [f"/cards?game=cahrd&page={_FIGURES}", "/cards?game=cahrd&on=9999-12-31", "/api/v1/bans/short?known_at=9999-12-31",
     "/bans/short?on=9999-12-31", "/api/v1/cards?game=cahrd&on=0001-01-01", f"/static/{'a' * 300}", "/static/%00"],
)  # fmt: skip
def test_figures_and_days_without_end_are_answered(server: Server, path: str) -> None:
    """A page of 4,301 figures, the last day of the calendar and a file of 300 letters are no fault of the server."""
    assert server.ask(path).status in (200, 400, 404)


@pytest.mark.parametrize(
    "fields",
    [{"fix": f"{_FIGURES}:{_FIGURES}"}, {"hand": _FIGURES}, {"on": "9999-12-31"}, {"on": "9999-12-30"}],
)
def test_forms_with_figures_and_days_without_end_are_answered(server: Server, fields: dict[str, str]) -> None:
    """The same in the form of the checker."""
    form = {"deck": "Game: cahrd\n1 Trebuchet\n", "game": "cahrd", "form_token": server.front.form_token, **fields}
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert server.ask("/check", urlencode(form).encode(), headers=headers).status in (200, 400)
