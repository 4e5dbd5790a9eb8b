"""A Battle as a game at a table: its start, save, public view, chances of the dice, and campaign sheets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import zip_longest
from pathlib import Path
from typing import Any

from carddb.cards.cards import Card
from carddb.core.errors import InputError
from carddb.core.groups import grouped, totals
from carddb.game.game import GameSpec
from carddb.games.rishar.battle.engagement import PILES, Engagement
from carddb.games.rishar.battle.record import Host
from carddb.games.rishar.battle.skirmish import reach_bonus
from carddb.games.rishar.battle.state import cards_of_host, refuse_illegal
from carddb.games.rishar.play.armies import upkeep
from carddb.games.rishar.play.cards import ability_of, specials
from carddb.games.rishar.play.fields import ARMIES, SIDES, Army, Side, enemy, grown, is_unit, opposing
from carddb.games.rishar.play.odds import bars, clash_chances, damage_chances, shielded
from carddb.games.rishar.play.powers import choices, class_of, permanent_bonus, power_of, traits_in_play
from carddb.games.rishar.table import actions
from carddb.games.rishar.table.actions import forecast, payable, prepare, roles_open, rolls_of, table_now
from carddb.games.rishar.table.session import BattleSession, BattleTable
from carddb.play import chance
from carddb.play.question import options_in_force
from carddb.play.table.engine import TableGame, actions_of, replayed
from carddb.play.table.front import FilledSheets
from carddb.play.table.session import Rng

HIDDEN = "?"
_FORECAST = ("totals", "winner", "by", "fate", "total", "damage")


def view(session: BattleSession) -> dict[str, Any]:
    """Returns the Battle as JSON values, with nothing that depends on hands or face-down cards."""
    battle = session.battle
    result = battle.report() if battle and session.step == "over" else {"winner": None, "by": None}
    return {
        "schema": "carddb.battle/1",
        "phase": battle.phase if battle else 0,
        "turn": len(session.turns) + 1,
        "active": battle.active if battle else None,
        "decider": session.deciders[0] if session.deciders else None,
        "armies": {army: _army(session, army) for army in ARMIES},
        "table": _table(session),
        "choices": _choices(session),
        "winner": result["winner"],
        "by": result["by"],
    }


def _army(session: BattleSession, army: Army) -> dict[str, Any]:
    leader = session.hosts[army].commander
    own = class_of(session.spec, leader.path or "", leader.role or "")
    seen = {
        "name": session.name(army),
        "class": power_of(session.spec, own).get("label", ""),
        "kind": leader.kind,
    }
    if session.battle is None:
        return seen
    state = session.army(army)
    return {
        **seen,
        "power": session.power_words(state.power),
        "uses_left": _uses_left(session, army),
        "oathbound": session.card(army, state.oathbound) if state.oathbound else None,
        "dervish": leader.dervish.model_dump(exclude_none=True) if leader.dervish else None,
        "mindblade": state.leader.mindblade,
        **state.standing(kills=session.army(enemy(army)).lost),
        "hand": len(state.lying("hand")),
        "piles": {
            pile: [session.card(army, key) for key in state.lying(pile)]
            for pile in PILES
            if pile not in ("hand", "engaged")
        },
    }


def _uses_left(session: BattleSession, army: Army) -> int | None:
    """Returns how often an army's power may still be used in the Battle or on the Day; None if that is unlimited."""
    state = session.army(army)
    uses = power_of(session.spec, state.power).get("uses", {})
    if "day" in uses:
        return max(0, int(uses["day"]) - state.used_day)
    return max(0, int(uses["battle"]) - state.used[str(state.power)]) if "battle" in uses else None


def _table(session: BattleSession) -> dict[str, Any]:
    """Returns the cards on the table: face down, or face up with their sums and, after the dice, the forecast."""
    battle = session.battle
    if battle is None or not session.turn:
        return {}
    table = battle.engaged
    lying = [side for side, key in table.cards.items() if table.states[side].where[key] == "engaged"]
    if session.step in ("offense", "defense"):
        return dict.fromkeys(lying, HIDDEN)
    cards: dict[str, Any] = {side: _card(session, side) for side in lying}
    if session.step in ("reactions", "saving") and (answer := forecast(session)):
        cards["forecast"] = {key: answer[key] for key in _FORECAST if key in answer}
    return cards


def _choices(session: BattleSession) -> list[str]:
    """Returns the words that may be typed at this step, if it has a fixed set: currencies, Roles or classes."""
    if session.step == "saving":
        return list(payable(session.army(session.decider), "skirmish"))
    if session.step == "reveal":
        return roles_open(session, session.decider)
    return list(choices(session.spec)) if session.step == "tactician" else []


