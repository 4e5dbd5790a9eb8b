"""Rule sheets of games, credits of pictures and the handbook: as files, as web pages, and a search through them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

from carddb.app.cards.search import search
from carddb.app.games.new_project import evening_games
from carddb.app.workspace.clock import creation, today
from carddb.app.workspace.day_cards import with_options
from carddb.app.workspace.published_folder import PrintedFile, write_folder
from carddb.app.workspace.words import WordSearch
from carddb.app.workspace.workspace import Workspace
from carddb.core import assets
from carddb.core.cache import LruCache
from carddb.core.errors import InputError, UsageError
from carddb.core.files import file_state
from carddb.core.plain_text import amount
from carddb.findings import Finding, counts, has_errors
from carddb.games import folders
from carddb.layout.documents.blocks import Document, contents, plain
from carddb.layout.stock import paper_size
from carddb.paint.documents.pdf import Binding, Book, booklet_room
from carddb.press.bans.notice import card_figures
from carddb.press.bans.pictures import card_pictures
from carddb.press.documents.credits import PictureCredit, credits_document, picture_credits, uncredited
from carddb.press.documents.figures import Games
from carddb.press.documents.guide import Guide, Voice, guide_document, print_guide, read_guide
from carddb.press.documents.handbook import chapter_html, handbook_html, handbook_pdf, read_book, read_handbook
from carddb.press.faces.workshop import fonts_of, open_workshop

KINDS = ("pdf", "html")
PAPERS = ("letter", "a4")
_FIRST_PAGE = "index.html"
"""The page that links to all others; it is written last."""


@dataclass(frozen=True, slots=True)
class HandbookFiles:
    """The handbook as `{name: bytes}`, empty if it has errors: one PDF, or web pages that only link to each other."""

    project: Workspace
    files: dict[str, bytes]
    summary: str
    """One line about the contents."""
    findings: tuple[Finding, ...] = ()
    pages: int = 0
    """The number of pages of a PDF; 0 for web pages."""

    def write(self, path: Path | str) -> None:
        """Writes the PDF to a file, or the web pages into a folder, removing pages of an earlier handbook from it.

        Pages are written in an order in which no link is ever broken. Raises OutputError if a file cannot be written.
        """
        if self.pages:
            self.project.write(Path(path), *self.files.values())
        elif self.files:
            write_folder(self.project, Path(path), self.files, (_FIRST_PAGE,))


def print_handbook(project: Workspace, kind: str = "pdf", paper: str = "letter") -> HandbookFiles:
    """Returns the handbook, with figures drawn from the games that come with carddb; see `Project.handbook`."""
    _check_form(kind, paper, "the handbook")
    with project.working("setting the handbook"), _shown_games(project) as games:
        handbook = read_handbook(assets.handbook(), games)
        if has_errors(handbook.findings):
            return HandbookFiles(project, {}, "nothing was written: correct the chapters first", handbook.findings)
        if kind == "pdf":
            data, pages = handbook_pdf(handbook, paper, creation(None))
            return HandbookFiles(project, {"handbook.pdf": data}, amount(pages, "page"), handbook.findings, pages)
        files = dict(handbook_html(handbook))
        return HandbookFiles(project, files, amount(len(files), "web page"), handbook.findings)


@contextmanager
def _shown_games(project: Workspace) -> Iterator[Games]:
    """Yields a function that returns the games of the handbook's figures; its first call makes the example game."""
    with TemporaryDirectory() as place:
        yield cache(lambda: {**{key: project.game(key) for key in folders()}, **evening_games(Path(place))})


def game_credits(project: Workspace, key: str, on: date | None = None) -> list[PictureCredit]:
    """Returns the credits of the pictures of a game's cards on a day. Raises UsageError for an unknown game."""
    game = project.game(key)
    return picture_credits(game.spec, search(project, "", key, on or today()), project.picture_folders(game))


