"""The cards of every field of Guarda, computed: its `cards.csv` holds them as this module writes them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from carddb.game.game import GameSpec
from carddb.games.guarda.play.field import SIZES, grid_columns, name_on, shapes

COLUMNS = ("ref", "name", "type", "id", "n", "cells", "column", "row")

Record = dict[str, Any]


def every_card(spec: GameSpec) -> Iterator[Record]:
    """Pattern cards and grid cards of each size of field, as records of a card file (G-16, G-95, G-96)."""
    for n in SIZES:
        for card, cells in shapes(n).items():
            written = "; ".join(f"{row},{column}" for row, column in sorted(cells))
            yield {**_common(spec, n, card), "type": "pattern", "cells": written}
        for at, card in enumerate(spec.types["grid"].fields["id"].of):
            row, column = divmod(at, grid_columns(spec))
            yield {**_common(spec, n, card), "type": "grid", "column": column + 1, "row": row + 1}


def text(spec: GameSpec) -> str:
    """The card file."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(every_card(spec))
    return out.getvalue()


def _common(spec: GameSpec, n: int, card: str) -> Record:
    return {"ref": f"{n}-{card}", "name": name_on(spec, n, card), "id": card, "n": n}