def _card(session: BattleSession, side: Side) -> dict[str, Any]:
    """Returns a card on the table: its printed values, its bonuses, the number of its dice, and its last roll."""
    table = table_now(session)
    card, unit = table.states[side].cards[table.cards[side]], table.unit(side)
    rolls, rerolls = rolls_of(session)
    last = rerolls[-1] if rerolls else rolls
    return {
        "army": session.army_on(side),
        "name": session.on(side),
        "strength": unit.strength,
        "trained": unit.trained,
        "path": session.spec.data["paths"][unit.path]["label"] if unit.path else "",
        "role": session.spec.label_of(unit.current_role),
        "traits": list(unit.traits),
        "texts": named_texts(card),
        "bonuses": _bonuses(session, table, side),
        "before_dice": table.fighters[side].before_dice,
        "dice": table.dice[side],
        "rolled": list((last.off if side == "off" else last.def_) if last else ()),
    }


def named_texts(card: Card) -> list[str]:
    """Returns the special texts of a card, each preceded by its name."""
    return [": ".join(filter(None, (text.get("name"), text.get("text")))) for text in specials(card)]


def _bonuses(session: BattleSession, table: Engagement, side: Side) -> list[dict[str, Any]]:
    """Returns the bonuses of a card before the dice: `by` what, the Strength to `add`, and the `rule`."""
    spec, unit, state = session.spec, table.unit(side), table.states[side]
    against = table.unit(opposing(side)) if opposing(side) in table.cards else None
    power, ability = power_of(spec, state.power), ability_of(state.cards[table.cards[side]], spec)
    traits = traits_in_play(spec, opposing(side), against, table.states[opposing(side)].leader) if against else set()
    added = totals((modifier.from_, modifier.add) for modifier in table.modifiers if modifier.to == side)
    parts = [
        (power.get("label", ""), permanent_bonus(spec, side, unit, state.leader, against), power.get("rule", "")),
        ("Reach", reach_bonus(spec, unit, traits) if against else 0, "R-27"),
        (ability.label if ability else "own text", table.texts.get(side, 0), "R-63"),
        ("discards", added["card"], "R-78"),
        ("powers", added["commander"], "R-124"),
    ]
    strength = grown(spec, unit.strength or 0, unit.trained)
    further = table.fighters[side].before_dice - strength - sum(add for _, add, _ in parts)
    return [{"by": by, "add": add, "rule": rule} for by, add, rule in [*parts, ("Savant", further, "R-105")] if add]


def dice_words(card: Mapping[str, Any]) -> str:
    """Returns, in words, the dice of a card on the view's table."""
    if card["rolled"]:
        return f"rolled {' and '.join(map(str, card['rolled']))}"
    return {0: "no die", 1: "a die"}.get(card["dice"], f"{card['dice']} dice, the better counts")


def forecast_words(table: Mapping[str, Any]) -> str:
    """Returns, in words, the current totals of the cards on the view's table, and the outcome if nothing changes."""
    forecast = table["forecast"]
    if "damage" in forecast:
        return f"It stands {forecast['total']} Unopposed: {forecast['damage']} Morale."
    sums = "It stands {off} to {def}: ".format_map(forecast["totals"]) if forecast["totals"] else "As it stands: "
    fates = ", ".join(f"{table[side]['name']} {pile.capitalize()}" for side, pile in forecast["fate"].items())
    return f"{sums}{fates}."


def hand(session: BattleSession, army: Army) -> list[dict[str, Any]]:
    """Returns the cards in an army's hand, which only its Commander may see."""
    if session.battle is None:
        return []
    state = session.army(army)
    cards = ((key, state.cards[key], state.unit(key)) for key in state.lying("hand"))
    return [
        {
            "key": key,
            "name": session.card(army, key),
            "strength": unit.strength,
            "trained": unit.trained,
            "path": unit.path,
            "role": session.spec.label_of(card.type),
            "traits": list(unit.traits),
            "texts": [str(text.get("text") or "") for text in specials(card)],
        }
        for key, card, unit in cards
    ]


