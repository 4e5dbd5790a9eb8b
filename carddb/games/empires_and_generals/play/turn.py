"""A turn: Play or Pass, the six phases, and what moves between the zones."""

from __future__ import annotations

from typing import Literal

from carddb.game.game import GameSpec
from carddb.games.empires_and_generals.play.words import CardType, Phase, Rarity, Zone
from carddb.play.fields import Count, FromZero, Known, Many, Positive
from carddb.play.question import Answer, BadInput, Options, Part, operation, refuse


class Supply(Part):
    """A resource card in the Supply Line."""

    amount: Positive
    continuous: bool = False


class Spent(Part):
    """A card to spend, by its position; with the amount meant, where one is named."""

    index: FromZero
    amount: int | None = None


def phases(spec: GameSpec) -> list[str]:
    """The six phases in order; the declaration before them is none (E-64)."""
    return [phase["key"] for phase in spec.data["phases"] if phase["number"]]


def has_pull(spec: GameSpec, kind: str, pull: bool | None) -> bool:
    """Whether Pull keeps a unit from the Battlefield on its first turn: by its card, else by its type (E-85, E-89)."""
    return bool(spec.fields_of(kind)["pull"].default) if pull is None else pull


@operation("E-57", "E-58", "E-59", "E-60", "E-61", "E-62", "E-64")
def declare_turn(
    choice: Known[Literal["play", "pass"]],
    passed_last_turn: bool = False,
    has_drawn: bool = False,
    actions_taken: Count = 0,
    *,
    spec: GameSpec,
) -> Answer:
    """Play goes through the phases, Pass through none; nobody passes twice running or after having begun."""
    passes = choice == "pass"
    refuse(
        unknown_choice=choice not in ("play", "pass"),
        pass_after_draw=passes and has_drawn,
        pass_after_action=passes and actions_taken > 0,
        pass_twice=passes and passed_last_turn,
    )
    return {"phases": [] if passes else phases(spec)}


@operation("E-63")
def next_player(order: Many[str], current: str, out: Many[str]) -> Answer:
    """Whose turn follows, clockwise; whoever is out is skipped."""
    if current not in order:
        raise BadInput("current")
    at = order.index(current)
    skipped = {current, *out}
    left = [player for player in (*order[at + 1 :], *order[:at]) if player not in skipped]
    refuse(nobody_left=not left)
    return {"player": left[0]}


@operation("E-10", "E-26", "E-69", "E-73", "E-78", "E-82", "E-84", "E-85", "E-89", "E-101", "E-137")
def play_card(
    type: Known[CardType],
    phase: Phase,
    zone: Zone,
    ref: str,
    rarity: Rarity,
    ledger: Many[str],
    resources: Count = 0,
    play_cost: Count = 0,
    occupied: bool = False,
    pull: bool | None = None,
    *,
    spec: GameSpec,
    options: Options,
) -> Answer:
    """A card from the hand into a zone: its phase, its zone, the ultra rare ledger and its cost."""
    plays = spec.data["plays"]
    refuse(
        unknown_card_type=type not in plays and type not in spec.ignored_types,
        reference_not_playable=type in spec.ignored_types,
    )
    unit = type in spec.data["units"]
    tired = unit and has_pull(spec, type, pull)
    zones = {*plays[type]["zones"], *(["battlefield"] if unit and not tired else [])}
    ultra_rare = rarity == "ultra_rare"
    refuse(
        wrong_phase=phase not in _phases_of(spec, type, options),
        pull=tired and zone == "battlefield",
        wrong_zone=zone not in zones,
        ultra_rare_used=ultra_rare and ref in ledger,
        insufficient_resources=resources < play_cost,
    )
    return {
        "ledger": [*ledger, ref] if ultra_rare else list(ledger),
        "resources": resources - play_cost,
        "replaces": occupied and zone in spec.data["one_card_zones"],
    }


def _phases_of(spec: GameSpec, kind: str, options: Options) -> list[str]:
    chosen = options.get(f"{kind}_phase") or spec.data["plays"][kind]["phase"]
    return phases(spec) if chosen == "any" else [chosen]


@operation("E-79", "E-80")
def harvest(cards: Many[Supply], spend: Many[Spent | FromZero]) -> Answer:
    """What the chosen cards of the Supply Line yield, which are discarded and which stay."""
    parts = [part if isinstance(part, Spent) else Spent(index=part) for part in spend]
    chosen = [part.index for part in parts]
    refuse(
        not_in_supply_line=any(not 0 <= at < len(cards) for at in chosen),
        spent_twice=len(set(chosen)) < len(chosen),
    )
    refuse(partial_spend=any(part.amount not in (None, cards[part.index].amount) for part in parts))
    discarded = {at for at in chosen if not cards[at].continuous}
    return {
        "pool": sum(cards[at].amount for at in chosen),
        "discarded": sorted(discarded),
        "stays": [at for at in range(len(cards)) if at not in discarded],
    }


@operation("E-70", "E-93", "E-94")
def move_unit(
    phase: Phase,
    type: CardType,
    from_: Zone,
    to: Zone,
    entered_this_turn: bool = False,
    pull: bool | None = None,
    *,
    spec: GameSpec,
) -> Answer:
    """A unit between Warcamp and Battlefield, before the attack."""
    is_unit = type in spec.data["units"]
    refuse(
        wrong_phase=phase != "attack",
        not_a_unit=not is_unit,
        bad_move={from_, to} != {"warcamp", "battlefield"},
        pull=to == "battlefield" and entered_this_turn and is_unit and has_pull(spec, type, pull),
    )
    return {"zone": to}


@operation("E-100")
def hand_discard(hand: Count, *, spec: GameSpec) -> Answer:
    """How many cards the last phase takes out of a hand."""
    left = min(hand, spec.data["hand"])
    return {"discard": hand - left, "hand": left}


@operation("E-74", "E-75")
def leave_play(removed_from_game: bool) -> Answer:
    """Where a card goes: what is removed from the game does not reach the discard pile."""
    return {"to": "removed" if removed_from_game else "discard"}
