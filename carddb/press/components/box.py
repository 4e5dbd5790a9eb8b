"""Prints boxes for cards: the net of a box with its printed panels, or a set of dividers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from carddb.core.errors import UsageError
from carddb.core.plain_text import amount
from carddb.core.units import Box, Size, mm, points, to_mm
from carddb.games import Game
from carddb.games.opening.folder import COVER
from carddb.layout.box import Inside, Net, Style, divider, nets, notch_radius, placed
from carddb.layout.calibration import corrected
from carddb.layout.display_list import Run
from carddb.layout.sheets.crop_marks import Marking
from carddb.layout.sheets.furniture import Caption
from carddb.layout.sheets.grid import BLEED, Grid, SlotBand
from carddb.layout.sheets.imposition import Page, Placed, bled_into_gaps, impose
from carddb.layout.stock import card_size, paper_label, paper_size, stock_named
from carddb.paint.pdf.images import PdfImages
from carddb.paint.pdf.sheets import sheets_pdf
from carddb.press.components.selection import ComponentChoice, default_module, select_components
from carddb.press.components.sheets import TOKEN
from carddb.press.faces.art import undrawn
from carddb.press.faces.bank import FaceBank, FaceStreams
from carddb.press.faces.workshop import Workshop
from carddb.press.sheets.card_sheets import prepress_for
from carddb.press.sheets.options import PieceKind, SheetOptions
from carddb.press.sheets.sheets import PageFurniture, PrintedSheets, cut_files

_SLEEVE = mm(3)
"""The width and the height that a sleeve adds to a card."""
_SLEEVE_THICKNESS = 2 * 60
_LEAST_DEPTH = mm(8)
_THICK = 3
"""The assumed thickness of a counter of thick card, as a multiple of a card's thickness."""
_PACKED = (3, 4)
"""The fraction (numerator and denominator) of the area of a layer that counters in it can fill."""
_BESIDE_COVER = mm(8)
_GLUE_TYPE = points(8)


class PieceCount(NamedTuple):
    """A kind of pieces in a box: the label, and the number of pieces, 0 if it is unknown."""

    label: str
    pieces: int


class PilePart(NamedTuple):
    """The cards behind a divider: its label, their number if known, and the key of their section or type, or none."""

    label: str
    cards: int = 0
    section: str = ""
    type: str = ""


