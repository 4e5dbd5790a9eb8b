"""Servers and what they keep: who is let in, names and numbers of players, saves of tables, copies put back."""

from __future__ import annotations

import asyncio
import json
import logging
import random
import shutil
import sqlite3
import unicodedata
from collections.abc import Sequence
from contextlib import ExitStack, closing
from ipaddress import IPv4Address, IPv6Address, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from carddb.app.events import player_table
from carddb.app.events.tournament import add_players, forget, new_event, open_events, register
from carddb.app.tables.tables import TableBeginnings, Tables
from carddb.cli.main import run
from carddb.core.errors import CarddbError
from carddb.read.source import is_public
from carddb.web.http.front import Front, FrontOptions
from carddb.web.http.modes import OwnerMode
from carddb.web.server.application import application, without_secrets
from tests.app.events.samples import terms
from tests.hostile.front_surfaces import FORM, answered, answerer
from tests.hostile.surface import DONE, REFUSED, TOLD, Bench, open_project

_OPEN = ExitStack()
"""The databases of the process that tries inputs, which ends with it."""
_CLOSED = (400, 403)
"""The statuses of a server for those whom it does not let in."""
_REQUEST: dict[str, Sequence[str]] = {
    "path": ("/nowhere", "//evil.example/x", "/\\evil.example", "/healthz/x", "/%2f/evil.example"),
    "method": ("GET", "GET", "HEAD", "POST"),
    "host": (
        "127.0.0.1:8765",
        "localhost",
        "[::1]:8765",
        "evil.example",
        "127.0.0.1.evil.example",
        "127.0.0.1@evil",
        "",
    ),
    "origin": ("", "", "http://127.0.0.1:8765", "http://127.0.0.1:9999", "http://evil.example", "null"),
    "site": ("", "none", "same-origin", "same-site", "cross-site", "x"),
    "bearer": ("", "", "right", "cookie", "wrong"),
    "cookie": ("", "right", "bearer", "entry", "wrong"),
    "token": ("", "", "entry", "used", "cookie", "wrong"),
}
"""What a request to an owner's server may bring, right and wrong."""


def entrances(_folder: Path) -> Bench:
    """Requests to an owner's server: only the owner is let in, a token once, and nobody is sent to another host."""
    front = Front(open_project(), FrontOptions())
    mode = front.mode
    assert isinstance(mode, OwnerMode)
    app, runner, used = application(front), asyncio.Runner(), front.entry()
    secrets = {"used": used, "cookie": mode._cookie, "wrong": "x" * 32}

    def ask(asked: dict[str, str]) -> tuple[int, dict[str, str]]:
        entry = front.entry()
        said = {**secrets, "entry": entry, "right": front.token, "bearer": front.token}
        token = said.get(asked["token"], "")
        cookie = {**said, "right": mode._cookie}.get(asked["cookie"], "")
        named = {
            "host": asked["host"], "origin": asked["origin"], "sec-fetch-site": asked["site"],
            "authorization": f"Bearer {said[asked['bearer']]}" if asked["bearer"] else "",
            "cookie": f"carddb_8765={cookie}; carddb_80={cookie}" if cookie else "",
        }  # fmt: skip
        scope: dict[str, object] = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http",
            "method": asked["method"], "path": asked["path"], "raw_path": asked["path"].encode(),
            "query_string": f"token={token}".encode() if token else b"",
            "headers": [(name.encode(), text.encode()) for name, text in named.items() if text],
        }  # fmt: skip
        start, _ = runner.run(answered(app, scope, b""))
        return start["status"], {name.decode().lower(): value.decode() for name, value in start["headers"]}

    def direct(data: bytes) -> str:
        asked = json.loads(data)
        status, headers = ask(asked)
        places = (headers.get("location", "/"), headers.get("refresh", "0; url=/").partition("url=")[2])
        assert all(place.startswith("/") and place[1:2] not in ("/", "\\") for place in places), f"it leads to {places}"
        is_own_page = asked["site"] in ("", "none", "same-origin")
        enters = asked["token"] == "entry" and asked["method"] == "GET"
        is_owner = asked["bearer"] == "right" or (asked["cookie"] == "right" and is_own_page)
        assert enters or is_owner or status in _CLOSED, f"it lets in: {status}"
        assert "evil" not in asked["host"] or status in _CLOSED, f"it answers for another host: {status}"
        return REFUSED if status in _CLOSED else TOLD if status >= 400 else DONE

    ask({**{name: values[0] for name, values in _REQUEST.items()}, "token": "used"})  # from now on it is used
    sound = {name: values[0] for name, values in _REQUEST.items()} | {"bearer": "right"}
    return Bench([json.dumps(sound).encode()], None, direct)


def in_any_way(_seeds: Sequence[bytes], choose: random.Random) -> bytes:
    """A request of right and wrong parts."""
    return json.dumps({name: choose.choice(values) for name, values in _REQUEST.items()}).encode()


