"""What a solo session is begun with: the module, and the cards of the owner's decks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from secrets import randbelow
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from carddb.app.decks.reading import read_deck
from carddb.app.tables.file import TableFile
from carddb.app.tables.solo.checks import check_cards, check_module, check_options, options_here
from carddb.app.workspace.clock import today
from carddb.app.workspace.day_cards import cards_at_hand
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import InputError, UsageError
from carddb.findings import has_errors
from carddb.games.cdg_solo.module.module import Module, Patched, module_of
from carddb.play.question import BadInput, Refusal
from carddb.read.cards.file import read_cards
from carddb.read.documents.questions import value_of

if TYPE_CHECKING:
    from carddb.games.cdg_solo.session import Session

KEY = "cdg-solo"

DEMONSTRATED = "generic-separate"
"""The module that the demonstration deck is entered for."""

SHAPE = 'A module is a JSON object: all its keys, or {"base": "germany", "patch": {"hand.default.PRU": 6}}.'

DECK_SUFFIXES = (".deck", ".txt")
"""The endings of deck lists; other files hold the cards themselves."""


def solo_file(project: Workspace, path: Path) -> TableFile[Session]:
    """The file of a solo session."""
    return TableFile(project, path, KEY, "Begin one: carddb solo new --module MODULE.")


def begin(
    file: TableFile[Session],
    name: str,
    paths: tuple[Path, ...],
    options: Mapping[str, Any],
    seed: int | None,
    force: bool,
) -> Session:
    """A new session, saved: the module, the cards of the owner's files; `seed` by chance where it is None.

    Raises UsageError for a session that is there already (unless `force`), and InputError with every fault.
    """
    # The models of a session, 30 ms, which a list of modules does without.
    from carddb.games.cdg_solo.session import new

    _refuse_old(file, force)
    own = options_here(file, name, options)
    _tell_of_players(file, own)
    module = module_of_name(name, own)
    check_options(file, module)
    check_module(file, module, name)
    cards = _cards_for(file, module, paths)
    check_cards(file, module, cards, paths)
    try:
        session = new(file.game.spec, module, cards, randbelow(1 << 62) if seed is None else seed)
    except BadInput as refusal:
        decks = ", ".join(module_of(file.game.spec, module).decks)
        raise UsageError(f"the cards do not fit the module ({refusal.path})", f"Its decks: {decks}.") from None
    except Refusal as refusal:
        raise UsageError(file.reason(refusal), f"Look at {refusal.details}.") from None
    with file.locked():
        _refuse_old(file, force)
        file.save(session)
    return session


def _refuse_old(file: TableFile[Session], force: bool) -> None:
    if file.path.exists() and not force:
        raise UsageError(f"there is a session in {file.path} already", "Name another file with --session, or --force.")


def _tell_of_players(file: TableFile[Session], options: Mapping[str, Any]) -> None:
    """Says which options only people apply; a session plays the usual reading of theirs."""
    spec = file.game.spec.options
    names = [name for name, value in options.items() if spec[name].players and value != spec[name].default]
    if names:
        file.project.notify("players_only", f"{', '.join(names)}: for people at a table; a session plays as usual")


def module_of_name(name: str, options: Mapping[str, Any]) -> Any:
    """A module's id, or one that is patched by a file or by options. Raises InputError."""
    patch = {f"options.{option}": value for option, value in options.items()}
    path = Path(name)
    if not path.suffix:
        return Patched(base=name, patch=patch) if patch else name
    try:
        data = value_of(path.read_bytes())
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


def _cards_for(file: TableFile[Session], module: Any, files: tuple[Path, ...]) -> list[dict[str, Any]]:
    """The cards of the owner's files, else those that the catalogue, or the bundled set, has for the module.

    For a module that has no cards with rules of their own and goes by ops values, the demonstration deck serves.
    """
    id_ = module if isinstance(module, str) else str(module.patch.get("id", module.base))
    whole = module_of(file.game.spec, module)
    if files:
        rows = [row for path in files for row in _from_file(file, path)]
    else:
        served = not whole.exceptions and whole.lowest.by == "ops"
        rows = _at_hand(file, id_) or (_demonstration(file, whole) if served else [])
    if not rows:
        columns = "`carddb export --game cdg-solo -o mine.csv` shows the columns."
        raise UsageError(
            f"there are no cards for {id_}",
            f"Name files with your cards: --decks FILE, or load them with references such as {id_}:1. {columns}",
        )
    return [{**row, "title": row.get("title") or row.get("name")} for row in rows]


def _at_hand(file: TableFile[Session], module: str) -> list[dict[str, Any]]:
    """The cards of the catalogue, or of the bundled set, that are entered for a module."""
    pool = cards_at_hand(file.project, file.game)
    return [dict(card.values) for card in pool if card.ref.partition(":")[0] == module]


def _demonstration(file: TableFile[Session], module: Module) -> list[dict[str, Any]]:
    """The demonstration deck for another module: its sides as they are called there, a common deck numbered through."""
    sides = dict(zip(module_of(file.game.spec, DEMONSTRATED).side_ids, module.side_ids, strict=True))
    cards = [{**card, "side": sides[card["side"]]} for card in _at_hand(file, DEMONSTRATED)]
    if len(module.decks) > 1:
        return [{**card, "deck": card["side"]} for card in cards]
    return [{**card, "deck": module.decks[0], "number": number} for number, card in enumerate(cards, 1)]


def _from_file(file: TableFile[Session], path: Path) -> list[dict[str, Any]]:
    """The cards of a table, or those of the catalogue that a deck names. Raises InputError with findings."""
    if path.suffix in DECK_SUFFIXES:
        read = read_deck(file.project, path, KEY, today())
        rows = [dict(entry.card.values) for entry in read.deck.entries if entry.card]
        findings = read.findings
    else:
        file.project.protect(path)
        cards = read_cards(path, file.game.spec, default_set=path.stem, images_root=path.parent)
        rows = [dict(record.values) for record in cards.records]
        findings = cards.findings
    if has_errors(findings):
        raise InputError(f"{path} cannot be used as it is", "Mend what is listed above.", findings)
    return rows
