"""A whole publication as files by path: pages, notices, lists, cards, JSON, feeds and chat messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import PurePosixPath
from typing import Any

from carddb.bans.edition import Edition, LevelChange, ListedGroup
from carddb.bans.log import stated
from carddb.core.assets import schema
from carddb.core.dates import moment_text
from carddb.core.plain_text import json_bytes
from carddb.findings import Finding
from carddb.games.opening.folder import COVER
from carddb.layout.documents.blocks import DocumentFonts
from carddb.layout.stock import paper_label, paper_size
from carddb.paint.documents.pdf import PdfResources
from carddb.paint.documents.pieces import NO_FIGURES, Figures
from carddb.press import Step, unreported
from carddb.press.bans.discord import discord
from carddb.press.bans.issue import Issue, ListIssue
from carddb.press.bans.notice import Printed, card_pdf, list_pdf, notice_pdf
from carddb.press.bans.pictures import sign_figures
from carddb.press.bans.site import FileLinks, feeds, site
from carddb.press.bans.wording import Publication, list_title
from carddb.press.faces.workshop import Workshop, families_of

SCHEMA = "carddb.bans/1"


def edition_data(edition: Edition, publication: Publication) -> dict[str, Any]:
    """Returns an edition as JSON data: the list on the edition's day, and the announcement if it is about one."""
    game = publication.game
    return {
        "schema": SCHEMA,
        "game": {"key": game.key, "name": game.name},
        "list": stated(edition.list),
        "sample": publication.sample,
        "note": publication.note or None,
        "day": edition.day.isoformat(),
        "known_at": moment_text(edition.known_at) if edition.known_at else None,
        "fingerprint": edition.fingerprint,
        "previous": edition.previous or None,
        "until": edition.until.isoformat() if edition.until else None,
        "levels": [stated(level) for level in edition.levels],
        "cards": [
            {"ref": row.ref, "name": row.name, "level": row.level, "since": row.since.isoformat(),
             "announcement": row.announcement, "why": row.why}
            for row in edition.rows
        ],
        "groups": [_group(group) for group in edition.in_force],
        "announcement": _news(edition),
    }  # fmt: skip


def _group(group: ListedGroup) -> dict[str, Any]:
    spec = group.spec
    return {
        "key": spec.key,
        "members": [member._asdict() for member in group.members],
        "at_most_different": spec.at_most_different,
        "at_most": spec.at_most,
        "anchor": spec.anchor,
        **({"max_copies": spec.max_copies} if spec.max_copies is not None else {}),
        **({"query": spec.query} if spec.query else {}),
        "since": group.since.isoformat(),
        "announcement": group.announcement,
        "why": group.why,
    }


def _news(edition: Edition) -> dict[str, Any] | None:
    news = edition.news
    if news is None:
        return None
    announcement = news.announcement
    return {
        "id": announcement.id,
        "kind": announcement.kind,
        "made": moment_text(announcement.made) if announcement.made_known else None,
        "effective": announcement.effective.isoformat(),
        "notice_days": news.notice if announcement.made_known else None,
        "due": news.due,
        "target": announcement.target or None,
        "supersedes": announcement.supersedes or None,
        "waiver": announcement.waiver or None,
        "author": announcement.author or None,
        "source": announcement.source or None,
        "stricter": [_step(step) for step in news.stricter],
        "softer": [_step(step) for step in news.softer],
        "groups": [
            {"key": group.spec.key, "to": "off" if group.ended else "on", "why": group.why, **_moves(group)}
            for group in edition.groups
            if group.is_news
        ],
        "answers": [{"kind": kind, "id": id_} for kind, id_ in news.answers],
        "overtakes": list(news.overtakes),
        "overtaken_by": list(news.overtaken_by),
    }


def _moves(group: ListedGroup) -> dict[str, Any]:
    """Returns the members that `joined` and `left` a group, as JSON data without empty lists."""
    moves = {"joined": group.joined, "left": group.left}
    return {key: [member._asdict() for member in members] for key, members in moves.items() if members}


def _step(step: LevelChange) -> dict[str, Any]:
    return {"ref": step.ref, "name": step.name, "from": step.before, "to": step.after, "why": step.why}


PAPERS = ("letter", "a4")
_SCHEMAS = ("bans.schema.json", "bans-upcoming.schema.json")
"""The JSON schemas of the data, which are published with it."""


