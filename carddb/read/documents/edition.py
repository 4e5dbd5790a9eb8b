"""Published editions of a ban list: `current.json`, `history/DAY.json`, `announcements/ID.json`, `upcoming.json`."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from carddb.bans.log import Kind, Status


class _Strict(BaseModel):
    model_config = ConfigDict(
        extra="forbid", alias_generator=lambda name: name.rstrip("_"), validate_by_name=True, serialize_by_alias=True
    )


class EditionGame(_Strict):
    """The game."""

    key: str
    """Its key."""
    name: str
    """The game in words."""


class EditionList(_Strict):
    """The list."""

    key: str
    """Its key."""
    title: str
    """The list in words."""
    zone: str
    """The time zone of its days, an IANA name."""
    format: str
    """The format of the decks that it is for."""
    budget: int | None = Field(default=None, ge=0)
    """What the points of a deck's cards may be in all; null for no bound."""
    surcharge_of: str = ""
    """The field of cards whose budgets the surcharges of levels add to."""


class EditionLevel(_Strict):
    """What a level allows."""

    level: int = Field(ge=1)
    """Its number."""
    max_copies: int | None = Field(ge=0)
    """The copies that it allows; null where nobody knows, or it bounds none."""
    status: Status
    """How well its meaning is known."""
    points: int = Field(default=0, ge=0)
    """What each copy costs of the budget of the list."""
    surcharge: int = Field(default=0, ge=0)
    """What each copy costs more of a budget of the game."""
    at_most_different: int | None = Field(default=None, ge=0)
    """How many different cards of the level a deck may have."""
    exempt: bool = False
    """Whether its cards are free of the groups that name cards by a query."""


class EditionMember(_Strict):
    """A card by its reference and the name it has on the day."""

    ref: str
    """The reference of the card."""
    name: str
    """The name that it has on the day."""


class EditionCard(EditionMember):
    """A card on the list."""

    level: int = Field(ge=1)
    """Its level."""
    since: date
    """Since which day."""
    announcement: str
    """The id of the announcement."""
    why: str
    """The reason."""


class EditionGroup(_Strict):
    """A group in force; of the four limits one at most is given, without any it is one different card."""

    key: str
    """Its key."""
    members: list[EditionMember]
    """Its cards."""
    at_most_different: int | None
    """How many different ones a deck may have."""
    at_most: int | None
    """How many copies of them in all."""
    anchor: str | None
    """The card that forbids the others."""
    max_copies: int | None = Field(default=None, ge=0)
    """How many copies of each."""
    query: str = ""
    """A query for further cards of the group."""
    since: date
    """Since which day."""
    announcement: str
    """The id of the announcement."""
    why: str
    """The reason."""


class EditionStep(EditionMember):
    """A card whose level changes; 0 is not on the list."""

    from_: int = Field(ge=0)
    """The level before."""
    to: int = Field(ge=0)
    """The level from the day on."""
    why: str
    """The reason."""


class EditionSwitch(_Strict):
    """A group that comes into force or ends, or whose members change."""

    key: str
    """Its key."""
    to: Literal["on", "off"]
    """Whether it is in force."""
    why: str
    """The reason."""
    joined: list[EditionMember] = []
    """The members that it gains."""
    left: list[EditionMember] = []
    """The members that it loses."""


class EditionAnswer(_Strict):
    """A later announcement that takes this one back, corrects it or takes its place."""

    kind: Kind
    """What it does."""
    id: str
    """Its id."""


class EditionNews(_Strict):
    """The announcement the edition is about."""

    id: str
    """Its id."""
    kind: Kind
    """Whether it changes the list, takes another back or corrects it."""
    made: datetime | None
    """When it was made; null where nobody knows."""
    effective: date
    """The first day on which it counts."""
    notice_days: int | None
    """The days from then to its effect; null where nobody knows."""
    due: bool
    """Whether that notice is allowed."""
    target: str | None
    """The id of the announcement that it takes back or corrects."""
    supersedes: str | None
    """The id of the one whose place it takes."""
    waiver: str | None
    """Why its notice is shorter or longer than allowed."""
    author: str | None
    """Who made it."""
    source: str | None
    """Where it can be read."""
    stricter: list[EditionStep]
    """The cards that it makes stricter."""
    softer: list[EditionStep]
    """The cards that it makes softer."""
    groups: list[EditionSwitch]
    """The groups that it changes."""
    answers: list[EditionAnswer]
    """Later announcements about it."""
    overtakes: list[str]
    """Earlier ones that take effect after it."""
    overtaken_by: list[str]
    """Later ones that take effect before it."""


class EditionFile(_Strict):
    """A list on a day, whole."""

    schema_: Literal["carddb.bans/1"] = "carddb.bans/1"
    """The kind of file."""
    game: EditionGame
    """The game."""
    list_: EditionList
    """The list."""
    sample: bool
    """Whether the data is only a sample."""
    note: str | None
    """Whose lists they are."""
    day: date
    """The day."""
    known_at: datetime | None
    """The moment up to which announcements count; null for all of them."""
    fingerprint: str
    """A digest of the list."""
    previous: str | None
    """The digest of the list that this one replaced."""
    until: date | None
    """The next day for which a change is announced."""
    levels: list[EditionLevel]
    """What the levels mean."""
    cards: list[EditionCard]
    """Every card on the list."""
    groups: list[EditionGroup]
    """The groups in force."""
    announcement: EditionNews | None
    """The announcement that the edition is about; null for the list on a day."""


class UpcomingFile(_Strict):
    """What is announced and not yet in force: an edition for each day on which the list will change."""

    schema_: Literal["carddb.bans/1-upcoming"] = "carddb.bans/1-upcoming"
    """The kind of file."""
    days: list[EditionFile]
    """An edition for each day on which the list will change."""
