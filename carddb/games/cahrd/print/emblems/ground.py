"""The ground of the mat: one land in a still sea, under the zones."""

from __future__ import annotations

from carddb.games.cahrd.print.emblems.chance import Chance
from carddb.games.cahrd.print.emblems.geometry import Point, Window, blob, box, coast, grid, smooth
from carddb.games.cahrd.print.emblems.ornaments import neatline, sea
from carddb.games.cahrd.print.emblems.pen import Pen

_SEA = ((12.0, "sea-far"), (7.5, "sea-far"), (3.8, "sea-middle"))
_SQUARE = 22.0


def draw(pen: Pen, window: Window, seed: str) -> None:
    """Fills the window, its frame included."""
    chance = Chance(seed)
    sheet = window.inset(2.2)
    middle = window.at(0.5, 0.52)
    land = coast(blob(middle, window.width * 0.40, window.height * 0.33, chance, 0.20, 46, 7), chance, 3)
    islets = [
        blob(Point(window.x + 52, window.y + 20), 26, 11, chance, 0.25, 16, 4),
        blob(Point(window.right - 46, window.bottom - 20), 24, 10, chance, 0.25, 16, 4),
    ]
    shore = "".join(smooth(coast_) for coast_ in (land, *islets))
    with pen.within(box(*sheet)):
        pen.path(grid(sheet, round(sheet.width / _SQUARE), round(sheet.height / _SQUARE)), stroke="mist", width=0.15)
        sea(pen, shore, _SEA, 0.24)
        pen.path(shore, "land", "hair", 0.4)
    neatline(pen, window, 2.2, 11)
