"""What each hook is told: its parameters in a question (SD-9)."""

from __future__ import annotations

from pydantic import Field

from carddb.games.cdg_solo.cards import CardTexts
from carddb.games.cdg_solo.chits import ChitsText
from carddb.games.cdg_solo.display import DisplayText, SlotText
from carddb.play.fields import Count, Die, Many, Positive
from carddb.play.question import Part

Pile = Many[SlotText] | None


class Turned(Part):
    """Chits that a hook turns over, adds or takes away."""

    flip: Count
    add: Count = 0
    remove: Count = 0


class Failed(Part):
    """What follows where a hook comes to nothing."""

    active_flip: Count = 1


class Rule(Part):
    """What the exception of a card says of its hook."""

    count: Count = 1
    success: Many[Die] | None = Field(default=None, min_length=2, max_length=2)
    failed: Failed = Failed()
    active_chits: Turned = Turned(flip=1)
    opponent_chits: Turned = Turned(flip=0)
    opponent_chit_flips: Count = 1


class Params(Part):
    """The base of a hook's parameters."""


class RevealOpponent(Params):
    """Turn up the opponent's cards (S-116)."""

    opponent_display: DisplayText


class AddChit(Params):
    """Add a chit to a side (S-136, S-171)."""

    side: str | None = None
    chits: ChitsText


class FlipOpponentChit(Params):
    """Turn a chit of the opponent (S-149)."""

    opponent_chits: ChitsText


class TakeCard(Params):
    """Take a card of the opponent's display (S-163, S-172)."""

    taker_display: DisplayText
    event_card: str
    victim_display: DisplayText
    victim_chits: ChitsText
    taker_chits: ChitsText
    chart_roll: Positive | None = None
    success_roll: Die | None = None
    pile: Pile = None


class OpponentDiscard(Params):
    """The opponent discards, at random or a card of a kind; `candidates` are the cards of that kind (S-161)."""

    random: bool = True
    victim_display: DisplayText
    pile: Pile = None
    victim_chits: ChitsText
    chart_roll: Positive | None = None
    candidates: Many[str] | None = None


class OpponentRandomDiscard(Params):
    """The opponent discards at random; a Mandatory card is played instead (S-187, S-189)."""

    victim_display: DisplayText
    pile: Pile = None
    victim_chits: ChitsText
    cards: CardTexts = Field(default_factory=dict)
    chart_roll: Positive | None = None


class Exchange632(Params):
    """Exchange an Ops card for the opponent's discarded Event card (S-178)."""

    display: DisplayText
    card: str
    opponent_last_discard: str
    chits: ChitsText


class SwapBonus(Params):
    """Swap a card of the display for one of the discards (S-148)."""

    display: DisplayText
    card: str | None = None
    flip_card: str | None = None
    from_discard: str


class DrawFromDiscard(Params):
    """Take a card from the discards (S-160)."""

    display: DisplayText
    event_card: str
    from_discard: str
    chits: ChitsText


class TournamentRedraw(Params):
    """Draw a new card after the event and play the round again (S-179)."""

    display: DisplayText
    event_card: str
    pile: Pile = None
