"""Documents as web pages, set once and kept, and a search through them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from carddb.app.documents.handbook import print_handbook, print_rule_sheet
from carddb.app.workspace.words import WordSearch
from carddb.app.workspace.workspace import Workspace
from carddb.core import assets
from carddb.core.cache import LruCache
from carddb.core.files import file_state
from carddb.layout.documents.blocks import Document, contents, plain
from carddb.press.documents.guide import guide_document
from carddb.press.documents.handbook import read_book

_MOST_SHEETS = 24
"""Rule sheets that are kept, each as its files were."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A section of a document, and its lines of words.

    `game` is the key of the game whose rule sheet it is in, empty for the handbook; `file` the chapter of the handbook;
    `anchor` the place in the page.
    """

    game: str
    file: str
    document: str
    section: str
    anchor: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that has every word, and its best line in pieces: each with whether it is one of the words."""

    passage: Passage
    excerpt: list[tuple[str, bool]]


def rule_passages(project: Workspace, key: str) -> list[Passage]:
    """The sections of the rule sheet of a game; none where it has no rule sheet, or a faulty one. Raises UsageError."""
    game = project.game(key)
    if not game.folder.guide_file.is_file():
        return []
    return list(_passages(guide_document(game)[0], key))


def handbook_passages() -> list[Passage]:
    """The sections of the handbook."""
    documents = read_book(assets.handbook())[0].documents
    return [passage for document in documents for passage in _passages(document, "")]


def search_passages(passages: Sequence[Passage], words: str) -> list[Hit]:
    """The passages that have every word: first those whose heading has them, then those where one line has them."""
    search = WordSearch(words)
    ranked = []
    for at, passage in enumerate(passages):
        title = f"{passage.document} {passage.section}"
        if search.fits(" ".join((title, *passage.lines))):
            line = max((passage.section, *passage.lines), key=search.count)
            rank = 0 if search.fits(passage.section) else 1 if search.fits(line) else 2
            ranked.append((rank, at, Hit(passage, search.excerpt(line))))
    return [hit for _, _, hit in sorted(ranked, key=lambda entry: entry[:2])]


def _passages(document: Document, game: str) -> Iterator[Passage]:
    file = document.file.removesuffix(".md")
    beginning = plain(document.lead)
    if beginning:
        yield Passage(game, file, document.title, "", "", (beginning,))
    for section in document.sections:
        lines = filter(None, (plain(content) for content in contents(section.blocks)))
        yield Passage(game, file, document.title, section.title, section.anchor, tuple(lines))


class Documents:
    """The documents of a front. Setting one takes a second and more, so each is set when it is first asked for."""

    def __init__(self) -> None:
        self._sheets: LruCache[object, bytes] = LruCache(_MOST_SHEETS)
        self._chapters: dict[str, bytes] = {}
        self._passages: dict[str, list[Passage]] = {}

    def rule_sheet(self, project: Workspace, key: str) -> bytes:
        """The rule sheet of a game as a web page. Raises UsageError for an unknown game."""
        folder = project.game(key).folder
        state = tuple(file_state(path) for path in (folder.guide_file, *folder.data_files))
        return self._sheets.get((key, state), lambda: print_rule_sheet(project, key, "html", "letter", "").data)

    def handbook(self, project: Workspace) -> Mapping[str, bytes]:
        """The chapters of the handbook by file name."""
        if not self._chapters:
            self._chapters = dict(print_handbook(project, "html").files)
        return self._chapters

    def search(self, project: Workspace, words: str, key: str | None) -> list[Hit]:
        """The sections that have every word: of the rule sheet of one game or of all, then of the handbook.

        Raises UsageError for an unknown game.
        """
        keys = [key] if key else [game.key for game in project.all_games()]
        for each in (*keys, ""):  # the handbook has no key
            if each not in self._passages:
                self._passages[each] = rule_passages(project, each) if each else handbook_passages()
        return [hit for each in (*keys, "") for hit in search_passages(self._passages[each], words)]
