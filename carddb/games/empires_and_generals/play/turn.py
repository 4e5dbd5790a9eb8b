"""A turn: Play or Pass, the six phases, the attack, Cultural Health, and how a game ends."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, Strict

from carddb.game.game import GameSpec
from carddb.play.question import (
    Answer,
    BadInput,
    Count,
    FromZero,
    Known,
    Many,
    Part,
    Positive,
    Words,
    operation,
    refuse,
)

CardType = Annotated[
    Literal[
        "general", "soldier", "kingdom", "strategy", "tactics", "resource", "capitol", "act_of_god", "reference",
    ],
    Words("types"),
]  # fmt: skip
Rarity = Annotated[Literal["common", "uncommon", "rare", "ultra_rare"], Words("rarity")]
Phase = Annotated[Literal["declare", "draw", "harvest", "kingdom", "army", "attack", "resolve"], Words("phases")]
"""The six phases, and the declaration before them, during which no card is played (E-64)."""
Zone = Annotated[
    Literal[
        "draw_pile", "supply_pile", "cultural_health", "strategy", "warcamp", "kingdom", "supply_line", "capitol",
        "discard", "battlefield", "hand", "removed",
    ],
    Words("zones"),
]  # fmt: skip
"""The zones of the table, the hand, and the place of cards removed from the game."""
GameType = Annotated[Literal["quick", "normal", "epic"], Words("game_types")]


class Player(Part):
    """A player; `ch` is the score on the track of Cultural Health."""

    id: str
    ch: int
    resigned: bool = False


def length(spec: GameSpec, game_type: str) -> int:
    """Returns how many points from the middle the track ends (E-48 to E-50). Refuses with `unknown_game_type`."""
    types = spec.data["game_types"]
    refuse(unknown_game_type=game_type not in types)
    return int(types[game_type]["n"])


def lose_at(top: int, slaughterhouse: bool, spec: GameSpec) -> int:
    """Returns the score at which a player is eliminated, on a track from -`top` to `top` (E-53)."""
    return 0 if slaughterhouse and spec.readings["slaughterhouse_lose_at"] == "middle" else -top


@operation()
def ch_track(game_type: Known[GameType], slaughterhouse: bool = False, players: int = 2, *, spec: GameSpec) -> Answer:
    """The track of Cultural Health in a type of game: its start, and the scores at which a player wins or loses."""
    fewest, most = spec.players
    refuse(too_few_players=players < fewest)
    top = length(spec, game_type)
    return {
        "start": top if slaughterhouse else 0,
        "win_at": None if slaughterhouse else top,
        "lose_at": lose_at(top, slaughterhouse, spec),
        "lines": 2 * top + 1,
        "warnings": ["player_count_unusual"] if players > most else [],
    }


@operation()
def apply_ch(
    ch: int, delta: int, game_type: Known[GameType], slaughterhouse: bool = False, *, spec: GameSpec
) -> Answer:
    """A score of Cultural Health after a change; it never leaves the track."""
    top = length(spec, game_type)
    score = max(-top, min(top, ch + delta))
    return {"ch": score, "remaining": score + top, "out": score <= lose_at(top, slaughterhouse, spec)}


@operation()
def victory(
    game_type: Known[GameType], players: Many[Player], active: str, slaughterhouse: bool = False, *, spec: GameSpec
) -> Answer:
    """Checks for a winner: first the players who are out, then a last player standing, then the top line."""
    top = length(spec, game_type)
    refuse(too_few_players=len(players) < spec.players[0])
    bottom = lose_at(top, slaughterhouse, spec)
    out = [player for player in players if _is_out(player, bottom)]
    standing = [player for player in players if not _is_out(player, bottom)]
    at_top = [] if slaughterhouse else [player.id for player in standing if player.ch >= top]
    state, winner, kind = "open", None, None
    if not standing:
        state = "draw"
    elif len(standing) == 1:
        resigned = all(player.resigned and player.ch > bottom for player in out)
        state, winner, kind = "won", standing[0].id, "sissy" if resigned else "warlord"
    elif len(at_top) == 1 or active in at_top:
        state, winner, kind = "won", active if active in at_top else at_top[0], "chancellor"
    elif at_top:
        state = "undecided"
    return {"state": state, "winner": winner, "type": kind, "out": [player.id for player in out]}


@operation()
def second_place(
    first: str, players: Many[Player], game_type: Known[GameType], slaughterhouse: bool = False, *, spec: GameSpec
) -> Answer:
    """The player in second place when the others play on after a Chancellor Victory."""
    bottom = lose_at(length(spec, game_type), slaughterhouse, spec)
    left = [player.id for player in players if player.id != first and not _is_out(player, bottom)]
    state = "draw" if not left else "decided" if len(left) == 1 else "open"
    return {"state": state, "second": left[0] if state == "decided" else None}


def _is_out(player: Player, bottom: int) -> bool:
    return player.resigned or player.ch <= bottom


class Supply(Part):
    """A resource card in the Supply Line."""

    amount: Positive
    continuous: bool = False


class Spent(Part):
    """A card to spend, by its index; `amount` is the amount to spend, by default all of it."""

    index: FromZero
    amount: int | None = None


def phases(spec: GameSpec) -> list[str]:
    """Returns the keys of the six phases in order, without the declaration before them (E-64)."""
    return [phase["key"] for phase in spec.data["phases"] if phase["number"]]


def has_pull(spec: GameSpec, kind: str, pull: bool | None) -> bool:
    """Returns whether Pull keeps a unit off the Battlefield at first: `pull`, else what its type has (E-85, E-89)."""
    return bool(spec.fields_of(kind)["pull"].default) if pull is None else pull


@operation()
def declare_turn(
    choice: Known[Literal["play", "pass"]],
    passed_last_turn: bool = False,
    has_drawn: bool = False,
    actions_taken: Count = 0,
    *,
    spec: GameSpec,
) -> Answer:
    """Declares Play, which has all phases, or Pass. No player may pass twice in a row, or after drawing or acting."""
    passes = choice == "pass"
    refuse(
        unknown_choice=choice not in ("play", "pass"),
        pass_after_draw=passes and has_drawn,
        pass_after_action=passes and actions_taken > 0,
        pass_twice=passes and passed_last_turn,
    )
    return {"phases": [] if passes else phases(spec)}


@operation()
def next_player(order: Many[str], current: str, out: Many[str]) -> Answer:
    """The player whose turn is next, clockwise; players who are out are skipped."""
    if current not in order:
        raise BadInput("current")
    at = order.index(current)
    skipped = {current, *out}
    left = [player for player in (*order[at + 1 :], *order[:at]) if player not in skipped]
    refuse(nobody_left=not left)
    return {"player": left[0]}


@operation()
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
) -> Answer:
    """Plays a card from the hand into a zone: phase, zone, cost, and `ledger`, the ultra rare cards played so far."""
    plays = spec.data["plays"]
    refuse(
        unknown_card_type=type not in plays and type not in spec.ignored_types,
        reference_not_playable=type in spec.ignored_types,
    )
    unit = type in spec.data["units"]
    tired = unit and has_pull(spec, type, pull)
    zones = {*plays[type]["zones"], *(["battlefield"] if unit and not tired else [])}
    ultra_rare = rarity == "ultra_rare"
    chosen = spec.readings.get(f"{type}_phase") or plays[type]["phase"]
    refuse(
        wrong_phase=phase not in (phases(spec) if chosen == "any" else [chosen]),
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


@operation()
def harvest(cards: Many[Supply], spend: Many[Spent | FromZero]) -> Answer:
    """The yield of the chosen cards of the Supply Line, and which cards of the line are discarded or stay."""
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


@operation()
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
    """Moves a unit between Warcamp and Battlefield, before the attack."""
    is_unit = type in spec.data["units"]
    refuse(
        wrong_phase=phase != "attack",
        not_a_unit=not is_unit,
        bad_move={from_, to} != {"warcamp", "battlefield"},
        pull=to == "battlefield" and entered_this_turn and is_unit and has_pull(spec, type, pull),
    )
    return {"zone": to}


@operation()
def hand_discard(hand: Count, *, spec: GameSpec) -> Answer:
    """The number of cards that must be discarded from a hand of `hand` cards in the last phase."""
    left = min(hand, spec.data["hand"])
    return {"discard": hand - left, "hand": left}


@operation()
def leave_play(removed_from_game: bool) -> Answer:
    """The place to which a card goes; a card removed from the game does not go to the discard pile."""
    return {"to": "removed" if removed_from_game else "discard"}


Event = Annotated[Literal["none", "defender_withdrawn", "attacker_withdrawn"], Words("events")]


class Unit(Part):
    """A unit, with strength to attack and life to defend (E-102)."""

    strength: Count
    life: Positive


Force = Unit | Annotated[tuple[Unit, ...], Strict(False), Field(min_length=1)]
"""The attacker or the blocker: one unit, or the units of a group (E-95)."""


class Stage(Part):
    """An attack on one zone: whether there is a `blocker`, and the units, which may be missing if none are compared."""

    blocker: bool
    event: Event = "none"
    attacker: Force | None = None
    defender: Force | None = None


@operation()
def declare_attack(
    phase: Phase,
    type: CardType,
    zone: Zone,
    generals: Count,
    generals_in_battlefield: Count | None = None,
    attacks_made: Count = 0,
    blocker_chooser: Literal["defender", "attacker"] = "defender",
    chooser_effect: bool = False,
    *,
    spec: GameSpec,
) -> Answer:
    """Declares the one attack of a turn, which requires a general in play and a unit in the Battlefield."""
    near = generals if generals_in_battlefield is None else generals_in_battlefield
    refuse(
        wrong_phase=phase != "attack",
        attack_already_made=attacks_made > 0,
        no_general=not generals or (spec.readings["general_must_be_in_battlefield"] and not near),
        not_a_unit=type not in spec.data["units"],
        attacker_not_in_battlefield=zone
        not in ("battlefield", *(("warcamp",) if spec.readings["attack_from_warcamp"] else ())),
        defender_chooses_blocker=blocker_chooser == "attacker" and not chooser_effect,
    )
    return {"attacks_made": attacks_made + 1}


@operation()
def compare(attacker: Force, defender: Force, *, spec: GameSpec) -> Answer:
    """Compares two units or groups that strike at once; the defender wins a tie. An option refuses groups."""
    kills = _kills(_as_one(attacker, spec), _as_one(defender, spec), spec)
    return dict(zip(("attacker_kills", "defender_kills"), kills, strict=True))


def _as_one(force: Force, spec: GameSpec) -> Unit:
    """Returns a group as one unit with the sum of Strength and the least Life (E-95); an option refuses groups."""
    if isinstance(force, Unit):
        return force
    refuse(group_not_stated=len(force) > 1 and spec.readings["group_attack"] == "not_stated")
    return Unit(strength=sum(unit.strength for unit in force), life=min(unit.life for unit in force))


def _kills(attacker: Unit, defender: Unit, spec: GameSpec) -> tuple[bool, bool]:
    holds = spec.readings["tie_rule"] == "life_holds"
    struck_back = defender.strength > attacker.life if holds else defender.strength >= attacker.life
    return attacker.strength > defender.life, struck_back


@operation()
def resolve_attack(
    target: Literal["warcamp", "battlefield"],
    blocker: bool,
    event: Event = "none",
    attacker: Force | None = None,
    defender: Force | None = None,
    *,
    spec: GameSpec,
) -> Answer:
    """Resolves an attack on a zone: one of fourteen outcomes; `members` has the index of a unit that a group loses."""
    stage = Stage(blocker=blocker, event=event, attacker=attacker, defender=defender)
    return _resolved(target, stage, "", spec)


@operation()
def resolve_full_attack(battlefield: Stage, warcamp: Stage | None = None, *, spec: GameSpec) -> Answer:
    """Resolves an attack on the Battlefield and, if it is redirected, also on the Warcamp."""
    stages = [_resolved("battlefield", battlefield, "battlefield.", spec)]
    redirected = stages[0]["redirect"]
    if redirected:
        refuse(warcamp_stage_missing=warcamp is None)
        assert warcamp is not None
        stages.append(_resolved("warcamp", warcamp, "warcamp.", spec))
    change = sum(stage["ch_change"] for stage in stages)
    return {
        "outcomes": [stage["outcome"] for stage in stages],
        "ch_change": change,
        "redirected": redirected,
        **_gained(change, spec),
    }


def _resolved(target: str, stage: Stage, path: str, spec: GameSpec) -> dict[str, Any]:
    refuse(no_defender_to_withdraw=stage.event == "defender_withdrawn" and not stage.blocker)
    key = _situation(stage, path, spec)
    row = next(row for row in spec.data["attack_resolution"] if row["key"] == key)
    change, redirect = row[target].get("ch", 0), row[target].get("redirect", False)
    if redirect and spec.readings["redirect_is_hit"]:
        change, redirect = -1, False
    discard = sorted(row[target].get("discard", ()))
    # Of a discarded group only the first member with the lowest Life is lost (E-95).
    forces = ((name, getattr(stage, name)) for name in discard)
    lives = {name: [unit.life for unit in force] for name, force in forces if isinstance(force, tuple)}
    members = {"members": {name: of.index(min(of)) for name, of in lives.items()}} if lives else {}
    return {
        "outcome": f"{target[0].upper()}{row['number']}",
        "name": key,
        "discard": discard,
        **members,
        "ch_change": change,
        "redirect": redirect,
        **_gained(change, spec),
    }


def _situation(stage: Stage, path: str, spec: GameSpec) -> str:
    if stage.event == "attacker_withdrawn":
        return "attacker_withdrawn"
    if not stage.blocker:
        return "no_blocker"
    if stage.event == "defender_withdrawn":
        return "defender_withdrawn"
    for name in ("attacker", "defender"):
        if getattr(stage, name) is None:
            raise BadInput(path + name)
    assert stage.attacker and stage.defender
    return {
        (True, False): "successful_attack",
        (True, True): "double_death",
        (False, True): "counter_attack",
        (False, False): "double_block",
    }[_kills(_as_one(stage.attacker, spec), _as_one(stage.defender, spec), spec)]


def _gained(change: int, spec: GameSpec) -> dict[str, int]:
    return {"attacker_ch_change": -change} if spec.readings["transfer_gains"] else {}
