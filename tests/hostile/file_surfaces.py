"""Files of users: cards, decks, ban lists, owned cards, settings, printers, questions, queries, catalogues."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import yaml

from carddb.app.bans.announcements import announce, lint
from carddb.app.decks.check import CheckRequest, check_deck
from carddb.app.decks.help import HelpRequest, fix_deck
from carddb.app.decks.lists import print_deck_lists
from carddb.app.printing.printers import open_book
from carddb.app.referee import answer_lines, referee
from carddb.app.workspace.clock import today
from carddb.app.workspace.settings import find_settings
from carddb.app.workspace.workspace import SharedCards
from carddb.catalog.store import Catalog
from carddb.cli.main import run
from carddb.core.errors import QueryError
from carddb.games import folders
from carddb.read.cards.file import CardReading, read_cards
from carddb.read.decks.owned import read_owned
from tests.hostile.surface import DONE, REFUSED, ROOT, TOLD, Bench, Command, open_project, outcome, read_from, written

_GAME = "cahrd"
_PREFIXES = {"cahrd": "cahrd", "rishar": "rishar", "guarda": "guarda", "empires_and_generals": "eg", "cdg_solo": "cdg"}


def cards(kind: str) -> Callable[[Path], Bench]:
    """Card files of a format."""

    def prepare(_folder: Path) -> Bench:
        project = open_project()
        game = project.game(_GAME)

        def direct(data: bytes) -> str:
            return outcome(read_cards(io.BytesIO(data), CardReading(game.spec, "c", Path()), kind).findings)

        load = ("load", f"c.{kind}", "--game", game.key, "--dry-run")
        return Bench(_card_seeds(kind), written(f"c.{kind}", load), direct)

    return prepare


def _card_seeds(kind: str) -> list[bytes]:
    seeds = []
    for query in ("ref:CAH-001,CAH-002,CAH-003", "type:item war>=3 name:s"):
        name = f"seed.{kind if kind != 'ods' else 'csv'}"
        run(["-q", "export", "--game", _GAME, query, "-o", name])
        seeds.append(Path(name).read_bytes() if kind != "ods" else _ods(Path(name)))
    return seeds


def _ods(table: Path) -> bytes:
    """A sheet by another program's library."""
    from odf.opendocument import OpenDocumentSpreadsheet
    from odf.table import Table, TableCell, TableRow
    from odf.text import P

    document = OpenDocumentSpreadsheet()
    sheet = Table(name="cards")
    for cells in csv.reader(table.read_text("utf-8").splitlines()):
        row = TableRow()
        for cell in cells:
            part = TableCell(valuetype="string")
            part.addElement(P(text=cell))
            row.addElement(part)
        sheet.addElement(row)
    document.spreadsheet.addElement(sheet)
    stream = io.BytesIO()
    document.write(stream)
    return stream.getvalue()


def decks(kind: str) -> Callable[[Path], Bench]:
    """Deck files of a format."""

    def prepare(_folder: Path) -> Bench:
        project, request = open_project(), CheckRequest()
        project.shared_cards = SharedCards()

        def check(path: Path) -> str:
            return outcome(check_deck(project.fork(), path, request).findings)

        name = f"d.{kind}"
        return Bench(_deck_seeds(kind), written(name, ("check", name)), read_from(name, check))

    return prepare


def deck_help(_folder: Path) -> Bench:
    """Decks that are repaired and printed with their verdict."""
    project = open_project()
    project.shared_cards = SharedCards()

    def helped(path: Path) -> str:
        print_deck_lists(project.fork(), path, CheckRequest(), "pdf", "letter")
        return TOLD if fix_deck(project.fork(), path, HelpRequest()).exit_code else DONE

    commands = written("d.deck", ("decks", "fix", "d.deck"), ("decklist", "d.deck", "-o", "d.pdf"))
    return Bench(_deck_seeds("deck"), commands, read_from("d.deck", helped))


def _deck_seeds(kind: str) -> list[bytes]:
    sources = [path for key in ("cahrd", "rishar", "guarda") for path in folders()[key].decks[:3]]
    if kind == "deck":
        return [path.read_bytes() for path in sources]
    seeds = []
    for path in sources[:4]:
        run(["-q", "decks", "convert", str(path), "-o", f"seed.{kind}"])
        seeds.append(Path(f"seed.{kind}").read_bytes())
    return seeds


def pasted_decks(_folder: Path) -> Bench:
    """Lists as people paste them, from other programs and by hand; no game is named."""
    project = open_project()
    project.shared_cards = SharedCards()
    request = CheckRequest(_GAME)

    def direct(data: bytes) -> str:
        return outcome(check_deck(project.fork(), data.decode("utf-8", "replace") + "\n", request).findings)

    strange = [path.read_bytes() for path in sorted((ROOT / "pasted").glob("*.*"))]
    legal = [_restyled(path.read_text("utf-8"), style) for path in folders()[_GAME].decks[:4] for style in _STYLES]
    return Bench([*legal, *strange], None, direct)


_STYLES = (r"\1x \2", r"\2 x\1", r"- \1 \2", r"\1,\2", r"[*]\1 [b]\2[/b]")
"""How people write a count and a name."""


def _restyled(deck: str, style: str) -> bytes:
    """A deck without its header, its lines in another style."""
    text = re.sub(r"(?m)^(?:#(?!#)|[A-Z]\w+:).*\n", "", deck)
    return re.sub(r"(?m)^(\d+) (.+?)(?: \[.*\])?$", style, text).encode()