class Pile(NamedTuple):
    """The contents of a box: a title, the size and number of the cards, and their `parts`, each with a divider.

    `thickness` is the thickness of a card and of the paper of the box, and `play` the free space around the cards, both
    in micrometres. The cards stand in `piles` piles beside each other. `contents` is the printed list of contents,
    `counters` the total area of the counters in µm², `about` a line about the game, and `players` the number of players
    for whom the contents are enough, 0 if it is unknown.
    """

    title: str
    card: Size
    cards: int
    thickness: int
    play: int
    sleeved: bool = False
    parts: Sequence[PilePart] = ()
    contents: Sequence[PieceCount] = ()
    counters: int = 0
    about: str = ""
    players: int = 0
    piles: int = 1

    @property
    def upright(self) -> Size:
        """The size of a card that stands upright, with its sleeve if it has one."""
        short, long = sorted(self.card)
        more = _SLEEVE if self.sleeved else 0
        return Size(short + more, long + more)

    @property
    def inside(self) -> Inside:
        """The inner size of a box for these cards, which stand upright in it, with the counters in front of them."""
        width, height = self.upright
        each = self.thickness + (_SLEEVE_THICKNESS if self.sleeved else 0)
        share, of = _PACKED
        layers = -(-self.counters * of // (self.piles * width * height * share))
        depth = -(-self.cards // self.piles) * each + layers * _THICK * self.thickness + self.play
        return Inside(self.piles * width + self.play, height + self.play, max(_LEAST_DEPTH, depth))

    @property
    def counted(self) -> bool:
        """True if the number of pieces is known for each kind in `contents`."""
        return all(each.pieces for each in self.contents)

    @property
    def room(self) -> str:
        """The number of cards for which the box has room, as words such as `for 60 cards`."""
        return f"{'' if self.counted else 'room '}for {amount(self.cards)}"


def with_components(pile: Pile, game: Game) -> Pile:
    """Returns the pile of a game's cards, together with the components that are no larger than a card.

    The components are for the smallest number of players. If they include cards of all types, they replace the cards of
    the pile. In the game's data, `box` may have `deck`, the label of a deck that players bring, whose number of cards
    is unknown, and the number of `counters` printed on counter sheets, with the side `counter` of each in millimetres.
    Its `decks` is the field whose values are the sections that dividers part, if all cards are of one type.
    """
    spec = game.spec
    players, choice = spec.players[0], ComponentChoice(module=default_module(spec, ComponentChoice()))
    each = any(part.each for part in spec.components.values())
    chosen = select_components(spec, choice, game.in_print(game.own_cards) if each else ())
    own = spec.data.get("box", {})
    brought = own.get("deck", "")
    printed = {card.type for part in chosen for card in part.cards}
    contents = [] if printed >= set(spec.types) else [PieceCount(brought or "Game cards", 0 if brought else pile.cards)]
    parts = pile.parts if contents and not brought else [part._replace(cards=0) for part in pile.parts]
    on_sheets, largest = own.get("counters", 0), pile.card
    cards, area = pile.cards if contents else 0, on_sheets * mm(own.get("counter", 0)) ** 2
    counts = {"Reference cards": 0, "Counters": on_sheets}
    for part in chosen:
        component = part.component
        size = card_size(component.size) if component.size else largest
        if not component.drawn or sorted(size) > sorted(largest) or max(size) > max(largest):
            continue
        pieces = part.copies(players) * len(part.cards or part.rows(players))
        small = min(size) <= TOKEN
        if small:
            area += pieces * size.width * size.height
        else:
            cards += pieces
        if small or component.reference:
            counts["Counters" if small else "Reference cards"] += pieces
        else:
            contents.append(PieceCount(component.label or part.key, pieces))
    contents += [PieceCount(*item) for item in counts.items() if item[1]]
    return pile._replace(contents=contents, parts=parts, cards=cards, counters=area, players=players)


def print_box(workshop: Workshop, pile: Pile, style: Style, options: SheetOptions) -> PrintedSheets:
    """Returns a PDF of the net of a box or, for the style `dividers`, of the dividers for `pile.parts`.

    If the box does not fit the paper, a two-part box is printed instead, if necessary with the cards in two piles.
    Raises UsageError if that does not fit either, TemplateError or FontError if a panel cannot be drawn.
    """
    prepress = prepress_for(workshop.game.spec, options)
    bank = FaceBank(workshop, ink=options.ink, prepress=prepress)
    if style != "dividers":
        style, pile, parts = _fitting(style, pile, options)
    faces = _Faces(bank, pile)
    if style == "dividers":
        sheets, what = list(_divider_pages(faces, pile, options)), amount(len(pile.parts), "divider")
    else:
        sheets = [_net_page(net, faces, options, number, len(parts)) for number, net in enumerate(parts, 1)]
        beside = ", the cards in two piles" if pile.piles > 1 else ""
        size = " × ".join(f"{to_mm(side):g}" for side in pile.inside)
        what = f"{style} box, {size} mm inside{beside}"
    pages = corrected(sheets, options.printer)
    name = workshop.game.spec.name
    deck = pile.title if pile.title != name else ""
    caption = Caption(name, deck, f"{what}, {pile.room}", stamp=options.stamp)
    furniture = PageFurniture(workshop, options._replace(marking=Marking("none")))
    album = PdfImages(workshop.images, options.art_dpi, tight=options.tight, prepress=prepress)
    drawn = map(FaceStreams(bank).drawn, (furniture.around(page, caption) for page in pages))
    data = sheets_pdf(
        drawn, workshop.kit.book, album, title=f"{pile.title}: {what}", lang=workshop.lang, duplex="none",
        two_sided=False, creation=options.creation, prepress=prepress,
    )  # fmt: skip
    findings = (*bank.findings, *undrawn(album, workshop.images))
    return PrintedSheets(
        data, len(pages), len(pages), 1, findings, what, None, album.size, options.art_dpi, album.finest,
        cut_files=cut_files(pages, options.cutter, by_hand=True),
    )  # fmt: skip


class _Faces:
    """Draws the panels of a box by the game's templates, as faces in `bank`."""

    def __init__(self, bank: FaceBank, pile: Pile) -> None:
        self.bank = bank
        self._pile = pile
        workshop = bank.workshop
        self._aside = workshop.label("aside")
        self.cover = bank.plain(COVER, {"on_box": True}, "box") if workshop.game.folder.has_cover else None
        """The number of the face with the game's cover, drawn `on_box`; None if the game has no cover."""

    def panel(self, face: str, size: Size, cover: Box | None = None, **values: object) -> int:
        """Returns the number of a panel's face, called `face` in the template, which leaves room for the `cover`."""
        place = {name: to_mm(length) for name, length in cover._asdict().items()} if cover else None
        box = {
            "panel": face, "width": to_mm(size.width), "height": to_mm(size.height), "title": self._pile.title,
            "cards": self._pile.cards if self._pile.counted else 0,
            "contents": [each._asdict() for each in self._pile.contents], "about": self._pile.about,
            "players": self._pile.players, "cover": place, **values,
        }  # fmt: skip
        return self.bank.panel(box)

    def cover_box(self, front: Size) -> Box | None:
        """Returns the place of the cover on a front, below the title; None if the game has no cover."""
        if self.cover is None:
            return None
        plate = self.bank.size_of(self.cover)
        width = min(front.width - 2 * _BESIDE_COVER, front.height * 48 // 100 * plate.width // plate.height)
        height = width * plate.height // plate.width
        middle = 56 if front.height < min(front.width, mm(100)) else 62  # a low front needs room for the author
        return Box((front.width - width) // 2, front.height * middle // 100 - height // 2, width, height)

    def glue(self, box: Box) -> tuple[Run, ...]:
        """Returns the word `glue` for a tab with this bounding box, set along its longer side."""
        x, y = box.x + box.width // 2, box.y + box.height // 2
        if box.height > box.width:
            return self._aside("glue", x - _GLUE_TYPE // 3, y, _GLUE_TYPE, "middle", 90)
        return self._aside("glue", x, y + _GLUE_TYPE // 3, _GLUE_TYPE, "middle", 0)


def _net_page(net: Net, faces: _Faces, options: SheetOptions, number: int, total: int) -> Page:
    """Returns the page with a net in its middle, numbered `number` of `total`. Raises UsageError if it does not fit."""
    paper, net = _on_paper(net, options)
    bleed = BLEED if options.bleed is None else options.bleed
    slots, printed = (net.bounds,), [panel for panel in net.panels if panel.face]
    grid = Grid(
        paper, (SlotBand(slots, 0, net.outline),), True, f"{net.name}, {paper_label(paper)}", margin=options.margin,
        bleed=bleed, cutter=options.cutter,
    )  # fmt: skip
    front = next((panel.box for panel in printed if panel.face == "front"), None)
    window = faces.cover_box(Size(front.width, front.height)) if front else None
    notch = to_mm(notch_radius(net.panels[0].box.width)) if net.panels[0].has_notch else 0
    prints = tuple(
        Placed(faces.panel(panel.face, panel.face_size, window, notch=notch), panel.box, panel.box, panel.angle)
        for panel in printed
    )
    page = bled_into_gaps(Page(grid, "front", number, total, slots, 1, prints))
    if front and window and faces.cover is not None:
        place = window._replace(x=front.x + window.x, y=front.y + window.y)
        page = page._replace(placed=(*page.placed, Placed(faces.cover, place, place, 0)))
    return page._replace(furniture=tuple(run for panel in net.panels if panel.glued for run in faces.glue(panel.box)))


def _fitting(style: Style, pile: Pile, options: SheetOptions) -> tuple[Style, Pile, tuple[Net, ...]]:
    """Returns the style, the contents and the nets of the first box that fits the paper.

    The box of this style is tried, then a two-part box, then one with the cards in two piles. Raises UsageError, which
    names the box of this style, if none fits.
    """
    faults: list[UsageError] = []
    forms: tuple[tuple[Style, Pile], ...] = (style, pile), ("two-part", pile), ("two-part", pile._replace(piles=2))
    for form, held in forms:
        parts = nets(form, held.inside, held.thickness)
        try:
            for net in parts:
                _on_paper(net, options)
        except UsageError as fault:
            faults.append(fault)
        else:
            return form, held, parts
    raise faults[0]


def _on_paper(net: Net, options: SheetOptions) -> tuple[Size, Net]:
    """Returns the size of the paper, turned if necessary, and the net in its middle. Raises UsageError if too large."""
    paper, bounds = paper_size(options.paper), net.bounds
    margins = options.cutter.insets(options.margin) if options.cutter else (Size(options.margin, options.margin),)
    for way in (paper, paper.turned):
        for beside, above in margins:
            room = Box(beside, above, way.width - 2 * beside, way.height - 2 * above)
            if bounds.width <= room.width and bounds.height <= room.height:
                return way, placed(net, room)
    raise UsageError(
        f"the {net.name} of {Size(bounds.width, bounds.height)} does not fit on {paper_label(paper)}",
        "Choose a larger --paper such as a3 or tabloid, a smaller --margin, or fewer --cards for each box.",
    )


def _divider_pages(faces: _Faces, pile: Pile, options: SheetOptions) -> Iterator[Page]:
    """Returns the sheets of dividers, one for each part of the pile, in order."""
    labels, drawn = [part.label for part in pile.parts], []
    for number, part in enumerate(pile.parts):
        size, outline, tab = divider(pile.upright, number, len(pile.parts))
        edges = {name: to_mm(length) for name, length in tab._asdict().items()}
        drawn.append((faces.panel("divider", size, **part._asdict(), tab=edges, labels=labels), outline))
    grid = options.grid(PieceKind(size, outline), stock_named(options.stock), fold=False, piece="a divider")
    each, angle = len(grid.slots), grid.bands[0].angle
    for start in range(0, len(drawn), each):
        sheet = drawn[start : start + each]
        bands = (SlotBand((slot,), angle, outline) for slot, (_, outline) in zip(grid.slots, sheet, strict=False))
        (page,) = impose([(face, None) for face, _ in sheet], grid._replace(bands=tuple(bands)), "none")
        yield page._replace(number=start // each + 1, total=-(-len(drawn) // each))
