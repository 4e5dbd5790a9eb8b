"""What `sheets --dry-run` says: a print job in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from carddb.cli import show
from carddb.core.units import Size
from carddb.layout.sheets.cut_order import Cut
from carddb.layout.sheets.grid import mm_text
from carddb.layout.sheets.imposition import bounds
from carddb.layout.stock import describe, paper_label

if TYPE_CHECKING:
    from carddb.press.sheets.preview import PrintPreview


def show_preview(title: str, job: PrintPreview) -> None:
    """The job in words: a few facts, then the cut order."""
    shared = f" that {len(job.grid.bands)} sizes share" if job.grid.bands else ""
    show.echo(f"{title}: {_many(job.cards, 'card')} on {_many(job.sheets, 'sheet')}{shared}")
    for name, fact in _facts(job):
        show.echo(f"  {name:<9}{fact}")
    cuts = job.cuts
    if cuts:
        show.echo()
        show.table(("cut", "where", "how"), ((cut.number, _place(cut), _manner(cut, cuts)) for cut in cuts))
    for other in job.further:
        show.echo()
        show_preview(title, other)


def _facts(job: PrintPreview) -> Iterator[tuple[str, str]]:
    grid = job.grid
    block = bounds(grid.slots)
    yield "paper", _sized(paper_label(grid.paper), grid.paper)
    yield from (("cards", words) for words in _cards(job))
    if not grid.bare:
        gutters = (
            f"gutter {mm_text(grid.gutter.width)} mm between columns, {mm_text(grid.gutter.height)} mm between rows"
        )
        gutter = gutters if grid.gutter.width or grid.gutter.height else "no gutter"
        place = f"{mm_text(block.x)} mm from the left, {mm_text(block.y)} mm from the top"
        yield "block", f"{place}; margin {mm_text(grid.margin)} mm, {gutter}, bleed {mm_text(grid.bleed)} mm"
        yield "marks", _marks(job)
        yield "ruler", "50 mm and 2 in, on every face" if job.ruler else f"no room: measure a card, {grid.card}"
    yield "print", _print(job)
    if job.cuts:
        last = f", {job.cuts_of_last} on the last" if job.cuts_of_last < len(job.cuts) else ""
        yield "cuts", f"{len(job.cuts)} a sheet{last}"


def _cards(job: PrintPreview) -> Iterator[str]:
    """The size of the cards and how they lie; a line for each size on a sheet that several share."""
    grid = job.grid
    last = f", {job.on_last} on the last" if job.sheets > 1 and job.on_last < job.per_sheet else ""
    each = "" if grid.bands else " a sheet"
    for size, angle, slots in zip(grid.cards, grid.angles, grid.blocks, strict=True):
        way = "turned by a quarter" if angle else "upright"
        columns, rows = len({slot.x for slot in slots}), len({slot.y for slot in slots})
        layout = f"{len(slots)}{each} in {_many(columns, 'column')} and {_many(rows, 'row')}{last}"
        yield f"{_sized(describe(size), size)}, {way}; {layout}"


def _marks(job: PrintPreview) -> str:
    marking = job.options.marking
    if not job.grid.cut:
        return "none: the stock is not cut"
    words = {"edges": "at the edges of the block", "cards": "at all cards", "none": "none"}
    also = [word for word, is_drawn in (("guides", marking.guides), ("outlines", marking.outlines)) if is_drawn]
    return ", ".join([words[marking.marks], *also])


def _print(job: PrintPreview) -> str:
    if job.grid.fold:
        where = f"{mm_text(job.grid.fold.twice // 2)} mm from the {'left' if job.grid.fold.upright else 'top'}"
        return f"actual size (100 %), one side; fold {where} with the print outwards, glue, then cut"
    if job.flip == "none":
        return "actual size (100 %), one side"
    return f"actual size (100 %), both sides, flip on the {job.flip.replace('-', ' ')}"


def _place(cut: Cut) -> str:
    edge = "top" if cut.axis == "across" else "left"
    return f"{cut.axis}, {mm_text(cut.position)} mm from the {edge}"


def _manner(cut: Cut, cuts: tuple[Cut, ...]) -> str:
    """Through the whole sheet, or through the strips that it reaches."""
    if cut.through:
        return "right through"
    one_row = sum(other.through for other in cuts) == 2
    if one_row:
        return "the strip"
    if len({(other.start, other.end) for other in cuts if not other.through}) == 1:
        return "all strips"
    return f"the strips from {mm_text(cut.start)} to {mm_text(cut.end)} mm"


def _sized(name: str, size: Size) -> str:
    return str(size) if name == str(size) else f"{name} ({size})"


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
