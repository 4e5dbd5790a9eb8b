"""The campaign sheets after the Battles of a Day: what a Commander used, lost and has left (R-183)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from carddb.core.errors import InputError
from carddb.game.game import GameSpec
from carddb.games.rishar.battle.replay import report
from carddb.games.rishar.play.armies import upkeep
from carddb.games.rishar.play.fields import ARMIES, SIDES, Army, enemy, is_unit, opposing
from carddb.games.rishar.table.session import Session
from carddb.play.table.front import FilledSheets

COLUMNS = ("commander", "part", "what", "number", "note")
Row = tuple[str, str, str, int | float, str]


def filled_sheets(spec: GameSpec, sessions: Sequence[tuple[Path, Session]]) -> FilledSheets:
    """Returns a campaign sheet for each Commander in some Battles of one Day, given in their order.

    Raises InputError if a Battle has not begun.
    """
    parts: dict[str, list[tuple[Session, Army]]] = {}
    for path, session in sessions:
        if session.battle is None:
            raise InputError(f"in {path} no army is chosen yet", "Make the choices before the Battle first.")
        for army in ARMIES:
            parts.setdefault(session.name(army), []).append((session, army))
    tables = spec.data["reference"]["components"]["campaign-sheet"]
    sheets = [_sheet(name, fought, tables) for name, fought in parts.items()]
    return FilledSheets(
        [row for rows, _ in sheets for row in rows],
        [page for _, pages in sheets for page in pages],
        f"campaign sheets of {' and '.join(parts)}",
    )


def _sheet(name: str, fought: Sequence[tuple[Session, Army]], tables: Any) -> tuple[list[Row], list[dict[str, Any]]]:
    """Returns a Commander's notes as rows, and the content of the `tables` of each printed page.

    The notes are the Battles, what is left, the Upkeep, the Killed, and the units that can still be trained. A unit
    that was in several Battles costs its Upkeep once (R-152). It was used if it was in hand at the start (R-153).
    """
    session, army = fought[-1]
    state, leader = session.army(army), session.hosts[army].commander
    names: dict[str, str] = {}
    costs: dict[str, int] = {}
    battles, killed, base_used = [], [], 0
    for battle, own in fought:
        entered, now = getattr(battle.table, own), battle.army(own)
        units = {key: card for key, card in now.cards.items() if is_unit(card.type)}
        names |= {key: card.name for key, card in units.items()}
        costs |= {key: int(card.get("upkeep") or 0) for key, card in units.items()}
        battles.append((battle.name(enemy(own)), _result(battle, own), len(units)))
        killed += _killed(battle, own)
        base_used += (entered.commander.base_bonus if entered.base is None else entered.base) - now.base
    due = upkeep(costs=costs, battles=(tuple(names),), paid=0)["due"]
    counts = Counter(names.values())
    used = [(count, unit, sum(costs[key] for key in names if names[key] == unit)) for unit, count in counts.items()]
    alive = [card for key, card in state.cards.items() if state.where[key] != "killed" and is_unit(card.type)]
    fit = Counter(card.name for card in alive if card.get("strength") is not None and not card.get("training"))
    price = session.spec.data["training"]
    training = f"{price['items']} items or {price['build_points']} build points (R-158, R-159)"
    left: dict[str, int | float] = {"Morale": state.own, "Base Morale": state.base, "Favors": state.favors}
    left |= {"Base Morale used": base_used, "Influence": state.influence}
    rows: list[Row] = [
        *((name, "battle", opponent, number, result) for opponent, result, number in battles),
        *((name, "left", what, number, "") for what, number in left.items()),
        *((name, "upkeep", unit, cost, f"{count} used") for count, unit, cost in used),
        (name, "upkeep due", "all units", due, "for the Day (R-151)"),
        *((name, "killed", unit, 1, f"by {by}") for unit, by in killed),
        *((name, "can be trained", unit, count, training) for unit, count in fit.items()),
    ]
    *earlier, last = [(opponent, "", "", result, f"{number} units") for opponent, result, number in battles]
    rest = f"{last[-1]}; left: Favors {state.favors}, Influence {state.influence:g}"
    lines: dict[str, Sequence[Sequence[str]]] = {
        "battles": [*earlier, (*last[:-1], rest)],
        "upkeep": [*((f"{count} {unit}", str(cost), "") for count, unit, cost in used), ("all", str(due), "")],
        "killed": killed,
        "bases": [("", str(state.base + base_used), str(base_used))] if base_used else [],
    }
    morale = f"{state.own} and {state.base} of the Base" if state.base else str(state.own)
    head = ("", name, str(int(leader.progression or 0)), morale)
    sizes = {part: tables[part]["rows"] for part in lines}
    shares = [[own[at : at + sizes[part]] for at in range(0, len(own), sizes[part])] for part, own in lines.items()]
    pages = zip_longest(*shares, fillvalue=[])
    return rows, [{"head": head, **dict(zip(lines, page, strict=True))} for page in pages]


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
