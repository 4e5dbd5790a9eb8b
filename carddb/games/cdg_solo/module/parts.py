"""The parts of a module: hands, rows of choices, combat, cards beside the display (SD-1)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from carddb.games.cdg_solo.play.die import Result
from carddb.games.cdg_solo.play.display import RefillMode, Space
from carddb.play.fields import Count, Many, Object
from carddb.play.question import Record

DeckMode = Literal["separate", "common_split", "common_off"]
OnEmpty = Literal["reshuffle_own", "rebalance_then_reshuffle", "reshuffle_all", "stop"]


class Side(Record):
    """One of the two sides."""

    id: str
    name: str = ""


class Hand(Record):
    """Hand sizes by side, and the range they may have."""

    default: dict[str, int | None] = Field(default_factory=dict)
    min: int | None = None
    max: int | None = None


class NoUp(Record):
    """No card of these kinds lies up in these spaces."""

    kinds: Many[str]
    spaces: Many[Space]


class RowCondition(Record):
    """What must hold for a row of choices."""

    c_unplayable: bool | None = None
    no_up: NoUp | None = None


class CardFilter(Record):
    """Cards of some kinds (None: of any), of none of others, with or without an ops value."""

    kinds: Many[str] | None = None
    not_kinds: Many[str] = ()
    ops: Literal["with", "without"] | None = None


class ChoiceRow(CardFilter):
    """Cards that a result lets be played: in which spaces, of which kinds, all or the lowest, and how."""

    spaces: Many[Space] = Field(min_length=1)
    pick: Literal["all", "lowest"] = "all"
    mode: Literal["any", "event", "discard"] = "any"
    when: RowCondition | None = None


class ResultForm(Record):
    """What a result lets be played, and how the place is filled again."""

    choices: Many[ChoiceRow]
    refill: RefillMode


class ResultOverride(Record):
    """What a module says otherwise of a result; null is the general form."""

    choices: Many[ChoiceRow] | None = None
    refill: RefillMode | None = None


class Combat(Record):
    """Cards played in combat or reaction (SD-1)."""

    kind: str | None
    flips_chit: bool
    limit_per_side: Count | None
    reserve_for_mandatory: bool


class BattleDiscard(CardFilter):
    """Cards that may be discarded in a battle instead of playing one."""

    kinds: Many[str]
    flips_chit: bool


class CombatDetail(Record):
    """Which cards serve in combat or reaction, whose, and what they need."""

    kinds: Many[str]
    roles: Many[str]
    combat_only_kinds: Many[str]
    min_chits: int
    discard: BattleDiscard | None
    active_results: dict[str, Many[Result] | None] | None


class MandatoryRule(Record):
    """When Mandatory cards replace the roll, the chits kept for them, whether too many go back."""

    forced_when: Literal["last_chit", "chits_equal_mandatory"]
    reserve: Literal["none", "one", "each"]
    excess_returns: bool


class Alternative(Record):
    """What a side may do instead of rolling."""

    chits_left: int | None
    available: Literal["always", "player"]
    after_roll: bool
    ends_phase_for_side: bool
    bars_next_phase: bool


class OffDisplay(Record):
    """How cards beside the display are played; `results` null: whatever the die.

    `without_roll` names what they are played for where no die is rolled.
    """

    results: Many[Result] | None
    without_roll: Many[str]
    replaces_c_flip: bool
    flips_chit: bool
    once_per_phase: bool


class GoesFirst(CardFilter):
    """Cards that a side may play before the roll to go first (S-177)."""

    sides: Many[str]


class Lowest(Record):
    """What makes a card the lowest, and among which kinds (null: all)."""

    by: Literal["ops", "order_count"]
    kinds: Many[str] | None


class Draws(Record):
    """Cards that draw cards."""

    one_flips_chit: bool
    one_off_display_adds_chits: int
    two_refill_up: bool


class CardException(Record):
    """What one card does otherwise than the method (§7.8)."""

    deck: str | None
    number: int | None
    title: str
    hook: str
    params: Object = Field(default_factory=dict)
    aliases: Many[str] = ()


class SetupCard(Record):
    """A card that a scenario lays up before the deal."""

    side: str
    card: str
    space: Space
    up: bool = True