def prospects(session: BattleSession) -> list[dict[str, str]]:
    """Returns the possible results of the dice, each with its chance `n/d` (R-168, R-169); empty at other steps.

    Discards and powers that could still be used are not considered.
    """
    if session.step != "dice":
        return []
    table = table_now(session)
    if len(table.cards) == len(SIDES):
        units = {side: table.unit(side) for side in SIDES}
        chances = clash_chances(session.spec, table.fighters)
        return bars({side: session.on(side) for side in SIDES}, shielded(units, table.fighters, chances))
    attacker = table.fighters["off"]
    damage = damage_chances(session.spec, attacker.before_dice, attacker.dice)
    if table.unit("off").no_damage:
        damage = {0: Fraction(1)}
    return [chance.bar(f"{points} Morale", share) for points, share in sorted(damage.items())]


def record(session: BattleSession) -> dict[str, Any]:
    """Returns the Battle as the question of a replay, up to the last complete turn."""
    hosts: dict[str, Any] = {army: session.hosts[army].model_dump(mode="json", exclude_none=True) for army in ARMIES}
    return {
        **hosts,
        "first_turn": session.battle.first_turn if session.battle else ARMIES[0],
        "turns": [dict(turn) for turn in session.turns],
        "rout": {army: dict(flight) for army, flight in session.flights.items()},
        "options": dict(session.table.options),
    }


def new(
    spec: GameSpec,
    hosts: Mapping[Army, Host],
    names: Mapping[Army, str],
    seed: int,
    first: Army | None = None,
    options: Mapping[str, Any] | None = None,
) -> BattleSession:
    """Begins a Battle between two armies, at the first choice that a Commander has to make.

    Refuses with `army_illegal` for an army with errors. Raises BadInput for wrong options or cards of a wrong form.
    """
    readings = dict(options or {})
    rng = Rng(seed=seed)
    return seated(
        spec, BattleTable(rng=rng, names=dict(names), a=hosts["a"], b=hosts["b"], first=first, options=readings)
    )


def seated(spec: GameSpec, table: BattleTable) -> BattleSession:
    """Returns the session of a saved table before its first action."""
    table = table.with_(rng=Rng(seed=table.rng.seed), log=())
    spec = spec.with_defaults(options_in_force(spec, dict(table.options)))
    hosts: dict[Army, Host] = {"a": table.a, "b": table.b}
    for army, host in hosts.items():
        refuse_illegal(spec, host, *cards_of_host(spec, army, host))
    return prepare(BattleSession(spec, table, hosts))


def usual(session: BattleSession) -> str:
    """Returns the command that Enter gives at this step: `unable` for a Commander without a card to play."""
    if session.step in ("offense", "defense"):
        return "" if session.army(session.decider).can_play else "unable"
    return str(session.words.get("enter", ""))


TABLE: TableGame[BattleSession] = TableGame(
    key="rishar",
    actions=actions_of(actions),
    usual=usual,
    initial=lambda session: seated(session.spec, session.table),
    view=view,
    form=BattleTable,
    restore=lambda spec, table: replayed(TABLE, seated(spec, table), table.log),
)


COLUMNS = ("commander", "part", "what", "number", "note")
"""The columns of the campaign sheets as a table."""
Row = tuple[str, str, str, int | float, str]
"""A row of the campaign sheets, with a value for each of COLUMNS."""


def filled_sheets(spec: GameSpec, sessions: Sequence[tuple[Path, BattleSession]]) -> FilledSheets:
    """Returns each Commander's campaign sheet for a Day's Battles in order. Raises InputError if one has not begun."""
    for path, session in sessions:
        if session.battle is None:
            raise InputError(f"the Battle in {path} has not begun", "Make the choices before the Battle first.")
    parts = grouped((session.name(army), (session, army)) for _, session in sessions for army in ARMIES)
    tables = spec.data["reference"]["components"]["campaign-sheet"]
    sheets = [_sheet(name, fought, tables) for name, fought in parts.items()]
    return FilledSheets(
        [row for rows, _ in sheets for row in rows],
        [page for _, pages in sheets for page in pages],
        f"campaign sheets of {' and '.join(parts)}",
    )


def _sheet(
    name: str, fought: Sequence[tuple[BattleSession, Army]], tables: Any
) -> tuple[list[Row], list[dict[str, Any]]]:
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


def _result(session: BattleSession, army: Army) -> str:
    """Returns how a Battle ended for an army, in words."""
    result = session.fought.report()
    if session.step != "over":
        return "not over"
    if result["winner"] is None:
        return "lost, both Routed" if result["by"] == "double_rout" else "lost, nobody ahead"
    words = {"rout": "by a rout", "kills": "by kills", "morale": "by Morale"}[result["by"]]
    return f"{'won' if result['winner'] == army else 'lost'} {words}"


def _killed(session: BattleSession, army: Army) -> list[tuple[str, str]]:
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