def logged_paths(_folder: Path) -> Bench:
    """Lines of an access log, which have no link that opens a table or a list."""

    def direct(data: bytes) -> str:
        before, secret, after = (quote(part) for part in json.loads(data))
        record = logging.LogRecord("a", 20, "", 0, "%s %s", ("1.2.3.4", before + secret + after), None)
        assert without_secrets(record) and secret not in record.getMessage(), record.getMessage()
        return DONE

    return Bench([json.dumps(["/tables/", "0123-secret", "/save"]).encode()], None, direct)


def of_a_link(_seeds: Sequence[bytes], choose: random.Random) -> bytes:
    """The path of a page that a link opens."""
    link = "".join(choose.choice("abcXYZ019-_.~%?&;\\ é٣") for _ in range(choose.randrange(12, 40)))
    return json.dumps([choose.choice(("/tables/", "/p/", "/join/")), link, choose.choice(("", "/save", "/"))]).encode()


_INVISIBLE = "\u200b\u2060\u200e\u00ad\ufe0f\u200d\u202e\u3164\u2800\u115f\u034f\U000e0041\u0301\u0000"
_ALIKE = {
    "A": "\u0410\u0391",
    "a": "\u0430",
    "o": "\u043e\u03bf0",
    "e": "\u0435",
    "O": "\u041e0",
    "l": "1I",
    "B": "\u0392",
}
"""Letters with others that look like them."""


def player_names(_folder: Path) -> Bench:
    """Names that register for an event: none is empty, none is another's with what nobody sees, the desk is warned."""
    project = open_project()
    events, count = _OPEN.enter_context(open_events(project)), 0

    def direct(data: bytes) -> str:
        nonlocal count
        names, count = json.loads(data), count + 1
        event, fault = new_event(project, events, terms(), f"e{count}"), False
        for name in names:
            try:
                register(event, name)
            except CarddbError:
                fault = True
        players = events.players(event)
        seen = [_seen(player.name) for player in players]
        assert all(text.strip() for text in seen), f"an empty name: {players}"
        assert len({*seen}) == len(seen), f"the same to see: {players}"
        rows = player_table.table(event)
        looks = {_looks(player.name): player.name for player in players}
        warned = {row.player.name for row in rows if row.lookalikes}
        twins = {each.name for each in players if looks[_looks(each.name)] != each.name}
        assert twins <= warned, f"nobody is warned of {twins - warned}"
        for player in players:
            events.remove_player(player)
        return TOLD if fault else DONE

    return Bench([json.dumps([name]).encode() for name in ("Ada Okonkwo", "Zofia Nowak", "Bella Rossi")], None, direct)


def _seen(name: str) -> str:
    """Returns the letters, figures and signs of a name without marks and case, and spaces between its words."""
    parts = unicodedata.normalize("NFD", name.replace("\u3164", "").replace("\u2800", "").replace("\u115f", ""))
    shown = "".join(sign for sign in parts if sign == " " or unicodedata.category(sign)[0] in "LNPS")
    return " ".join(shown.casefold().split())


def _looks(name: str) -> str:
    """Returns a name with the first of all letters that look alike in their place."""
    text = "".join(next((letter for letter, others in _ALIKE.items() if sign in others), sign) for sign in name)
    return _seen(text)


def that_look_alike(seeds: Sequence[bytes], choose: random.Random) -> bytes:
    """A name and others that are meant to pass for it."""
    [name] = json.loads(choose.choice(seeds))
    names = [name]
    for _ in range(choose.randrange(1, 6)):
        text = list(name)
        for _ in range(choose.randrange(1, 4)):
            at = choose.randrange(len(text))
            text[at : at + 1] = choose.choice(
                ([text[at], choose.choice(_INVISIBLE)], [choose.choice(_ALIKE.get(text[at], text[at]))],
                 [text[at].swapcase()], [text[at], " "])
            )  # fmt: skip
        names.append(choose.choice(("".join(text), "".join(text), choose.choice(_INVISIBLE) * choose.randrange(4))))
    return json.dumps(names).encode()


def player_numbers(_folder: Path) -> Bench:
    """Players who come and are forgotten in several events: a number is given once."""
    project = open_project()
    events, last, count = _OPEN.enter_context(open_events(project)), 0, 0

    def direct(data: bytes) -> str:
        nonlocal last, count
        count += 1
        both = [new_event(project, events, terms(), f"n{count}-{each}") for each in "ab"]
        players: list[Any] = []
        for step in data[:40]:
            if players and step % 3 == 0:
                forget(events, players.pop(step % len(players)))
                continue
            player = add_players(both[step % 2], [f"P {len(players)} {count} {last}"])[0].player
            assert player.id > last, f"number {player.id} after {last}"
            last = player.id
            players.append(player)
        for player in players:
            events.remove_player(player)
        return DONE

    return Bench([bytes(range(30)), bytes(range(0, 90, 3))], None, direct)


