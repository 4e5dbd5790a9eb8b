"""A battle between officers or against the grain: declaration, vanguard, damage."""

from __future__ import annotations

from carddb.game.game import GameSpec
from carddb.games.cahrd.play.stats import Rank, current_value, printed_value
from carddb.games.cahrd.play.turn import attack_banned, in_step
from carddb.games.cahrd.play.words import Chooser, Position, Step, Target
from carddb.play.fields import Count, Nth
from carddb.play.question import Answer, Options, Part, operation, refuse

OTHER = {"attacker": "defender", "defender": "attacker"}


class Officer(Part):
    """An officer in battle: current WAR, and the points of men left."""

    war: Rank
    men: int
    position: Position


def barred_target(position: str, by_effect: bool, options: Options) -> bool:
    """Whether it is a strategist that may not be attacked (C-51, C-97)."""
    return position == "strategist" and not (by_effect and options["strategist_target_by_effect"])


@operation("C-72", "C-85", "C-91", "C-92", "C-93", "C-94", "C-105")
def declare_attack(
    position: Position,
    step: Step = "battle",
    turn: Nth = 2,
    player_turn: Nth = 2,
    attacked: bool = False,
    by_effect: bool = False,
    attacks_made: Count = 0,
    *,
    spec: GameSpec,
    options: Options,
) -> Answer:
    """An officer attacks, at most once in a turn, and is marked."""
    refuse(
        wrong_step=not in_step("declare_attack", step, spec, options),
        first_turn_no_attack=attack_banned(turn, player_turn, options),
        strategist_cannot_battle=position == "strategist" and not by_effect,
        already_attacked=attacked or (options["one_attack_per_turn"] and attacks_made > 0),
    )
    return {"attacked": True}


@operation("C-51", "C-93", "C-95", "C-96", "C-97", "C-98")
def declare_vanguard(
    chooser: Chooser,
    target: Target,
    attacked_last_turn: bool = False,
    direct_effect: bool = False,
    *,
    options: Options,
) -> Answer:
    """What meets an attack: the opponent's choice among those able to defend, or what a direct effect hits."""
    refuse(
        attacker_cannot_choose=chooser == "attacker" and not direct_effect,
        strategist_not_targetable=barred_target(target, direct_effect, options),
        defender_attacked_last_turn=target != "grain" and attacked_last_turn and not direct_effect,
    )
    return {"target": target}


@operation("C-17", "C-51", "C-93", "C-99", "C-100", "C-103", "C-104", "C-128")
def resolve_officer_battle(
    attacker: Officer, defender: Officer, by_effect: bool = False, *, spec: GameSpec, options: Options
) -> Answer:
    """Officer against officer: the lower WAR loses one man, and an officer without men is defeated."""
    sides = {"attacker": attacker, "defender": defender}
    war = {side: current_value(officer.war, f"{side}.war", spec, options) for side, officer in sides.items()}
    refuse(
        strategist_cannot_battle=attacker.position == "strategist" and not by_effect,
        strategist_not_targetable=barred_target(defender.position, by_effect, options),
        already_defeated=attacker.men < 1 or defender.men < 1,
    )
    winner = "none" if len(set(war.values())) == 1 else max(war, key=lambda side: war[side])
    hit = _damaged(winner, options)
    men = {side: officer.men - (side in hit) for side, officer in sides.items()}
    fallen = [side for side in sides if not men[side]]
    only = fallen[0] if len(fallen) == 1 else None
    return {
        "winner": winner,
        "attacker_men": men["attacker"],
        "defender_men": men["defender"],
        "defeated": "both" if len(fallen) == len(sides) else only,
        "token_to": _token_to(only, options) if only and sides[only].position == "lieutenant" else None,
        "battle_won_by": OTHER[only] if only and sides[only].position == "commander" else None,
    }


def _damaged(winner: str, options: Options) -> list[str]:
    """Who takes a point of damage (C-99, C-100)."""
    if winner in OTHER:
        return [OTHER[winner]]
    return list(OTHER) if options["tie_damages_both"] else []


def _token_to(fallen: str, options: Options) -> str:
    """Who is awarded the token of a fallen lieutenant (C-104)."""
    return "attacker" if options["token_to_initiative"] else OTHER[fallen]


@operation("C-14", "C-69", "C-102", "C-130")
def resolve_grain_attack(
    base_war: Rank, grain: Count, current_war: Rank | None = None, *, spec: GameSpec, options: Options
) -> Answer:
    """An attack that goes through to the grain, by the attacker's base WAR."""
    base = printed_value(base_war, "base_war", spec, options)
    current = base if current_war is None else current_value(current_war, "current_war", spec, options)
    damage = (current if options["grain_uses_current_war"] else base) * spec.data["grain_per_war"]
    left = max(0, grain - damage)
    return {"damage": damage, "grain": left, "destroyed": not left}
