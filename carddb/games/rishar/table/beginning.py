"""What a Rishar Battle is begun with: two armies from deck files, and what is carried over from the Battle before."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from carddb.core.errors import InputError, UsageError
from carddb.deck.options import as_typed
from carddb.deck.options import options as readings
from carddb.games.rishar.battle.record import Host as ArmyHost
from carddb.games.rishar.play.fields import ARMIES, Army
from carddb.games.rishar.session import Session, new
from carddb.games.rishar.session.carrying import carried
from carddb.games.rishar.session.deck_army import army_of_deck
from carddb.play.question import Refusal
from carddb.play.table.front import Host


def begin(
    host: Host,
    seed: int,
    decks: tuple[str | Path, str | Path],
    first: Army | None = None,
    after: Path | None = None,
    new_day: bool = False,
    refresh: bool = False,
    options: Mapping[str, Any] | None = None,
) -> Session:
    """Returns a new Battle between the armies of two decks; `first` None is by lot.

    `after` is the save of the Battle before, `new_day`: that was on another Day; `refresh`: own Morale is back at its
    start (R-45). Raises InputError with the findings of an army that is not legal, or where the Battle before forbids
    this one; UsageError.
    """
    if first is not None and first not in ARMIES:
        raise UsageError(f"there is no army {first!r}", "Say a or b, or leave it to the lot.")
    house = options or {}
    a, b = (_army(host, deck, house) for deck in decks)
    names: dict[Army, str] = {"a": a[0], "b": b[0] if b[0] != a[0] else f"{b[0]} (b)"}
    hosts: dict[Army, ArmyHost] = {"a": a[1], "b": b[1]}
    if after is not None:
        try:
            hosts = carried(host.saved(after), hosts, new_day=new_day, refresh=refresh)
        except Refusal as refusal:
            raise InputError(f"no Battle after {after}: {host.reason(refusal)}", "A new Day: --new-day.") from None
    spec = host.spec
    changed = {
        name: value
        for name, value in readings(spec, as_typed({**host.house_readings, **house})).items()
        if value != spec.options[name].default
    }
    try:
        return new(spec, hosts, names, seed, first, changed)
    except Refusal as refusal:
        codes = refusal.details.get("errors") or [refusal.details.get("path", "")]
        raise InputError(host.reason(refusal), f"Look at {', '.join(map(str, codes))}.") from None


def _army(host: Host, deck: str | Path, options: Mapping[str, Any]) -> tuple[str, ArmyHost]:
    """What the army of a deck is called, and the army. Raises InputError with the findings of one that is not legal."""
    read, verdict, findings = host.checked_deck(deck, options)
    if verdict != "legal":
        name = str(deck) if isinstance(deck, Path) else read.name or "the deck"
        raise InputError(f"the army of {name} is not legal", "Mend what is listed above.", findings)
    return army_of_deck(read, host.spec)
