"""Where input comes in: for each surface sound inputs, and the command that reads a mutated one."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from carddb.cli.main import run
from carddb.games import folders

ROOT = Path(__file__).parent.parent
LANTERNS = ROOT / "outside" / "lanterns"
SOLO = ("solo", "--session", "solo.json")


@dataclass(frozen=True)
class Surface:
    """A place where input comes in: `prepare` makes the folder and gives sound inputs, `read` a command for one.

    `share` of the mutations are of it.
    """

    name: str
    share: float
    prepare: Callable[[Path], Sequence[bytes]]
    read: Callable[[bytes], Sequence[Sequence[str]]]
    """Writes the input where it is expected, and gives the commands that read it."""


def _files(folder: Path, *patterns: str, most: int = 12) -> list[bytes]:
    return [path.read_bytes() for pattern in patterns for path in sorted(folder.glob(pattern))][:most]


def _file(name: str, *commands: Sequence[str]) -> Callable[[bytes], Sequence[Sequence[str]]]:
    def read(data: bytes) -> Sequence[Sequence[str]]:
        Path(name).write_bytes(data)
        return commands

    return read


def _cards(kind: str) -> Callable[[Path], Sequence[bytes]]:
    def prepare(folder: Path) -> Sequence[bytes]:
        seeds = []
        for game, query in (("cahrd", "type:item"), ("empires-and-generals", "type:soldier")):
            run(["-q", "export", "--game", game, query, "-o", f"seed.{kind}"])
            seeds.append(Path(f"seed.{kind}").read_bytes())
        return seeds

    return prepare


def _ods(_folder: Path) -> Sequence[bytes]:
    """A sheet by another program's library."""
    from odf.opendocument import OpenDocumentSpreadsheet
    from odf.table import Table, TableCell, TableRow
    from odf.text import P

    document = OpenDocumentSpreadsheet()
    sheet = Table(name="cards")
    for cells in (("ref", "name", "type", "rarity"), ("X-1", "A", "soldier", "common")):
        row = TableRow()
        for cell in cells:
            part = TableCell(valuetype="string")
            part.addElement(P(text=cell))
            row.addElement(part)
        sheet.addElement(row)
    document.spreadsheet.addElement(sheet)
    stream = io.BytesIO()
    document.write(stream)
    return [stream.getvalue()]


def _decks(kind: str) -> Callable[[Path], Sequence[bytes]]:
    def prepare(_folder: Path) -> Sequence[bytes]:
        sources = [path for key in ("cahrd", "rishar", "guarda") for path in folders()[key].decks[:3]]
        if kind == "deck":
            return [*(path.read_bytes() for path in sources), *_files(ROOT / "pasted", "*.txt")]
        seeds = []
        for path in sources[:4]:
            run(["-q", "decks", "convert", str(path), "-o", f"seed.{kind}"])
            seeds.append(Path(f"seed.{kind}").read_bytes())
        return seeds

    return prepare


def _game(name: str) -> Callable[[Path], Sequence[bytes]]:
    """A game of somebody else, of which one file is mutated."""

    def prepare(_folder: Path) -> Sequence[bytes]:
        shutil.copytree(LANTERNS, "lanterns", dirs_exist_ok=True)
        Path("carddb.toml").write_text('games = ["lanterns"]\n', "utf-8")
        bundled = [path / name for path in (folder.path for folder in folders().values()) if (path / name).is_file()]
        return [(LANTERNS / name).read_bytes(), *(path.read_bytes() for path in bundled[:2])]

    return prepare


def _template(folder: Path) -> Sequence[bytes]:
    _game("game.yaml")(folder)
    run(["-q", "load", "lanterns/cards.csv", "--game", "lanterns"])
    Path("a.deck").write_bytes(next(iter(sorted((LANTERNS / "decks").glob("*.deck")))).read_bytes())
    return [(LANTERNS / "templates" / "card.svg").read_bytes()]


def _pictures(_folder: Path) -> Sequence[bytes]:
    from PIL import Image

    Path("a.deck").write_text("Game: empires-and-generals\n3 A\n", "utf-8")
    row = "M-1,A,soldier,common,3,3,art.png"
    Path("mine.csv").write_text(f"ref,name,type,rarity,strength,life,art\n{row}\n", "utf-8")
    picture = Image.effect_noise((90, 70), 60).convert("RGB")
    seeds = []
    for kind in ("PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP"):
        stream = io.BytesIO()
        picture.save(stream, kind)
        seeds.append(stream.getvalue())
    Path("art.png").write_bytes(seeds[0])
    run(["-q", "load", "mine.csv", "--game", "empires-and-generals"])
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1L8 8Z" fill="#123456"/><g/></svg>'
    return [*seeds, svg]


def _session(_folder: Path) -> Sequence[bytes]:
    seeds = []
    run([*SOLO, "new", "--module", "generic-separate", "--seed", "5"])
    for line in ("start-phase", "roll 1", "play A ops", "next", "roll 2"):
        run([*SOLO, *line.split()])
        seeds.append(Path("solo.json").read_bytes())
    return seeds


def _modules(_folder: Path) -> Sequence[bytes]:
    """Modules for which the demonstration deck serves: one that is patched, and a whole one."""
    from carddb.games import load

    game, _ = load(folders()["cdg-solo"])
    assert game is not None
    whole = dict(game.spec.data["modules"]["generic-separate"])
    patch = {"base": "generic-separate", "patch": {"id": "mine", "title": "Mine"}}
    return [json.dumps(patch, indent=1).encode(), json.dumps(whole, indent=1, default=str).encode()]


