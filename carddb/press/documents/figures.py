"""Draws the figures of a document: faces, components and sheets of a game, alone or composed by a plan."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from urllib.parse import parse_qsl, urlsplit

from carddb.cards.cards import Card
from carddb.core import assets
from carddb.core.errors import CarddbError, UsageError
from carddb.core.names import did_you_mean
from carddb.core.units import Box, Size, mm, points, to_mm
from carddb.findings import Finding, Place, error
from carddb.game.frozen import replaced
from carddb.games import Game
from carddb.games.opening.folder import COVER
from carddb.layout.display_list import UNSEEN, Face, Group, Path, Run, Shape, rectangle, walk
from carddb.layout.documents.blocks import Picture
from carddb.layout.drawing.path import Extent, letter_box
from carddb.layout.ink import INK_MODES
from carddb.layout.sheets.furniture import Caption
from carddb.layout.sheets.grid import whole_page
from carddb.layout.sheets.imposition import Page, Placed, adjusted, face_matrix, impose
from carddb.layout.templates.template import BASE, PARTS, Templates
from carddb.layout.text.fonts import FontBook
from carddb.paint.documents.pieces import Figures
from carddb.paint.pdf.content_stream import DrawnPage
from carddb.paint.pdf.operators import StreamBuilder
from carddb.press.components.selection import ComponentChoice, select_components
from carddb.press.documents.figure_layout import can_be_narrow, lay_out, share_of
from carddb.press.documents.figure_plan import FigurePlan, Item, PlanStep, read_plan
from carddb.press.faces.art import ArtFolder
from carddb.press.faces.bank import FaceBank, FaceStreams
from carddb.press.faces.workshop import Workshop, common_context, families_of, open_workshop
from carddb.press.sheets.card_sheets import card_sheets, face_bank
from carddb.press.sheets.options import SheetOptions
from carddb.press.sheets.sheets import PageFurniture
from carddb.read.decks.text import load_deck

SCHEME = "scheme"
"""The drawing that every game has: cards, piles, dice and pieces in outline, where pictures would be too small."""
_TEMPLATE = "figure.svg"
_INK, _LINE = "#1c1a19", "#b9b4ac"
_LEAST, _SPECK = points(6.45), points(3)
"""The least type size of readable words on a figure (6.5 points, allowing for rounding), and of words that are replaced
by a bar. Smaller words are left out."""
_GREEKED, _LETTERS, _CAPITALS, _LEADING = 320, 450, 700, 1400
"""The opacity of such bars, in thousandths; then in thousandths of the type size: the height of the bars and of most
small letters, the height of capitals, and the greatest distance between two lines of one text."""
_PHONE = Size(mm(70), mm(1000))
"""The room for a figure on a phone, whose height is not limited."""
_NEARER = 8 / 7
"""The factor by which a phone shows a figure larger than a sheet does, so that smaller type is readable."""


def compose(
    bank: FaceBank, plan: FigurePlan, faces: Sequence[int | None], title: str, room: Size | None = None,
    width: int = 0,
) -> tuple[DrawnPage, float]:  # fmt: skip
    """Returns the figure of a plan, and the least scale, at most 1, at which it is still readable.

    `faces` are the numbers of the faces that the plan's items, or the steps of its strip, show. If `room`, the room on
    a page, is given, the figure is arranged to be readable there. Otherwise it is reduced to a page whose text is
    `width` wide (0: not reduced). Raises TemplateError or FontError if it cannot be drawn.
    """
    workshop = bank.workshop
    sizes = [bank.size_of(number) if number is not None else None for number in faces]
    if plan.call_outs and width and width < mm(plan.width):  # columns of call-outs can be narrower
        plan = replaced(plan, width=to_mm(width))
    layout, is_turned = lay_out(plan, sizes, workshop.kit.setter, families_of(workshop.game.spec), room)
    over = bank.page(_TEMPLATE, {**layout.to_context(), **_look(workshop, title)})
    (page,) = impose([(over, None)], whole_page(layout.size), "none")
    shown = [number for number in faces if number is not None]
    below = [Placed(number, box, box, turn) for number, (box, turn) in zip(shown, layout.boxes, strict=True)]
    page = page._replace(placed=(*below, *page.placed))  # the pictures are below the lines and texts
    drawn = FaceStreams(bank).drawn(_turned(page) if is_turned else page)
    scale = share_of(drawn.page.size, room or Size(width or drawn.page.size.width, drawn.page.size.height))
    scale *= _NEARER if room == _PHONE else 1
    builder = StreamBuilder(bank.workshop.kit.book)
    shown_faces = [
        readable(bank[it.face], it, scale, [Extent.of(box) for box in (*(it.box for it in rest), *layout.covers)])
        for it, rest in ((it, below[at:]) for at, it in enumerate(below, start=1))
    ]
    shown_faces.append(bank[over])
    placed = [it._replace(face=at) for at, it in enumerate(drawn.page.placed)]
    least = min(
        (run.size * scale * _scale_of(face, it) for face, it in zip(shown_faces, placed, strict=True)
         for run in _seen_runs(face)), default=_LEAST,
    )  # fmt: skip
    streams = {at: builder.face(face) for at, face in enumerate(shown_faces)}
    return DrawnPage(drawn.page._replace(placed=tuple(placed)), streams), min(_LEAST / least, 1.0)


def _scale_of(face: Face, placed: Placed) -> float:
    return max(placed.box.width, placed.box.height) / max(face.size)


def readable(face: Face, placed: Placed, scale: float, covers: Sequence[Extent]) -> Face:
    """Returns a face on a figure that is printed at `scale`, without the words that would be unreadable.

    A line of small type is replaced by a pale bar as high as small letters; type that would be a speck is left out. So
    are texts with a line below one of `covers`, the texts and other faces of the figure, so that no two texts overlap.
    """
    matrix = face_matrix(face.size, placed)
    runs = _seen_runs(face)
    boxes = {run: Extent.of(adjusted(letter_box(run, _CAPITALS, 0).box, matrix)) for run in runs}
    covered = {run for run in runs if any(map(boxes[run].overlaps, covers))}
    while more := {run for run in runs if run not in covered and any(_continues(run, gone) for gone in covered)}:
        covered |= more
    unit = scale * _scale_of(face, placed)
    sizes = tuple(round(size / unit) for size in (_SPECK, _LEAST))
    return replace(face, shapes=_greeked(face.shapes, sizes, covered))


def _seen_runs(face: Face) -> list[Run]:
    return [shape for shape in walk(face.shapes) if isinstance(shape, Run) and shape.colour != UNSEEN]


def _continues(run: Run, other: Run) -> bool:
    """Returns whether two lines of type belong to one text: of the same size, close above or beside each other."""
    near, box = run.size * _LEADING // 1000, letter_box(other)
    wide = Extent(box.left - run.size // 2, run.y - near, box.right + run.size // 2, run.y + near)
    return run.size == other.size and abs(run.y - other.y) < near and letter_box(run).overlaps(wide)


def _greeked(shapes: Iterable[Shape], sizes: tuple[int, ...], covered: Collection[Run]) -> tuple[Shape, ...]:
    """Returns shapes without lines `covered` or smaller than `sizes[0]`; those smaller than `sizes[1]` become bars."""
    speck, least = sizes
    out: list[Shape] = []
    for shape in shapes:
        if isinstance(shape, Group):
            out.append(replace(shape, shapes=_greeked(shape.shapes, sizes, covered)))
        elif not isinstance(shape, Run) or shape.colour == UNSEEN or (shape.size >= least and shape not in covered):
            out.append(shape)
        elif shape.size >= speck and shape not in covered:
            bar = letter_box(shape, _LETTERS, 0)
            out.append(Group((Path(rectangle(bar.box), fill=shape.colour),), opacity=_GREEKED))
    return tuple(out)


def _look(workshop: Workshop, title: str) -> dict[str, str]:
    """Returns the fonts, colours and title that the templates of figures need."""
    families = families_of(workshop.game.spec)
    return {
        "heading": families.heading, "text": families.text, "label_family": families.label,
        "accent": workshop.game.spec.accent, "ink": _INK, "line": _LINE, "title": title,
    }  # fmt: skip


def _turned(page: Page) -> Page:
    """Returns the page turned by 90° counter-clockwise."""
    width = page.size.width

    def turned(box: Box) -> Box:
        return Box(box.y, width - box.right, box.height, box.width)

    placed = [Placed(it.face, turned(it.box), turned(it.clip), (it.angle + 270) % 360) for it in page.placed]
    return page._replace(grid=whole_page(page.size.turned), placed=tuple(placed))


_SIDES = ("front", "back")
_KEYS = {
    "face": ("ink",),
    "back": ("ink",),
    "charges": (),
    "sample": (),
    "sheet": ("paper", "stock", "ink", "fold", "side"),
}
"""The keys allowed after the question mark of a source, by its scheme. A component may have any field of its data."""
_FAMILY = re.compile(rf"{BASE}/symbols-charges-(\w+)\.svg")
_SAMPLE = "sample-"
"""The prefix of the names of samples among carddb's own templates."""
_CHARGE = re.compile(r'id="charge-([\w-]+)"')
Games = Callable[[], Mapping[str, Game]]
"""A function that returns every game by key. It is called when a figure needs a game."""


