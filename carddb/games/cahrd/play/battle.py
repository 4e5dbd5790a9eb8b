"""Battles: the ranks of stats, attacks on officers and on grain, the end of a battle, and the score of a War."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Annotated, Literal

from pydantic import Field

from carddb.core.names import Vocabulary, fold_word
from carddb.game.game import GameSpec
from carddb.games.cahrd.play.turn import Chooser, Position, Step, Target, attack_banned, in_step
from carddb.play.question import Answer, BadInput, Count, Many, Part, Positive, operation, refuse

S: Literal["S"] = "S"
Rank = int | Literal["S"]
"""A stat as written: a number, or the letter S for the top of the scale (C-13)."""

Scale = tuple[int, int]


def printed_scale(spec: GameSpec) -> Scale:
    """Returns the lowest and the highest number that may be printed as a stat (C-12)."""
    field = spec.types["officer"].fields[spec.data["stats"][0]]
    return int(field.min or 0), int(field.max or 0)


def current_scale(spec: GameSpec) -> Scale:
    """Returns the lowest and the highest number that a stat can become by effects (C-141)."""
    return spec.readings["stat_floor"], spec.data["rank_s"]


def printed_value(rank: Rank, path: str, spec: GameSpec) -> int:
    """Returns the number that a base stat stands for. Raises BadInput at `path` if no card may have it printed."""
    if rank == S and spec.readings["allow_printed_s"]:
        return int(spec.data["rank_s"])
    return _within(rank, path, printed_scale(spec))


def current_value(rank: Rank, path: str, spec: GameSpec) -> int:
    """Returns the number that a current stat stands for. Raises BadInput at `path` if it is off its scale."""
    scale = current_scale(spec)
    return scale[1] if rank == S else _within(rank, path, scale)


def _within(rank: Rank, path: str, scale: Scale) -> int:
    if not isinstance(rank, int) or not scale[0] <= rank <= scale[1]:
        raise BadInput(path, least=scale[0], most=scale[1])
    return rank


@operation()
def stat_value(rank: Rank, printed: bool = False, *, spec: GameSpec) -> Answer:
    """The number that a rank stands for; S, the top of the scale, is reached in play, but not on a card (`printed`)."""
    (lowest, highest), top = printed_scale(spec), spec.data["rank_s"]
    refuse(stat_out_of_scale=rank != S and not lowest <= rank <= top)
    value = top if rank == S else rank
    allowed = rank == S and spec.readings["allow_printed_s"]
    refuse(not_printable=printed and value > highest and not allowed)
    return {"value": value}


@operation()
def current_stat(base: Rank, modifiers: Many[int], *, spec: GameSpec) -> Answer:
    """The printed number plus all effects, limited to the scale of current stats."""
    least, most = current_scale(spec)
    value = max(least, min(most, printed_value(base, "base", spec) + sum(modifiers)))
    return {"value": value, "label": S if value == spec.data["rank_s"] else str(value)}


OTHER = {"attacker": "defender", "defender": "attacker"}


class Officer(Part):
    """An officer in battle: the current WAR, and the men left (points of Men Under Command)."""

    war: Rank
    men: int
    position: Position


def barred_target(position: str, by_effect: bool, spec: GameSpec) -> bool:
    """Returns whether an officer at `position` is a strategist, and may not be attacked in this way (C-51, C-97)."""
    return position == "strategist" and not (by_effect and spec.readings["strategist_target_by_effect"])


@operation()
def declare_attack(
    position: Position,
    step: Step = "battle",
    turn: Positive = 2,
    player_turn: Positive = 2,
    attacked: bool = False,
    by_effect: bool = False,
    attacks_made: Count = 0,
    *,
    spec: GameSpec,
) -> Answer:
    """Declares the attack of an officer, who may attack once a turn and is then marked as having attacked."""
    refuse(
        wrong_step=not in_step("declare_attack", step, spec),
        first_turn_no_attack=attack_banned(turn, player_turn, spec),
        strategist_cannot_battle=position == "strategist" and not by_effect,
        already_attacked=attacked or (spec.readings["one_attack_per_turn"] and attacks_made > 0),
    )
    return {"attacked": True}


@operation()
def declare_vanguard(
    chooser: Chooser, target: Target, attacked_last_turn: bool = False, direct_effect: bool = False, *, spec: GameSpec
) -> Answer:
    """Checks the target of an attack: the opponent chooses the target, unless the effect of a card hits it directly."""
    refuse(
        attacker_cannot_choose=chooser == "attacker" and not direct_effect,
        strategist_not_targetable=barred_target(target, direct_effect, spec),
        defender_attacked_last_turn=target != "grain" and attacked_last_turn and not direct_effect,
    )
    return {"target": target}


@operation()
def resolve_officer_battle(attacker: Officer, defender: Officer, by_effect: bool = False, *, spec: GameSpec) -> Answer:
    """Resolves officer against officer: the one with lower WAR loses a man; without men, an officer is defeated."""
    sides = {"attacker": attacker, "defender": defender}
    war = {side: current_value(officer.war, f"{side}.war", spec) for side, officer in sides.items()}
    refuse(
        strategist_cannot_battle=attacker.position == "strategist" and not by_effect,
        strategist_not_targetable=barred_target(defender.position, by_effect, spec),
        already_defeated=attacker.men < 1 or defender.men < 1,
    )
    winner = "none" if len(set(war.values())) == 1 else max(war, key=lambda side: war[side])
    tied = OTHER if spec.readings["tie_damages_both"] else ()
    hit = tied if winner == "none" else [OTHER[winner]]
    men = {side: officer.men - (side in hit) for side, officer in sides.items()}
    fallen = [side for side in sides if not men[side]]
    only = fallen[0] if len(fallen) == 1 else None
    # The side that gets the token for a defeated lieutenant (C-104).
    taker = "attacker" if spec.readings["token_to_initiative"] else OTHER.get(only or "")
    return {
        "winner": winner,
        "attacker_men": men["attacker"],
        "defender_men": men["defender"],
        "defeated": "both" if len(fallen) == len(sides) else only,
        "token_to": taker if only and sides[only].position == "lieutenant" else None,
        "battle_won_by": OTHER[only] if only and sides[only].position == "commander" else None,
    }


@operation()
def resolve_grain_attack(base_war: Rank, grain: Count, current_war: Rank | None = None, *, spec: GameSpec) -> Answer:
    """Resolves an attack on the grain: the attacker's base WAR or, by option, its current WAR sets the loss."""
    base = printed_value(base_war, "base_war", spec)
    current = base if current_war is None else current_value(current_war, "current_war", spec)
    damage = (current if spec.readings["grain_uses_current_war"] else base) * spec.data["grain_per_war"]
    left = max(0, grain - damage)
    return {"damage": damage, "grain": left, "destroyed": not left}