def ban_lists(_folder: Path) -> Bench:
    """The ban lists of a game."""
    project, name = open_project(), "bans.yaml"
    seeds = [folders()[_GAME].path.joinpath("bans.yaml").read_bytes()]
    command = ("bans", "lint", name, "--game", _GAME)
    return Bench(
        seeds, written(name, command), read_from(name, lambda path: outcome(lint(project.fork(), path, _GAME)))
    )


def announcements(_folder: Path) -> Bench:
    """An announcement that is put to a log."""
    project, name = open_project(), "a.yaml"
    seeds = [
        b"id: x1\nmade: 2026-12-05T12:00:00Z\neffective: 2026-12-15\nchanges:\n"
        b"- {list: short, card: CAH-001, from: 0, to: 1, why: Too strong.}\n",
        b'{"announcements": [{"id": "x2", "made": "2026-12-06T00:00:00Z", "effective": "2026-12-16", '
        b'"changes": [{"list": "short", "card": "CAH-002", "from": 0, "to": 2}]}]}',
    ]  # fmt: skip
    command = ("bans", "announce", name, "--game", _GAME, "--dry-run")

    def read(path: Path) -> str:
        return outcome(announce(project.fork(), path, _GAME, None, dry_run=True).findings)

    return Bench(seeds, written(name, command), read_from(name, read))


def owned_cards(_folder: Path) -> Bench:
    """Lists of cards that a player owns."""
    project, name = open_project(), "own.csv"
    game = project.game(_GAME)
    with project.catalog() as catalog:
        pool = catalog.pool(game.spec, day=today())
    Path("a.deck").write_bytes(folders()[_GAME].decks[0].read_bytes())
    seeds = [
        b"ref,count\nCAH-001,3\nCAH-002,1\n", b"name;have\nGrace O'Malley;1\n", folders()[_GAME].decks[0].read_bytes(),
    ]  # fmt: skip
    command = ("decks", "fill", "a.deck", "--owned", name)
    return Bench(
        seeds, written(name, command), read_from(name, lambda path: outcome(read_owned(path, game.spec, pool)[1]))
    )


def settings(_folder: Path) -> Bench:
    """The file of a project."""
    text = 'catalog = "c.db"\ngame = "cahrd"\n[options.cahrd]\nallow_printed_s = true\n'
    text += '[columns]\nA = "name"\n[defaults]\npaper = "a4"\n'

    def read(path: Path) -> str:
        find_settings(path.absolute().parent)
        return DONE

    name = "carddb.toml"
    return Bench([text.encode()], written(name, ("bans", "show", "short")), read_from(name, read))


def printers(_folder: Path) -> Bench:
    """What is known of printers."""
    for tray in ("1", "2"):
        run(["printer", "set", "home", "--measured", "100mm,100.2mm", "--tray", tray])
    name = "printers.json"

    def read(_path: Path) -> str:
        book = open_book()
        return DONE if [list(book.entries(printer)) for printer in book.printers] else TOLD

    return Bench([Path(name).read_bytes()], written(name, ("printer", "show")), read_from(name, read))


def questions(_folder: Path) -> Bench:
    """Questions to the referee."""
    judge = referee(open_project())

    def direct(data: bytes) -> str:
        answers = list(answer_lines(judge, data.splitlines()))
        return DONE if any(answer.get("result", {}).get("ok", "result" in answer) for answer in answers) else TOLD

    return Bench(_question_seeds(), written("q.jsonl", ("judge", "--batch", "q.jsonl")), direct)


def _question_seeds() -> list[bytes]:
    lines = []
    for game, prefix in _PREFIXES.items():
        for path in sorted((ROOT / "games" / game / "cases").glob("*.yaml")):
            for case in yaml.load(path.read_bytes(), getattr(yaml, "CSafeLoader", yaml.SafeLoader))[:2]:
                if isinstance(case, dict) and "op" in case:
                    question = {"id": 1, "op": f"{prefix}.{case['op']}", "input": case.get("given", {})}
                    lines.append(json.dumps(question, default=str).encode())
    return lines


def queries(_folder: Path) -> Bench:
    """Searches, of every game whose fields they fit."""
    project = open_project()
    games, day = project.all_games(), today()
    catalog = Catalog.open(project.catalog_path, must_exist=True).__enter__()
    seeds = [
        b"type:officer war>=3 -name:horse", b'(set:sample or ref:CAH-001,CAH-002) "iron wall"', b"name=Amina*",
        b"game:guarda text:fire or cost<=2", b"strength=1,2,3 type!=soldier",
    ]  # fmt: skip

    def direct(data: bytes) -> str:
        text, ends = data.decode("utf-8", "replace"), []
        for game in games:
            try:
                parsed = game.spec.query(text)
            except QueryError:
                continue
            ends += [bool(catalog.search(game.spec, parsed, day=day))]
        return REFUSED if not ends else DONE if any(ends) else TOLD

    def commands(data: bytes) -> Sequence[Command]:
        text = data.decode("utf-8", "replace").replace("\0", "")
        return [("cards", "--", text)] if text.strip() else []

    return Bench(seeds, commands, direct)


def catalogues(_folder: Path) -> Bench:
    """The catalogue's own file."""
    open_project()
    name = "mutated.db"

    def commands(data: bytes) -> Sequence[Command]:
        for path in Path().glob(f"{name}*"):
            path.unlink()
        Path(name).write_bytes(data)
        return [("--catalog", name, "cards", "type:officer"), ("--catalog", name, "doctor")]

    return Bench([Path("carddb.db").read_bytes()], commands)
