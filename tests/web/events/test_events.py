"""A front for an event: the organiser enters by a secret, a player by his link, all others not at all."""

from __future__ import annotations

import contextlib
import http.client
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pytest

from carddb.app.bans.announcements import announce
from carddb.app.decks.check import CheckRequest, check_deck
from carddb.app.events.tournament import CODE_MINUTES, events_path, new_secret, open_event, open_events
from carddb.door import Project
from carddb.events.store import Event, event_findings
from carddb.findings import VERDICTS
from carddb.web.http.front import LOOPBACK, Front, environment_hosts
from carddb.web.http.modes import SESSION_HOURS, EventMode, Memory, Rate, Sessions, SignInCode, memory_path
from tests.app.events.samples import DECKS, ILLEGAL, LEGAL, event_of, terms
from tests.web.front import Answer, Server, serving

pytestmark = pytest.mark.door

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Desk(NamedTuple):
    """A running front of an event, its folder, and what opens it."""

    server: Server
    folder: Path
    event: Event
    secret: str

    @property
    def table(self) -> str:
        return f"/events/{self.event.key}"

    @property
    def mode(self) -> EventMode:
        mode = self.server.front.mode
        assert isinstance(mode, EventMode)
        return mode

    def ask(self, path: str, form: Mapping[str, str] | None = None, **headers: str) -> Answer:
        """A request without script: a GET, or a form as a page sends it."""
        body = urlencode(form).encode() if form is not None else None
        sent = {
            **(FORM if body is not None else {}),
            **{name.replace("_", "-"): text for name, text in headers.items()},
        }
        return self.server.ask(path, body, headers=sent, owner=False)

    def token(self, path: str, **headers: str) -> str:
        """The token of the forms of a page."""
        page = self.ask(path, None, **headers).body.decode()
        found = re.search(r'name="form_token" value="([^"]+)"', page)
        assert found, page
        return found[1]

    def register(self, name: str) -> str:
        """The address of the page of a player who registers himself."""
        join = f"/join/{self.event.join_code}"
        answer = self.ask(join, {"form_token": self.token(join), "name": name})
        assert answer.status == 303, answer.body
        return answer.headers["location"]

    def submit(self, page: str, text: str, seen: int = 0, **headers: str) -> Answer:
        """A list handed in on a player's page."""
        form = {"form_token": self.token(page), "deck": text, "seen": str(seen)}
        return self.ask(page, form, **headers)

    def sign_in(self) -> str:
        """The cookie of the organiser."""
        answer = self.ask("/sign-in", {"form_token": self.token("/sign-in"), "secret": self.secret})
        assert answer.status == 303 and answer.headers["location"] == self.table
        return answer.headers["set-cookie"].partition(";")[0]


def opened(folder: Path, deadline: datetime | None = None) -> tuple[Event, str]:
    """A new event in a folder, and the organiser's secret."""
    with event_of(Project(folder), terms(deadline) if deadline else None) as (event, _):
        return event, new_secret(event)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    folder = tmp_path_factory.mktemp("club")
    event, secret = opened(folder)
    with serving(folder, event=event.key) as server:
        yield Desk(server, folder, event, secret)


@pytest.fixture(autouse=True)
def _calm(request: pytest.FixtureRequest) -> None:
    """What one test was refused does not count for the next."""
    if "desk" in request.fixturenames:
        mode = request.getfixturevalue("desk").mode
        mode.faults, mode.writes = Rate(30), Rate(30)