def _printers(_folder: Path) -> Sequence[bytes]:
    for tray in ("1", "2"):
        run(["printer", "set", "home", "--measured", "100mm,100.2mm", "--tray", tray])
    return [Path("printers.json").read_bytes()]


def _questions(_folder: Path) -> Sequence[bytes]:
    import yaml

    prefixes = {
        "cahrd": "cahrd",
        "rishar": "rishar",
        "guarda": "guarda",
        "empires_and_generals": "eg",
        "cdg_solo": "cdg",
    }
    lines = []
    for game, prefix in prefixes.items():
        for path in sorted((ROOT / "games" / game / "cases").glob("*.yaml")):
            for case in yaml.load(path.read_bytes(), getattr(yaml, "CSafeLoader", yaml.SafeLoader))[:2]:
                if isinstance(case, dict) and "op" in case:
                    question = {"id": 1, "op": f"{prefix}.{case['op']}", "input": case.get("given", {})}
                    lines.append(json.dumps(question, default=str).encode())
    return lines


def _catalogue(_folder: Path) -> Sequence[bytes]:
    run(["-q", "cards", "type:officer"])
    return [Path("carddb.db").read_bytes()]


def _read_catalogue(data: bytes) -> Sequence[Sequence[str]]:
    for path in Path().glob("mutated.db*"):
        path.unlink()
    Path("mutated.db").write_bytes(data)
    named = ("--catalog", "mutated.db")
    return [(*named, "cards", "type:officer"), (*named, "doctor")]


def _owned(_folder: Path) -> Sequence[bytes]:
    Path("a.deck").write_bytes(folders()["cahrd"].decks[0].read_bytes())
    return [
        b"ref,count\nCAH-001,3\nCAH-002,1\n",
        b"name;have\nGrace O'Malley;1\n",
        folders()["cahrd"].decks[0].read_bytes(),
    ]


def _query(data: bytes) -> Sequence[Sequence[str]]:
    text = data.decode("utf-8", "replace").replace("\0", "")
    return [("cards", "--", text)] if text.strip() else []


def _project(_folder: Path) -> Sequence[bytes]:
    text = """catalog = "c.db"
game = "cahrd"
[options.cahrd]
allow_printed_s = true
[columns]
A = "name"
[defaults]
paper = "a4"
"""
    return [text.encode()]


def _bans(_folder: Path) -> Sequence[bytes]:
    return [folders()["cahrd"].path.joinpath("bans.yaml").read_bytes()]


def _queries(_folder: Path) -> Sequence[bytes]:
    return [
        b"type:officer war>=3 -name:horse", b'(set:sample or ref:CAH-001,CAH-002) "iron wall"', b"name=Amina*",
    ]  # fmt: skip


_SHEET = ("sheets", "a.deck", "-o", "out.pdf", "--allow-illegal", "--no-remember")


def _load(kind: str, game: str = "cahrd") -> Callable[[bytes], Sequence[Sequence[str]]]:
    return _file(f"c.{kind}", ("load", f"c.{kind}", "--game", game, "--dry-run"))


def _check(kind: str) -> Callable[[bytes], Sequence[Sequence[str]]]:
    return _file(f"d.{kind}", ("check", f"d.{kind}", "--game", "cahrd"))


SURFACES: tuple[Surface, ...] = (
    Surface("game.yaml", 3, _game("game.yaml"), _file("lanterns/game.yaml", ("games", "lanterns"))),
    Surface("guide.md", 2, _game("guide.md"), _file("lanterns/guide.md", ("guide", "lanterns", "-o", "out.html"))),
    Surface("templates", 3, _template, _file("lanterns/templates/card.svg", _SHEET)),
    Surface("pictures in sheets", 2.5, _pictures, _file("art.png", _SHEET)),
    Surface("solo saves", 6, _session, _file("solo.json", (*SOLO, "status"), (*SOLO, "roll"))),
    Surface("modules", 3, _modules, _file("m.json", (*SOLO, "new", "--module", "m.json", "--seed", "1", "--force"))),
    Surface("printers", 4, _printers, _file("printers.json", ("printer", "show"))),
    Surface("carddb.toml", 4, _project, _file("carddb.toml", ("bans", "show", "short"))),
    Surface("cards csv", 6, _cards("csv"), _load("csv")),
    Surface("cards json", 5, _cards("json"), _load("json")),
    Surface("cards yaml", 3, _cards("yaml"), _load("yaml")),
    Surface("cards xlsx", 5, _cards("xlsx"), _load("xlsx")),
    Surface("cards ods", 5, _ods, _load("ods", "empires-and-generals")),
    Surface("decks", 8, _decks("deck"), _check("deck")),
    Surface("decks json", 5, _decks("json"), _check("json")),
    Surface("decks xml", 5, _decks("cod"), _check("cod")),
    Surface("decks csv", 5, _decks("csv"), _check("csv")),
    Surface("ban lists", 5, _bans, _file("bans.yaml", ("bans", "lint", "bans.yaml", "--game", "cahrd"))),
    Surface("questions", 10, _questions, _file("q.jsonl", ("judge", "--batch", "q.jsonl"))),
    Surface("queries", 6, _queries, _query),
    Surface("owned lists", 2, _owned, _file("own.csv", ("decks", "fill", "a.deck", "--owned", "own.csv"))),
    Surface("catalogues", 3, _catalogue, _read_catalogue),
)