@dataclass(frozen=True, slots=True)
class Published:
    """The published files by path, the findings about the PDF files, and the day of the publication."""

    files: dict[str, bytes]
    findings: tuple[Finding, ...]
    on: date

    @property
    def entrances(self) -> list[str]:
        """The files where readers begin: the index page of each list, the index of all lists, then the feeds."""
        indexes = [path for path in self.files if PurePosixPath(path).name == "index.html"]
        feeds = [path for path in self.files if PurePosixPath(path).name == "feed.xml"]
        return [*sorted(indexes, key=lambda path: -path.count("/")), *feeds]


def publish(
    workshop: Workshop,
    issue: Issue,
    papers: Sequence[str] = PAPERS,
    creation: int = 0,
    base: str = "",
    step: Step = unreported,
    home: str = "",
) -> Published:
    """Returns all files of a publication; the same input gives the same bytes.

    `creation` is the time of creation in seconds since 1970, `base` the URL of the published folder, and `home` the
    address of the game's page relative to that folder. `step` is called before each part is made, with the part's name.
    Raises UsageError for unknown paper, FontError if a font is missing.
    """
    fonts = DocumentFonts(workshop.kit.book, *families_of(workshop.game.spec))
    files: dict[str, bytes] = {}
    findings: list[Finding] = []
    sign = sign_figures(workshop) if papers else NO_FIGURES
    for each in issue.lists:
        step(f"the {list_title(each.current)}")
        for name, (data, faults) in _printed(fonts, issue, each, papers, creation, sign):
            files[f"{each.folder}/{name}"] = data
            findings += faults
        files |= {f"{each.folder}/{name}": data for name, data in _texts(issue, each, base)}
    step("the pages")
    files |= {name: (schema() / name).read_bytes() for name in _SCHEMAS}
    files |= {f"faces/{issue.cards[ref]}.webp": picture.data for ref, picture in issue.pictures.items()}
    files |= {f"thumbnails/{issue.cards[ref]}.webp": picture.small for ref, picture in issue.pictures.items()}
    cover = home.replace("index.html", COVER) if workshop.game.folder.has_cover else ""
    files |= site(issue, fonts, {each.key: _offered(each, papers) for each in issue.lists}, home, cover)
    return Published(dict(sorted(files.items())), tuple(findings), issue.day)


def _printed(
    fonts: DocumentFonts, issue: Issue, each: ListIssue, papers: Sequence[str], creation: int, sign: Figures
) -> Iterator[tuple[str, Printed]]:
    """Yields the notice, the list and the cards for each paper, as (file name, (PDF, findings))."""
    publication, pictures = issue.publication, issue.pictures
    for paper in papers:
        size = paper_size(paper)
        printing = PdfResources(fonts, size, paper_label(size), creation, sign)
        if each.newest:
            yield f"notice-{paper}.pdf", notice_pdf(printing, pictures, each.newest, publication)
        yield f"list-{paper}.pdf", list_pdf(printing, pictures, each.current, publication)
        yield f"card-{paper}.pdf", card_pdf(printing, each.current, publication)


def _texts(issue: Issue, each: ListIssue, base: str) -> Iterator[tuple[str, bytes]]:
    """Yields the JSON data, the chat messages and the feed of a list, by file name."""
    publication = issue.publication
    yield "current.json", json_bytes(edition_data(each.current, publication))
    upcoming = [edition_data(edition, publication) for edition in each.ahead]
    yield "upcoming.json", json_bytes({"schema": f"{SCHEMA}-upcoming", "days": upcoming})
    for edition in each.history:
        yield f"history/{edition.day}.json", json_bytes(edition_data(edition, publication))
    for edition in each.announced:
        name = each.page(edition)
        yield f"announcements/{name}.json", json_bytes(edition_data(edition, publication))
        parts = discord(edition, publication)
        for number, part in enumerate(parts, start=1):
            yield f"discord/{name}-{number:0{len(str(len(parts)))}}.txt", f"{part}\n".encode("utf-8", "replace")
    yield from feeds(each, publication, f"{base.rstrip('/')}/{each.folder}/" if base else "")


def _offered(each: ListIssue, papers: Sequence[str]) -> FileLinks:
    """Returns the files that the web pages of a list offer for download."""
    kinds = [("Notice to print", "notice")] if each.newest else []
    kinds += [("List to hang up", "list"), ("Cards to hand round", "card")]
    printed = [
        (label, f"PDF, {paper_label(paper_size(paper))}", f"{kind}-{paper}.pdf")
        for label, kind in kinds
        for paper in papers
    ]
    return [*printed, ("Follow the changes", "Atom", "feed.xml"), ("The list as data", "JSON", "current.json")]
