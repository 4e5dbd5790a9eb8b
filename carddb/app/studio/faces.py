"""The faces that the studio shows, which are drawn when they are needed, and the faults that prevent drawing."""

from __future__ import annotations

import hashlib
import json
import re
import traceback
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import jinja2
from jinja2 import meta

from carddb.app.workspace.clock import now
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Card
from carddb.core import assets
from carddb.core.cache import LruCache
from carddb.core.errors import CarddbError, GameError, TemplateError, UsageError
from carddb.core.files import FileState, file_state
from carddb.core.names import nearest
from carddb.core.units import Box, to_mm
from carddb.findings import Finding, Place, Severity
from carddb.games import Game
from carddb.layout.display_list import Face, Stroke, rectangle
from carddb.layout.display_list import Path as Outline
from carddb.layout.drawing.face import text_boxes
from carddb.layout.drawing.text_elements import TextBox
from carddb.layout.sheets.grid import BLEED
from carddb.layout.templates.template import BASE
from carddb.paint.svg import svg
from carddb.press.faces.art import picture_paths
from carddb.press.faces.workshop import (
    Workshop,
    back_of,
    context_of,
    open_workshop,
    shown_size,
    template_for,
    templates_of,
)
from carddb.press.sheets.card_sheets import face_bank
from carddb.press.sheets.options import SheetOptions
from carddb.press.sheets.proof import SAFE

_AROUND = 1
_UNKNOWN_TAG = re.compile(r"unknown tag '(\w+)'")
_OPEN_TAG = re.compile(r"needs to be closed is '(\w+)'")
_EXPECTED = re.compile(r"'(\w+)'")
_TAGS = ("block", "endblock", "extends", "include", "import", "from", "macro", "endmacro", "set", "if", "elif", "else",
         "endif", "for", "endfor", "call", "endcall", "filter", "endfilter", "with", "endwith")  # fmt: skip
_LONGEST = 160


class SourceLine(NamedTuple):
    """A line of a file: its number, its text, and whether the fault is in it."""

    number: int
    text: str
    is_faulty: bool


class FileFault(NamedTuple):
    """A fault in a file on which faces depend: the file, the line (0: unknown), the lines around it, and a remedy."""

    file: str
    line: int
    lines: tuple[SourceLine, ...]
    message: str
    fix: str

    def to_json(self) -> dict[str, Any]:
        """Returns the fault as the page of the studio gets it."""
        return {**self._asdict(), "lines": [list(line) for line in self.lines]}


def fault_of(game: Game, error: CarddbError) -> FileFault:
    """Returns an error in drawing as a fault in a file; the file is known only for an error in a template."""
    if not isinstance(error, TemplateError):
        return FileFault("", 0, (), error.message, error.remedy)
    prefix, _, name = error.template.partition("/")
    folder = assets.templates() / BASE if prefix == BASE else game.folder.template_folder
    path = folder / name if name else Path(error.template)
    return _fault_in(path, error.line, error.reason, error.remedy or _fix(error))


def rules_fault(path: Path, error: GameError) -> FileFault:
    """Returns an error in a game's `rules.py`, which is at `path`, as a fault in a line of this file."""
    cause = error.__cause__
    frames = traceback.extract_tb(cause.__traceback__ if cause else None)
    lines = [frame.lineno or 0 for frame in frames if frame.filename == str(path)]
    line = (cause.lineno or 0) if isinstance(cause, SyntaxError) else lines[-1] if lines else 0
    return _fault_in(path, line, error.message, error.remedy)


def finding_faults(findings: Sequence[Finding], root: Path) -> list[FileFault]:
    """Returns the errors among findings about files of a game, whose folder is `root`, as faults in these files."""
    faults = []
    for finding in findings:
        if finding.severity is Severity.ERROR:
            place = finding.where[0] if finding.where else Place()
            path = root / place.file if finding.where else Path()
            faults.append(_fault_in(path, place.line, finding.message, finding.fix))
    return faults


