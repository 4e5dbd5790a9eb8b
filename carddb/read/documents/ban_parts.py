"""Models of the parts of a file of ban lists, which test whether it is valid."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, TypeVar
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    Strict,
    ValidationError,
    model_validator,
)

from carddb.bans.log import YEARS, Kind, Status
from carddb.cards.query import quoted
from carddb.core.dates import day, moment_text
from carddb.findings import Finding
from carddb.read.documents.located_document import LocatedDocument
from carddb.read.documents.strict_models import pydantic_findings


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


def _zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        raise ValueError(f"{name!r} is not a time zone; write one as America/New_York") from None
    return name


def _moment(value: Any) -> str:
    try:
        moment = datetime.fromisoformat(str(value))
        if moment.tzinfo is None or moment.year not in YEARS:
            raise ValueError
        return moment_text(moment)
    except (ValueError, OverflowError):
        raise ValueError(
            f"{value!r} is not a date with a time and a time zone, in the years {YEARS[0]} to {YEARS[-1]}; "
            "write it as 2026-05-22T20:00:00Z"
        ) from None


def _in_use(value: str) -> str:
    if int(value[:4]) not in YEARS:
        raise ValueError(f"{value} is not in a year from {YEARS[0]} to {YEARS[-1]}")
    return value


def _switch(value: Any) -> Any:
    # Other YAML programs write and read an unquoted `off` as false.
    return ("on" if value else "off") if isinstance(value, bool) else value


T = TypeVar("T")

Many = Annotated[tuple[T, ...], Strict(False)]
Key = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=80)]
"""A key that may be used in names of files and links."""
Line = Annotated[str, Field(pattern=r"^[^\r\n]*$", max_length=500)]
Level = Annotated[int, Field(ge=0)]
Moment = Annotated[str, BeforeValidator(_moment)]
Effective = Annotated[str, AfterValidator(day), AfterValidator(_in_use)]
State = Annotated[Level | Literal["off", "on"], BeforeValidator(_switch)]


class ListPart(_Part):
    """A ban list for the decks of one format."""

    title: Line
    """The name of the list as it is shown."""
    zone: Annotated[str, AfterValidator(_zone)]
    """The time zone in which its days begin, such as America/New_York."""
    format: str = ""
    """The format of the decks to which it applies; if empty, decks without a format."""
    budget: Level | None = None
    """The most points that the cards of a deck may cost in all."""
    surcharge_of: str = ""
    """The field of cards whose sum the game limits; the surcharges of levels are added to that sum."""


class LevelPart(_Part):
    """The meaning of a level: the copies that it allows, null if that is unknown or unlimited."""

    max_copies: Level | None = None
    """The copies of a card of this level that a deck may have."""
    status: Status
    """The certainty of the level's meaning."""
    points: Level = 0
    """The points of the list's budget that each copy costs."""
    surcharge: Level = 0
    """The surcharge of each copy on the sum that the list's `surcharge_of` names."""
    at_most_different: Level | None = None
    """The number of different cards of this level that a deck may have: 1 if only one of them may be chosen."""
    exempt: bool = False
    """True if a card of this level is exempt from groups that name cards by a query or a set."""

    @model_validator(mode="after")
    def _status_fits(self) -> LevelPart:
        costs = self.points or self.surcharge or self.at_most_different is not None or self.exempt
        if self.max_copies is None and self.status != "unknown" and not costs:
            raise ValueError("a level without max_copies must have status: unknown, or another limit or cost")
        return self


class GroupPart(_Part):
    """A group of cards that are too strong together, with at most one limit."""

    members: Many[Line] = ()
    """The references of its cards."""
    at_most_different: Level | None = None
    """The number of different cards of the group that a deck may have; 1 if no limit is given."""
    at_most: Level | None = None
    """The number of copies of all its cards together that a deck may have; 0 forbids them all."""
    anchor: str | None = None
    """The card that forbids every other card of the group."""
    max_copies: Level | None = None
    """The number of copies of each of its cards that a deck may have."""
    query: Line = ""
    """A query for further cards of the group."""
    set: Line = ""
    """A set whose cards belong to the group too."""

    @model_validator(mode="after")
    def _one_limit(self) -> GroupPart:
        limits = (self.at_most_different, self.at_most, self.anchor, self.max_copies)
        if sum(limit is not None for limit in limits) > 1:
            raise ValueError("a group may have only one of at_most_different, at_most, anchor and max_copies")
        if self.query and self.set:
            raise ValueError("a group may have a query or a set, but not both")
        if not (self.members or self.query or self.set):
            raise ValueError("a group must have members, a query or a set")
        return self

    @property
    def plain(self) -> dict[str, Any]:
        """The group as the log stores it, with its set as a query."""
        values = self.model_dump(exclude={"set"})
        return {**values, "query": f"set:{quoted(self.set)}"} if self.set else values


