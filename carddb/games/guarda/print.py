"""The variables of Guarda's face and component templates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from carddb.cards.cards import Card
from carddb.core.units import Size, to_mm
from carddb.game.game import GameSpec
from carddb.games.guarda.play.field import ORIENTATIONS, SEATS, Cell, areas, grid_columns, name_of, on_hill, variant
from carddb.games.printed_words import fill, imprint, sign_note, with_signs


def face_data(card: Card, spec: GameSpec) -> dict[str, Any]:
    """Returns the variables of a card's face: `card` (reference and fields), its short name, its field, measures."""
    n = int(card.get("n", 0))
    count = str(spec.data["faces"]["count"]).replace("{lit}", str(len(card.get("cells", ())))).replace("{n}", str(n))
    return {
        "card": {"ref": card.ref, **card.values},
        "label": name_of(spec.data["faces"]["names"], str(card.get("id"))),
        "count": count,
        **field_data(spec, n),
    }


def field_data(spec: GameSpec, n: int) -> dict[str, Any]:
    """Returns the variables of an `n` × `n` field: measures, colours, the card's size in mm, rows and columns."""
    faces = spec.data["faces"]
    card = Size.parse(spec.card_size)
    grid = spec.types["grid"].fields
    line = range(1, n + 1)
    return {
        "n": n,
        "faces": faces,
        "ink": faces["colours"],
        "card_width": to_mm(card.width),
        "card_height": to_mm(card.height),
        "grid_columns": grid_columns(spec),
        "grid_rows": int(grid["row"].max or 0),
        "crossed": "X" in variant(spec, n).cards,
        "hill": [(row, column) for row in line for column in line if on_hill(n, (row, column))],
        "game": imprint(spec),
    }


def component_data(name: str, spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the variables of the template `name` (without its suffix): measures, `words`, and its own tables.

    `extra` is the component's data or row in `game.yaml`; its `n` is the size of the field, by default the standard.
    """
    n = int(extra.get("n") or standard_size(spec))
    tables = _TABLES[name](spec, n) if name in _TABLES else {}
    sentences = spec.data["reference"].get(name, {})
    words = with_signs(fill(sentences, {**figures(spec, n), **sentences.get("example", {})}), spec)
    return {**field_data(spec, n), "words": words, "sign_note": sign_note(words, spec), **tables, **extra}


def standard_size(spec: GameSpec) -> int:
    """Returns the number of cells along a side of the standard field (G-3)."""
    return int(spec.formats[spec.default_format or ""].label)


def in_print(card: Card, spec: GameSpec) -> bool:
    """Returns whether a card is in use, that is, not a pattern that the options leave out (G-16)."""
    return card.type != "pattern" or card.get("id") in variant(spec, card.get("n")).cards


def figures(spec: GameSpec, n: int) -> dict[str, object]:
    """Returns the numbers that are filled into the texts of components, by placeholder."""
    game, guard, modes = variant(spec, n), spec.data["guard"], spec.data["modes"]
    return {
        **guard,
        "n": n,
        "hand": game.hand,
        "critical": guard["counter"] + guard["critical_counter"],
        **{f"{key}_{what}": mode[what] for key, mode in modes.items() for what in ("health", "goal") if what in mode},
    }


def mapping(n: int) -> dict[str, list[dict[str, Any]]]:
    """Returns, by orientation and seat, the rows or columns that V1 to Vn and H1 to Hn affect (G-23, G-104)."""
    return {way: [{"seat": seat, **_lines(n, seat, way)} for seat in SEATS] for way in ORIENTATIONS}


def _lines(n: int, seat: str, orientation: str) -> dict[str, tuple[str, list[int]]]:
    area = areas(n, seat, orientation)
    lines = {family: [_line(area[f"{family}{k}"]) for k in range(1, n + 1)] for family in "VH"}
    return {family: (of_family[0][0], [number for _, number in of_family]) for family, of_family in lines.items()}


def _line(cells: frozenset[Cell]) -> tuple[str, int]:
    """Returns (`row` or `col`, number) for cells that form a row or a column."""
    rows, columns = ({cell[axis] for cell in cells} for axis in (0, 1))
    return ("row", rows.pop()) if len(rows) == 1 else ("col", columns.pop())


def _mapping_aid(spec: GameSpec, n: int) -> dict[str, Any]:
    seat, card = (spec.data["reference"]["mapping-aid"]["example"][what] for what in ("seat", "card"))
    shaded = sorted(areas(n, seat, "attack")[card])
    return {"shaded": shaded, "seats": SEATS, "example": {"seat": seat, "number": int(card[1:])}}


def _mat(spec: GameSpec, n: int) -> dict[str, Any]:
    """Returns the tracks up to the highest value of any mode; values that begin or end a game are marked (G-101)."""
    modes = spec.data["modes"].values()
    health, goals = ({mode[what] for mode in modes if what in mode} for what in ("health", "goal"))
    return {
        "tracks": {
            "health": {"to": max(health), "marked": sorted({0, *health})},
            "points": {"to": max(goals), "marked": sorted(goals)},
        },
        "guard_states": spec.data["guard_states"],
    }


_TABLES: Mapping[str, Callable[[GameSpec, int], dict[str, Any]]] = {
    "mapping-aid": _mapping_aid,
    "mapping-table": lambda spec, n: {"table": mapping(n)},
    "mode-card": lambda spec, n: {
        "modes": [{"key": key, **with_signs(fill(mode, mode), spec)} for key, mode in spec.data["modes"].items()]
    },
    "seats": lambda spec, n: {"seating": spec.data["seating"]},
    "player-mat": _mat,
}