def _fault_in(path: Path, line: int, message: str, fix: str) -> FileFault:
    """Returns a fault with the lines around it; without lines if the line is unknown, or the file cannot be read."""
    texts: list[str] = []
    with suppress(OSError, UnicodeDecodeError):
        texts = path.read_text("utf-8").split("\n") if line else []
    numbers = range(max(1, line - _AROUND), min(len(texts), line + _AROUND) + 1)
    lines = tuple(SourceLine(number, texts[number - 1][:_LONGEST], number == line) for number in numbers)
    return FileFault(path.name, line, lines, message, fix)


def _fix(error: TemplateError) -> str:
    """Returns the remedy for a syntax error in a Jinja template, as far as the message reveals it."""
    tag, open_tag = _UNKNOWN_TAG.search(error.reason), _OPEN_TAG.search(error.reason)
    _, _, expected = error.reason.partition("following tags:")
    words = _EXPECTED.findall(expected.partition(".")[0])
    if tag:
        near = nearest(tag[1], words or _TAGS, 1)
        return f"Write {{% {near[0]} %}} in line {error.line}." if near else f"Remove the tag {tag[1]}."
    if open_tag:
        return f"Close the tag {open_tag[1]}: write {{% end{open_tag[1]} %}}."
    if "end of print statement" in error.reason:
        return "Close the expression: write }}."
    return "" if not error.line else f"Correct line {error.line}, or bring back the last version of the file."


_MOST_FACES = 600
"""The most faces kept in memory; each takes about 50 kB."""


class FaceLook(NamedTuple):
    """The look of a face in the studio: its side, card size (empty: the game's own), ink mode, and overlays."""

    side: str = "front"
    size: str = ""
    ink: str = "full"
    overlays: tuple[str, ...] = ()

    @property
    def plain(self) -> FaceLook:
        """This look without overlays."""
        return self._replace(overlays=())


class StudioFace(NamedTuple):
    """A drawn face: its SVG, the findings about it, its measures as text, and when it was drawn (`14:06:21`)."""

    data: bytes
    findings: tuple[Finding, ...]
    measures: tuple[str, ...]
    drawn_at: str


@dataclass(frozen=True, slots=True)
class FaceFault:
    """The fault that prevented drawing a face, and the last picture of this face that could be drawn, if any."""

    fault: FileFault
    last: StudioFace | None


