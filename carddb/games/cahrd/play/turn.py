"""A turn: its steps, the actions allowed in each step, and the zones of the mat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from carddb.game.game import GameSpec
from carddb.play.question import Answer, BadInput, Count, Known, Positive, Words, operation, refuse

CardType = Annotated[Literal["officer", "item", "tactic", "strategy"], Words("types")]
Kind = Annotated[Literal["item", "tactic", "trait", "strategy"], Words("types")]
"""A thing that can be activated or used in a chain: a kind of card, or an officer's trait."""
Step = Annotated[Literal["draw", "recruitment", "strategy", "battle", "end"], Words("steps")]
Position = Annotated[Literal["commander", "strategist", "lieutenant"], Words("zones")]
Target = Annotated[Literal["lieutenant", "commander", "strategist", "grain"], Words("zones")]
Zone = Annotated[
    Literal[
        "hand", "deck", "discard", "strategy_deck", "commander", "strategist", "lieutenant", "tactics", "items",
        "reserves",
    ],
    Words("zones"),
]  # fmt: skip
Action = Annotated[
    Literal[
        "draw_card", "reveal_officers", "gain_reserves", "clear_attacked", "play_item", "set_item", "set_tactic",
        "recruit", "play_strategy", "view_strategy_deck", "activate_tactic", "use_trait", "declare_attack",
        "choose_vanguard", "resolve_outstanding",
    ],
    Words("actions"),
]  # fmt: skip
Chooser = Annotated[Literal["opponent", "attacker"], Words("choosers")]
"""The player who chooses the target of an attack."""
RestrictedList = Annotated[Literal["long", "short"], Words("restricted_lists")]


def zone_of(key: str, spec: GameSpec) -> Mapping[str, Any]:
    """Returns the data of the zone of the mat with the key `key`, such as `lieutenant`."""
    row: Mapping[str, Any] = next(row for row in spec.data["mat"]["zones"] if row["key"] == key)
    return row


def room(commander: bool, lieutenants: int, spec: GameSpec) -> int:
    """Returns the limit of the tactics zone and of the items zone: one card for each officer but the strategist.

    Raises BadInput for too many lieutenants (C-52, C-55, C-57).
    """
    most = zone_of("lieutenant", spec)["most"]
    if lieutenants > most:
        raise BadInput("lieutenants", least=0, most=most)
    return commander + lieutenants


@operation()
def zone_limit(commander: bool, lieutenants: Count, strategist: bool, *, spec: GameSpec) -> Answer:
    """The numbers of tactics and of items that a player may have; `shared` is true if they share one limit."""
    limit = room(commander, lieutenants, spec)
    return {"tactics": limit, "items": limit, "shared": spec.readings["shared_zone_limit"]}


@operation()
def place_in_zone(
    zone: Annotated[Literal["tactics", "items"], Words("zones")],
    type: CardType,
    in_zone: Count,
    commander: bool,
    lieutenants: Count,
    strategist: bool,
    in_other_zone: Count = 0,
    *,
    spec: GameSpec,
) -> Answer:
    """Puts a card into the zone `tactics` or `items`; cards `in_other_zone` count too if both have one limit."""
    limit = room(commander, lieutenants, spec)
    counted = in_zone + (in_other_zone if spec.readings["shared_zone_limit"] else 0)
    refuse(wrong_zone=type != zone_of(zone, spec)["takes"], zone_full=counted >= limit)
    return {"in_zone": in_zone + 1}


def steps(spec: GameSpec) -> list[str]:
    """Returns the steps of a turn in order (C-72)."""
    return [step["key"] for step in spec.data["turn"]["steps"]]


def in_step(action: str, step: str, spec: GameSpec) -> bool:
    """Returns whether an action is allowed in a step (C-82, C-83, C-84)."""
    rule = spec.data["turn"]["actions"][action]
    return step in rule.get("steps", steps(spec)) or bool(spec.readings.get(rule.get("any_step", "")))


def attack_banned(turn: int, player_turn: int, spec: GameSpec) -> bool:
    """Returns whether attacks are not allowed yet: in turn 1 or, by option, in each player's first turn (C-85)."""
    return turn == 1 or (spec.readings["first_turn_ban"] == "each_player" and player_turn == 1)


@operation()
def action_allowed(
    action: Known[Action],
    step: Known[Step],
    turn: Positive,
    player_turn: Positive,
    initiative: bool,
    trigger: bool = False,
    *,
    spec: GameSpec,
) -> Answer:
    """Checks whether a player may take an action now."""
    refuse(unknown_action=action not in spec.data["turn"]["actions"], unknown_step=step not in steps(spec))
    rule = spec.data["turn"]["actions"][action]
    triggered = trigger and rule.get("trigger", False)
    first_turn = rule.get("first_turn")
    refuse(
        not_initiative=rule["by"] == "initiative" and not initiative and not triggered,
        is_initiative=rule["by"] == "opponent" and initiative,
        wrong_step=not triggered and not in_step(action, step, spec),
        first_turn_no_attack=first_turn == "never" and attack_banned(turn, player_turn, spec),
        not_first_turn=first_turn == "only" and player_turn > 1,
    )
    return {}


@operation()
def draw(deck_left: Count) -> Answer:
    """Draws the card of the Draw Step; a player who has no card left loses the battle."""
    refuse(deck_out=not deck_left)
    return {"deck_left": deck_left - 1, "drawn": 1}
