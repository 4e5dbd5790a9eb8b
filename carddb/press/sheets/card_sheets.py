"""Arranges copies of cards on sheets, previews the sheets before any face is drawn, and estimates the ink of a job."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from carddb.cards.cards import Card
from carddb.core.groups import grouped
from carddb.core.units import Size
from carddb.game.game import GameSpec
from carddb.games import Game
from carddb.layout.ink import InkSaver, coverage
from carddb.layout.sheets.crop_marks import SheetCut, cut_order
from carddb.layout.sheets.furniture import has_ruler
from carddb.layout.sheets.grid import Grid
from carddb.layout.sheets.imposition import Page, bled_into_gaps, impose
from carddb.layout.sheets.shared_sheets import Batch, Item
from carddb.layout.stock import card_size, describe, stock_named
from carddb.paint.pdf.output_profile import prepress_of
from carddb.paint.pdf.prepress import INK_LIMIT, USUAL, Prepress
from carddb.press.faces.bank import FaceBank
from carddb.press.faces.cache import FaceCache
from carddb.press.faces.workshop import Workshop, outline_of, own_sizes, reverse_of, shape_of, templates_of
from carddb.press.sheets.options import PieceKind, SheetOptions, target_size

Block = tuple[Grid, Sequence[Item]]
"""Sheets with the same grid, and the copies that fill them."""


@dataclass(frozen=True, slots=True)
class CardSheets:
    """The sheets of a job. `copies` are in the order of the selection, `blocks` in the order of printing."""

    copies: Sequence[Item]
    blocks: Sequence[Block]
    options: SheetOptions

    @property
    def two_sided(self) -> bool:
        return not self.options.fold and any(back is not None for _, back in self.copies)

    @property
    def sheet_count(self) -> int:
        return sum(-(-len(copies) // len(grid.slots)) for grid, copies in self.blocks)

    @property
    def page_count(self) -> int:
        return self.sheet_count * (2 if self.two_sided else 1)

    @property
    def paper(self) -> Size:
        """The size of the paper, which the options or the stock determine."""
        return self.blocks[0][0].paper

    @property
    def label(self) -> str:
        """The stock, the paper, and the sizes of the cards, as text."""
        if not self.blocks:
            return ""
        first, *others = (grid for grid, _ in self.blocks)
        sizes = dict.fromkeys(size for grid in others for size in grid.cards if size not in first.cards)
        return ", ".join([first.label, *map(describe, sizes)])

    @property
    def faces(self) -> list[int]:
        """The numbers of all printed faces, each repeated for every copy."""
        return _faces(self.copies)

    @property
    def bare_faces(self) -> list[int]:
        """The numbers of the faces that are whole pages, each once."""
        return sorted({face for grid, copies in self.blocks if grid.bare for face in _faces(copies)})

    def pages(self) -> Iterator[Page]:
        """Yields the pages in the order of printing. If any sheet has a back, every sheet has one, even if it is empty.

        Otherwise a printer that prints on both sides would print the next front on the back of a sheet without a back.
        """
        printer, two_sided = self.options.printer, self.two_sided
        flip = self.options.flip if two_sided else "none"
        number, total = 0, self.sheet_count
        for grid, copies in self.blocks:
            for start in range(0, len(copies), len(grid.slots)):
                number += 1
                sheet = copies[start : start + len(grid.slots)]
                sides = impose(sheet, grid, self.options.flip)
                has_gaps = grid.cut and (grid.is_shared or self.options.skip or len(sheet) < len(grid.slots))
                if two_sided and len(sides) == 1:
                    sides.append(sides[0]._replace(side="back", filled=0, placed=()))
                for side in map(bled_into_gaps, sides) if has_gaps else sides:
                    page = side._replace(number=number, total=total, flip=flip)
                    yield printer.corrected(page) if printer else page


def _faces(copies: Sequence[Item]) -> list[int]:
    return [number for copy in copies for number in copy if number is not None]


def card_sheets(bank: FaceBank, copies: Sequence[tuple[Card, int]], options: SheetOptions) -> CardSheets:
    """Returns the sheets with every copy of every card.

    Cards of one size keep the order of the selection, except for cards that form one picture together. Raises
    UsageError for unknown names and for cards that do not fit the paper.
    """
    numbered = [copy for card, count in copies for copy in [sides(bank, card, options)] * count]
    groups = grouped(
        (PieceKind(size := bank.size_of(copy[0]), options.outline(size, bank.outline_of(copy[0]))), copy)
        for copy in numbered
    )
    mosaics = {bank.front(card): bank.workshop.game.spec.types[card.type].mosaic for card, _ in copies}
    for kind, group in groups.items():
        groups[kind] = in_mosaics(group, mosaics, options.grid(kind, stock_named(options.stock), options.fold))
    return CardSheets(numbered, sheet_blocks(groups, options), options)


def in_mosaics(copies: Sequence[Item], mosaics: Mapping[int, tuple[int, int]], grid: Grid) -> list[Item]:
    """Returns the copies ordered so that cards that form one picture lie together, if possible on one sheet.

    `mosaics` has, by the number of a front, how many cards across and down form its picture. Each row of a picture
    begins a row of the sheet, and other cards fill the places that this leaves empty. A picture that is wider than the
    sheet is divided into upright strips.
    """
    parts = [copy for copy in copies if mosaics[copy[0]] != (1, 1)]
    others = [copy for copy in copies if mosaics[copy[0]] == (1, 1)]
    across = len({slot.x for slot in grid.slots})
    down = len(grid.slots) // across
    placed: list[Item] = []
    while parts:
        columns, rows = mosaics[parts[0][0]]
        picture, parts = parts[: rows * columns], parts[rows * columns :]
        for left in range(0, columns, across):
            while others and (len(placed) % across or down - len(placed) % len(grid.slots) // across < min(rows, down)):
                placed.append(others.pop(0))
            for row in range(0, len(picture), columns):
                while others and len(placed) % across:
                    placed.append(others.pop(0))
                placed += picture[row : row + columns][left : left + across]
    return placed + others


def sheet_blocks(groups: Mapping[PieceKind, Sequence[Item]], options: SheetOptions) -> list[Block]:
    """Returns the sheets for each kind of card, the largest first, and then sheets shared by several kinds.

    Raises UsageError for unknown names and for cards that do not fit the paper.
    """
    stock = stock_named(options.stock)
    largest_first = sorted(groups, key=lambda kind: (-kind.size.width * kind.size.height, kind.size.width))
    grids = {kind: options.grid(kind, stock, options.fold) for kind in largest_first}
    filling = {kind: len(groups[kind]) // len(grid.slots) * len(grid.slots) for kind, grid in grids.items()}
    rests = [
        Batch(kind.size, tuple(groups[kind][filling[kind] :]), outline=kind.outline)
        for kind, grid in grids.items()
        if grid.cut
    ]
    sheets = options.shared([rest for rest in rests if rest.items], options.fold, turn=True)
    shared = [sheet for sheet in sheets if sheet.grid.is_shared]
    sharing = {PieceKind(batch.size, batch.outline) for sheet in shared for batch in sheet.batches}
    own = [
        (grid, groups[kind][: filling[kind]] if kind in sharing else groups[kind])
        for kind, grid in grids.items()
        if filling[kind] or kind not in sharing
    ]
    return [*own, *((sheet.grid, sheet.items) for sheet in shared)]


def sides(bank: FaceBank, card: Card, options: SheetOptions) -> Item:
    """Returns the numbers of a card's front and back. The back is None if it has none, or if no backs are printed."""
    both = options.fold or options.flip != "none"
    return bank.front(card), bank.back(card) if both else None