def multipart(fields: Mapping[str, str], files: Mapping[str, bytes]) -> tuple[bytes, str]:
    """A form with files, and its media type."""
    boundary = "----carddb"
    parts = []
    for name, text in fields.items():
        parts.append(f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{text}\r\n'.encode())
    for name, data in files.items():
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="files"; filename="{name}"\r\n\r\n'
        parts.append(head.encode() + data + b"\r\n")
    return b"".join([*parts, f"--{boundary}--\r\n".encode()]), f"multipart/form-data; boundary={boundary}"


def test_all_else_is_closed(desk: Desk) -> None:
    """Without link and session nothing opens: no table, no page of carddb's other rooms, no API, no project file."""
    paths = (
        desk.table, f"{desk.table}/table.csv", f"{desk.table}/export.zip", f"{desk.table}/players/1", "/events",
        "/events/other", "/print", "/import", "/refereed", "/checked", "/api/v1/games", "/api/v1/cards", "/bans/draft",
        "/api/v1/check", "/p/", "/p/guessed", "/join/guessed", "/studio", "/tables", "/sign-out", "/carddb.db",
    )  # fmt: skip
    for path in paths:
        desk.mode.faults = Rate(30)
        assert desk.ask(path).status in (403, 404 if path == "/p/" else 403), path
        assert desk.server.ask(path, owner=True).status == 403 or path in ("/p/",), path
    assert desk.ask("/healthz").status == 200 and desk.ask("/sign-in").status == 200


def test_a_link_opens_its_own_list_alone(desk: Desk) -> None:
    """A player reads and replaces his list; with another's token, or his own on another's page, he is refused."""
    ada, ben = desk.register("Ada Own"), desk.register("Ben Own")
    assert desk.submit(ada, ILLEGAL).status == 303
    page = desk.ask(ada).body.decode()
    assert "Not legal" in page and "Hanibal Barca" in page and "Ben Own" not in page
    assert "Hanibal" not in desk.ask(ben).body.decode()
    theirs = desk.ask(ben, {"form_token": desk.token(ada), "deck": LEGAL, "seen": "0"})
    assert theirs.status == 403
    assert "hand in your list" in desk.ask(ben).body.decode()
    assert desk.ask(ada[:-1]).status == 403 and desk.ask(f"{ada[:-3]}AAA/list.pdf").status == 403
    assert desk.ask(f"{ada}/list.pdf").body.startswith(b"%PDF")
    assert desk.ask(f"{ada}/lists/1").status == 403


def test_a_players_verdict_is_never_older_than_the_list(tmp_path: Path) -> None:
    """After an announcement the player's page has the verdict of the new list, and so has the table from then on."""
    event, secret = opened(tmp_path)
    with serving(tmp_path, event=event.key) as server:
        desk = Desk(server, tmp_path, event, secret)
        ada = desk.register("Ada Announced")
        desk.submit(ada, LEGAL)
        project = Project(desk.folder)
        name = next(line.split(" ", 1)[1] for line in LEGAL.splitlines() if line.startswith(("2 ", "3 ")))
        ref = project.cards(f'game:cahrd "{name.partition(" [")[0]}"')[0].ref
        notice = desk.folder / "notice.yaml"
        notice.write_text(
            "id: test-1\nmade: 2099-05-22T00:00:00Z\neffective: 2099-06-01\nkind: change\n"
            f"changes: [{{list: long, card: {ref}, from: 1, to: 3, why: It is a test.}}]\n"
        )
        assert "Not on the day" not in desk.ask(ada).body.decode()
        assert not announce(project, notice, "cahrd", None, False).result.refused
        assert "Not on the day" in desk.ask(ada).body.decode()
        assert "Until 31 May" in desk.ask(desk.table, Cookie=desk.sign_in()).body.decode()


HTML = {"Accept": "text/html"}


def test_forms_and_sessions_outlive_a_restart(tmp_path: Path) -> None:
    """A form opened before a restart is taken after it, and the organiser stays signed in; a new secret ends that."""
    event, secret = opened(tmp_path)
    with serving(tmp_path, event=event.key) as server:
        before = Desk(server, tmp_path, event, secret)
        ada, cookie = before.register("Ada Restarted"), before.sign_in()
        cookies = cookie.partition("=")[2]
        form = {"form_token": before.token(ada), "deck": LEGAL, "seen": "0"}
    file = memory_path(tmp_path / "carddb.db")
    assert file and not list(tmp_path.glob("*server*"))  # a foreign project cannot bring one
    assert not (file.stat().st_mode | file.parent.stat().st_mode) & 0o077 and cookies not in file.read_text("utf-8")
    with serving(tmp_path, event=event.key) as server:
        after = Desk(server, tmp_path, event, secret)
        cookie = f"carddb_desk_{server.port}={cookies}"
        assert after.ask(ada, form).status == 303
        assert after.ask(after.table, Cookie=cookie).status == 200
        assert (
            after.ask("/sign-out", {"form_token": after.token(after.table, Cookie=cookie)}, Cookie=cookie).status == 303
        )
        signed_in = after.sign_in().partition("=")[2]
    with open_event(Project(tmp_path), event.key) as opened_again:
        new_secret(opened_again)
    with serving(tmp_path, event=event.key) as server:
        for old in (cookies, signed_in):
            asked = Desk(server, tmp_path, event, secret).ask(after.table, Cookie=f"carddb_desk_{server.port}={old}")
            assert asked.status == 403


@pytest.mark.parametrize("content", ["[]", '{"key": ""}', '{"key": "%s", "sessions": []}', "[" * 60_000, " " * 70_000])
def test_a_memory_of_another_shape_is_none(tmp_path: Path, content: str) -> None:
    """What is no memory of a server is replaced by a new one, and the same key is found again afterwards."""
    path = tmp_path / "servers" / "one.json"
    path.parent.mkdir(0o700)
    path.write_text(content.replace("%s", "k" * 32))
    token = Memory(path).token("forms")
    assert Memory(path).token("forms") == token and Memory(path).sessions("") == {}
    path.parent.chmod(0o777)  # where others write, nothing is kept
    assert Memory(path).token("forms") != token


def test_what_was_typed_comes_back(desk: Desk) -> None:
    """A form that is not from this server is shown again with its text and a token that is taken."""
    ada = desk.register("Ada Typed")
    page = desk.ask(ada, {"form_token": "old", "deck": ILLEGAL, "seen": "0"}, **HTML)
    assert page.status == 403 and "1 Hanibal Barca" in page.body.decode() and "Send it again" in page.body.decode()
    fresh = re.search(r'name="form_token" value="([^"]+)"', page.body.decode())
    assert fresh and desk.ask(ada, {"form_token": fresh[1], "deck": ILLEGAL, "seen": "0"}, **HTML).status == 303


def test_who_is_not_signed_in_is_led_there_and_back(desk: Desk) -> None:
    """A page of the desk leads to signing in and back; a correction that came too late waits meanwhile."""
    ada = desk.register("Ada Late")
    desk.submit(ada, ILLEGAL)
    table = desk.ask(desk.table, Cookie=desk.sign_in()).body.decode()
    place = re.search(rf'href="({desk.table}/players/\d+)"[^>]*>Ada Late', table)
    assert place
    asked = desk.ask(place[1], None, **HTML)
    assert asked.status == 303 and asked.headers["location"] == f"/sign-in?{urlencode({'then': place[1]})}"
    sign_in = asked.headers["location"]
    right = {"form_token": desk.token(sign_in), "secret": desk.secret}
    assert desk.ask(sign_in, right).headers["location"] == place[1]
    evil = "/sign-in?then=https://evil.example/"
    assert desk.ask(evil, {**right, "form_token": desk.token(evil)}).headers["location"] == desk.table
    late = desk.ask(f"{place[1]}/correct", {"form_token": "old", "deck": LEGAL, "seen": "1"}, **HTML)
    assert late.status == 307
    shown = desk.ask(late.headers["location"], {"form_token": "old", "deck": LEGAL, "seen": "1"}, **HTML).body.decode()
    assert "Your session has ended" in shown and 'name="kept.deck"' in shown
    right = {"form_token": desk.token(sign_in), "secret": desk.secret, "kept.deck": LEGAL, "kept.seen": "1"}
    back = desk.ask(late.headers["location"], right)
    cookie = back.headers["set-cookie"].partition(";")[0]
    fresh = re.search(r'name="form_token" value="([^"]+)"', back.body.decode())
    assert fresh and "Now send what you typed" in back.body.decode()
    form = {"form_token": fresh[1], "deck": LEGAL, "seen": "1"}
    assert desk.ask(f"{place[1]}/correct", form, Cookie=cookie).headers["location"] == place[1]


@pytest.mark.parametrize("path", ["/print", "/p/guessed", "/events/other"])
def test_a_browser_gets_a_page(desk: Desk, path: str) -> None:
    """A refusal is a page for a browser, and JSON for a program."""
    assert desk.ask(path, None, **HTML).headers["content-type"].startswith("text/html")
    assert not desk.ask("/print").headers["content-type"].startswith("text/html")


@pytest.mark.full
def test_players_look_things_up(desk: Desk) -> None:
    """Cards, faces, rules, ban lists and the checker are open to all, and show nothing of the organiser's."""
    (desk.folder / "decks").mkdir(exist_ok=True)
    (desk.folder / "decks" / "unseen.deck").write_text(LEGAL.replace("Name: ", "Name: Unseen "), "utf-8")
    desk.server.front.worker.seconds = 120  # a machine that does much else is slow
    own = desk.ask(desk.register("Ada Looks")).body.decode()
    ways = re.findall(r'<a href="([^"]+)" target="_blank"', own)
    assert len(ways) == 4
    gallery = desk.ask("/cards?game=cahrd").body.decode()
    found = re.search(r'href="(/cards/cahrd/[^"]+)"><img class="face" src="([^"]+)"', gallery)
    assert found
    for path in (*(way.replace("&amp;", "&") for way in ways), *found.groups(), "/bans/short", "/build?game=cahrd"):
        answer = desk.ask(path.replace("&amp;", "&"))
        assert answer.status == 200 and b"nseen" not in answer.body and b"/import" not in answer.body, path
        assert answer.body.count(desk.server.front.form_token.encode()) == 0, path
    checked = desk.ask("/check", {"deck": ILLEGAL, "game": "cahrd", "format": "war", "on": "2099-06-20"})
    assert checked.status == 200 and b"Not legal" in checked.body
    for path in ("/bans/draft", "/check/meta/"):
        assert desk.ask(path).status in (403, 404), path


def test_forged_requests_change_nothing(desk: Desk) -> None:
    """Another origin, another site, a form without its token, another host: each is refused."""
    page = desk.register("Cleo Forged")
    own = f"http://127.0.0.1:{desk.server.port}"
    for headers in ({"Origin": "http://evil.example"}, {"Sec_Fetch_Site": "cross-site"}, {"Origin": "null"}):
        assert desk.submit(page, LEGAL, 0, **headers).status == 403
    assert desk.ask(page, {"deck": LEGAL, "seen": "0"}).status == 403
    assert desk.ask(page, Host="evil.example").status == 400
    assert "hand in your list" in desk.ask(page).body.decode()
    assert desk.submit(page, LEGAL, Origin=own, Sec_Fetch_Site="same-origin").status == 303


def test_a_form_of_one_player_changes_no_other(desk: Desk) -> None:
    """The desk's forms say whose they are: for another player, or one who was forgotten, they change nothing."""
    desk.register("Bob Stale")
    desk.register("Carol Fresh")
    cookie = desk.sign_in()
    with open_events(Project(desk.folder)) as events:
        bob, carol = (player for player in events.players(desk.event) if player.name in ("Bob Stale", "Carol Fresh"))
    page, other = (f"{desk.table}/players/{player.id}" for player in (bob, carol))
    form = {"form_token": desk.token(page, Cookie=cookie), "whose": bob.name, "do": "forget", "deck": LEGAL}
    for what in ("act", "correct", "mend"):
        assert desk.ask(f"{other}/{what}", form, Cookie=cookie).status == 404
    assert desk.ask(f"{page}/act", form, Cookie=cookie).status == 303
    for what in ("act", "correct"):
        assert desk.ask(f"{page}/{what}", form, Cookie=cookie).status == 404
    assert desk.ask(other, Cookie=cookie).status == 200


def test_the_organisers_session(desk: Desk) -> None:
    """A wrong secret opens nothing; the right one gives a strict cookie, which ends with signing out."""
    wrong = desk.ask("/sign-in", {"form_token": desk.token("/sign-in"), "secret": "guessed"})
    assert wrong.status == 403 and "set-cookie" not in wrong.headers
    answer = desk.ask("/sign-in", {"form_token": desk.token("/sign-in"), "secret": desk.secret})
    words = answer.headers["set-cookie"].lower()
    assert "httponly" in words and "samesite=strict" in words and f"max-age={SESSION_HOURS * 3600}" in words
    cookie = answer.headers["set-cookie"].partition(";")[0]
    assert desk.ask(desk.table, Cookie=cookie).status == 200
    assert desk.ask("/", Cookie=cookie).headers["location"] == desk.table
    form = {"form_token": desk.token(desk.register("Dora"))}
    assert desk.ask(f"{desk.table}/act", {**form, "do": "all-lock"}, Cookie=cookie).status == 403
    assert desk.ask("/events/other", Cookie=cookie).status == 403 and desk.ask("/print", Cookie=cookie).status == 403
    assert desk.ask("/sign-out", {"form_token": desk.token(desk.table, Cookie=cookie)}, Cookie=cookie).status == 303
    assert desk.ask(desk.table, Cookie=cookie).status == 403


def test_behind_a_proxy_with_tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under the name that the environment gives it passes, the cookie is for TLS alone, and links begin with https."""
    monkeypatch.setenv("CARDDB_HOSTS", "cup.example.org")
    event, secret = opened(tmp_path)
    with serving(tmp_path, event=event.key, hosts=(*LOOPBACK, *environment_hosts())) as server:
        desk, proxied = Desk(server, tmp_path, event, secret), {"Host": "cup.example.org", "X_Forwarded_Proto": "https"}
        form = {"form_token": desk.token("/sign-in", **proxied), "secret": secret}
        answer = desk.ask("/sign-in", form, Origin="https://cup.example.org", **proxied)
        assert answer.status == 303 and "; secure" in answer.headers["set-cookie"].lower()
        cookie = answer.headers["set-cookie"].partition(";")[0]
        assert b"https://cup.example.org/join/" in desk.ask(f"{desk.table}/poster", None, Cookie=cookie, **proxied).body
        assert desk.ask("/sign-in", Host="other.example.org").status == 400


def test_a_code_signs_one_more_device_in(desk: Desk) -> None:
    """The desk shows a code that works once, however it is typed; who is no organiser gets none."""
    table, cookie = desk.table, desk.sign_in()
    assert desk.ask(f"{table}/code", {}).status == 403
    page = desk.ask(f"{table}/code", {"form_token": desk.token(table, Cookie=cookie)}, Cookie=cookie).body.decode()
    code = re.search(r"<h1>(\w{3}-\w{3})</h1>", page)
    assert code
    for typed, status in (("zzz-zzz", 403), (code[1].upper().replace("-", " "), 303), (code[1], 403)):
        answer = desk.ask("/sign-in", {"form_token": desk.token("/sign-in"), "secret": typed})
        assert answer.status == status and ("set-cookie" in answer.headers) == (status == 303)
    desk.mode.code = SignInCode()
    answers = [desk.ask("/sign-in", {"form_token": desk.token("/sign-in"), "secret": "zzz-zzz"}) for _ in range(6)]
    assert [answer.status for answer in answers] == [403] * 5 + [503]
    assert desk.sign_in()  # the secret still opens
    desk.mode.code = SignInCode()


def test_a_code_cannot_be_guessed() -> None:
    """A code ends after its minutes, after a hundred wrong tries from anywhere, and with the next code."""
    moment = 0.0
    codes = SignInCode(lambda: moment)
    assert not codes.take("", "a")
    first, second = codes.make(), codes.make()
    assert not codes.take(first, "a") and codes.take(second, "a")
    late = codes.make()
    moment += CODE_MINUTES * 60
    assert not codes.take(late, "b")
    guessed = codes.make()
    assert not any(codes.take("zzzzzz", f"c{number}") for number in range(100)) and not codes.take(guessed, "d")


def test_sessions_and_refusals_are_bounded() -> None:
    """A session ends after its hours, the oldest where there are many; refusals of a minute are counted by address."""
    moment = 0.0
    sessions = Sessions(clock=lambda: moment)
    first, *others = [sessions.begin() for _ in range(21)]
    assert not sessions.holds(first) and all(map(sessions.holds, others))
    moment = SESSION_HOURS * 3600 + 1.0
    assert not any(map(sessions.holds, others)) and not sessions.holds("")
    rate = Rate(2, lambda: moment)
    for _ in range(2):
        assert not rate.is_full("a")
        rate.note("a")
    assert rate.is_full("a") and not rate.is_full("b")
    moment += 61
    assert not rate.is_full("a")


def test_bounds_of_a_player(desk: Desk) -> None:
    """A list of more than 200 kB is 413 or refused; a link that writes too often, and a guesser, have to wait."""
    page = desk.register("Eve Bounds")
    assert desk.submit(page, "1 Trebuchet\n" * 40_000).status == 413
    assert desk.submit(page, "x" * 205_000).status == 400
    mode = desk.mode
    mode.writes, mode.faults = Rate(1), Rate(2)
    assert [desk.submit(page, LEGAL).status, desk.submit(page, ILLEGAL, 1).status] == [303, 503]
    answers = [desk.ask(path) for path in ("/p/guessed", "/print", "/p/another", "/print", "/join/guessed")]
    assert [answer.status for answer in answers] == [403, 403, 503, 503, 503] and answers[2].headers["retry-after"]
    for path in (page, f"/join/{desk.event.join_code}", "/", "/sign-in", "/healthz"):
        assert desk.ask(path).status == 200  # what is right passes
    mode.joined = Rate(1)
    desk.register("Frank Bounds")
    join = f"/join/{desk.event.join_code}"
    assert desk.ask(join, {"form_token": desk.token(join), "name": "Grete Bounds"}).status == 503
    mode.joined = Rate(60)


def test_names_twice_and_the_name_of_a_script(desk: Desk) -> None:
    """A second player of the same name is told so; a name is text on every page."""
    desk.register("<script>alert(1)</script>")
    join = f"/join/{desk.event.join_code}"
    again = desk.ask(join, {"form_token": desk.token(join), "name": "<SCRIPT>alert(1)</script>"})
    assert again.status == 400 and "already" in again.body.decode()
    assert b"<script>alert" not in again.body.lower()
    page = desk.ask(desk.table, Cookie=desk.sign_in()).body
    assert b"&lt;script&gt;alert(1)" in page and b"<script>alert" not in page


def test_forty_dropped_decks(desk: Desk) -> None:
    """The table has for each of forty files the verdict, reason and fingerprint of `check --json`."""
    cookie = desk.sign_in()
    texts = [path.read_text("utf-8") for path in sorted(DECKS.glob("*.deck"))] + [ILLEGAL]
    files = {f"drop-{n:02}.deck": texts[n % len(texts)].encode() for n in range(40)}
    body, kind = multipart({"form_token": desk.token(desk.table, Cookie=cookie)}, files)
    headers = {"Content-Type": kind, "Cookie": cookie}
    answer = desk.server.ask(f"{desk.table}/bring", body, headers=headers, owner=False)
    assert answer.status == 200 and answer.body.count(b"/players/") == 40
    page = desk.ask(f"{desk.table}?q=drop-&sort=player", Cookie=cookie).body.decode()
    rows = re.findall(r"<tr class=\"(\w+)\">.*?<a [^>]*>(drop-\d+)</a>.*?</tr>", page)
    assert len(rows) == 40
    project = Project(desk.folder)
    for number, text in enumerate(texts):
        report = check_deck(project, text, CheckRequest("cahrd", format="war", on=desk.event.terms.day)).to_json()
        assert {state for state, name in rows if int(name[5:]) % len(texts) == number} <= {
            report["verdict"], "until" if report["verdict"] == "illegal" else report["verdict"],
        }  # fmt: skip
        digits = report["deck"]["fingerprint"].partition(":")[2]
        assert page.count(f"{digits[:4]} {digits[4:8]} {digits[8:]}") >= 8
    csv = desk.ask(f"{desk.table}/table.csv", Cookie=cookie).body.decode()
    assert csv.count("drop-") >= 40 and VERDICTS["illegal"].lower() in csv


def test_misuse_of_the_desk_is_told_on_its_page(desk: Desk) -> None:
    """Nothing picked, a day that is none, a player that is none: the page says so, and no number is too large."""
    cookie = desk.sign_in()
    token = desk.token(desk.table, Cookie=cookie)
    for form, words in (
        ({"do": "lock"}, "No list is picked"),
        ({"do": "deadline", "deadline": "now"}, "is not a date with a time"),
    ):
        answer = desk.ask(f"{desk.table}/act", {"form_token": token, **form}, Cookie=cookie)
        assert answer.status == 400 and words in answer.body.decode() and 'id="players"' in answer.body.decode()
    for number in ("999", "9" * 30):
        place = f"{desk.table}/players/{number}"
        assert desk.ask(place, Cookie=cookie).status == 404
        assert desk.ask(f"{place}/act", {"form_token": token, "do": "lock"}, Cookie=cookie).status == 404


def test_a_deadline_after_the_day_is_told_at_the_desk(desk: Desk) -> None:
    """The warning of `event change` stands on the page while lists are taken, and goes with the deadline."""
    cookie = desk.sign_in()
    token = desk.token(desk.table, Cookie=cookie)
    for moment, told in (("2099-06-21T18:00", True), ("2099-06-19T18:00", False)):
        form = {"form_token": token, "do": "deadline", "deadline": moment}
        assert desk.ask(f"{desk.table}/act", form, Cookie=cookie).status == 303
        page = desk.ask(desk.table, Cookie=cookie).body.decode()
        assert ("Decks are taken until 2099-06-21 18:00 Europe/Berlin, which is after the day" in page) == told


def test_pasted_mails_are_shown_before_they_are_taken(desk: Desk) -> None:
    """The page says how the text is divided, and stores nothing until it is told to."""
    cookie = desk.sign_in()
    form = {"form_token": desk.token(desk.table, Cookie=cookie), "text": f"From: Fay Mail <f@x>\n\n{LEGAL}"}
    shown = desk.ask(f"{desk.table}/bring", form, Cookie=cookie).body.decode()
    assert "each From: line begins a deck" in shown and "Fay Mail" in shown
    assert "Fay Mail" not in desk.ask(desk.table, Cookie=cookie).body.decode()
    answer = desk.ask(f"{desk.table}/bring", {**form, "take": "1", "player": "Fay Renamed"}, Cookie=cookie)
    assert "Fay Renamed" in answer.body.decode() and "Legal" in answer.body.decode()
    found = desk.ask(f"{desk.table}?q=fay", Cookie=cookie).body.decode()
    player = re.search(r"/players/(\d+)", found)
    assert player and desk.ask(f"{desk.table}/players/{player[1]}/list.pdf", Cookie=cookie).body.startswith(b"%PDF")
    code = re.search(r"carddb1:([0-9a-f]+)", desk.ask(f"{desk.table}/table.csv", Cookie=cookie).body.decode())
    assert code and desk.ask(f"{desk.table}/find?q=carddb1:{code[1]}", Cookie=cookie).status == 303


def test_after_the_deadline(tmp_path: Path) -> None:
    """By the server's clock: a player who comes later is refused and still reads; the desk opens one list again."""
    event, secret = opened(tmp_path, datetime(2026, 1, 1, tzinfo=UTC))
    with open_event(Project(tmp_path), event.key) as again:
        from carddb.app.events.tournament import add_players

        link = add_players(again, ["Late"])[0]
    with serving(tmp_path, event=event.key) as server:
        desk, page = Desk(server, tmp_path, event, secret), f"/p/{link.token}"
        shown = desk.ask(page).body.decode()
        assert "The list is closed" in shown and "<textarea" not in shown
        join = desk.ask(f"/join/{event.join_code}").body.decode()
        assert "Registration is closed" in join
        cookie = desk.sign_in()
        form = {"form_token": desk.token(desk.table, Cookie=cookie), "do": "unlock", "pick": str(link.player.id)}
        assert desk.ask(f"{desk.table}/act", form, Cookie=cookie).status == 303
        token = desk.token(page)
        assert desk.ask(page, {"form_token": token, "deck": LEGAL, "seen": "0"}).status == 303
        assert desk.ask(f"{desk.table}/act", {**form, "do": "follow"}, Cookie=cookie).status == 303
        late = desk.ask(page, {"form_token": token, "deck": ILLEGAL, "seen": "1"})
        assert late.status == 403 and "Deck lists were closed at 01:00 on 1 January" in late.body.decode()


@pytest.mark.full
def test_the_owners_front_has_the_desk_and_a_public_one_has_not(tmp_path: Path) -> None:
    """In the ordinary front an event is made, shown and locked; strangers of a public front find nothing of it."""
    with serving(tmp_path) as own:
        page = own.ask("/events").body.decode()
        found = re.search(r'name="form_token" value="([^"]+)"', page)
        assert found
        form = {"form_token": found[1], "name": "Club Cup", "game": "cahrd", "day": "2099-06-20", "zone": "UTC"}
        made = own.ask("/events", urlencode(form).encode(), headers=FORM)
        assert made.status == 303 and made.headers["location"] == "/events/club-cup"
        assert own.ask("/events", urlencode({**form, "day": ""}).encode(), headers=FORM).status == 400
        table = own.ask("/events/club-cup").body.decode()
        assert "Club Cup" in table and "Sign out" not in table
        assert own.ask("/events/other").status == 404 and own.ask("/events/club-cup", owner=False).status == 403
        assert own.ask("/p/guessed").status == 404
    with serving(tmp_path, public=True) as public:
        assert public.ask("/events").status == 404 and public.ask("/events/club-cup").status == 404
        assert b'href="/events"' not in public.ask("/check").body


@pytest.mark.full
def test_two_hundred_lists_at_once(tmp_path: Path) -> None:
    """Two hundred players register and hand in, from eight phones at once: every list is stored with its verdict.

    How long it takes, `python -m tests.benchmarks.events` says.
    """
    event, secret = opened(tmp_path)
    with serving(tmp_path, event=event.key) as server:
        desk, statuses = Desk(server, tmp_path, event, secret), []

        def phone(first: int) -> None:
            for number in range(first, 200, 8):
                page = desk.register(f"Player {number}")
                statuses.append(desk.submit(page, f"{LEGAL}\n# {number}").status)

        phones = [threading.Thread(target=phone, args=(number,)) for number in range(8)]
        for each in phones:
            each.start()
        for each in phones:
            each.join()
        assert statuses == [303] * 200
    with open_events(Project(tmp_path)) as events:
        entries = events.entries(event)
    assert len(entries) == 200 and {entry.verdict.verdict for entry in entries.values()} == {"legal"}


def test_nothing_of_a_list_is_logged(desk: Desk, capfd: pytest.CaptureFixture[str]) -> None:
    """What a player sends, his name and his link stand in no line that the server writes, also where it fails."""
    page = desk.register("Unwritten Name")
    desk.submit(page, "unwritten list")
    connection = http.client.HTTPConnection("127.0.0.1", desk.server.port)
    connection.request("POST", page, b"\xff\xfe not a form", {"Content-Type": "multipart/form-data"})
    assert connection.getresponse().status in (400, 403)
    connection.close()
    said: Any = capfd.readouterr()
    assert "nwritten" not in said.out + said.err and page not in said.out + said.err


@contextlib.contextmanager
def own_process(folder: Path, event: Event, secret: str) -> Iterator[tuple[Desk, subprocess.Popen[bytes]]]:
    """The front of an event in a process of its own, which can be killed."""
    command = [sys.executable, "-m", "carddb", "serve", "--event", event.key, "--port", "0"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout
        port = int(process.stdout.readline().rpartition(b":")[2].strip(b"/\n"))
        yield Desk(Server(Front(Project(folder)), port), folder, event, secret), process


def killed_amid(process: subprocess.Popen[bytes], send: Callable[[int], Answer], most: int, soon: int) -> int:
    """Kills a server amid what `send` sends with the numbers from 0 to below `most`, once `soon` of it is stored.

    Returns how much was answered as stored before.
    """
    stored = 0

    def work() -> None:
        nonlocal stored
        with contextlib.suppress(OSError, http.client.HTTPException):
            while stored < most and send(stored).status == 303:
                stored += 1

    sender = threading.Thread(target=work)
    sender.start()
    while stored < soon and sender.is_alive():
        sender.join(0.01)
    process.kill()
    sender.join()
    assert stored >= soon
    return stored


def test_a_server_that_is_killed_loses_no_list(tmp_path: Path) -> None:
    """The process is killed while players hand in: every list that was answered with success is in the file."""
    with own_process(tmp_path, *opened(tmp_path)) as (desk, process):
        page = desk.register("Ada")
        form = {"form_token": desk.token(page)}
        stored = killed_amid(
            process, lambda at: desk.ask(page, {**form, "deck": f"1 A\n# {at}", "seen": str(at)}), most=1000, soon=2
        )
    with open_events(Project(tmp_path)) as events:
        versions = events.versions(events.players(desk.event)[0])
    assert stored <= len(versions) <= stored + 1
    assert [entry.version for entry in versions] == list(range(len(versions), 0, -1))
    assert event_findings(events_path(Project(tmp_path)), ["cahrd"]) == []


def test_the_desk_writes_to_players(desk: Desk) -> None:
    """A message to those picked is on their pages until they confirm it; a penalty is too, a note is not."""
    ada, ben = desk.register("Ada Told"), desk.register("Ben Told")
    cookie = desk.sign_in()
    token = desk.token(desk.table, Cookie=cookie)
    form = {"form_token": token, "do": "message", "pick": "all", "q": "told", "words": "Round 1 <begins>"}
    assert desk.ask(f"{desk.table}/act", form, Cookie=cookie).headers["location"].endswith("done=message-2")
    empty = desk.ask(f"{desk.table}/act", {**form, "pick": "", "words": "kept"}, Cookie=cookie)
    assert empty.status == 400 and 'value="kept"' in empty.body.decode()
    with open_events(Project(desk.folder)) as events:
        number = next(player.id for player in events.players(desk.event) if player.name == "Ada Told")
    page = f"{desk.table}/players/{number}"
    for kind, words, status in (("note", "secretly", 303), ("game_loss", "came late", 303), ("note", "x" * 501, 400)):
        form = {"form_token": token, "whose": "Ada Told", "kind": kind, "words": words}
        answer = desk.ask(f"{page}/notes", form, Cookie=cookie)
        assert answer.status == status and (status == 303 or words in answer.body.decode())
    shown = desk.ask(ada).body.decode()
    assert "Round 1 &lt;begins&gt;" in shown and "Game loss" in shown and "secretly" not in shown
    last = re.search(r'name="last" value="(\d+)"', shown)
    assert last and desk.ask(f"{ada}/read", {"form_token": desk.token(ada), "last": last[1]}).status == 303
    assert "I have read it" not in desk.ask(ada).body.decode() and "I have read it" in desk.ask(ben).body.decode()
    assert "not read yet" not in desk.ask(page, Cookie=cookie).body.decode()
    undone = {"form_token": token, "whose": "Ada Told", "undo": "3"}
    assert desk.ask(f"{page}/notes", undone, Cookie=cookie).status == 303
    assert "Game loss" not in desk.ask(ada).body.decode()
    assert "<del><b>Game loss" in desk.ask(page, Cookie=cookie).body.decode()


def test_picking_all_keeps_the_filter(desk: Desk) -> None:
    """All shown are picked by one tick without script: those that the filter leaves, and the filter stays."""
    desk.submit(desk.register("Filtered One"), LEGAL)
    desk.submit(desk.register("Other"), LEGAL)
    cookie = desk.sign_in()
    page = desk.ask(f"{desk.table}?q=filtered", Cookie=cookie).body.decode()
    assert '<input type="hidden" name="q" value="filtered">' in page and 'name="pick" value="all"' in page
    form = {"form_token": desk.token(desk.table, Cookie=cookie), "do": "lock", "pick": "all", "q": "filtered"}
    answer = desk.ask(f"{desk.table}/act", form, Cookie=cookie)
    assert answer.headers["location"] == f"{desk.table}?q=filtered&done=lock-1"
    with open_events(Project(desk.folder)) as events:
        locked = {player.name: player.locked for player in events.players(desk.event)}
    assert locked["Filtered One"] is True and locked["Other"] is None


def test_links_are_made_for_new_players_only(desk: Desk) -> None:
    """Who is registered keeps his link and is named as left out; the new ones get theirs."""
    old = desk.register("Keeps His")
    cookie = desk.sign_in()
    form = {"form_token": desk.token(desk.table, Cookie=cookie), "names": "keeps his\nComes Newly\ncomes newly"}
    answer = desk.ask(f"{desk.table}/names", form, Cookie=cookie)
    page = answer.body.decode()
    assert answer.status == 200 and page.count("/p/") == 1 and "Left out" in page and "keeps his" in page
    assert desk.ask(old).status == 200
