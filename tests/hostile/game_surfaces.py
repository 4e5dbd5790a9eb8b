"""What others write of a game: game.yaml, rule sheets, templates, pictures, modules."""

from __future__ import annotations

import contextlib
import io
import json
import random
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

from carddb.app.games.explanation import games_json
from carddb.app.printing.component_prints import with_module
from carddb.cli.main import run
from carddb.core.assets import font_file
from carddb.core.errors import DataFault, TemplateError
from carddb.door import Project
from carddb.findings import has_errors
from carddb.games import folders, load
from carddb.layout.drawing import svg_parser
from carddb.layout.drawing.art import read_vector
from carddb.press.faces import workshop
from carddb.press.templates import foreign_templates
from carddb.press.templates.foreign_templates import ForeignTemplates
from carddb.read.pictures import drawing_text
from tests.hostile import traps
from tests.hostile.mutation import mutated
from tests.hostile.surface import (
    DONE,
    LANTERNS,
    REFUSED,
    TOLD,
    Bench,
    open_project,
    read_from,
    written,
)
from tests.layout.templates.grammar import template
from tests.layout.templates.payloads import PAYLOADS

_GAME = Path("lanterns")
_MEMORY_ADDRESS = re.compile("0x[0-9a-f]{8}", re.IGNORECASE)
_SHEET = ("sheets", "a.deck", "-o", "out.pdf", "--allow-illegal", "--allow-faults", "--no-remember")
_OF_PICTURES = """key: lanterns
prefix: lan
name: Lanterns
card_size: poker
identity: [name]
types:
  plate: {label: Plate, plural: Plates, face: card.svg}
sections:
  main: {label: Main, types: [plate]}
"""
"""A game of nothing but a picture: what a sheet costs is then its picture."""
_PICTURE_FACE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 63.5 88.9">
<rect width="63.5" height="88.9" fill="#ffffff"/>
<image href="{{ card.art }}" x="5" y="20" width="50" height="40"/>
</svg>
"""


def _outside() -> None:
    """A game of somebody else in the working folder, named by its project file."""
    shutil.copytree(LANTERNS, _GAME, dirs_exist_ok=True)
    Path("carddb.toml").write_text(f'games = ["{_GAME}"]\n', "utf-8")


def _with_bundled(name: str) -> list[bytes]:
    paths = [LANTERNS / name, *(folder.path / name for folder in folders().values())]
    return [path.read_bytes() for path in paths if path.is_file()][:3]


def game_file(_folder: Path) -> Bench:
    """game.yaml of a game that nobody vouched for."""
    _outside()
    name = str(_GAME / "game.yaml")

    def read(_path: Path) -> str:
        game, findings = load(folders([(_GAME, False)])["lanterns"])
        if game is None or has_errors(findings):
            return TOLD
        games_json([game])
        return DONE

    return Bench(_with_bundled("game.yaml"), written(name, ("games", "lanterns")), read_from(name, read))


def rule_sheet(_folder: Path) -> Bench:
    """guide.md."""
    _outside()
    return Bench(_with_bundled("guide.md"), written(str(_GAME / "guide.md"), ("guide", "lanterns", "-o", "out.html")))


def _sheet_of(project: Project) -> Callable[[Path], str]:
    """Sheets of the deck, drawn in the process; a project for each, since a template is looked up anew."""

    def read(_path: Path) -> str:
        result = project.fork().sheets(Path("a.deck"), allow_illegal=True, allow_faults=True)
        return DONE if result.data else TOLD

    return read


def card_template(_folder: Path) -> Bench:
    """The template of a game that nobody vouched for, in whole sheets."""
    _outside()
    run(["-q", "load", str(LANTERNS / "cards.csv"), "--game", "lanterns"])
    shutil.copy(next(iter(sorted((LANTERNS / "decks").glob("*.deck")))), "a.deck")
    name = str(_GAME / "templates" / "card.svg")
    return Bench([Path(name).read_bytes()], written(name, _SHEET), read_from(name, _sheet_of(open_project())))


def in_a_face(seeds: Sequence[bytes], choose: random.Random) -> bytes:
    """The template of a face with one by chance as the text of an element; in turns with one of other bytes."""
    if choose.random() < 0.2:
        return mutated(seeds, choose)
    text = template(choose.randrange(1 << 40)).replace("card.k[0]", "i").replace("card.k", "r")
    pieces = choose.choice(seeds).decode().split("{{ card.name }}")
    at = choose.randrange(1, len(pieces))
    return ("{{ card.name }}".join(pieces[:at]) + text + "{{ card.name }}".join(pieces[at:])).encode()


def written_templates(_folder: Path) -> Bench:
    """Templates from the grammar, drawn by themselves, in less time than usual: many of them have no end."""
    foreign_templates._PROGRAM = "tests.layout.templates.payloads"
    context = {"card": {"name": "A & B", "k": [1, 2]}}

    def direct(data: bytes) -> str:
        try:
            text = ForeignTemplates({"one.svg": data.decode()}).render("one.svg", context)
            assert not _MEMORY_ADDRESS.search(text), "it prints an address"
        except TemplateError:
            return REFUSED
        return DONE

    return Bench([b"{{ card.name }}"], None, direct)


def of_a_manner(_seeds: Sequence[bytes], choose: random.Random) -> bytes:
    """A template that would run or swell without end, with other figures in it."""
    text = choose.choice(PAYLOADS[choose.choice(sorted(PAYLOADS))])
    return re.sub(r"\d+", lambda figure: str(int(figure[0]) * choose.choice((1, 1, 1, 2, 10))), text).encode()


def from_grammar(_seeds: Sequence[bytes], choose: random.Random) -> bytes:
    """A template by chance."""
    return template(choose.randrange(1 << 40)).encode()


def pictures(_folder: Path) -> Bench:
    """Pictures in whole sheets."""
    from PIL import Image

    _outside()
    (_GAME / "game.yaml").write_text(_OF_PICTURES, "utf-8")
    (_GAME / "templates" / "card.svg").write_text(_PICTURE_FACE, "utf-8")
    Path("mine.csv").write_text("ref,name,type,art\nP-1,A,plate,art.png\n", "utf-8")
    Path("a.deck").write_text("Game: lanterns\n1 A\n", "utf-8")
    picture = Image.effect_noise((90, 70), 60).convert("RGB")
    seeds = []
    for kind in ("PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP"):
        stream = io.BytesIO()
        picture.save(stream, kind, **({"progressive": True} if kind == "JPEG" else {}))
        seeds.append(stream.getvalue())
    Path("art.png").write_bytes(seeds[0])
    run(["-q", "load", "mine.csv", "--game", "lanterns"])
    seeds.append(
        b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1L8 8Z" fill="#123456"/><g/></svg>'
    )
    return Bench(seeds, written("art.png", _SHEET), read_from("art.png", _sheet_of(open_project())))


def that_swells(seeds: Sequence[bytes], choose: random.Random) -> bytes:
    """A small picture that would be large to whoever draws it: of many scans, on a large canvas, of many rules."""
    kind = choose.randrange(3)
    if kind == 0:
        jpeg = seeds[1]
        start = jpeg.index(b"\xff\xda")
        return jpeg[:-2] + jpeg[start:-2] * choose.randrange(2_000) + jpeg[-2:]
    if kind == 1:
        sides = b"".join(choose.randrange(1 << 24).to_bytes(3, "little") for _ in range(2))
        return b"RIFF\x30\0\0\0WEBPVP8X\x0a\0\0\0" + bytes([choose.randrange(64), 0, 0, 0]) + sides + seeds[5][12:]
    names = ",".join(f".a{choose.randrange(9_000)}" for _ in range(choose.randrange(1, 20_000)))
    body = ";".join(f"a{number}:b" for number in range(choose.randrange(2_000)))
    groups = '<g class="a1 a2 a3"/>' * choose.randrange(900)
    rule = f"<style>{names}{{{body}}}</style>{groups}</svg>"
    return b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">' + rule.encode()


def fonts(_folder: Path) -> Bench:
    """Fonts of a game in whole sheets."""
    _outside()
    run(["-q", "load", str(LANTERNS / "cards.csv"), "--game", "lanterns"])
    shutil.copy(next(iter(sorted((LANTERNS / "decks").glob("*.deck")))), "a.deck")
    face, spec, name = _GAME / "templates" / "card.svg", _GAME / "game.yaml", str(_GAME / "own.ttf")
    face.write_text(face.read_text("utf-8").replace('"Spectral"', '"Own"'), "utf-8")
    spec.write_text(spec.read_text("utf-8") + "\nfonts: {Own: {files: {'600': own.ttf}}}\n", "utf-8")
    seed = font_file("fontpkg_cardo", "files/Cardo-Regular.ttf").read_bytes()
    Path(name).write_bytes(seed)
    project = open_project()

    def read(_path: Path) -> str:
        for kept in (workshop._own_file, workshop._font, workshop._mapped):
            kept.cache_clear()
        return _sheet_of(project)(_path)

    return Bench([seed], written(name, _SHEET), read_from(name, read))


def that_doubles(seeds: Sequence[bytes], choose: random.Random) -> bytes:
    """A font of which a letter has parts that have parts; in turns with one of other bytes in its tables."""
    if choose.random() < 0.5:
        return mutated(seeds, choose)
    font = TTFont(io.BytesIO(seeds[0]))
    letter, parts = choose.choice("RedLamp"), choose.choice((1, 2, 2, 3, 500))
    names = [f"twice{number}" for number in range(choose.choice((3, 12, 40, 400)) if parts < 500 else 3)]
    font.setGlyphOrder([*font.getGlyphOrder(), *names])
    below = font.getBestCmap()[ord(letter)]
    for name in names:
        pen = TTGlyphPen(font["glyf"].glyphs)
        for number in range(parts):
            pen.addComponent(below, (1, 0, 0, 1, number, 0))
        glyph, below = pen.glyph(), name
        glyph.xMin = glyph.yMin = glyph.xMax = glyph.yMax = 0
        font["glyf"][name], font["hmtx"][name] = glyph, (500, 0)
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap[ord(letter)] = below
    font.recalcBBoxes = False
    stream = io.BytesIO()
    font.save(stream)
    return stream.getvalue()


def folders_with_traps(_folder: Path) -> Bench:
    """The folder of a game and of its project, with a link, a pipe, a device or a giant in the place of a file."""

    def direct(data: bytes) -> str:
        name, trap = json.loads(data)
        for path in Path().iterdir():
            if path.name not in ("cache", "printers.json"):
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        _outside()
        if trap:
            traps.lay(name, trap)
        told = io.StringIO()
        with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
            code = run(["-q", *traps.READERS[name]])
        seen = b"".join((told.getvalue().encode(), *(path.read_bytes() for path in Path().glob("out.*"))))
        assert traps.SECRET.encode() not in seen, "it quotes what lies outside"
        return {0: DONE, 3: REFUSED}.get(code, TOLD)

    return Bench([json.dumps([name, ""]).encode() for name in traps.READERS], None, direct)


def with_trap(_seeds: Sequence[bytes], choose: random.Random) -> bytes:
    """A file, and what lies in its place."""
    return json.dumps([choose.choice(sorted(traps.READERS)), choose.choice(sorted(traps.TRAPS))]).encode()


def drawings(_folder: Path) -> Bench:
    """Pictures that are drawings, as faces read them."""

    def direct(data: bytes) -> str:
        try:
            read_vector("a", drawing_text("a.svg", data))
        except (svg_parser.DrawingError, DataFault):
            return REFUSED
        return DONE

    seed = (
        b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><style>/* a */.a,.b{fill:#123456}</style>'
        b'<g transform="scale(1.1) translate(1 2)"><path d="M1 1L8 8C1 2 3 4 5 6Z" class="a"/></g></svg>'
    )
    return Bench([seed], None, direct)


def modules(_folder: Path) -> Bench:
    """Modules for which the demonstration deck serves: one that is patched, and a whole one."""
    project, name = open_project(), "m.json"
    game = project.game("cdg-solo")
    whole = dict(game.spec.data["modules"]["generic-separate"])
    patch = {"base": "generic-separate", "patch": {"id": "mine", "title": "Mine"}}
    seeds = [json.dumps(patch, indent=1).encode(), json.dumps(whole, indent=1, default=str).encode()]
    command = ("solo", "--session", "solo.json", "new", "--module", name, "--seed", "1", "--force")

    def read(path: Path) -> str:
        with_module(project.fork(), game, path)
        return DONE

    return Bench(seeds, written(name, command), read_from(name, read))
