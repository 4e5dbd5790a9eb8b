"""Reading `bans.yaml`, or a file with announcements, into a log of ban lists, with all faults."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from carddb.bans.lint import Places, expanded, out_of_order
from carddb.bans.log import Announcement, Log, announcement_of, log_of
from carddb.core.files import folder_of, read_file
from carddb.findings import Finding, Place, error
from carddb.read.documents.located_document import MAX_BYTES, LocatedDocument, dotted_value, load, parse
from carddb.read.source import control_characters, decode, texts_of

if TYPE_CHECKING:
    from carddb.read.documents.ban_parts import BanFile, SnapshotsPart

FILE = "bans.yaml"


class ReadBans(NamedTuple):
    """The ban lists of a file, the places of its announcements, changes and groups, and the findings about it."""

    log: Log
    places: Places
    findings: list[Finding]


def read_bans(file: Path | BinaryIO) -> ReadBans:
    """Returns the ban lists of a file that has lists, levels, groups and announcements, or only announcements.

    Of announcements with one id, the log has the first; `ban_duplicate` names the other. Raises InputError.
    """
    document, findings = load(file)
    if document is None:
        return ReadBans(Log(), {}, findings)
    document = _several(document)
    from carddb.read.documents.ban_parts import ban_file_of  # Pydantic, 40 ms, only needed to read ban lists

    ban_file, faults = ban_file_of(document)
    if ban_file and ban_file.snapshots:
        document, more = _with_snapshots(document, ban_file.lists, ban_file.snapshots, folder_of(file) or Path())
        findings += more
        ban_file, faults = ban_file_of(document)
    if ban_file is None:
        return ReadBans(Log(), {}, [*findings, *faults])
    plain = ban_file.model_dump(by_alias=True, exclude_none=False)
    plain["groups"] = {key: group.plain for key, group in ban_file.groups.items()}
    announcements = tuple(map(announcement_of, plain["announcements"]))
    log = log_of(plain, tuple({each.id: each for each in reversed(announcements)}.values())[::-1])
    if log.lists:
        log = log._replace(announcements=expanded(log._replace(announcements=()), log.announcements))
    places = _places(announcements, log, document)
    findings += [*_repeated(ban_file, document), *out_of_order(announcements, places)]
    findings += control_characters((text, document.place(path)) for path, text in texts_of(document.value))
    return ReadBans(log, places, findings)


def _several(document: LocatedDocument) -> LocatedDocument:
    """Returns the document; a list of announcements, or a single one, is put under the key `announcements`."""
    value = document.value
    head: tuple[str | int, ...] = ("announcements",)
    if isinstance(value, dict) and "id" in value:
        head, value = (*head, 0), [value]
    elif not isinstance(value, list):
        return document
    places = {head[:1]: document.place(()), **{(*head, *path): place for path, place in document.places.items()}}
    return LocatedDocument({"announcements": value}, places)


def _with_snapshots(
    document: LocatedDocument, lists: Collection[str], part: SnapshotsPart, folder: Path
) -> tuple[LocatedDocument, list[Finding]]:
    """Returns a document with an announcement for each snapshot of another database, in order of their days.

    The files are those in `folder` that `part` names. Faults of the files are findings.
    """
    announcements: list[tuple[dict[str, Any], Place]] = []
    paths, findings = sorted(path for path in folder.glob(part.files) if path.is_file()), list[Finding]()
    if not paths:
        message = f"no file in {folder} matches {part.files}"
        findings.append(error("document_invalid", message, document.place(("snapshots", "files"))))
    for path in paths:
        text, faults = decode(read_file(path, MAX_BYTES, folder), str(path))
        whole, more = parse(text, str(path)) if text is not None else (None, [])
        findings += [*faults, *more]
        several = whole is not None and isinstance(whole.value, list)
        for number, item in enumerate(whole.value if whole and several else [whole.value] if whole else []):
            of_list = part.list if part.list in lists else dotted_value(item, part.list)
            if whole and of_list in lists:
                cards = {
                    str(card): level
                    for key, level in reversed(part.levels.items())
                    if isinstance(refs := dotted_value(item, key), list)
                    for card in refs
                }
                value = {"id": dotted_value(item, part.id), "effective": dotted_value(item, part.effective)}
                place = whole.place((number,) if several else ())
                announcements.append(({**value, "replaces": {of_list: {"cards": cards}}}, place))
    announcements.sort(key=lambda each: str(each[0]["effective"]))
    before = list(document.value.get("announcements") or [])
    places: Places = {("announcements", number): place for number, (_, place) in enumerate(announcements, len(before))}
    value = {**document.value, "announcements": [*before, *(value for value, _ in announcements)]}
    start: Places = {("announcements",): document.place(("snapshots",))}
    return LocatedDocument(value, {**start, **document.places, **places}), findings


def _places(announcements: Sequence[Announcement], log: Log, document: LocatedDocument) -> Places:
    places: dict[tuple[str | int, ...], Place] = {
        **{("group", key): document.place(("groups", key)) for key in log.groups},
        **{("list", key): document.place(("lists", key)) for key in log.lists},
    }
    for number, announcement in enumerate(announcements):
        path: tuple[str | int, ...] = ("announcements", number)
        places.setdefault((announcement.id,), document.place(path))
        for at in range(len(announcement.changes)):
            places.setdefault((announcement.id, at), document.place((*path, "changes", at)))
    return places


def _repeated(ban_file: BanFile, document: LocatedDocument) -> Iterator[Finding]:
    first: dict[str, int] = {}
    for number, announcement in enumerate(ban_file.announcements):
        before = first.setdefault(announcement.id, number)
        if before != number:
            places = [document.place(("announcements", at, "id")) for at in (number, before)]
            message = f"the id {announcement.id} is used twice, first in line {places[1].line}"
            yield error("ban_duplicate", message, *places, fix="Give one of the two announcements another id.")
