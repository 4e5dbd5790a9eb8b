"""The campaign sheets after the Battles of a Day: what a Commander used, lost and has left (R-183)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

from carddb.core.errors import InputError
from carddb.game.game import GameSpec
from carddb.games.rishar.battle.replay import report
from carddb.games.rishar.play.armies import upkeep
from carddb.games.rishar.play.fields import ARMIES, SIDES, Army, enemy, is_unit, opposing
from carddb.games.rishar.play.powers import class_of, power_of
from carddb.games.rishar.session.session import Session
from carddb.play.table.front import FilledSheets

COLUMNS = ("commander", "part", "what", "number", "note")
Row = tuple[str, str, str, int | float, str]


@dataclass(slots=True)
class CampaignSheet:
    """The notes of a Commander: Battles with opponent, result and number of units, Upkeep, losses, what is left.

    `units` counts the units used, by name; `upkeep` is the cost for the Day of the units of each name, `due` the sum.
    `killed` pairs each Killed unit with what Killed it. `trainable` counts the surviving units that can still be
    trained, by name; `training` is the price.
    """

    commander: str
    class_: str = ""
    progression: int = 0
    battles: list[tuple[str, str, int]] = field(default_factory=list)
    units: dict[str, int] = field(default_factory=dict)
    upkeep: dict[str, int] = field(default_factory=dict)
    due: int = 0
    killed: list[tuple[str, str]] = field(default_factory=list)
    trainable: dict[str, int] = field(default_factory=dict)
    training: str = ""
    own: int = 0
    base: int = 0
    base_used: int = 0
    favors: int = 0
    influence: float = 0

    @property
    def morale(self) -> str:
        """The current Morale in words, with the Base's Morale if there is any."""
        return f"{self.own} and {self.base} of the Base" if self.base else str(self.own)


def campaign_sheets(sessions: Sequence[Session]) -> list[CampaignSheet]:
    """Returns a sheet for each Commander in some Battles of one Day, given in their order.

    A unit that was in several Battles costs its Upkeep once (R-152). A unit counts as used if it was in hand at the
    start (R-153).
    """
    parts: dict[str, list[tuple[Session, Army]]] = {}
    for session in sessions:
        for army in ARMIES:
            parts.setdefault(session.name(army), []).append((session, army))
    return [_sheet(name, fought) for name, fought in parts.items()]


def _sheet(name: str, fought: Sequence[tuple[Session, Army]]) -> CampaignSheet:
    session, army = fought[-1]
    state, leader = session.army(army), session.hosts[army].commander
    class_ = power_of(session.spec, class_of(session.spec, leader.path or "", leader.role or ""))
    sheet = CampaignSheet(name, class_.get("label", ""), int(leader.progression or 0))
    used: set[str] = set()
    names: dict[str, str] = {}
    costs: dict[str, int] = {}
    for battle, own in fought:
        cards = battle.army(own).cards
        units = [key for key, card in cards.items() if is_unit(card.type)]
        used |= set(units)
        names |= {key: cards[key].name for key in units}
        costs |= {key: int(cards[key].get("upkeep") or 0) for key in units}
        sheet.battles.append((battle.name(enemy(own)), _result(battle, own), len(units)))
        sheet.killed += _killed(battle, own)
        entered = battle.table.a if own == "a" else battle.table.b
        pool = entered.commander.base_bonus if entered.base is None else entered.base
        sheet.base_used += pool - battle.army(own).base
    due = upkeep(costs=costs, battles=(tuple(used),), paid=0)
    sheet.units = dict(Counter(names[key] for key in names if key in used))
    sheet.upkeep = {unit: sum(costs[key] for key in used if names[key] == unit) for unit in sheet.units}
    sheet.due = due["due"]
    alive = [state.cards[key] for key in state.cards if state.where[key] != "killed"]
    fit = [card for card in alive if is_unit(card.type) and card.get("strength") is not None]
    sheet.trainable = dict(Counter(card.name for card in fit if not card.get("training")))
    price = session.spec.data["training"]
    sheet.training = f"{price['items']} items or {price['build_points']} build points (R-158, R-159)"
    sheet.own, sheet.base, sheet.favors, sheet.influence = state.own, state.base, state.favors, state.influence
    return sheet