def stale_forms(_folder: Path) -> Bench:
    """Forms of the desk that were open while players came and went: one changes the player whose it is, or nobody."""
    project = open_project()
    events, post, count = _OPEN.enter_context(open_events(project)), answerer(FORM), 0

    def direct(data: bytes) -> str:
        nonlocal count
        count, ends = count + 1, [REFUSED]
        event = new_event(project, events, terms(), f"s{count}")
        forms = [(added.player.id, added.player.name) for added in add_players(event, ("Ada", "Bob", "Carol"))]
        for step in data[:12]:
            page, whose = forms[step % len(forms)][0], forms[step // 8 % len(forms)][1]
            before = {player.id: player.name for player in events.players(event)}
            fields = urlencode({"whose": whose, "do": "forget"})
            ends.append(post(f"POST /events/{event.key}/players/{page}/act\n{fields}".encode()))
            after = {player.id: player.name for player in events.players(event)}
            kept = {id: name for id, name in before.items() if (id, name) != (page, whose)}
            assert after == kept, f"a form of {whose} at {page} makes {before} {after}"
            if step % 3 == 0:
                added = add_players(event, (f"P {len(forms)}",))[0].player
                forms.append((added.id, added.name))
        return min(ends, key=(DONE, TOLD, REFUSED).index)

    return Bench([bytes(range(8)), bytes(range(0, 90, 9))], None, direct)


_NETWORKS = tuple(map(ip_network, (
    "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "169.254.0.0/16", "100.64.0.0/10", "0.0.0.0/8",
    "224.0.0.0/4", "240.0.0.0/4", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8", "::/127",
)))  # fmt: skip
"""Networks that nobody reaches from outside."""


def import_addresses(_folder: Path) -> Bench:
    """Addresses of private networks, also within others, which are not read from."""

    def direct(data: bytes) -> str:
        address = IPv6Address(data) if len(data) == 16 else IPv4Address(data)
        assert not is_public(address), f"{address} counts as public"
        return DONE

    return Bench([bytes((10, 0, 0, 1))], None, direct)


def of_a_private_network(_seeds: Sequence[bytes], choose: random.Random) -> bytes:
    """An address of a private network, if it is a short one in turns within a long one."""
    network = choose.choice(_NETWORKS)
    address = network[choose.randrange(min(network.num_addresses, 1 << 60))].packed
    if len(address) == 16:
        return address
    teredo = bytes(byte ^ 255 for byte in address)
    return choose.choice((
        address, bytes(10) + b"\xff\xff" + address, b"\x20\x02" + address + bytes(10),
        b"\x00\x64\xff\x9b" + bytes(8) + address, b"\x20\x01\x00\x00" + bytes(8) + teredo,
    ))  # fmt: skip


def table_saves(_folder: Path) -> Bench:
    """Names of saves, by force: a table is written over another table alone."""
    project, folder = open_project(), Path("tables")
    folder.mkdir(exist_ok=True)
    kept = {
        ".carddb-drafts.json": b'{"schema": "x", "drafts": []}', "package.json": b'{"version": 1}', "cards.csv": b"",
        "carddb.toml": b'game = "cahrd"\n', "decks/a.json": b"[]", "list.json": b"[1]", "empty.json": b"",
    }  # fmt: skip
    Path("decks").mkdir(exist_ok=True)
    for name, text in kept.items():
        Path(name).write_bytes(text)

    def direct(data: bytes) -> str:
        beginnings = TableBeginnings(project.fork(), Tables(folder), own=True)
        try:
            save = data.decode("utf-8", "replace")
            beginnings.of_game("solo", {"module": "generic-card", "seed": 1}, save, force=True)
        except CarddbError:
            return TOLD
        finally:
            for path in (*folder.iterdir(), *(path for path in Path().glob("*.json") if path.name not in kept)):
                path.unlink()
            assert all(Path(name).read_bytes() == text for name, text in kept.items()), "another file is written over"
        return DONE

    return Bench([b"a.json", *(name.encode() for name in kept)], None, direct)


def copies(_folder: Path) -> Bench:
    """Copies of the catalogue that are put back, damaged or beside the log of another; what was there is kept."""
    open_project()
    catalogue = Path("carddb.db")
    shutil.copy(catalogue, "sound.db")
    with closing(sqlite3.connect(catalogue)) as writer:
        writer.execute("UPDATE card SET name = 'Other'")
        writer.commit()
        log = Path("carddb.db-wal").read_bytes()
    sound = _rows(Path("sound.db"))

    def direct(data: bytes) -> str:
        is_copy = data.startswith(b"SQLite")
        Path("copy.db").write_bytes(data if is_copy else Path("sound.db").read_bytes())
        there = data[::-1] if is_copy else Path("sound.db").read_bytes()
        catalogue.write_bytes(there)
        Path("carddb.db-wal").write_bytes(log if is_copy else data)
        code = run(["-q", "restore", "copy.db"])
        try:
            assert code in (0, 3), code
            if code:
                assert catalogue.read_bytes() == there, "a refused copy changed the file"
                return REFUSED
            assert Path("carddb.db.bak-replaced").read_bytes() == there, "what was there is lost"
            assert is_copy or _rows(catalogue) == sound, "it is not the copy"
            return DONE
        finally:
            for path in (*Path().glob("carddb.db-*"), *Path().glob("*.bak-*")):
                path.unlink()

    return Bench([log, Path("sound.db").read_bytes()], None, direct)


def _rows(path: Path) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return [*connection.execute("SELECT id, name FROM card ORDER BY id")]
