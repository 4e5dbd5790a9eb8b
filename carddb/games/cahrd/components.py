"""What the templates of the printed components are told: the game's tables, their figures as they are printed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from carddb.game import GameSpec

Extra = Mapping[str, Any]


def component_data(name: str, spec: GameSpec, extra: Extra) -> dict[str, Any]:
    """The variables of the template `name` (without its suffix): `faces`, `game`, `words`, and the tables it shows."""
    reference = spec.data["reference"]
    tables = _TABLES[name](spec, extra) if name in _TABLES else {}
    return {
        "faces": spec.data["faces"],
        "game": {"name": spec.name, "by": spec.by, "notice": spec.notice},
        "words": {"name": reference["name"], **reference["components"].get(name, {})},
        **tables,
    }


def _back(kind: str) -> Callable[[GameSpec, Extra], dict[str, Any]]:
    """The back of a type of card, in the colour that the game's looks give it (C-9, C-10)."""

    def table(spec: GameSpec, extra: Extra) -> dict[str, Any]:
        colour, faces = spec.data["sheets"]["looks"][kind]["back"], spec.data["faces"]
        star = spec.data["reference"]["star"]
        return {"back": faces["backs"][colour], "lattice": faces["lattices"][colour], "star": star}

    return table


_TABLES: Mapping[str, Callable[[GameSpec, Extra], dict[str, Any]]] = {
    "back-main": _back("officer"),
    "back-strategy": _back("strategy"),
}