class StudioFaces:
    """The drawn faces of one game's cards. Threads must not share it."""

    def __init__(self, project: Workspace) -> None:
        self._project = project
        self._opened: tuple[object, Workshop, FaceKeys] | None = None
        self._fault: tuple[object, FileFault] | None = None
        self._faces: LruCache[tuple[str, FaceLook], StudioFace] = LruCache(_MOST_FACES)
        self._last: dict[tuple[str, FaceLook], StudioFace] = {}

    def refresh(self, game: Game, cards: Iterable[Card]) -> FileFault | None:
        """Reads the templates, fonts and pictures of `cards` again if any of their files was saved.

        Returns None, or if this fails, the fault; the files as they were read before then stay in use.
        """
        stamps = workshop_stamps(game)
        folders = self._project.picture_folders(game)
        pictures = {str(path): file_state(path) for path in picture_paths(game.spec, cards, folders)}
        state = (id(game), stamps, pictures)
        if self._opened and self._opened[0] == state:
            return None
        if self._fault and self._fault[0] == state:
            return self._fault[1]
        try:
            workshop = open_workshop(game, (), self._project.art_folder)
        except CarddbError as error:
            self._fault = state, fault_of(game, error)
            return self._fault[1]
        self._opened, self._fault = (state, workshop, FaceKeys(workshop, stamps, folders)), None
        return None

    def key(self, card: Card, look: FaceLook) -> str:
        """Returns a digest that changes when a face must be drawn again; empty if no face can be drawn."""
        if self._opened is None:
            return ""
        key = self._opened[2].key(card, look.side, look.size, look.ink)
        return f"{key}-{'.'.join(look.overlays)}" if key and look.overlays else key

    def face(self, game: Game, card: Card, look: FaceLook) -> StudioFace | FaceFault:
        """Returns one face of a card, or the fault in drawing it. Raises UsageError if the card has no such face."""
        if self._opened is None:
            assert self._fault
            return FaceFault(self._fault[1], None)
        workshop = self._opened[1]
        try:
            face = self._faces.get((self.key(card, look), look), lambda: self._draw(workshop, card, look))
        except UsageError:
            raise
        except CarddbError as error:
            return FaceFault(
                fault_of(game, error), self._last.get((card.ref, look)) or self._last.get((card.ref, look.plain))
            )
        self._last[card.ref, look] = face
        return face

    def _draw(self, workshop: Workshop, card: Card, look: FaceLook) -> StudioFace:
        bank = face_bank(workshop, SheetOptions(card_size=look.size, ink=look.ink))
        number = bank.front(card) if look.side == "front" else bank.back(card)
        if number is None:
            raise UsageError(f"{card.name} has no back", "Choose the front.")
        face = bank[number]
        boxes: list[TextBox] = []
        if "text" in look.overlays and look.side == "front":
            file = templates_of(workshop.game, card)[0]
            template = template_for(workshop, file, shown_size(workshop.game.spec, card, look.size))
            boxes = text_boxes(workshop.kit, template, context_of(workshop, card), face.size)
        lined = with_overlays(face, look.overlays, boxes)
        data = svg(lined, workshop.kit.book, workshop.images, bleed=BLEED if "bleed" in look.overlays else 0).encode()
        findings = tuple(finding for finding in bank.findings if finding.code != "pictures_missing")
        return StudioFace(data, findings, tuple(measures(face, boxes)), now().astimezone().strftime("%X"))


OVERLAYS = ("trim", "bleed", "safe", "text")
_TRIM = Stroke("#0b7a75", 200)
_BLEED = Stroke("#b0137f", 200, dash=(500, 500))
_SAFE = Stroke("#b3540a", 200, dash=(1200, 800))
_TEXT = Stroke("#1d58c9", 200, dash=(700, 500))


