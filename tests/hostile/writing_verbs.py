"""Every verb that writes, with what it needs; `tests/hostile/test_hostile.py` compares them with the program's own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from carddb.games import folders
from carddb.read.tables.xlsx_writer import write_workbook

KILLS = 1_000
"""The kills of a whole run."""

_SOLO = ("solo", "--session", "solo.json")
_BATTLE = ("battle", "--session", "battle.json")
_GAME = "empires-and-generals"
_LOAD = ("load", "mine.csv", "--game", _GAME)
_BANS = ("load", "bans.yaml", "--game", _GAME)
_NEW = (*_SOLO, "new", "--module", "generic-separate", "--seed", "5", "--force")
_FIGHT = (*_BATTLE, "new", "a.army", "b.army", "--seed", "5", "--first", "a", "--force")
_ON = ("--on", "2026-06-20")
_TERMS = """\
lists: {mine: {title: Mine, zone: UTC, format: standard}}
levels: {1: {max_copies: 1, status: official}}
announcements:
"""


@dataclass(frozen=True)
class Verb:
    """A command that writes, and those that make the folder that it is run in; `kills` of a whole run are of it."""

    name: str
    command: tuple[str, ...]
    before: tuple[tuple[str, ...], ...] = ()
    again: int = 0
    """How it ends where it has been done already."""
    adds: bool = False
    """It adds to what it did before: done twice it makes something else."""
    row_by_row: bool = False
    """It does one thing after the other, each of them whole."""
    kills: int = 22


_EVENT = ("event", "new", "Club night", "--key", "night", "--day", "2026-06-20", "--game", "cahrd")
_SUBMIT = ("event", "submit", "night", "a.deck", "b.deck")

_CHECK_IN = ("event", "check-in", "night", "Ann", "Bea", "Cem", "Dan")
_PLAYED = (_EVENT, _CHECK_IN, ("event", "pair", "night"))

VERBS: tuple[Verb, ...] = (
    Verb("load", _LOAD, kills=70),
    Verb("load workbook", ("load", "mine.xlsx", "--game", _GAME), kills=42),
    Verb("load bans", _BANS, (_LOAD,), kills=42),
    Verb("restore", ("restore", "copy.db"), (("--catalog", "copy.db", *_LOAD),), adds=True),
    Verb("export", ("export", "--game", "cahrd", "-o", "cards.xlsx")),
    Verb("init", ("init", "club", "--bare"), again=3),
    Verb("init samples", ("init", "club"), again=3, kills=14),
    Verb("demo", ("demo", "--output", "out"), kills=8),
    Verb("bans announce", ("bans", "announce", "new.yaml", "--game", _GAME), (_LOAD, _BANS), kills=42),
    Verb("bans log", ("bans", "log", "--game", _GAME, "-o", "log.yaml"), (_LOAD, _BANS)),
    Verb("bans publish", ("bans", "publish", "short", "--paper", "a4", *_ON, "-o", "site"),
         (("bans", "publish", "long", "--paper", "a4", "--on", "2025-06-20", "-o", "site"),), kills=42),
    Verb("site", ("site", "--game", "rishar", *_ON, "-o", "site"),
         (("site", "--game", "cdg-solo", *_ON, "-o", "site"),), kills=4),
    Verb("meta", ("meta", "a.deck", "b.deck", *_ON, "-o", "meta"), kills=10),
    Verb("handbook", ("handbook", "-o", "book"), kills=10),
    Verb("handbook pdf", ("handbook", "-o", "book.pdf"), kills=4),
    Verb("guide", ("guide", "guarda", "-o", "guide.pdf")),
    Verb("credits", ("credits", _GAME, "-o", "credits.pdf"), (("load", "pictured.csv", "--game", _GAME),)),
    Verb("sheets", ("sheets", "ref:CAH-001,CAH-002", "-o", "out.pdf", *_ON), kills=42),
    Verb("pictures", ("sheets", "ref:CAH-001,CAH-002", "--png", "faces", "--dpi", "50", *_ON)),
    Verb("components", ("components", "guarda", "field-tiles", "-o", "parts.pdf", *_ON), kills=14),
    Verb("box", ("box", "guarda", "-o", "box.pdf", *_ON), kills=14),
    Verb("table", ("table", "guarda", "-o", "plan.png"), kills=8),
    Verb("changes", ("changes", "--game", _GAME, "--from", "2026-01-01", "-o", "notes.md"), (_LOAD,), kills=14),
    Verb("ci", ("ci", "-o", "out", "--game", "cahrd", "--on", "2026-06-20"), kills=4),
    Verb("proof", ("proof", "CAH-001", "-o", "face.png"), kills=14),
    Verb("decklist", ("decklist", "a.deck", "-o", "list.pdf", *_ON), kills=14),
    Verb("decks convert", ("decks", "convert", "a.deck", "-o", "a.cod"), kills=14),
    Verb("decks new", ("decks", "new", "--game", "cahrd", "--seed", "5", "-o", "new.deck"), kills=14),
    Verb("decks fix", ("decks", "fix", "broken.deck", "--write"), kills=28),
    Verb("decks fill", ("decks", "fill", "short.deck", "--write"), kills=28),
    Verb("check report", ("check", "a.deck", "b.deck", "--report", "report.html"), kills=14),
    Verb("printer set", ("printer", "set", "home", "--measured", "100mm,100.2mm"),
         (("printer", "set", "work", "--measured", "100mm,100.1mm"),), adds=True, kills=42),
    Verb("printer forget", ("printer", "forget", "home"),
         (("printer", "set", "home", "--measured", "100mm,100.1mm"),), again=2, kills=14),
    Verb("printer calibrate", ("printer", "calibrate", "home", "-o", "page.pdf"), kills=14),
    Verb("event new", _EVENT, kills=20, again=2),
    Verb("event submit", _SUBMIT, (_EVENT,), again=1, row_by_row=True, kills=60),
    Verb("event links", ("event", "links", "night", "Ann", "Bea"), (_EVENT,), again=2, kills=14),
    Verb("event lock", ("event", "lock", "night"), (_EVENT, _SUBMIT), kills=14),
    Verb("event change", ("event", "change", "night", "--open-lists"), (_EVENT, _SUBMIT), kills=14),
    Verb("event open", ("event", "open", "night", "a"), (_EVENT, _SUBMIT), kills=10),
    Verb("event recheck", ("event", "recheck", "night"), (_EVENT, _SUBMIT), kills=14),
    Verb("event forget", ("event", "forget", "night", "a"), (_EVENT, _SUBMIT), again=2, kills=20),
    Verb("event export", ("event", "export", "night", "-o", "night.json"), (_EVENT, _SUBMIT), kills=14),
    Verb("event print", ("event", "print", "night", "-o", "night.pdf"), (_EVENT, _SUBMIT), kills=14),
    Verb("event pairings", ("event", "pairings", "night", "-o", "round.pdf"), _PLAYED, kills=14),
    Verb("event standings", ("event", "standings", "night", "-o", "standings.pdf"), _PLAYED, kills=14),
    Verb("solo new", _NEW, kills=36),
    Verb("solo roll", (*_SOLO, "roll"), (_NEW, (*_SOLO, "start-phase")), again=1, kills=36),
    Verb("solo undo", (*_SOLO, "undo"), (_NEW, (*_SOLO, "start-phase")), again=1, kills=14),
    Verb("solo template", ("solo", "template", "generic-separate", "-o", "mine-solo.csv"), kills=14),
    Verb("battle new", _FIGHT, kills=20),
    Verb("battle pass", (*_BATTLE, "pass"), (_FIGHT,), again=1, adds=True, kills=36),
    Verb("battle report", (*_BATTLE, "report", "-o", "report.pdf"), (_FIGHT,), kills=14),
)  # fmt: skip


def fill(folder: Path) -> None:
    """Writes the files that the commands read."""
    deck = folders()["cahrd"].decks[0].read_bytes()
    first, second = folders()["rishar"].decks[2:4]
    lines = deck.splitlines(keepends=True)
    (folder / "a.deck").write_bytes(deck)
    (folder / "b.deck").write_bytes(deck)
    (folder / "broken.deck").write_bytes(deck.replace(b"\n1 ", b"\n9 ", 1))
    (folder / "short.deck").write_bytes(b"".join(lines[: len(lines) // 2]))
    (folder / "a.army").write_bytes(first.read_bytes())
    (folder / "b.army").write_bytes(second.read_bytes())
    header = ("ref", "name", "type", "rarity", "strength", "life")
    rows = [(f"M-{number}", f"Mine {number}", "soldier", "common", "3", "3") for number in range(2_000)]
    (folder / "mine.csv").write_text("".join(",".join(row) + "\n" for row in (header, *rows)), "utf-8")
    (folder / "mine.xlsx").write_bytes(write_workbook("Mine", header, rows))
    pictured = (*header, "art"), ("M-1", "Mine 1", "soldier", "common", "3", "3", "ox.png")
    (folder / "pictured.csv").write_text("".join(",".join(row) + "\n" for row in pictured), "utf-8")
    (folder / "bans.yaml").write_text(_TERMS + "".join(_announcements(150)), "utf-8")
    (folder / "new.yaml").write_text("announcements:\n" + "".join(_announcements(5, date(2027, 1, 1))), "utf-8")


def _announcements(count: int, first: date = date(2020, 1, 1)) -> Iterator[str]:
    for number in range(count):
        made = first + timedelta(days=3 * number)
        change = f"{{list: mine, card: M-{number}, from: {int(first.year > 2020)}, to: {int(first.year == 2020)}}}"
        effective = made + timedelta(days=5)
        yield f"- {{id: a{made}, made: {made}T00:00:00Z, effective: {effective}, changes: [{change}]}}\n"