def draw_figures(
    pictures: Iterable[tuple[str, Picture]], games: Games, room: Size | None = None, *, width: int = 0,
    for_phones: bool = False,
) -> tuple[Figures, list[Finding]]:  # fmt: skip
    """Draws the pictures of documents, each given with its file. Returns them with findings about those that failed.

    Composed figures are arranged for `room`, the room on a page, if it is given, and otherwise for a page whose text is
    `width` wide. With `for_phones`, figures whose parts can be rearranged are also drawn as narrow as a phone.
    """
    drawer = _Drawer(games)
    pages: dict[str, DrawnPage] = {}
    narrow: dict[str, DrawnPage] = {}
    least: dict[str, float] = {}
    findings: list[Finding] = []
    for file, picture in pictures:
        try:
            if not picture.plan:
                pages.setdefault(picture.source, drawer.drawn(picture.source))
                continue
            plan, faults = read_plan(picture.plan, file, picture.line)
            findings.extend(faults)
            if plan:
                pages[picture.source], least[picture.source] = drawer.composed(plan, picture.text, room, width)
                if for_phones and can_be_narrow(plan):
                    narrow[picture.source], _ = drawer.composed(plan, picture.text, _PHONE)
        except CarddbError as fault:
            name = "the figure" if picture.plan else picture.source
            place = Place(file, picture.line)
            findings.append(error("figure_unknown", f"{name}: {fault.message}", place, fix=fault.remedy))
    return Figures(pages, drawer.book, drawer.images, narrow, least), findings


