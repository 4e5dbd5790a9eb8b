"""What a solo session is begun with: the module, and the cards of the owner's decks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from carddb.cli import show
from carddb.cli.cards import cards_at_hand
from carddb.cli.solo.sitting import Sitting
from carddb.cli.solo.words import pair
from carddb.errors import InputError, UsageError


def module_named(named: str, options: tuple[str, ...]) -> Any:
    """A module's id, or one that is patched by a file or by options."""
    from carddb.games.cdg_solo.module import Patched

    patch = {f"options.{name}": value for name, value in map(pair, options)}
    path = Path(named)
    if not path.suffix:
        return Patched(base=named, patch=patch) if patch else named
    try:
        data = json.loads(path.read_text("utf-8"))
        own = data if "base" in data else {"base": "generic-separate", "patch": data}
        return Patched.model_validate({**own, "patch": {**own.get("patch", {}), **patch}})
    except (OSError, ValueError, TypeError) as fault:
        raise InputError(
            f"{path} is no module: {fault}", "A module is JSON; carddb solo modules lists the bundled."
        ) from None


def cards_for(sitting: Sitting, module: Any, files: tuple[Path, ...]) -> list[dict[str, Any]]:
    """The cards of the owner's files, else those that the catalogue, or the bundled set, has for the module."""
    from carddb.findings import has_errors
    from carddb.read.table import read_cards

    id_ = module if isinstance(module, str) else module.base
    rows: list[dict[str, Any]] = []
    for path in files:
        sitting.session.keep(path)
        file = read_cards(path, sitting.game.spec, default_set=path.stem, images_root=path.parent)
        if has_errors(file.findings):
            show.findings(file.findings, err=True)
            raise InputError(f"{path} cannot be used as it is", "Mend what is listed above.")
        rows += [dict(record.values) for record in file.records]
    if not files:
        pool = cards_at_hand(sitting.session, sitting.game)
        rows = [dict(card.values) for card in pool if card.ref.partition("/")[0] == id_]
    if not rows:
        raise UsageError(f"there are no cards for {id_}", "Name files with your cards: --decks FILE.")
    return [{**row, "title": row.get("name")} for row in rows]
