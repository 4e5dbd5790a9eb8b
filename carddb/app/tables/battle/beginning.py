"""What a Rishar Battle is begun with: two armies from deck files, and what is carried over from the Battle before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from secrets import randbelow
from typing import Any

from carddb.app.decks.check import CheckRequest, check_deck
from carddb.app.decks.reading import DeckSource
from carddb.app.tables.file import TableFile
from carddb.app.workspace.own_readings import option_texts
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import InputError, UsageError
from carddb.deck.options import options as readings
from carddb.games.rishar.battle.record import Host
from carddb.games.rishar.play.fields import Army
from carddb.games.rishar.session import Session, new
from carddb.games.rishar.session.carrying import carried
from carddb.games.rishar.session.deck_army import army_of_deck
from carddb.play.question import Refusal

KEY = "rishar"


@dataclass(frozen=True, slots=True)
class BattleRequest:
    """How a Battle begins: the seed of its dice (None: by chance), who is first, house readings, the Battle before.

    `new_day`: the Battle before was on another Day; `refresh`: own Morale is back at its start (R-45).
    """

    seed: int | None = None
    first: Army | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    after: Path | None = None
    new_day: bool = False
    refresh: bool = False
    force: bool = False


def battle_file(project: Workspace, path: Path) -> TableFile[Session]:
    """The file of a Battle."""
    return TableFile(project, path, KEY, "Begin one: carddb battle A.deck B.deck.")


def begin(file: TableFile[Session], decks: tuple[DeckSource, DeckSource], request: BattleRequest) -> Session:
    """A new Battle between the armies of two decks, saved.

    Raises UsageError for a session that is there already (unless `force`), and InputError with the findings of an
    army that is not legal, or where the Battle before forbids this one.
    """
    _refuse_old(file, request.force)
    a, b = (_army(file, deck, request.options) for deck in decks)
    names: dict[Army, str] = {"a": a[0], "b": b[0] if b[0] != a[0] else f"{b[0]} (b)"}
    hosts: dict[Army, Host] = {"a": a[1], "b": b[1]}
    if request.after is not None:
        hosts = _carried(file, hosts, request)
    spec = file.game.spec
    options = {
        name: value
        for name, value in readings(spec, option_texts(file.project, KEY, request.options)).items()
        if value != spec.options[name].default
    }
    try:
        seed = randbelow(1 << 62) if request.seed is None else request.seed
        session = new(spec, hosts, names, seed, request.first, options)
    except Refusal as refusal:
        codes = refusal.details.get("errors") or [refusal.details.get("path", "")]
        raise InputError(file.reason(refusal), f"Look at {', '.join(map(str, codes))}.") from None
    with file.locked():
        _refuse_old(file, request.force)
        file.save(session)
    return session


def _refuse_old(file: TableFile[Session], force: bool) -> None:
    if file.path.exists() and not force:
        raise UsageError(
            f"there is a Battle in {file.path} already",
            f"Go on: carddb battle --session {file.path} table. Or name another file with --session, or --force.",
        )


def _army(file: TableFile[Session], deck: DeckSource, options: Mapping[str, Any]) -> tuple[str, Host]:
    """What the army of a deck is called, and the army. Raises InputError with the findings of one that is not legal."""
    report = check_deck(file.project, deck, CheckRequest(game=KEY, options=options, files=isinstance(deck, Path)))
    if report.verdict != "legal":
        name = str(deck) if isinstance(deck, Path) else report.deck.name or "the deck"
        raise InputError(f"the army of {name} is not legal", "Mend what is listed above.", report.findings)
    return army_of_deck(report.deck, report.game.spec)


def _carried(file: TableFile[Session], hosts: Mapping[Army, Host], request: BattleRequest) -> dict[Army, Host]:
    """The armies with what the Battle before left of them. Raises InputError where it forbids another."""
    assert request.after is not None
    before = battle_file(file.project, request.after).load()
    try:
        return carried(before, hosts, new_day=request.new_day, refresh=request.refresh)
    except Refusal as refusal:
        raise InputError(f"no Battle after {request.after}: {file.reason(refusal)}", "A new Day: --new-day.") from None