def face_bank(
    workshop: Workshop, options: SheetOptions, *, lenient: bool = False, cache: FaceCache | None = None
) -> FaceBank:
    """Returns an empty bank for faces in the size and ink mode of the options. Raises UsageError for unknown names."""
    natural = card_size(workshop.game.spec.card_size)
    size = target_size(natural, options)
    own = printed_type_sizes(workshop.game.spec, options)
    drawn_size = None if size == natural else size
    return FaceBank(
        workshop, drawn_size, options.ink, lenient=lenient, type_sizes=own, cache=cache,
        prepress=prepress_for(workshop.game.spec, options),
    )  # fmt: skip


def prepress_for(spec: GameSpec, options: SheetOptions) -> Prepress | None:
    """Returns how faces of a game are prepared for the press of the options; None if the options have no press.

    Raises UsageError if the colour profile is not for a printing press.
    """
    if not (press := options.press):
        return None
    limit = 10 * (press.ink_limit or INK_LIMIT)
    return prepress_of(press.profile, press.standard or USUAL, spec.ink_amounts, limit, spec.spot_colours)


def printed_type_sizes(spec: GameSpec, options: SheetOptions) -> dict[str, Size]:
    """Returns the printed sizes, by type, of cards whose type has its own size, instead of `options.card_size`."""
    natural = options._replace(card_size="")
    return {key: target_size(size, natural) for key, size in own_sizes(spec).items()}


