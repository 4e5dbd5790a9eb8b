"""What a Battle at the table is saved as: the armies that came, the dice, and every action."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

from pydantic import Field

from carddb.games.rishar.battle.record import Host
from carddb.games.rishar.play.fields import Army
from carddb.play.table.session import TableState

Step = Literal[
    "tactician",
    "dervish",
    "oath",
    "mender",
    "mending",
    "first",
    "offense",
    "defense",
    "reveal",
    "dice",
    "reactions",
    "reroll",
    "saving",
    "plunder",
    "healing",
    "second_phase",
    "rout",
    "rout_saving",
    "rout_plunder",
    "over",
]

STEPS: Mapping[str, str] = {
    "tactician": "the Tactician has another power for this Battle: choose POWER",
    "dervish": "the Dervish has one Path or one Role to fight against today: against WORD",
    "oath": "the Oathbound names a unit: name CARD",
    "mender": "the Mender may look at cards of the other hand: look, or next",
    "mending": "the Mender may have one of the cards Disabled: disable CARD, or next",
    "first": "who has the first turn? begin, or begin a, or begin b",
    "offense": "a card face down on Offense, or pass",
    "defense": "a card face down on Defense, or pass",
    "reveal": "the card may take another Role: become ROLE, or next",
    "dice": "roll; before that discard or use a power",
    "reactions": "discard, use a power, or decline; when both decline in a row it is decided",
    "reroll": "equal in everything: roll again",
    "saving": "the unit can be saved: save and with what, or next",
    "plunder": "the Rogue rolls for the kill: roll",
    "healing": "Healers may act before the Phase ends: heal HEALER CARD, or next",
    "second_phase": "the Necromancer may take a Disabled card back: back CARD, or next",
    "rout": "the victor rolls for the units of the routed army: roll",
    "rout_saving": "units can be saved: rescue CARD, or next",
    "rout_plunder": "the Rogue rolls for the dead: roll",
    "over": "the Battle is over; carddb battle report writes the campaign sheets",
}
"""What may be done at each step."""


class BattleTable(TableState):
    """The save: the armies as they came, the readings in force, who begins where that was said, the dice, the log.

    All else follows from these: the log is played again.
    """

    game: Literal["rishar"] = "rishar"
    version: Literal[1] = 1
    step: Step = "offense"
    names: dict[Army, str] = Field(min_length=len(get_args(Army)))
    a: Host
    b: Host
    first: Army | None = None
    options: dict[str, Any] = Field(default={})
