"""What a solo session is begun with: the module, and the cards of the owner's decks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from carddb.cli import show
from carddb.cli.cards import cards_at_hand
from carddb.cli.solo.sitting import KEY, Sitting
from carddb.cli.solo.words import pair
from carddb.errors import InputError, UsageError

if TYPE_CHECKING:
    from carddb.games.cdg_solo.module import Module

DEMONSTRATED = "generic-separate"
"""The module that the demonstration deck is entered for."""

SHAPE = 'A module is a JSON object: all its keys, or {"base": "germany", "patch": {"hand.default.PRU": 6}}.'

DECK_SUFFIXES = (".deck", ".txt")
"""The endings of deck lists; other files hold the cards themselves."""


def module_named(named: str, options: tuple[str, ...]) -> Any:
    """A module's id, or one that is patched by a file or by options."""
    from pydantic import ValidationError

    from carddb.games.cdg_solo.module import Patched

    patch = {f"options.{name}": value for name, value in map(pair, options)}
    path = Path(named)
    if not path.suffix:
        return Patched(base=named, patch=patch) if patch else named
    try:
        data = json.loads(path.read_text("utf-8"))
        if not isinstance(data, dict):
            raise ValueError("it is no object")
        own: dict[str, Any] = data if "base" in data else {"base": "generic-separate", "patch": data}
        return Patched.model_validate({**own, "patch": {**own.get("patch", {}), **patch}})
    except OSError as fault:
        raise InputError(f"{path} cannot be read: {fault.strerror}") from None
    except ValidationError as fault:
        place = ".".join(map(str, fault.errors()[0]["loc"]))
        raise InputError(f"{path} is no module: {place} is not what it must be", SHAPE) from None
    except (ValueError, TypeError, RecursionError) as fault:
        raise InputError(f"{path} is no module: {fault}", SHAPE) from None


def cards_for(sitting: Sitting, module: Any, files: tuple[Path, ...]) -> list[dict[str, Any]]:
    """The cards of the owner's files, else those that the catalogue, or the bundled set, has for the module.

    For a module that has no cards with rules of their own and goes by ops values, the demonstration deck serves.
    """
    from carddb.games.cdg_solo.module import module_of

    id_ = module if isinstance(module, str) else str(module.patch.get("id", module.base))
    made = module_of(sitting.game.spec, module)
    if files:
        rows = [row for path in files for row in _from_file(sitting, path)]
    else:
        served = not made.exceptions and made.lowest.by == "ops"
        rows = _at_hand(sitting, id_) or (_demonstration(sitting, made) if served else [])
    if not rows:
        columns = "`carddb export --game cdg-solo -o mine.csv` shows the columns."
        raise UsageError(
            f"there are no cards for {id_}",
            f"Name files with your cards: --decks FILE, or load them with references such as {id_}:1. {columns}",
        )
    return [{**row, "title": row.get("title") or row.get("name")} for row in rows]


def _at_hand(sitting: Sitting, module: str) -> list[dict[str, Any]]:
    """The cards of the catalogue, or of the bundled set, that are entered for a module."""
    pool = cards_at_hand(sitting.session, sitting.game)
    return [dict(card.values) for card in pool if card.ref.partition(":")[0] == module]


def _demonstration(sitting: Sitting, module: Module) -> list[dict[str, Any]]:
    """The demonstration deck for another module: its sides as they are called there, a common deck numbered through."""
    from carddb.games.cdg_solo.module import module_of

    called = dict(zip(module_of(sitting.game.spec, DEMONSTRATED).side_ids, module.side_ids, strict=True))
    cards = [{**card, "side": called[card["side"]]} for card in _at_hand(sitting, DEMONSTRATED)]
    if len(module.decks) > 1:
        return [{**card, "deck": card["side"]} for card in cards]
    return [{**card, "deck": module.decks[0], "number": number} for number, card in enumerate(cards, 1)]


def _from_file(sitting: Sitting, path: Path) -> list[dict[str, Any]]:
    """The cards of a table, or those of the catalogue that a deck names. Raises InputError with every fault told."""
    from carddb.cli.clock import today
    from carddb.cli.judging import read_deck
    from carddb.findings import has_errors
    from carddb.read.card_file import read_cards

    if path.suffix in DECK_SUFFIXES:
        read = read_deck(sitting.session, path, KEY, today())
        rows = [dict(entry.card.values) for entry in read.deck.entries if entry.card]
        findings = read.findings
    else:
        sitting.session.keep(path)
        file = read_cards(path, sitting.game.spec, default_set=path.stem, images_root=path.parent)
        rows = [dict(record.values) for record in file.records]
        findings = file.findings
    if has_errors(findings):
        show.findings(findings, err=True)
        raise InputError(f"{path} cannot be used as it is", "Mend what is listed above.")
    return rows