DRAW = "draw"


class Side(Part):
    """A player's losses so far; `lieutenants_lost` is the number of tokens that the enemy holds."""

    commander_defeated: bool = False
    lieutenants_lost: Count = 0
    grain: int = 4000
    deck_out: bool = False


def only_two(players: Collection[str], spec: GameSpec) -> None:
    """Raises BadInput, with a hint, if there are more players than the rules of a battle allow (C-71)."""
    if len(players) > spec.players[1]:
        raise BadInput("players", hint=spec.data["more_players"])


def losses(side: Side, spec: GameSpec) -> list[str]:
    """Returns how a player has lost: `commander`, `lieutenants`, `grain`, `deck_out` (C-75, C-128 to C-130)."""
    rows = {row["key"]: row for row in spec.data["victory"]["losses"]}
    holds = {
        "commander": side.commander_defeated,
        "lieutenants": side.lieutenants_lost >= rows["lieutenants"]["tokens"],
        "grain": side.grain <= 0,
        "deck_out": side.deck_out,
    }
    return [key for key in rows if holds[key]]


@operation()
def victory(players: Annotated[dict[str, Side], Field(min_length=2)], *, spec: GameSpec) -> Answer:
    """Checks whether a battle is over. A player who has not lost wins; if both have lost, it is a draw."""
    only_two(players, spec)
    lost = {name: losses(side, spec) for name, side in players.items()}
    losers = [name for name in players if lost[name]]
    if len(losers) != 1:
        return {"state": "draw" if losers else "open", "winner": None, "reasons": []}
    (winner,) = players.keys() - losers
    return {"state": "won", "winner": winner, "reasons": lost[losers[0]]}


@operation()
def war_status(players: Annotated[Many[str], Field(min_length=2)], results: Many[str], *, spec: GameSpec) -> Answer:
    """The score of a War, and the loser of the last battle, who chooses the player that starts the next battle."""
    only_two(players, spec)
    if len(set(players)) < len(players) or DRAW in players:
        raise BadInput("players")
    results = tuple(DRAW if name not in players and fold_word(name) == DRAW else name for name in results)
    for at, result in enumerate(results):
        if result not in (*players, DRAW):
            raise BadInput(f"results.{at}", did_you_mean=Vocabulary(players).nearest(result), words=[*players, DRAW])
    war, endless = spec.data["war"], spec.readings["replay_draws"]
    refuse(
        too_many_battles=len(results) > war["battles"] and not endless,
        war_already_decided=_champion(results[:-1], war["wins"]) is not None,
    )
    champion = _champion(results, war["wins"])
    over = len(results) >= war["battles"] and not endless
    state = "won" if champion else "drawn" if over else "open"
    last = results[-1] if results and state == "open" else DRAW
    won = Counter(results)
    return {
        "state": state,
        "winner": champion,
        "wins": {name: won[name] for name in players},
        "next_chooser": None if last == DRAW else next(name for name in players if name != last),
    }


def _champion(results: tuple[str, ...], wins: int) -> str | None:
    """Returns the player who has won at least `wins` of the battles; None if nobody has."""
    won = Counter(result for result in results if result != DRAW)
    return next((name for name, number in won.items() if number >= wins), None)
