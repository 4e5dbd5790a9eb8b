"""The printed parts of the CDG solo method as tests draw them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from carddb.core.units import Size
from carddb.findings import CardCount
from carddb.game.game import GameSpec
from carddb.games.cdg_solo.print.components import component_data
from carddb.layout.display_list import Face, Run, walk
from carddb.layout.display_list import Path as Outline
from carddb.layout.drawing.face import DrawnFace, draw
from carddb.press.faces.workshop import Workshop, open_workshop
from tests.games.referee_samples import game

KEY = "cdg-solo"
GAMES = (
    "paths-of-glory", "for-the-people", "empire-of-the-sun", "wilderness-war", "germany", "washingtons-war",
    "commands-and-colors",
)  # fmt: skip
PAGE = Size.parse("8.5x11in")

Row = Mapping[str, Any]


def spec() -> GameSpec:
    return game(KEY).spec


@lru_cache(maxsize=1)
def workshop() -> Workshop:
    return open_workshop(game(KEY))


def named(component: str) -> str:
    """The key of a component by its id."""
    return next(key for key, known in spec().components.items() if known.id == component or key == component)


@lru_cache(maxsize=128)
def _drawn(template: str, row: str) -> DrawnFace:
    stem = template.removesuffix(".svg")
    data = component_data(stem, spec(), json.loads(row))
    return draw(workshop().kit, f"cdg_solo/{template}", data, CardCount("", stem))


def drawn(component: str, row: Row, back: bool = False) -> DrawnFace:
    known = spec().components[named(component)]
    return _drawn(known.back if back else known.template, json.dumps({**known.data, **row}))


def rows(component: str) -> list[Row]:
    return list(spec().components[named(component)].rows or ({},))


def row_of(component: str, **wanted: str) -> Row:
    return next(row for row in rows(component) if wanted.items() <= row.items())


def every_face() -> Iterator[tuple[str, Row, bool]]:
    for key, component in spec().components.items():
        for row in component.rows or ({},):
            yield key, row, False
            if component.back:
                yield key, row, True


def words(face: Face) -> list[str]:
    return [shape.text.strip() for shape in walk(face.shapes) if isinstance(shape, Run)]


def text(face: Face) -> str:
    return re.sub(r"\s+", " ", " ".join(words(face)).replace("\u00a0", " "))


def boxes(face: Face, marks: bool = True) -> list[tuple[int, int, int, int]]:
    """Left, top, width and height of every outline, in micrometres; cutting marks only where wanted."""
    found = []
    for shape in walk(face.shapes):
        if isinstance(shape, Outline) and shape.ops and (marks or not _is_mark(shape)):
            xs = [v for _, n in shape.ops for v in n[::2]]
            ys = [v for _, n in shape.ops for v in n[1::2]]
            found.append((min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)))
    return found


def _is_mark(shape: Outline) -> bool:
    return shape.stroke is not None and shape.stroke.colour == "#000000"
