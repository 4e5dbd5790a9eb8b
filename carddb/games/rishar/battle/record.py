"""The record of a Battle for a replay: what both Commanders did, turn by turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from carddb.games.rishar.play.armies import Commander
from carddb.games.rishar.play.fields import Army, Choice, ClassName, Currency, Pile, Role, Rolls, Side
from carddb.play.question import BadInput, Count, Die, Known, Many, Object, Part, Refusal

MAX_CARDS = 500
"""The largest number of cards in an army."""
MAX_TURNS = 1000


class Mending(Part):
    """A Mender's look into the enemy's hand: the cards shown, and the card Disabled, if any (R-137)."""

    shown: Many[str]
    disable: str | None = None


class Host(Part):
    """An army as it enters the Battle.

    `own` and `base` are its current Morale, by default its Commander's starting Morale. `oathbound` is the unit that an
    Oathbound protects, `returned` the card that a Necromancer takes back when the second Phase opens, `used_day` how
    often a Cleric has used the power today.
    """

    commander: Commander
    cards: Many[Object]
    own: Count | None = None
    base: Count | None = None
    oathbound: str | None = None
    returned: str | None = None
    mender: Mending | None = None
    used_day: Count = 0


class Reply(Part):
    """The other Commander's choice on Defense."""

    choice: Choice
    card: str | None = None
    role_as: Known[Role] | None = None


class Move(Part):
    """A card that the text of another card moves from one of its owner's piles to another."""

    army: Army
    card: str
    to: Pile


class Reaction(Part):
    """One use of an opportunity to react: a discard (also of a Ritual), a power, or nothing (`decline`).

    `add` is the Strength that the discard gives to the unit of the side `to`, by default the card's discard bonus;
    `morale` and `moves` are further effects of the card's text. `roll` is the die of a Battlemage's discard or of an
    Illusionist, `card` the card that an Etherealist brings.
    """

    by: Army
    decline: bool = False
    discard: str | None = None
    power: Known[ClassName] | None = None
    to: Side | None = None
    add: int | None = None
    roll: Die | None = None
    card: str | None = None
    morale: Mapping[Army, int] = {}
    moves: Many[Move] = ()


class Healing(Part):
    """A Healer discarded to take `target` back; `role_as` if a Shapeshifter made it one, `roll` if of a Battlemage."""

    by: Army
    healer: str
    target: str
    role_as: Known[Role] | None = None
    roll: Die | None = None


class Prayer(Part):
    """A Killed card that a Cleric takes back into hand."""

    by: Army
    card: str


class Turn(Part):
    """A turn, in the order of play: prayers, choices of both sides, reactions, dice, saves, dice of Rogues, Healers.

    `texts` is the Strength that each side's card gets from its own text.
    """

    by: Army
    choice: Choice
    card: str | None = None
    role_as: Known[Role] | None = None
    prayers: Many[Prayer] = ()
    defense: Reply | None = None
    texts: Mapping[Side, int] = {}
    reactions: Many[Reaction] = ()
    rolls: Rolls | None = None
    rerolls: Many[Rolls] = ()
    saves: Mapping[Side, Currency] = {}
    rogue: Mapping[Side, Die] = {}
    heals: Many[Healing] = ()


class Flight(Part):
    """The rout of an army: a die for each unit at risk, in the order of the army's list.

    `saves` are the payments that save Killed units (`{key: currency}`), `rogue` the dice of the victor's Rogue for the
    units that stay Killed.
    """

    rolls: Many[Die] = ()
    saves: Mapping[str, Currency] = {}
    rogue: Many[Die] = ()


class Flights(Part):
    """The rout of each army in a Battle."""

    a: Flight = Flight()
    b: Flight = Flight()


@contextmanager
def step(path: str, **details: Any) -> Iterator[None]:
    """Adds the step's `path` and `details` to every refusal or BadInput that is raised inside the block."""
    try:
        yield
    except BadInput as fault:
        raise BadInput(**{**fault.details, "path": f"{path}.{fault.path}"}) from None
    except Refusal as refusal:
        inner = refusal.details.get("path")
        full = {**details, **refusal.details, "path": f"{path}.{inner}" if inner else path}
        raise Refusal(refusal.reason, **full) from None