class _Drawer:
    """Draws figures of any game. Each game is opened only once."""

    def __init__(self, games: Games) -> None:
        self._games = games
        self._workshops: dict[str, Workshop] = {}

    @property
    def book(self) -> FontBook:
        """The fonts of all games opened so far."""
        return FontBook(font for shop in self._workshops.values() for font in shop.kit.book.fonts.values())

    @property
    def images(self) -> Mapping[str, bytes]:
        """The picture files of all games opened so far, by key."""
        return {key: data for shop in self._workshops.values() for key, data in shop.images.items()}

    def drawn(self, source: str) -> DrawnPage:
        """Draws what `source` names. Raises UsageError if it is unknown, TemplateError or FontError if that fails."""
        parts = urlsplit(source)
        values = dict(parse_qsl(parts.query))
        _check(parts.scheme, values)
        match parts.scheme:
            case "face" | "back" | "component":
                ink = values.get("ink", "full") if parts.scheme != "component" else "full"
                bank = FaceBank(self.workshop(self._game_of(source)), ink=ink)
                return _alone(bank, self._face(bank, source))
            case "cover":
                bank = FaceBank(self.workshop(self._game(parts.path)))
                return _alone(bank, bank.plain(COVER))
            case "sign":  # on a band as wide as a booklet's page
                bank = FaceBank(self.workshop(self._game(parts.path)))
                band = {"panel": "sign", "width": 122, "height": 34, "title": bank.workshop.game.spec.name}
                return _alone(bank, bank.panel(band))
            case "charges":
                return self._charges(parts.path)
            case "sample":
                return self._sample(parts.path)
            case "sheet":
                return self._sheet(self._game_of(source), parts.path.partition("/")[2], values)
            case _:
                raise UsageError(
                    f"{source!r} cannot be drawn",
                    "Begin it with face:, back:, component:, cover:, sign:, sheet:, charges: or sample:.",
                )

    def composed(self, plan: FigurePlan, text: str, room: Size | None, width: int = 0) -> tuple[DrawnPage, float]:
        """Returns the figure of a plan, which may show only one game, and the least scale at which it is readable.

        Raises UsageError for an unknown source, and TemplateError or FontError if it cannot be drawn.
        """
        shown: list[Item | PlanStep] = [*plan.items, *plan.strip]
        game = next((self._game_of(each.show) for each in shown if each.show), next(iter(self._games().values())))
        bank = FaceBank(self.workshop(game))
        faces = [self._shown(bank, each) if each.show else None for each in shown]
        return compose(bank, plan, faces, text, room, width)

    def _game_of(self, source: str) -> Game:
        """Returns the game that a source names, or whose card it names. Raises UsageError if there is none."""
        parts = urlsplit(source)
        if parts.scheme in ("face", "back"):
            return self._card(parts.path)[0]
        return self._game(parts.path.partition("/")[0])

    def _shown(self, bank: FaceBank, item: Item | PlanStep) -> int:
        """Returns the number of the face that an item or a step shows. Raises UsageError for an unknown source."""
        parts = urlsplit(item.show)
        if parts.scheme == "drawing":
            name, values = parts.path.partition("/")[2], dict(parse_qsl(parts.query))
            if name == SCHEME:
                return bank.page(f"figure-{SCHEME}.svg", {**_look(bank.workshop, item.show), **item.values})
            return bank.plain(f"figure-{name}.svg", {**values, **item.values}, f"{item.show} {item.values}")
        if parts.scheme not in ("face", "back", "component"):
            raise UsageError(f"{item.show!r} cannot be drawn", "Begin it with face:, back:, component: or drawing:.")
        return self._face(bank, item.show)

    def _face(self, bank: FaceBank, source: str) -> int:
        """Returns the number of a card's front or back, or of the first face of a component with the source's values.

        Raises UsageError if there is none.
        """
        parts = urlsplit(source)
        values = dict(parse_qsl(parts.query))
        _check(parts.scheme, values)
        if parts.scheme == "component":
            game, name = bank.workshop.game, parts.path.partition("/")[2]
            chosen = select_components(
                game.spec, ComponentChoice((name,), values=values), game.in_print(game.own_cards)
            )
            if not chosen:
                raise UsageError(f"{game.spec.name} has no drawing of {name!r}", f"See `carddb games {game.key}`.")
            part = chosen[0]
            if part.cards:
                return bank.front(part.cards[0])
            return bank.plain(part.component.template, part.faces[0], source)
        _, card = self._card(parts.path)
        number = bank.front(card) if parts.scheme == "face" else bank.back(card)
        if number is None:
            raise UsageError(f"{source} has no such side", "Show its front: face:REF.")
        return number

    def workshop(self, game: Game) -> Workshop:
        path = str(game.folder.path)  # not the key, because versions of a game from several days may be shown
        if path not in self._workshops:
            self._workshops[path] = open_workshop(game)
        return self._workshops[path]

    def _game(self, key: str) -> Game:
        games = self._games()
        if key not in games:
            raise UsageError(f"there is no game {key!r}", did_you_mean(key, games))
        return games[key]

    def _card(self, ref: str) -> tuple[Game, Card]:
        """Returns the game and the card of a reference: `RIS-006` in any game, `rishar/RIS-006` in Rishar alone."""
        games = self._games()
        key, stroke, own_ref = ref.partition("/")
        if stroke and key in games:
            games, ref = {key: games[key]}, own_ref
        for game in games.values():
            if card := game.own_cards.get(ref):
                return game, card
        raise UsageError(f"no game comes with a card {ref!r}", "Name a card by its reference; see `carddb cards`.")

    def _charges(self, family: str) -> DrawnPage:
        """Draws all charges of a family with their names. They are the same in every game."""
        workshop = self.workshop(next(iter(self._games().values())))
        files = {match[1]: name for name in workshop.kit.templates.sources if (match := _FAMILY.fullmatch(name))}
        if family not in files:
            raise UsageError(f"there is no family of charges {family!r}", did_you_mean(family, files))
        names = _CHARGE.findall(workshop.kit.templates.sources[files[family]])
        bank = FaceBank(workshop)
        context = {"family": family, "names": names, "label": workshop.family("label")}
        return _alone(bank, bank.page("charges.svg", context))

    def _sample(self, name: str) -> DrawnPage:
        """Draws a sample of a part or an element of faces. The samples are the same in every game."""
        bank, names = self._samples
        if name not in names:
            raise UsageError(f"there is no sample {name!r}", did_you_mean(name, names))
        return _alone(bank, bank.page(f"{_SAMPLE}{name}.svg", common_context(bank.workshop)))

    @cached_property
    def _samples(self) -> tuple[FaceBank, list[str]]:
        """A bank of faces that can draw the samples, and the names of the samples."""
        workshop = self.workshop(next(iter(self._games().values())))
        files = sorted((assets.templates() / PARTS / "samples").glob("*.svg"))
        own = {f"{BASE}/{_SAMPLE}{path.name}": path.read_text("utf-8") for path in files}
        sources = {**workshop.kit.templates.sources, **own}
        pictures = ArtFolder(assets.templates() / "_new_game")
        kit = replace(workshop.kit, templates=Templates(sources), art=pictures)
        return FaceBank(replace(workshop, kit=kit)), [path.stem for path in files]

    def _sheet(self, game: Game, name: str, values: Mapping[str, str]) -> DrawnPage:
        decks = {path.stem: path for path in (*game.folder.decks, *game.folder.path.glob("decks/*/*.deck"))}
        if name not in decks:
            raise UsageError(
                f"{game.spec.name} comes with no deck {name!r}", did_you_mean(name, decks) or "Add one first."
            )
        deck, _ = load_deck(game.folder.source(decks[name]), game.spec, game.own_cards)
        options = SheetOptions(
            paper=values.get("paper", "letter"), stock=values.get("stock", "plain"), ink=values.get("ink", "full"),
            fold="fold" in values,
        )  # fmt: skip
        streams = FaceStreams(face_bank(self.workshop(game), options))
        sheets = card_sheets(streams.bank, [(entry.card, entry.count) for entry in deck.entries if entry.card], options)
        side = values.get("side", "front")
        page = next((page for page in sheets.pages() if page.side == side), None)
        if page is None:
            raise UsageError(f"no sheet has a side {side!r}", f"Choose one of: {', '.join(_SIDES)}.")
        furniture = PageFurniture(self.workshop(game), options)
        return streams.drawn(furniture.around(page, Caption(game.spec.name, deck.name, game.spec.footer)))


def _check(kind: str, values: Mapping[str, str]) -> None:
    """Raises UsageError if the source of a picture has an unknown key or ink."""
    for key in values:
        if key not in _KEYS.get(kind, values):
            raise UsageError(f"the picture of a {kind} has no key {key!r}", did_you_mean(key, _KEYS[kind]))
    if kind in _KEYS and values.get("ink", "full") not in INK_MODES:
        raise UsageError(f"there is no ink {values['ink']!r}", f"Choose one of: {', '.join(INK_MODES)}.")


def _alone(bank: FaceBank, number: int) -> DrawnPage:
    """Returns a face as a page of its own size."""
    (page,) = impose([(number, None)], whole_page(bank.size_of(number)), "none")
    return FaceStreams(bank).drawn(page)
