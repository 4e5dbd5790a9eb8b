"""What lies on the table of a session: frozen, and the same as its save (SD-5)."""

from __future__ import annotations

from typing import Literal, get_args

from pydantic import Field

from carddb.games.cdg_solo.module.module import Game
from carddb.games.cdg_solo.play.cards import CardText
from carddb.games.cdg_solo.play.chits import Chits
from carddb.games.cdg_solo.play.die import Result
from carddb.games.cdg_solo.play.display import DisplayText, SlotText, Space
from carddb.games.cdg_solo.play.refusals import Use
from carddb.play.fields import Count, Die, Many
from carddb.play.question import Record
from carddb.play.table.session import Changing, TableState

Step = Literal[
    "setup",
    "round_ready",
    "forced",
    "choose_die",
    "choose_home",
    "choose_flip",
    "choosing",
    "resolving",
    "phase_over",
    "end_phase",
]
"""What may be done next (SD-10)."""

ANY_STEP: frozenset[str] = frozenset(get_args(Step))


class Beside(Changing):
    """The cards that lie beside a display."""

    home: Many[str] = ()
    home_used: Many[str] = ()
    fo: Many[str] = ()
    tactician: Many[str] = ()


class CardFlags(Record):
    """What the player has declared of a card."""

    conditions_met: bool


class Side(Changing):
    """The part of one side.

    `display` holds the pile where that lies in C. `waiting` are the spaces whose cards were played in a combat and are
    filled when it ends, `fought` counts those cards. `targets` are the spaces that hold two.
    """

    display: DisplayText
    hand: Count = 0
    chits: Chits = Chits(total=0, flipped=0)
    discard: Many[str] = ()
    removed: Many[str] = ()
    off_display: Beside = Beside()
    flags: dict[str, CardFlags] = Field(default={})
    rounds: Count = 0
    pass_barred: bool = False
    passed: bool = False
    bars_next: bool = False
    targets: Many[Space] = ()
    waiting: Many[Space] = ()
    fought: Count = 0
    first_round_card: str | None = None

    @property
    def conditions_met(self) -> tuple[str, ...]:
        """The cards whose conditions the player has declared met."""
        return tuple(card for card, flags in self.flags.items() if flags.conditions_met)


class Roll(Record):
    """The method dice of the round, and the result that is used."""

    dice: Many[Die]
    result: Result | None = None


class Play(Changing):
    """A play being resolved; `open`: its card lies on the display yet, for its event decides what follows.

    `done` are the hooks that its event has carried out.
    """

    side: str
    card: str
    mode: Use
    to: Literal["discard", "removed", "home", "fo"]
    draw2: bool = False
    open: bool = False
    done: Many[str] = ()


class Laid(Record):
    """A card that is laid up before the deal."""

    side: str
    card: str
    space: Space


class Common(Changing):
    """The common pile, where it lies off the displays."""

    pile: Many[SlotText] = ()
    discard: Many[str] = ()


class Pending(Changing):
    """What the round still waits for.

    `reactions` are the events played in combat, in reaction or from beside the display.
    """

    play: Play | None = None
    reactions: Many[Play] = ()
    exchanged: bool = False
    c_flipped: bool = False
    c_unplayable: bool = False
    order_counts: dict[str, Count] = Field(default={})
    nominated: dict[str, Many[str]] = Field(default={})
    reshuffle: Many[str] = ()
    discarded: dict[str, Count] = Field(default={})


class SessionState(TableState):
    """A session as it is saved, hidden cards included."""

    game: Literal["cdg-solo"] = "cdg-solo"
    version: Literal[1] = 1
    module: Game
    phase_no: Count = 0
    round_no: Count = 0
    active: str | None = None
    step: Step = "setup"
    roll: Roll | None = None
    sides: dict[str, Side] = Field(default={})
    common: Common | None = None
    pending: Pending = Pending()
    laid: Many[Laid] = ()
    warnings: Many[str] = ()
    cards: dict[str, CardText]
    decks: dict[str, Many[str]]
