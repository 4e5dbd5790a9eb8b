"""The ground of the mat: one land in a still sea, under the zones."""

from __future__ import annotations

from collections.abc import Mapping

from carddb.games.cahrd.emblems.chance import Chance
from carddb.games.cahrd.emblems.geometry import Point, Window, blob, box, coast, segment, smooth
from carddb.games.cahrd.emblems.ornaments import neatline
from carddb.games.cahrd.emblems.pen import Pen

_SEA = ((12.0, "sea-far"), (7.5, "sea-far"), (3.8, "sea-middle"))
_SQUARE = 22.0


def draw(pen: Pen, window: Window, seed: str, palette: Mapping[str, str]) -> None:
    """Fills the window, its frame included."""
    chance = Chance(seed)
    sheet = window.inset(2.2)
    middle = window.at(0.5, 0.52)
    land = coast(blob(middle, window.width * 0.40, window.height * 0.33, chance, 0.20, 46, 7), chance, 3)
    islets = [
        blob(Point(window.x + 52, window.y + 20), 26, 11, chance, 0.25, 16, 4),
        blob(Point(window.right - 46, window.bottom - 20), 24, 10, chance, 0.25, 16, 4),
    ]
    across, down = round(sheet.width / _SQUARE), round(sheet.height / _SQUARE)
    grid = [segment(sheet.at(i / across, 0), sheet.at(i / across, 1)) for i in range(1, across)]
    grid += [segment(sheet.at(0, i / down), sheet.at(1, i / down)) for i in range(1, down)]
    shore = "".join(smooth(one) for one in (land, *islets))
    with pen.within(box(*sheet)):
        pen.path("".join(grid), stroke=palette["mist"], width=0.15)
        for off, colour in _SEA:
            pen.path(shore, stroke=palette[colour], width=2 * off + 0.24)
            pen.path(shore, palette["paper"], palette["paper"], 2 * off - 0.24)
        pen.path(shore, palette["land"], palette["hair"], 0.4)
    neatline(pen, window, 2.2, 11, palette["ink"])
