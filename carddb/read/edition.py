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
    name: str


class EditionList(_Strict):
    """The list; its days are those of its time zone (an IANA name).

    `budget` is what the points of a deck's cards may be in all, `surcharge_of` the field whose budgets in the limits of
    the game the surcharges of levels add to.
    """

    key: str
    title: str
    zone: str
    format: str
    budget: int | None = Field(default=None, ge=0)
    surcharge_of: str = ""


class EditionLevel(_Strict):
    """What a level allows: that many copies in a deck; null where nobody knows, or where it says something else.

    `points` and `surcharge` are what each copy costs, `at_most_different` how many different cards of the level a deck
    may have; an `exempt` card is free of the groups that name cards by a query.
    """

    level: int = Field(ge=1)
    max_copies: int | None = Field(ge=0)
    status: Status
    points: int = Field(default=0, ge=0)
    surcharge: int = Field(default=0, ge=0)
    at_most_different: int | None = Field(default=None, ge=0)
    exempt: bool = False


class EditionMember(_Strict):
    """A card by its reference and the name it has on the day."""

    ref: str
    name: str


class EditionCard(EditionMember):
    """A card on the list: its level, since which day, by the announcement of which id."""

    level: int = Field(ge=1)
    since: date
    announcement: str
    why: str


class EditionGroup(_Strict):
    """A group in force; of the four limits one at most is given, without any it is one different card.

    The cards that match `query` are of it too.
    """

    key: str
    members: list[EditionMember]
    at_most_different: int | None
    at_most: int | None
    anchor: str | None
    max_copies: int | None = Field(default=None, ge=0)
    query: str = ""
    since: date
    announcement: str
    why: str


class EditionStep(EditionMember):
    """A card whose level changes; 0 is not on the list."""

    from_: int = Field(ge=0)
    to: int = Field(ge=0)
    why: str


class EditionSwitch(_Strict):
    """A group that comes into force or ends, or whose members change."""

    key: str
    to: Literal["on", "off"]
    why: str
    joined: list[EditionMember] = []
    left: list[EditionMember] = []


class EditionAnswer(_Strict):
    """A later announcement that takes this one back, corrects it or takes its place."""

    kind: Kind
    id: str


class EditionNews(_Strict):
    """The announcement the edition is about; one that is not `due` gave a notice that is not allowed.

    `made` and `notice_days` are null where nobody knows when it was made. `overtakes` are earlier ones that take effect
    after it, `overtaken_by` later ones that take effect before it.
    """

    id: str
    kind: Kind
    made: datetime | None
    effective: date
    notice_days: int | None
    due: bool
    target: str | None
    supersedes: str | None
    waiver: str | None
    author: str | None
    source: str | None
    stricter: list[EditionStep]
    softer: list[EditionStep]
    groups: list[EditionSwitch]
    answers: list[EditionAnswer]
    overtakes: list[str]
    overtaken_by: list[str]


class EditionFile(_Strict):
    """A list on a day. `known_at` is the moment up to which announcements count, null for all of them.

    `cards` and `groups` are the whole list, `previous` is the fingerprint of the list that this one replaced,
    `until` the next day for which a change is announced; `note` says whose lists they are.
    """

    schema_: Literal["carddb.bans/1"] = "carddb.bans/1"
    game: EditionGame
    list_: EditionList
    sample: bool
    note: str | None
    day: date
    known_at: datetime | None
    fingerprint: str
    previous: str | None
    until: date | None
    levels: list[EditionLevel]
    cards: list[EditionCard]
    groups: list[EditionGroup]
    announcement: EditionNews | None


class UpcomingFile(_Strict):
    """What is announced and not yet in force: an edition for each day on which the list will change."""

    schema_: Literal["carddb.bans/1-upcoming"] = "carddb.bans/1-upcoming"
    days: list[EditionFile]