def with_overlays(face: Face, overlays: Collection[str], boxes: Sequence[TextBox]) -> Face:
    """Returns a face with the lines of `overlays` (names in OVERLAYS) drawn over it; `boxes` are its text boxes."""
    trim = Box(0, 0, face.size.width, face.size.height)
    lines = {
        "text": [(text.box, _TEXT) for text in boxes],
        "safe": [(trim.grown(-SAFE), _SAFE)],
        "bleed": [(trim.grown(BLEED - _BLEED.width // 2), _BLEED)],
        "trim": [(trim.grown(0 if "bleed" in overlays else -_TRIM.width // 2), _TRIM)],
    }
    shown = (pair for name, pairs in lines.items() if name in overlays for pair in pairs)
    return replace(face, shapes=(*face.shapes, *(Outline(rectangle(box), stroke=stroke) for box, stroke in shown)))


def measures(face: Face, boxes: Sequence[TextBox]) -> list[str]:
    """Returns the sizes that the overlays show in words, such as `text 65.0 × 34.4 mm`."""
    words = [f"trim {_across(Box(0, 0, face.size.width, face.size.height))}"]
    words += [f"bleed {to_mm(BLEED):g} mm", f"safe {to_mm(SAFE):.1f} mm inside"]
    return words + [f"{text.field or 'text'} {_across(text.box)}" for text in boxes]


def _across(box: Box) -> str:
    return f"{to_mm(box.width):.1f} × {to_mm(box.height):.1f} mm"


_FONTS = (".ttf", ".otf")
_RECKONED_FAMILY = re.compile(r"""font-family\s*[=:]\s*["']?[^"';]*\{""")
"""A font family that the template computes: `font-family="{{ family }}"`."""


def workshop_stamps(game: Game) -> dict[str, FileState]:
    """Returns the state of each template and font file with which the faces of a game are drawn, by path."""
    folders = (game.folder.template_folder, assets.templates() / BASE)
    files = [path for folder in folders for path in sorted(folder.glob("*.svg"))]
    files += [path for path in sorted(game.folder.path.rglob("*")) if path.suffix.lower() in _FONTS]
    return {str(path): file_state(path) for path in files}


@lru_cache(maxsize=512)
def _referenced(source: str) -> frozenset[str | None]:
    """Returns the names of the templates that a source uses, None for computed names; empty if it cannot be parsed."""
    try:
        return frozenset(meta.find_referenced_templates(jinja2.Environment().parse(source)))
    except (jinja2.TemplateError, RecursionError):
        return frozenset()


def template_sources(sources: Mapping[str, str], name: str) -> list[str]:
    """Returns the names of all templates that a face uses: `name`, those that it uses, and so on, and symbols."""
    names, left = {name}, [name]
    while left:
        referenced = _referenced(sources.get(left.pop(), ""))
        new = (set(sources) if None in referenced else {str(each) for each in referenced}) - names
        names |= new
        left += new
    symbols = {each for each in sources if each.split("/")[-1].startswith("symbols")}
    return sorted((names | symbols) & sources.keys() | {name})


class FaceKeys:
    """Digests of faces, which change when a face must be drawn again; parts that cards share are computed only once."""

    def __init__(self, workshop: Workshop, stamps: Mapping[str, FileState], folders: Sequence[Path]) -> None:
        self._workshop = workshop
        self._game = workshop.game
        self._folders = folders
        folder = self._game.folder.path
        self._families = {
            family: (spec.stands_in, repr([stamps.get(str(folder / file)) for file in spec.files.values()]))
            for family, spec in self._game.spec.fonts.items()
        }
        self._templates: dict[str, str] = {}
        self._contexts: dict[str, str] = {}
        self._data = _digest([_text_of(self._game.spec.data)])

    def key(self, card: Card, side: str, size: str, ink: str) -> str:
        """Returns the digest of one face of a card; empty if its type has no such face."""
        file, shown = back_of(self._workshop, card) if side == "back" else (templates_of(self._game, card)[0], card)
        if not file:
            return ""
        template = template_for(self._workshop, file, shown_size(self._game.spec, card, size))
        parts = [self._template(template), side, size, ink]
        if shown:
            paths = picture_paths(self._game.spec, [shown], self._folders)
            parts += [card.ref, self._context(shown), *(f"{path} {file_state(path)}" for path in paths)]
        return _digest(parts)

    def _template(self, name: str) -> str:
        if name not in self._templates:
            sources = self._workshop.kit.templates.sources
            names = template_sources(sources, name)
            texts = [sources.get(each, "") for each in names]
            source = "".join(texts)
            # The font families that the templates name (all if one is computed), and the fallback families.
            is_reckoned = _RECKONED_FAMILY.search(source)
            fonts = [stamp for family, (stands_in, stamp) in sorted(self._families.items())
                     if stands_in or is_reckoned or family in source]  # fmt: skip
            self._templates[name] = _digest([*names, *texts, *fonts])
        return self._templates[name]

    def _context(self, card: Card) -> str:
        values = _digest([card.ref, json.dumps(dict(card.values), sort_keys=True, default=str)])
        if values not in self._contexts:
            context = context_of(self._workshop, card)
            data = self._game.spec.data  # all cards share it
            parts = [(name, self._data if part is data else _text_of(part)) for name, part in sorted(context.items())]
            self._contexts[values] = _digest([name + text for name, text in parts])
        return self._contexts[values]


def _text_of(part: Any) -> str:
    """Returns a value that templates can use as text, for a digest."""
    return json.dumps(part, sort_keys=True, default=str) if isinstance(part, Mapping | list | tuple) else repr(part)


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:20]
