"""The variables of the face templates of Guarda."""

from __future__ import annotations

from typing import Any

from carddb.cards.cards import Card
from carddb.core.units import Size, to_mm
from carddb.game.game import GameSpec
from carddb.games.guarda.play.card_names import grid_columns, name_of
from carddb.games.guarda.play.cells import on_hill
from carddb.games.guarda.play.variant import variant
from carddb.games.printed_words import imprint


def face_data(card: Card, spec: GameSpec) -> dict[str, Any]:
    """The variables of a face template: `card` (reference and fields), its short name, its field, all measures."""
    n = int(card.get("n", 0))
    count = str(spec.data["faces"]["count"]).replace("{lit}", str(len(card.get("cells", ())))).replace("{n}", str(n))
    return {
        "card": {"ref": card.ref, **card.values},
        "label": name_of(spec, str(card.get("id"))),
        "count": count,
        **field_data(spec, n),
    }


def field_data(spec: GameSpec, n: int) -> dict[str, Any]:
    """What every drawing of an n×n field needs: measures, colours, the size of a card, how many make the field."""
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
        "crossed": "X" in variant(spec, spec.option_defaults, n).cards,
        "hill": [(row, column) for row in line for column in line if on_hill(n, (row, column))],
        "game": imprint(spec),
    }