class ChangePart(_Part):
    """A change of one card from level to level, or of a group, or of a card in a group, from off to on or back."""

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)

    list: str
    """The key of the list."""
    card: Line = ""
    """The reference of the card; if `group` is given too, of the card that joins or leaves that group."""
    group: str = ""
    """The key of the group."""
    before: State = Field(alias="from")
    """The level of the card, or the state of the group, before the change."""
    after: State = Field(alias="to")
    """The level or the state from the announcement's day on."""
    why: Line = ""
    """The reason, for the players."""

    @model_validator(mode="after")
    def _one_target(self) -> ChangePart:
        if not (self.card or self.group):
            raise ValueError("a change must name a card, a group, or both")
        switched = [isinstance(value, str) for value in (self.before, self.after)]
        if any(switched) != all(switched) or any(switched) != bool(self.group):
            raise ValueError("a card must change from level to level, a group from off to on or from on to off")
        return self


class WholePart(_Part):
    """The whole content of a list from a day on, whatever it was before."""

    cards: dict[Line, Level] = {}
    """Every card on the list by reference, with its level."""
    groups: Many[str] = ()
    """The keys of the groups in force."""


class AnnouncementPart(_Part):
    """A message to the players: made at a moment, effective from a day in the time zone of each list."""

    id: Key
    """The name of the announcement in links and files; never used twice."""
    made: Moment | None = None
    """The time when it was made, with time zone; if absent, it is unknown, and the length of notice is not checked."""
    effective: Effective
    """The first day on which it is in force."""
    kind: Kind = "change"
    """A withdrawal cancels its target, a correction replaces the changes of its target with its own."""
    target: str = ""
    """The id of the announcement that is withdrawn or corrected."""
    supersedes: str = ""
    """The id of the announcement whose changes of the same cards and groups this one replaces."""
    waiver: Line = ""
    """The reason why its notice is shorter or longer than allowed."""
    author: Line = ""
    """The author."""
    source: Line = ""
    """The place where it can be read, such as a URL."""
    changes: Many[ChangePart] = ()
    """The changes that it makes."""
    replaces: dict[str, WholePart] = {}
    """Lists that it replaces as a whole, each with its new content; the changes follow from that."""

    @model_validator(mode="after")
    def _hangs_together(self) -> AnnouncementPart:
        if (self.kind == "change") == bool(self.target):
            raise ValueError("a withdrawal or correction must have a target, and a change must not")
        if (self.kind == "withdrawal") == bool(self.changes or self.replaces):
            raise ValueError("a change or correction must have changes or replaces, and a withdrawal neither")
        if self.supersedes and self.kind != "change":
            raise ValueError("only an announcement of kind change may have supersedes")
        return self


class SnapshotsPart(_Part):
    """Files of another database, JSON or YAML, with one or several snapshots each: a whole list from a day on.

    The values of `list`, `id` and `effective`, and the keys of `levels`, are keys there; dots lead into objects:
    points.3.
    """

    files: Annotated[str, Field(pattern=r"^[^/\\\r\n][^\\\r\n]*$", max_length=500)]
    """The files beside this one, such as restrictions/*.json."""
    list: Line
    """The key of the list's name, or a list of this file if all are of it. Snapshots of other lists are left out."""
    id: Line = "id"
    """The key of the id that the announcement gets."""
    effective: Line
    """The key of the first day on which the snapshot counts."""
    levels: dict[Line, Level]
    """The keys of lists of cards, each with the level of its cards; for a card in several, the first counts."""


class BanFile(_Part):
    """The ban lists of a game, and their announcements."""

    note: str = ""
    """Whose lists they are; it is shown with them everywhere."""
    lists: dict[Key, ListPart] = {}
    """The lists, by key."""
    levels: dict[Annotated[str, Field(pattern=r"^[1-9][0-9]?$")], LevelPart] = {}
    """The levels, by number."""
    groups: dict[Key, GroupPart] = {}
    """The groups, by key."""
    window: Annotated[tuple[Level, Level], Strict(False)] = (3, 14)
    """The fewest and the most days from an announcement to its effect."""
    announcements: Many[AnnouncementPart] = ()
    """The announcements, in the order in which they were made."""
    snapshots: SnapshotsPart | None = None
    """Files of another database, each of which is one more announcement that replaces a list."""

    @model_validator(mode="after")
    def _possible_window(self) -> BanFile:
        if self.window[0] > self.window[1]:
            raise ValueError("the window must be the fewest days of notice, then the most, as in [3, 14]")
        return self


def ban_file_of(document: LocatedDocument) -> tuple[BanFile | None, list[Finding]]:
    """Returns the ban lists that a document describes, or None and all its faults."""
    try:
        return BanFile.model_validate(document.value or {}), []
    except ValidationError as fault:
        return None, pydantic_findings(fault, document, BanFile)
