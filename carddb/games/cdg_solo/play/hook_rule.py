"""What a module's exception for a card says of its hook: figures that differ from game to game."""

from __future__ import annotations

from pydantic import Field

from carddb.play.fields import Count, Die, Many
from carddb.play.question import Record


class ChitChanges(Record):
    """Chits that a hook turns over, adds or takes away."""

    flip: Count
    add: Count = 0
    remove: Count = 0


class Failure(Record):
    """What follows where a hook has no effect."""

    active_flip: Count = 1


class HookRule(Record):
    """The parameters of a card's exception."""

    count: Count = 1
    success: Many[Die] | None = Field(default=None, min_length=2, max_length=2)
    failed: Failure = Failure()
    active_chits: ChitChanges = ChitChanges(flip=1)
    opponent_chits: ChitChanges = ChitChanges(flip=0)
    opponent_chit_flips: Count = 1
