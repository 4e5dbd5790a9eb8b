"""A whole publication as files by path: pages, notices, lists, cards, data, feeds and messages that agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from carddb.core.assets import schema
from carddb.core.plain_text import json_bytes
from carddb.findings import Finding
from carddb.layout.documents.blocks import DocumentFonts
from carddb.layout.stock import paper_label, paper_size
from carddb.press.bans.discord import discord
from carddb.press.bans.feed import feeds
from carddb.press.bans.issue import Issue, ListIssue
from carddb.press.bans.json_files import edition_data, upcoming_data
from carddb.press.bans.notice import Paper, card_pdf, list_pdf, notice_pdf
from carddb.press.bans.site import FileLinks, site
from carddb.press.bans.wording import LABEL, TEXT
from carddb.press.faces.workshop import Workshop
from carddb.press.progress import Step, unreported

PAPERS = ("letter", "a4")
_SCHEMAS = ("bans.schema.json", "bans-upcoming.schema.json")
"""What the data is valid by; it comes along."""


@dataclass(frozen=True, slots=True)
class Published:
    """Files by their path in the folder of the publication, and what is wrong with the printed ones."""

    files: dict[str, bytes]
    findings: tuple[Finding, ...]


def publish(
    workshop: Workshop,
    issue: Issue,
    papers: Sequence[str] = PAPERS,
    creation: int = 0,
    base: str = "",
    step: Step = unreported,
) -> Published:
    """Every file of a publication; the same input gives the same bytes.

    `creation` is seconds since 1970, `base` where the folder stands on the web, `step` is called with the name of
    what is made next. Raises UsageError, FontError.
    """
    fonts = DocumentFonts(workshop.kit.book, TEXT, TEXT, LABEL)
    files: dict[str, bytes] = {}
    findings: list[Finding] = []
    for each in issue.lists:
        step(f"the {each.key} list")
        for name, (data, faults) in _printed(fonts, issue, each, papers, creation):
            files[f"{each.folder}/{name}"] = data
            findings += faults
        files |= {f"{each.folder}/{name}": data for name, data in _texts(issue, each, base)}
    step("the pages")
    files |= {name: (schema() / name).read_bytes() for name in _SCHEMAS}
    files |= _pictures(issue)
    files |= site(issue, fonts, {each.key: _offered(each, papers) for each in issue.lists})
    return Published(dict(sorted(files.items())), tuple(findings))


def _printed(
    fonts: DocumentFonts, issue: Issue, each: ListIssue, papers: Sequence[str], creation: int
) -> Iterator[tuple[str, tuple[bytes, list[Finding]]]]:
    """The notice of the newest announcement, the list to hang up, and cards to hand round."""
    publication, window = issue.publication, issue.window
    for paper in papers:
        printed = Paper(fonts, paper, creation, issue.pictures)
        if each.newest:
            yield f"notice-{paper}.pdf", notice_pdf(printed, each.newest, publication, window)
        yield f"list-{paper}.pdf", list_pdf(printed, each.current, publication, window)
        yield f"card-{paper}.pdf", card_pdf(printed, each.current, publication)


def _pictures(issue: Issue) -> dict[str, bytes]:
    """The faces of cards, those of their own pages and the small ones."""
    out: dict[str, bytes] = {}
    for ref, picture in issue.pictures.items():
        out[f"faces/{issue.cards[ref]}.webp"] = picture.data
        out[f"thumbnails/{issue.cards[ref]}.webp"] = picture.small
    return out


def _texts(issue: Issue, each: ListIssue, base: str) -> Iterator[tuple[str, bytes]]:
    """Data, feed and messages."""
    publication = issue.publication
    yield "current.json", json_bytes(edition_data(each.current, publication))
    yield "upcoming.json", json_bytes(upcoming_data(each.ahead, publication))
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
    """What a list's pages offer to take along."""
    kinds = [("Notice to print", "notice")] if each.newest else []
    kinds += [("List to hang up", "list"), ("Cards to hand round", "card")]
    printed = [
        (label, f"PDF, {paper_label(paper_size(paper))}", f"{kind}-{paper}.pdf")
        for label, kind in kinds
        for paper in papers
    ]
    return [*printed, ("Follow the changes", "Atom", "feed.xml"), ("The list as data", "JSON", "current.json")]