def print_credits(
    project: Workspace, key: str, kind: str = "pdf", paper: str = "letter", on: date | None = None
) -> PrintedFile:
    """Returns the credits of a game's pictures as `pdf` or `html`, with a warning for each picture that lacks a credit.

    Raises UsageError for an unknown game, kind or paper, InputError if no card has a picture.
    """
    _check_form(kind, paper, "a credits sheet")
    game, credits = project.game(key), game_credits(project, key, on)
    if not credits:
        raise InputError(f"no card of {game.spec.name} has a picture", "Name pictures in the column art of card files.")
    pictures = card_pictures(open_workshop(game, (), project.art_folder), [credit.cards[0] for credit in credits])
    figures = card_figures(pictures, fonts_of(game, game.spec.language), width=15)
    guide = Guide(credits_document(game.spec, credits, pictures), (), figures)
    sheet = print_guide(game, guide, kind, paper, creation(on))
    findings = (*uncredited(credits), *sheet.findings)
    summary = amount(len(credits), "picture")
    return PrintedFile(sheet.data, sheet.pages, findings=findings, summary=summary, project=project)


def _check_form(kind: str, paper: str, what: str) -> None:
    """Raises UsageError unless `kind` is a file type and `paper` a size for documents; `what` names the document."""
    if kind not in KINDS:
        raise UsageError(f"{what} cannot be written as {kind!r}", "Name a file that ends in .pdf or .html.")
    if paper not in PAPERS:
        raise UsageError(f"{what} cannot be printed on {paper}", f"Choose one of {', '.join(PAPERS)}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSheetFile(PrintedFile):
    """A rule sheet as a file, with the document from which it was made."""

    game: str
    kind: str
    guide: Guide
    options: Mapping[str, Any]
    """The options that differ from the game's defaults, with their values."""

    def to_json(self, file: str) -> dict[str, Any]:
        """Returns what `guide --json` shows."""
        document = self.guide.document
        return {
            "schema": "carddb.guide/1",
            "game": self.game,
            "title": document.title,
            "file": file if self.data else None,
            "format": self.kind,
            "pages": self.pages,
            "fingerprint": document.fingerprint,
            "sections": [section.title for section in document.sections if section.heading],
            "rules": self.guide.rules,
            "options": dict(self.options),
            "counts": counts(self.findings),
            "findings": [finding.to_json() for finding in self.findings],
        }


def print_rule_sheet(
    project: Workspace, key: str, kind: str, paper: str, lang: str, options: Mapping[str, Any] = MappingProxyType({}),
    on: date | None = None, binding: Binding = "none", *, voice: Voice = "rulebook",
) -> RuleSheetFile:  # fmt: skip
    """Returns the rule sheet of a game as `pdf` or `html`, in the language `lang`; for `voice` see `Project.guide`.

    `options` are house readings of the rules, which the sheet describes. `on` is the date of creation in a PDF; without
    it, a PDF is the same on every day. `binding` makes it a `booklet`, or a sheet that tests how booklets are printed
    (`booklet-test`). If the text has errors, the file is empty. Raises UsageError for options that exclude each other.
    """
    _check_form(kind, paper, "a rule sheet")
    if kind == "html" and binding != "none":
        raise UsageError("only a PDF can be a booklet", "Name a file that ends in .pdf.")
    summary = voice == "summary"
    if voice == "reference" and binding == "booklet":
        raise UsageError("a booklet has no margin for the ids of rules", "Leave --reference or --booklet out.")
    if summary and options:
        raise UsageError("a summary has no house readings of the rules", "Leave --option out.")
    with project.recording() as notices:
        game, changed = with_options(project, project.game(key), options)
        file = game.folder.guide_in(lang, summary=summary)
        project.protect(file)
        if game.spec.is_foreign(lang) and file in game.folder.own_guides:
            message = f"there is no rule sheet in {lang} ({file.stem}.{lang}.md), so it is in {game.spec.language}"
            project.notify("not_translated", message)
        room = booklet_room(paper_size(paper)) if binding == "booklet" else None
        guide = read_guide(game, lang, changed, room, voice=voice, for_phones=kind == "html")
        findings, sheet = list(guide.findings), None
        if has_errors(findings):
            project.notify("guide_faulty", f"nothing was written: correct {file} first")
        else:
            with project.working("setting the text"):
                sheet = print_guide(game, guide, kind, paper, creation(on), binding)
            findings += sheet.findings
    pages = sheet.pages if sheet else 0
    on_pages = f" on {amount(pages, 'page')}" if pages else ""
    sentence = f"{amount(len(guide.rules), 'rule')} explained{on_pages}"
    if binding == "booklet":
        sentence += f", {amount(-(-pages // 4), 'sheet')} printed on both sides, turned over the short edge, to fold"
    elif binding == "booklet-test":
        sentence = "one sheet printed on both sides, turned over the short edge, to fold"
    return RuleSheetFile(
        sheet.data if sheet else b"", pages=pages, findings=tuple(findings), notices=tuple(notices),
        summary=sentence, project=project, game=key, kind=kind, guide=guide,
        options={name: game.spec.options[name].default for name in changed},
    )  # fmt: skip


_MOST_SHEETS = 24
"""The most rule sheets kept in memory; a sheet is made again when its files have changed."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A section of a rule sheet or of the handbook, with its lines of text and its anchor on the web page.

    `game` is the key of the game with this rule sheet (empty: the handbook), `file` the file's name without `.md`.
    """

    game: str
    file: str
    document: str
    section: str
    anchor: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage with every search word, and its best line in pieces: pairs of text and whether it is a search word."""

    passage: Passage
    excerpt: list[tuple[str, bool]]


def rule_passages(project: Workspace, key: str) -> list[Passage]:
    """Returns the sections of a game's rule sheet; none if there is no sheet. Raises UsageError for an unknown game."""
    game = project.game(key)
    if not game.folder.guide_file.is_file():
        return []
    return list(_passages(guide_document(game)[0], key))


def handbook_passages() -> list[Passage]:
    """Returns the sections of the handbook."""
    documents = read_book(assets.handbook())[0].documents
    return [passage for document in documents for passage in _passages(document, "")]


def search_passages(passages: Sequence[Passage], words: str) -> list[Hit]:
    """Returns the passages with every word: first those with all in the heading, then those with all in one line."""
    search = WordSearch(words)
    ranked = []
    for passage in passages:
        title = f"{passage.document} {passage.section}"
        if search.fits(" ".join((title, *passage.lines))):
            line = max((passage.section, *passage.lines), key=search.count)
            rank = 0 if search.fits(passage.section) else 1 if search.fits(line) else 2
            ranked.append((rank, Hit(passage, search.excerpt(line))))
    return [hit for _, hit in sorted(ranked, key=lambda entry: entry[0])]


def _passages(document: Document, game: str) -> Iterator[Passage]:
    file = document.file.removesuffix(".md")
    beginning = plain(document.lead)
    if beginning:
        yield Passage(game, file, document.title, "", "", (beginning,))
    for section in document.sections:
        lines = filter(None, (plain(content) for content in contents(section.blocks)))
        yield Passage(game, file, document.title, section.title, section.anchor, tuple(lines))


class Documents:
    """The documents that a web server shows. Each is made when first needed, which takes a second or more."""

    def __init__(self) -> None:
        self._sheets: LruCache[object, bytes] = LruCache(_MOST_SHEETS)
        self._chapters: dict[str, bytes] = {}
        self._passages: dict[str, list[Passage]] = {}

    def rule_sheet(self, project: Workspace, key: str) -> bytes:
        """Returns the rule sheet of a game as a web page. Raises UsageError for an unknown game."""
        folder = project.game(key).folder
        state = tuple(file_state(path) for path in (folder.guide_file, *folder.data_files))
        return self._sheets.get(
            (key, state), lambda: print_rule_sheet(project, key, "html", "letter", "", voice="whole").data
        )

    def handbook(self, project: Workspace, name: str) -> bytes | None:
        """Returns the chapter `name` of the handbook as a web page that includes its figures; None if there is none."""
        if name not in self._chapters:
            with _shown_games(project) as games:
                chapter = chapter_html(self._book, name, games)
            if chapter is None:
                return None
            self._chapters[name] = chapter
        return self._chapters[name]

    @cached_property
    def _book(self) -> Book:
        return read_book(assets.handbook())[0]

    def search(self, project: Workspace, words: str, key: str | None) -> list[Hit]:
        """Returns the sections that contain every word: of the rule sheet of the game `key`, then of the handbook.

        Without `key`, the rule sheets of all games are searched. Raises UsageError for an unknown game.
        """
        keys = [key] if key else [game.key for game in project.all_games()]
        for each in (*keys, ""):  # the handbook has no key
            if each not in self._passages:
                self._passages[each] = rule_passages(project, each) if each else handbook_passages()
        return [hit for each in (*keys, "") for hit in search_passages(self._passages[each], words)]