def _result(session: Session, army: Army) -> str:
    """Returns how a Battle ended for an army, in words."""
    result = report(session.fought)
    if session.step != "over":
        return "not over"
    if result["winner"] is None:
        return "lost, both Routed" if result["by"] == "double_rout" else "lost, nobody ahead"
    words = {"rout": "by a rout", "kills": "by kills", "morale": "by Morale"}[result["by"]]
    return f"{'won' if result['winner'] == army else 'lost'} {words}"


def _killed(session: Session, army: Army) -> list[tuple[str, str]]:
    """Returns the Killed units of an army, each with its cause: the card that it fought, or the rout."""
    state, by = session.army(army), {}
    for turn in session.fought.log:
        fates, cards = turn.get("skirmish", {}).get("fate", {}), turn.get("cards", {})
        for side in SIDES:
            is_own = (turn["by"] == army) == (side == "off")
            if is_own and fates.get(side) == "killed":
                by[cards[side]] = session.card(enemy(army), cards[opposing(side)])
    return [
        (session.card(army, key), by.get(key, "the rout"))
        for key in state.lying("killed")
        if is_unit(state.cards[key].type)
    ]


def filled_sheets(spec: GameSpec, sessions: Sequence[tuple[Path, Session]]) -> FilledSheets:
    """Returns the filled-in campaign sheets of Battles of one Day. Raises InputError if a Battle has not begun."""
    for path, session in sessions:
        if session.battle is None:
            raise InputError(f"in {path} no army is chosen yet", "Make the choices before the Battle first.")
    sheets = campaign_sheets([session for _, session in sessions])
    parts = spec.data["reference"]["components"]["campaign-sheet"]
    return FilledSheets(
        [row for sheet in sheets for row in _rows(sheet)],
        [page for sheet in sheets for page in _pages(sheet, parts)],
        f"campaign sheets of {' and '.join(sheet.commander for sheet in sheets)}",
    )


def _rows(sheet: CampaignSheet) -> Iterator[Row]:
    """Yields the sheet as rows: Battles, what is left, units with their Upkeep, losses, units that can be trained."""
    name = sheet.commander
    for opponent, result, units in sheet.battles:
        yield name, "battle", opponent, units, result
    left: dict[str, int | float] = {"Morale": sheet.own, "Base Morale": sheet.base, "Favors": sheet.favors}
    left |= {"Base Morale used": sheet.base_used, "Influence": sheet.influence}
    yield from ((name, "left", what, number, "") for what, number in left.items())
    for unit, count in sheet.units.items():
        yield name, "upkeep", unit, sheet.upkeep[unit], f"{count} used"
    yield name, "upkeep due", "all units", sheet.due, "for the Day (R-151)"
    for unit, by in sheet.killed:
        yield name, "killed", unit, 1, f"by {by}"
    for unit, count in sheet.trainable.items():
        yield name, "can be trained", unit, count, sheet.training


def _pages(sheet: CampaignSheet, parts: Any) -> list[dict[str, Any]]:
    """Returns the content of each table of the printed sheet, page by page."""
    units = [(f"{count} {unit}", str(sheet.upkeep[unit]), "") for unit, count in sheet.units.items()]
    battles = [(opponent, "", "", result, f"{number} units") for opponent, result, number in sheet.battles]
    left = f"Favors {sheet.favors}, Influence {sheet.influence:g}"
    tables: dict[str, Sequence[Sequence[str]]] = {
        "battles": [*battles[:-1], (*battles[-1][:-1], f"{battles[-1][-1]}; left: {left}")],
        "upkeep": [*units, ("all", str(sheet.due), "")],
        "killed": sheet.killed,
        "bases": [("", str(sheet.base + sheet.base_used), str(sheet.base_used))] if sheet.base_used else [],
    }
    lengths = {name: parts[name]["rows"] for name in tables}
    shares = {
        name: [lines[at : at + lengths[name]] for at in range(0, len(lines), lengths[name])]
        for name, lines in tables.items()
    }
    head = ("", sheet.commander, str(sheet.progression), sheet.morale)
    return [
        {"head": head, **dict(zip(shares, page, strict=True))} for page in zip_longest(*shares.values(), fillvalue=[])
    ]
