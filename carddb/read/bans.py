"""`bans.yaml`, or a file with one announcement: the parts of a ban list's log, or every fault of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Literal, NamedTuple, TypeVar
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

from carddb.bans.lint import Places, out_of_order
from carddb.bans.log import YEARS, Announcement, Kind, Log, Status
from carddb.bans.log_data import announcement_of, log_of
from carddb.dates import day, moment_text
from carddb.findings import Finding, Place, error
from carddb.read.control_characters import control_characters, texts_of
from carddb.read.located_document import Document, load
from carddb.read.schema_faults import pydantic_findings

FILE = "bans.yaml"

_STRICT = ConfigDict(strict=True, extra="forbid", frozen=True)


def _zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        raise ValueError(f"{name!r} is no time zone; write one as America/New_York") from None
    return name


def _moment(value: Any) -> str:
    try:
        moment = datetime.fromisoformat(str(value))
        if moment.tzinfo is None or moment.year not in YEARS:
            raise ValueError
        return moment_text(moment)
    except (ValueError, OverflowError):
        raise ValueError(f"{value!r} is no moment with its time zone; write it as 2026-05-22T20:00:00Z") from None


def _in_use(value: str) -> str:
    if int(value[:4]) not in YEARS:
        raise ValueError(f"{value} is in no year of which there are days in every time zone")
    return value


def _switch(value: Any) -> Any:
    # Other programs read an unquoted off as false.
    return ("on" if value else "off") if isinstance(value, bool) else value


T = TypeVar("T")

Many = Annotated[tuple[T, ...], Strict(False)]
Key = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=80)]
"""What files and links may be called after."""
Line = Annotated[str, Field(pattern=r"^[^\r\n]*$", max_length=500)]
Level = Annotated[int, Field(ge=0)]
Moment = Annotated[str, BeforeValidator(_moment)]
Effective = Annotated[str, AfterValidator(day), AfterValidator(_in_use)]
State = Annotated[Level | Literal["off", "on"], BeforeValidator(_switch)]


class ListPart(BaseModel):
    """A list; its time zone is a name such as America/New_York, `format` that of the decks it is for."""

    model_config = _STRICT

    title: Line
    zone: Annotated[str, AfterValidator(_zone)]
    format: str = ""


class LevelPart(BaseModel):
    """What a level means: the copies that it allows, null where that is not known."""

    model_config = _STRICT

    max_copies: Level | None
    status: Status

    @model_validator(mode="after")
    def _status_fits(self) -> LevelPart:
        if self.max_copies is None and self.status != "unknown":
            raise ValueError("a level whose copies are not known has the status unknown")
        return self


class GroupPart(BaseModel):
    """Cards that are too strong together, by reference, and one limit at most."""

    model_config = _STRICT

    members: Annotated[Many[Line], Field(min_length=1)]
    at_most_different: Level | None = None
    at_most: Level | None = None
    anchor: str | None = None

    @model_validator(mode="after")
    def _one_limit(self) -> GroupPart:
        if sum(limit is not None for limit in (self.at_most_different, self.at_most, self.anchor)) > 1:
            raise ValueError("a group has one limit")
        return self


class ChangePart(BaseModel):
    """From which level to which, of one card; of a group from off to on or back."""

    model_config = ConfigDict(**_STRICT, validate_by_name=True, validate_by_alias=True)

    list: str
    card: Line = ""
    group: str = ""
    before: State = Field(alias="from")
    after: State = Field(alias="to")
    why: Line = ""

    @model_validator(mode="after")
    def _one_target(self) -> ChangePart:
        if bool(self.card) == bool(self.group):
            raise ValueError("a change is of one card or of one group")
        switched = [isinstance(value, str) for value in (self.before, self.after)]
        if any(switched) != all(switched) or any(switched) != bool(self.group):
            raise ValueError("a card goes from a level to a level, a group from off to on or from on to off")
        return self


class AnnouncementPart(BaseModel):
    """A message to the players: made at a moment, effective from a day in the time zone of each list."""

    model_config = _STRICT

    id: Key
    made: Moment
    effective: Effective
    kind: Kind = "change"
    target: str = ""
    supersedes: str = ""
    waiver: Line = ""
    author: Line = ""
    source: Line = ""
    changes: Many[ChangePart] = ()

    @model_validator(mode="after")
    def _hangs_together(self) -> AnnouncementPart:
        if (self.kind == "change") == bool(self.target):
            raise ValueError("a withdrawal and a correction name their target, a change has none")
        if (self.kind == "withdrawal") == bool(self.changes):
            raise ValueError("a change and a correction have changes, a withdrawal has none")
        if self.supersedes and self.kind != "change":
            raise ValueError("only a change supersedes another")
        return self


class BanFile(BaseModel):
    """The ban lists of a game, and their announcements in the order in which they were made; `note` says whose."""

    model_config = _STRICT

    note: str = ""
    lists: dict[Key, ListPart] = {}
    levels: dict[Annotated[str, Field(pattern=r"^[1-9][0-9]?$")], LevelPart] = {}
    groups: dict[Key, GroupPart] = {}
    window: Annotated[tuple[Level, Level], Strict(False)] = (3, 14)
    announcements: Many[AnnouncementPart] = ()

    @model_validator(mode="after")
    def _possible_window(self) -> BanFile:
        if self.window[0] > self.window[1]:
            raise ValueError("the window goes from the fewest days of notice to the most")
        return self


class ReadBans(NamedTuple):
    """What a file says of ban lists, where its announcements, changes and groups stand, and what was wrong."""

    log: Log
    places: Places
    findings: list[Finding]


def read_bans(file: Path | BinaryIO) -> ReadBans:
    """A file with lists, levels, groups and announcements, with a list of announcements, or with a single one.

    An id that stands twice is the finding `ban_duplicate`, and the first of the two is in the log. Raises
    InputError where the file cannot be read.
    """
    document, findings = load(file)
    if document is None:
        return ReadBans(Log(), {}, findings)
    document = _several(document)
    try:
        ban_file = BanFile.model_validate(document.value or {})
    except ValidationError as fault:
        return ReadBans(Log(), {}, [*findings, *pydantic_findings(fault, document, BanFile)])
    plain = ban_file.model_dump(by_alias=True, exclude_none=False)
    announcements = tuple(map(announcement_of, plain["announcements"]))
    log = log_of(plain, tuple({each.id: each for each in reversed(announcements)}.values())[::-1])
    places = _places(announcements, log, document)
    findings += [*_repeated(ban_file, document), *out_of_order(announcements, places)]
    findings += control_characters((text, document.place(path)) for path, text in texts_of(document.value))
    return ReadBans(log, places, findings)


def _several(document: Document) -> Document:
    """The document as one with announcements, where it is a list of them or a single one."""
    value = document.value
    head: tuple[str | int, ...] = ("announcements",)
    if isinstance(value, dict) and "id" in value:
        head, value = (*head, 0), [value]
    elif not isinstance(value, list):
        return document
    places = {head[:1]: document.place(()), **{(*head, *path): place for path, place in document.places.items()}}
    return Document({"announcements": value}, places)


def _places(announcements: Sequence[Announcement], log: Log, document: Document) -> Places:
    places: dict[tuple[str | int, ...], Place] = {("group", key): document.place(("groups", key)) for key in log.groups}
    for number, announcement in enumerate(announcements):
        path: tuple[str | int, ...] = ("announcements", number)
        places.setdefault((announcement.id,), document.place(path))
        for at in range(len(announcement.changes)):
            places.setdefault((announcement.id, at), document.place((*path, "changes", at)))
    return places


def _repeated(ban_file: BanFile, document: Document) -> Iterator[Finding]:
    first: dict[str, int] = {}
    for number, announcement in enumerate(ban_file.announcements):
        before = first.setdefault(announcement.id, number)
        if before != number:
            places = [document.place(("announcements", at, "id")) for at in (number, before)]
            message = f"the id {announcement.id} stands twice, first in line {places[1].line}"
            yield error("ban_duplicate", message, *places, fix="Give one of the two another id.")
