"""A turn: its steps, and which action is allowed in which of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carddb.game.game import GameSpec
from carddb.games.cahrd.play.words import Action, Step
from carddb.play.fields import Count, Known, Nth
from carddb.play.question import Answer, Options, operation, refuse


def steps(spec: GameSpec) -> list[str]:
    """The steps of a turn in order (C-72)."""
    return [step["key"] for step in spec.data["turn"]["steps"]]


def in_step(action: str, step: str, spec: GameSpec, options: Options) -> bool:
    """Whether an action belongs in a step (C-82, C-83, C-84)."""
    rule = _action(action, spec)
    return step in rule.get("steps", steps(spec)) or bool(options.get(rule.get("any_step", "")))


def attack_banned(turn: int, player_turn: int, options: Options) -> bool:
    """Whether it is too early in the game for attacks (C-85)."""
    return turn == 1 or (options["first_turn_ban"] == "each_player" and player_turn == 1)


def _action(action: str, spec: GameSpec) -> Mapping[str, Any]:
    rule: Mapping[str, Any] = spec.data["turn"]["actions"][action]
    return rule


@operation(
    *("C-20", "C-47", "C-72", "C-73", "C-74", "C-76", "C-77", "C-78", "C-81", "C-82", "C-83", "C-84", "C-85", "C-86"),
    *("C-91", "C-95", "C-109", "C-126"),
)
def action_allowed(
    action: Known[Action],
    step: Known[Step],
    turn: Nth,
    player_turn: Nth,
    initiative: bool,
    trigger: bool = False,
    *,
    spec: GameSpec,
    options: Options,
) -> Answer:
    """Whether a player may do something now."""
    refuse(unknown_action=action not in spec.data["turn"]["actions"], unknown_step=step not in steps(spec))
    rule = _action(action, spec)
    triggered = trigger and rule.get("trigger", False)
    first_turn = rule.get("first_turn")
    refuse(
        not_initiative=rule["by"] == "initiative" and not initiative and not triggered,
        is_initiative=rule["by"] == "opponent" and initiative,
        wrong_step=not triggered and not in_step(action, step, spec, options),
        first_turn_no_attack=first_turn == "never" and attack_banned(turn, player_turn, options),
        not_first_turn=first_turn == "only" and player_turn > 1,
    )
    return {}


@operation("C-74", "C-75")
def draw(deck_left: Count) -> Answer:
    """The card of the Draw Step; whoever has none left loses the battle."""
    refuse(deck_out=not deck_left)
    return {"deck_left": deck_left - 1, "drawn": 1}
