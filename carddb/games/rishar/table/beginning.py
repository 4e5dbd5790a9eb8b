"""The beginning of a Battle: two armies from deck files, and what carries over from an earlier Battle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from carddb.cards.cards import Card, Deck
from carddb.core.errors import InputError, UsageError
from carddb.core.names import slug
from carddb.deck.context import as_typed
from carddb.deck.context import options as readings
from carddb.game.frozen import as_plain
from carddb.game.game import GameSpec
from carddb.games.rishar.battle.army_state import ArmyState
from carddb.games.rishar.battle.record import Host as ArmyHost
from carddb.games.rishar.battle.state import engage
from carddb.games.rishar.play.armies import Commander
from carddb.games.rishar.play.cards import specials
from carddb.games.rishar.play.fields import ARMIES, Army
from carddb.games.rishar.session import Session, new
from carddb.play.question import Refusal, read, refuse
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
    """Returns a new Battle between the armies of two decks. If `first` is None, the first turn is drawn at random.

    `after` is the save of an earlier Battle, whose Morale and losses carry over; `new_day` says that it was on another
    Day, `refresh` that own Morale is back at its start (R-45). Raises InputError, with the findings, for an army that
    is not legal, or if the earlier Battle forbids this one; UsageError if `first` is not an army.
    """
    if first is not None and first not in ARMIES:
        raise UsageError(f"there is no army {first!r}", "Name a or b, or leave it out for a random choice.")
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
    """Returns the name of a deck's army, and the army. Raises InputError, with the findings, if it is not legal."""
    legal, verdict, findings = host.checked_deck(deck, options)
    if verdict != "legal":
        name = str(deck) if isinstance(deck, Path) else legal.name or "the deck"
        raise InputError(f"the army of {name} is not legal", "Correct what is listed above.", findings)
    return army_of_deck(legal, host.spec)


def army_of_deck(deck: Deck, spec: GameSpec) -> tuple[str, ArmyHost]:
    """Returns the name of the army, and the army. Raises BadInput for a header that a check would refuse.

    A card's id is its name in lower case, or its reference if another card of the deck has the same name.
    """
    counts = Counter[str]()
    by_ref = {entry.card.ref: entry.card for entry in deck.entries if entry.card}
    for entry in deck.entries:
        if entry.card:
            counts[entry.card.ref] += entry.count
    names = [slug(card.name) for card in by_ref.values()]
    cards = [
        _card(card, spec, slug(ref if names.count(slug(card.name)) > 1 else card.name)) | {"count": counts[ref]}
        for ref, card in by_ref.items()
    ]
    header = {key: value for key, value in deck.headers.items() if key in spec.header.values()}
    commander = read(Commander, header, "commander", spec=spec)
    return commander.name or deck.name or deck.file, ArmyHost(commander=commander, cards=tuple(cards))


def _card(card: Card, spec: GameSpec, id_: str) -> dict[str, Any]:
    values: dict[str, Any] = {name: as_plain(card.get(name)) for name in spec.fields if card.get(name) is not None}
    if "special" in values:
        values["special"] = [dict(text) for text in specials(card)]
    return {"id": id_, "name": card.name, "role": card.type, "strength": card.get("strength"), **values}


def carried(
    before: Session, hosts: Mapping[Army, ArmyHost], new_day: bool = False, refresh: bool = False
) -> dict[Army, ArmyHost]:
    """Returns the armies with what an earlier Battle left of them; armies are matched by their Commander's name.

    Morale carries over (R-45), unless `refresh` restores it; the Base's pool and the uses of the Day are restored on a
    new Day (R-83, R-134). Killed cards are gone (R-115). Refuses `battle_not_over`, and on the same Day `routed_today`
    (R-91).
    """
    refuse(battle_not_over=before.step != "over")
    after = dict(hosts)
    for army in ARMIES:
        for old in ARMIES:
            if hosts[army].commander.name == before.hosts[old].commander.name:
                state = before.army(old)
                engage(same_armies=False, routed_today=state.routed and not new_day, spec=before.spec)
                after[army] = _left(hosts[army], state, new_day, refresh)
    return after


def _left(host: ArmyHost, state: ArmyState, new_day: bool, refresh: bool) -> ArmyHost:
    commander = host.commander.model_copy(update={"favors": state.favors, "influence": state.influence})
    gone = [key.partition("#")[0] for key in state.lying("killed")]
    own = None if refresh or (new_day and state.own == 0) else state.own
    return host.model_copy(
        update={
            "commander": commander,
            "cards": tuple(card for item in host.cards for card in _remaining(item, gone.count(item["id"]))),
            "own": own,
            "base": None if new_day else state.base,
            "used_day": 0 if new_day else state.used_day,
        }
    )


def _remaining(card: Mapping[str, Any], gone: int) -> list[dict[str, Any]]:
    """Returns an item of an army list without the `gone` copies, as a list that is empty if no copy is left."""
    left = int(card.get("count") or 1) - gone
    return [{**card, "count": left}] if left > 0 else []
