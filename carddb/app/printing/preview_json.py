"""A print job that is only foreseen, as JSON; lengths in millimetres."""

from __future__ import annotations

from typing import Any

from carddb.core.units import Box, Size, to_mm
from carddb.layout.sheets.imposition import bounds
from carddb.layout.stock import paper_label
from carddb.press.sheets.card_sheets import PrintPreview


def preview_json(title: str, job: PrintPreview) -> dict[str, Any]:
    """The job as `sheets --dry-run --json` gives it; a sheet that several sizes share has its `bands`, from the top."""
    grid, options = job.grid, job.options
    block, fold = bounds(grid.slots), grid.fold
    return {
        "schema": "carddb.sheets/1",
        "title": title,
        "cards": job.cards,
        "sheets": job.sheets,
        "pages": job.pages,
        "paper": {"name": paper_label(grid.paper), **measures(grid.paper)},
        "stock": options.stock,
        "card": {**measures(grid.card), "turned": grid.angles[0] != 0},
        **({"bands": [*map(_band, grid.cards, grid.angles, grid.blocks)]} if grid.bands else {}),
        "slots": {
            "columns": grid.columns,
            "rows": grid.rows,
            "per_sheet": job.per_sheet,
            "on_last_sheet": job.on_last,
            "left": to_mm(block.x),
            "top": to_mm(block.y),
        },
        "margin": to_mm(grid.margin),
        "gutter": {"columns": to_mm(grid.gutter.width), "rows": to_mm(grid.gutter.height)},
        "bleed": to_mm(grid.bleed),
        "marks": {
            "at": options.marking.marks if grid.cut else "none",
            "guides": options.marking.guides,
            "outlines": options.marking.outlines,
        },
        "ruler": job.ruler,
        "flip": job.flip,
        "fold": {"axis": "down" if fold.upright else "across", "at": to_mm(fold.twice) / 2} if fold else None,
        "cuts": [
            {
                "number": cut.number,
                "axis": cut.axis,
                "at": to_mm(cut.position),
                "from": to_mm(cut.start),
                "to": to_mm(cut.end),
                "through": cut.through,
            }
            for cut in job.cuts
        ],
        "cuts_on_last_sheet": job.cuts_of_last,
        **({"further": [preview_json(title, each) for each in job.further]} if job.further else {}),
    }


def _band(card: Size, angle: int, slots: tuple[Box, ...]) -> dict[str, Any]:
    """The cards of one size on a sheet that several sizes share."""
    block = bounds(slots)
    return {
        "card": {**measures(card), "turned": angle != 0},
        "cards": len(slots),
        "columns": len({slot.x for slot in slots}),
        "rows": len({slot.y for slot in slots}),
        "left": to_mm(block.x),
        "top": to_mm(block.y),
    }


def measures(size: Size) -> dict[str, float]:
    """A size in millimetres."""
    return {"width": to_mm(size.width), "height": to_mm(size.height)}