@dataclass(frozen=True, slots=True)
class PrintPreview:
    """A preview of sheets with the same grid: sheets for cards of one size, or one sheet that several sizes share.

    `flip` is `none` if nothing is printed on the backs. `first` is the number of the first sheet in the job.
    """

    grid: Grid
    cards: int
    flip: str
    options: SheetOptions
    first: int

    @property
    def per_sheet(self) -> int:
        return len(self.grid.slots)

    @property
    def sheets(self) -> int:
        return -(-self.cards // self.per_sheet)

    @property
    def on_last(self) -> int:
        """The number of cards on the last sheet."""
        return self.cards - (self.sheets - 1) * self.per_sheet

    @property
    def pages(self) -> int:
        return self.sheets * (1 if self.flip == "none" else 2)

    @property
    def cuts(self) -> tuple[SheetCut, ...]:
        """The cuts for the first sheet, in order."""
        return cut_order(self.grid, min(self.cards, self.per_sheet))

    @property
    def cuts_of_last(self) -> int:
        return len(cut_order(self.grid, self.on_last))

    @property
    def ruler(self) -> bool:
        """True if the sheets have room for a printed ruler."""
        filled = min(self.cards, self.per_sheet)
        page = Page(self.grid, "front", 1, self.sheets, self.grid.slots, filled, (), flip=self.flip)
        return has_ruler(page, self.options.marking)


def print_preview(game: Game, copies: Sequence[tuple[Card, int]], options: SheetOptions) -> list[PrintPreview]:
    """Returns previews of the sheets for these cards and copies, in order.

    Raises UsageError for unknown names and for cards that do not fit the paper.
    """
    usual = target_size(card_size(game.spec.card_size), options)
    sizes = printed_type_sizes(game.spec, options)
    kinds: dict[str, PieceKind] = {}
    two_sided = options.flip != "none" or options.fold
    groups: dict[PieceKind, list[Item]] = {}
    for card, count in copies:
        if card.type not in kinds:
            size = sizes.get(card.type, usual)
            outline = outline_of(game, shape_of(game.spec, card), size)
            kinds[card.type] = PieceKind(size, options.outline(size, outline))
        back = 0 if two_sided and (templates_of(game, card)[1] or reverse_of(game.spec, card)) else None
        groups.setdefault(kinds[card.type], []).extend([(0, back)] * count)
    backed = any(back is not None for group in groups.values() for _, back in group)
    flip = options.flip if backed and not options.fold else "none"
    previews: list[PrintPreview] = []
    for grid, items in sheet_blocks(groups or {PieceKind(usual): []}, options):
        first = 1 + sum(each.sheets for each in previews)
        previews.append(PrintPreview(grid, len(items), flip, options, first))
    return previews


_INK_SAMPLE = 4
"""The number of faces whose ink is measured to estimate the ink of all."""


class Ink(NamedTuple):
    """The share of a page that is covered with ink on average, and the share with `--ink light`, None unless less."""

    page: Fraction
    light: Fraction | None = None

    def __str__(self) -> str:
        light = f", {percent(self.light)} with --ink light" if self.light is not None else ""
        return f"ink: about {percent(self.page)} of the page{light}"


def estimate(bank: FaceBank, numbers: Sequence[int], paper: Size, pages: int) -> Ink:
    """Estimates the ink of a job with `pages` pages. `numbers`: each printed face, once for every copy."""
    whole, page = pages * paper.width * paper.height, ink_area(bank, numbers)
    light = ink_area(bank, numbers, "light") if bank.ink == "full" else page
    return Ink(page / whole, light / whole if light < page else None)


def ink_area(bank: FaceBank, numbers: Sequence[int], mode: str = "full") -> Fraction:
    """Estimates the area in µm² that faces cover with ink. `numbers`: each face, once for every copy.

    Only some of them are measured. A `mode` such as `light` gives the area that they would cover in that ink mode.
    """
    sample = [numbers[i * len(numbers) // _INK_SAMPLE] for i in range(min(_INK_SAMPLE, len(numbers)))]
    faces = [InkSaver(mode).face(bank[number]) for number in sample]
    areas = (face.size.width * face.size.height * coverage(face) for face in faces)
    return sum(areas, Fraction(0)) * Fraction(len(numbers), max(1, len(faces)))


def percent(share: Fraction) -> str:
    """Returns a share as text, such as `11 %` or `6.2 %`."""
    return f"{float(share * 100):.{0 if share >= Fraction(95, 1000) else 1}f} %"
