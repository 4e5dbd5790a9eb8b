"""The names of Guarda's cards, and how its grid cards lie."""

from __future__ import annotations

from carddb.game import GameSpec


def grid_columns(spec: GameSpec) -> int:
    """How many grid cards lie side by side (G-96, G-100)."""
    return int(spec.types["grid"].fields["column"].max or 0)


def name_of(spec: GameSpec, card: str) -> str:
    """A pattern or grid card in words: `Column 3`, `Diagonals`."""
    letters = card.rstrip("0123456789")
    return str(spec.data["faces"]["names"][letters]).replace("{k}", card.removeprefix(letters))


def name_on(spec: GameSpec, n: int, card: str) -> str:
    """A card by its whole name: `Column 3 of 5×5`."""
    return str(spec.data["faces"]["name"]).replace("{name}", name_of(spec, card)).replace("{n}", str(n))
