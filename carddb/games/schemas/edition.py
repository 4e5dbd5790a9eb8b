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
    """The greatest sum of points of a deck's cards; null for no bound."""
    surcharge_of: str = ""
    """The field of cards to whose budgets the surcharges of levels are added."""


class EditionLevel(_Strict):
    """The meaning of a level."""

    level: int = Field(ge=1)
    """Its number."""
    max_copies: int | None = Field(ge=0)
    """The copies that it allows; null if that is unknown or unlimited."""
    status: Status
    """The certainty of its meaning."""
    points: int = Field(default=0, ge=0)
    """The points of the list's budget that each copy costs."""
    surcharge: int = Field(default=0, ge=0)
    """The surcharge of each copy on a budget of the game."""
    at_most_different: int | None = Field(default=None, ge=0)
    """Number of different cards of the level that a deck may have."""
    exempt: bool = False
    """True if its cards are exempt from groups that name cards by a query."""


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
    """The day from which it has had this level."""
    announcement: str
    """The id of the announcement."""
    why: str
    """The reason."""


class EditionGroup(_Strict):
    """A group in force. At most one of the four limits is given; without any, one different card is allowed."""

    key: str
    """Its key."""
    members: list[EditionMember]
    """Its cards."""
    at_most_different: int | None
    """Number of different ones that a deck may have."""
    at_most: int | None
    """Number of copies of them in all."""
    anchor: str | None
    """The card that forbids the others."""
    max_copies: int | None = Field(default=None, ge=0)
    """Number of copies of each."""
    query: str = ""
    """A query for further cards of the group."""
    since: date
    """The first day on which it was in force."""
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
    """The state of the group from the day on."""
    why: str
    """The reason."""
    joined: list[EditionMember] = []
    """The members that it gains."""
    left: list[EditionMember] = []
    """The members that it loses."""


class EditionAnswer(_Strict):
    """A later announcement that withdraws, corrects or supersedes this one."""

    kind: Kind
    """The kind of that announcement."""
    id: str
    """Its id."""


class EditionNews(_Strict):
    """The announcement the edition is about."""

    id: str
    """Its id."""
    kind: Kind
    """The kind of announcement: a change, a withdrawal or a correction."""
    made: datetime | None
    """The moment when it was made; null if unknown."""
    effective: date
    """The first day on which it counts."""
    notice_days: int | None
    """The days from then to its effect; null if unknown."""
    due: bool
    """True if that notice is allowed."""
    target: str | None
    """The id of the announcement that it withdraws or corrects."""
    supersedes: str | None
    """The id of the announcement that it supersedes."""
    waiver: str | None
    """The reason why its notice is shorter or longer than allowed."""
    author: str | None
    """The author."""
    source: str | None
    """The place where it can be read, such as a URL."""
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
    """A whole list on a day."""

    schema_: Literal["carddb.bans/1"] = "carddb.bans/1"
    """The kind of file."""
    game: EditionGame
    """The game."""
    list_: EditionList
    """The list."""
    sample: bool
    """True if the data is only a sample."""
    note: str | None
    """A note on the owner of the lists."""
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
    """The meanings of the levels."""
    cards: list[EditionCard]
    """Every card on the list."""
    groups: list[EditionGroup]
    """The groups in force."""
    announcement: EditionNews | None
    """The announcement that the edition is about; null for the list on a day."""


class UpcomingFile(_Strict):
    """Announced changes that are not yet in force: an edition for each day on which the list will change."""

    schema_: Literal["carddb.bans/1-upcoming"] = "carddb.bans/1-upcoming"
    """The kind of file."""
    days: list[EditionFile]
    """An edition for each day on which the list will change."""
