"""The house readings of a module: the options of the game, and what the module has of its own (SD-1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carddb.game.game import GameSpec
from carddb.games.cdg_solo.module.parts import OnEmpty
from carddb.games.cdg_solo.play.die import Result, result_of
from carddb.play.question import Record


class Readings(Record):
    """The options of the game at the values in force; None where the module's own rule holds."""

    deal_alternate_sides: bool
    redeal_each_phase: bool
    die_table: dict[str, Result] | None
    jr_refill: str
    refill_force_down: bool
    no_legal_card_flips_chit: bool
    jr_before_flip: bool
    player_cut: bool
    on_empty: OnEmpty | None
    combat_rule: str
    m3a_lowest: bool
    first_opportunity_letters_only: bool
    home_other_flips: bool
    home_flips_chit: bool
    hand_adjustment: str | None
    reshuffle_with_discards: bool
    tournament_634: bool
    dice_count: int
    augment_variant: int


def options_of(spec: GameSpec, raw: Mapping[str, Any]) -> tuple[str, ...]:
    """The options that a module has: those of every module, its own, and those that it gives a value."""
    elsewhere = {name for module in spec.data["modules"].values() for name in module["own_options"]}
    own = {*raw.get("own_options", ()), *raw.get("options", ())}
    return tuple(name for name in spec.options if name in own or name not in elsewhere)


def values_of(spec: GameSpec, own: Mapping[str, Any]) -> dict[str, Any]:
    """Every option with its value: the module's own, else that of the game; null is none.

    Raises ValueError for an option that the game does not have, and for a value that it cannot have.
    """
    values = dict(spec.option_defaults)
    for name, value in own.items():
        if name not in values:
            raise ValueError(name)
        if value is not None:
            values[name] = spec.options[name].value_of(value)
    for name, option in spec.options.items():
        if option.type == "choice" and values[name] not in option.of:
            values[name] = None
    if values["die_table"] is not None:
        values["die_table"] = {face: result_of(spec, word) for face, word in values["die_table"].items()}
    return values
