"""A project: its settings, games and catalogue, and everything that carddb does with them.

This is the application without a terminal. The command line, a script and a page all enter here. What is said on the
way comes back as notices, long work reports its progress to a listener, and what is wrong with data are findings.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import date
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Unpack

from carddb.app.game_places import outside_folders, where_games_are
from carddb.app.notices import NoticeListener, Notices, ProgressListener
from carddb.app.project_decks import DeckWork
from carddb.app.settings import Settings, find_settings
from carddb.errors import GameError, OutputError, UsageError
from carddb.findings import has_errors

if TYPE_CHECKING:
    from carddb.app.ban_lists import BanList
    from carddb.app.card_load import LoadReport
    from carddb.app.day_cards import SharedCards
    from carddb.app.deck_check import DeckSource, Report
    from carddb.app.deck_checks import Reports
    from carddb.app.handbook import HandbookFiles
    from carddb.app.print_files import PrintedFile
    from carddb.app.print_options import PaperOptions
    from carddb.app.project_cards import CardList, ProjectCard
    from carddb.app.sheet_job import PrintResult
    from carddb.catalog.store import Catalog
    from carddb.games import Game, GameFolder

CATALOGUE = "carddb.db"


class Project(DeckWork, Notices):
    """A folder with its settings, the games it can use, and its catalogue.

    `folder` is where `carddb.toml` is looked for, at or above it. `catalog` names the catalogue, which must exist
    then, except for loading; otherwise CARDDB_CATALOG, the settings, or `carddb.db` in the folder say it, and a missing
    one is made with the sample cards. `games` are folders of further games, whose `rules.py` may run.
    """

    def __init__(
        self,
        folder: Path | str = ".",
        *,
        catalog: Path | str | None = None,
        games: Iterable[Path | str] = (),
        on_notice: NoticeListener | None = None,
        on_progress: ProgressListener | None = None,
    ) -> None:
        super().__init__(on_notice, on_progress)
        self.folder = Path(folder)
        self.explicit_catalog = None if catalog is None else Path(catalog)
        self.game_folders = tuple(map(Path, games))
        self.shared_cards: SharedCards | None = None
        """What the requests of a front share; a script reads its cards anew."""
        self._games: dict[str, Game] = {}
        self._sources: list[Path] = []
        self._catalog_seen = False  # one look whether there is a catalogue is enough

    # What a project consists of.

    @cached_property
    def settings(self) -> Settings:
        """What the project file says, or nothing. Raises InputError for a file that cannot be read."""
        return find_settings(self.folder.absolute())

    @property
    def catalog_path(self) -> Path:
        """Where the catalogue is, or will be."""
        explicit = self.explicit_catalog or os.environ.get("CARDDB_CATALOG")
        return Path(explicit) if explicit else self.settings.catalog or self.folder / CATALOGUE

    @property
    def art_folder(self) -> Path:
        """Where pictures of cards are looked for."""
        return self.settings.root or self.folder.absolute()

    def picture_folders(self, game: Game) -> tuple[Path, ...]:
        """Where pictures of a game's cards are looked for: in the project, then in the game's own folder."""
        return game.picture_folders(self.art_folder)

    @cached_property
    def folders(self) -> dict[str, GameFolder]:
        """Every game that can be found, by key. Raises GameError for a folder that is not there."""
        from carddb.games import folders

        return folders(outside_folders(self.settings, self.game_folders))

    def game(self, key: str) -> Game:
        """A game by key. Raises UsageError for an unknown key, GameError with findings where its files are faulty."""
        if key not in self._games:
            from carddb.games import load

            if key not in self.folders:
                raise UsageError(f"there is no game {key!r}", self.where_games_are(key))
            game, findings = load(self.folders[key])
            if game is None or has_errors(findings):
                raise GameError(f"the game {key} cannot be used as it is", "Mend what is listed above.", findings)
            if findings:
                self.notify("game_remarks", "", findings)
            self._games[key] = game
        return self._games[key]

    def where_games_are(self, key: str) -> str:
        """What helps who named a game that there is not."""
        return where_games_are(key, self.folders, self.settings, self.game_folders)

    def use_game(self, game: Game) -> None:
        """Takes a game that was read again in the place of the one before, for every fork of this project too."""
        self._games[game.key] = game

    def all_games(self) -> list[Game]:
        """Every game, loaded."""
        return [self.game(key) for key in self.folders]

    def searched_games(self, key: str | None) -> list[Game]:
        """The game with this key, else the project's, else every game."""
        return [self.only_game(key)] if key or self.settings.game else self.all_games()

    def only_game(self, key: str | None = None) -> Game:
        """The game with this key, else the project's, else the only one there is. Raises UsageError."""
        key = key or self.settings.game
        if key is None and len(self.folders) == 1:
            key = next(iter(self.folders))
        if key is None:
            raise UsageError("which game?", f"Name it with --game: {', '.join(self.folders)}.")
        return self.game(key)

    @contextmanager
    def catalog(self, *, create: bool = False, temporary: bool = False) -> Iterator[Catalog]:
        """The catalogue, open. The default one is made where it is missing; an explicit one only with `create`.

        With `temporary` a missing one is made elsewhere and thrown away. Raises CatalogError.
        """
        from carddb.catalog.store import Catalog

        path = self.catalog_path
        with ExitStack() as stack:
            if not self._catalog_seen and not Catalog.exists(path) and (create or not self.explicit_catalog):
                if temporary:
                    path = Path(stack.enter_context(TemporaryDirectory())) / CATALOGUE
                count = self._create_catalog(path)
                if not temporary:
                    cards = f" with {count} sample cards" if count else ""
                    self.notify("catalogue_made", f"made the catalogue {path}{cards}")
            with Catalog.open(path, must_exist=True) as catalog:
                if catalog.backup:
                    self.notify("catalogue_upgraded", f"brought {path} up to date; the old one is {catalog.backup}")
                self._catalog_seen = not temporary
                yield catalog

    def has_catalog(self) -> bool:
        """Whether there is a catalogue to be read, or one was asked for."""
        from carddb.catalog.store import Catalog

        return bool(self.explicit_catalog) or Catalog.exists(self.catalog_path)

    def _create_catalog(self, path: Path) -> int:
        """Makes a catalogue; the number of its sample cards, which one that was asked for has not."""
        from carddb.app.samples import load_samples
        from carddb.catalog.store import Catalog

        with Catalog.create(path) as catalog:
            return 0 if self.explicit_catalog else load_samples(self, catalog)

    # What is said on the way.

    def fork(self) -> Project:
        """The same project with notices of its own that no listener gets: one for each request of a front.

        Loaded games are shared; the project file is read again.
        """
        project = copy.copy(self)
        project.__dict__.pop("settings", None)
        project.notices, project._sources = [], []
        project._on_notice = project._on_progress = None
        return project

    # Files.

    def protect(self, path: Path) -> None:
        """A file that was read for this and must not be written over."""
        self._sources.append(path)

    def write(self, path: Path, data: bytes | Iterable[bytes], *, durable: bool = True) -> None:
        """Writes a file whole, also one that comes in parts. Raises OutputError, also for a file that was read."""
        from carddb.files import same_file, write_file

        if any(same_file(path, source) for source in (*self._sources, self.catalog_path)):
            raise OutputError(f"{path} was read for this and is not overwritten", "Name another file with -o.")
        write_file(path, data, durable=durable)

    # What carddb does, for a script. Each has its own module, which says more. A relative path is taken from the
    # working folder, and where nothing is there from the project's folder.

    def cards(
        self, query: str = "", *, game: str | None = None, on: date | str | None = None, lang: str = ""
    ) -> CardList:
        """The cards that a query finds on a day (default: today), of one game or of all that the query fits, in `lang`.

        Raises QueryError with the character that cannot be read, UsageError for an unknown game.
        """
        from carddb.app.card_search import search
        from carddb.app.deck_check import to_day
        from carddb.app.project_cards import CardList, ProjectCard

        return CardList(ProjectCard.of(self, card) for card in search(self, query, game, to_day(on), lang))

    def card(self, ref: str, *, game: str | None = None, on: date | str | None = None, lang: str = "") -> ProjectCard:
        """The card with a reference, in `lang`. Raises UsageError where there is none, or several games have it."""
        from carddb.app.card_search import find
        from carddb.app.deck_check import to_day
        from carddb.app.project_cards import ProjectCard

        return ProjectCard.of(self, find(self, ref, game, to_day(on), lang)[1])

    def check(
        self,
        deck: DeckSource | Sequence[DeckSource],
        *,
        game: str | None = None,
        format: str | Path | Mapping[str, Any] | None = None,
        on: date | str | None = None,
        event: date | str | None = None,
        editions: Sequence[str] = (),
        options: Mapping[str, Any] | None = None,
    ) -> Report | Reports:
        """Whether a deck may be played: every finding at once.

        `deck` is a path, a text with at least one newline, or a `Deck`; a folder or a list gives a list of reports.
        `format` is a key of the game, a file, or the filters of a format of one's own. Days are dates or texts as
        `2026-06-20`. Raises InputError where a single deck cannot be read, UsageError for what is not known.
        """
        from carddb.app.deck_check import CheckRequest, check_deck, is_single, to_day
        from carddb.app.deck_checks import check_decks

        request = CheckRequest(game, format, to_day(on), to_day(event), tuple(editions), dict(options or {}))
        source = self._local(deck)
        return check_deck(self, source, request) if is_single(source) else check_decks(self, source, request)

    def load(
        self,
        *paths: Path | str,
        game: str | None = None,
        set: str | None = None,
        on: date | str | None = None,
        columns: Mapping[str, str] | None = None,
        prune: bool = False,
        dry_run: bool = False,
        force: bool = False,
        lang: str = "",
    ) -> LoadReport:
        """Card files and ban lists into the catalogue: all of a file or nothing of it.

        A folder stands for all its card files, an https address for the file there.

        `on` is the day from which changes are in force (default: today), `columns` are headings of card files and the
        fields that they mean. A card keeps the fields for which a file has no column or key, and an edit of the studio
        that stands in no file, unless `force`. With `lang` the files are translations into it, as is one whose name
        ends so, `cards.ja.csv`. Raises InputError, CatalogError, UsageError for an unknown field.
        """
        from carddb.app.card_load import LoadRequest, load_files
        from carddb.app.deck_check import to_day
        from carddb.app.load_sources import load_sources

        request = LoadRequest(game, set, to_day(on), dict(columns or {}), prune, dry_run, force, lang=lang)
        return load_files(self, load_sources(self._local(path) for path in paths), request)

    def sheets(
        self,
        *selection: str | Path,
        game: str | None = None,
        on: date | str | None = None,
        format: str | Path | None = None,
        editions: Sequence[str] = (),
        options: Mapping[str, Any] | None = None,
        allow_illegal: bool = False,
        allow_faults: bool = False,
        playset: bool = False,
        processes: int = 1,
        **paper: Unpack[PaperOptions],
    ) -> PrintResult:
        """Print sheets of deck files, references and one query, as PDF.

        The result holds the same bytes as the file of `carddb sheets` with these options; `.write(path)` writes it
        and remembers what is on paper. A deck that is not legal is not printed, unless `allow_illegal`, nor are faces
        with errors, unless `allow_faults`: `.data` is empty then and `.findings` say why. With `playset` each card of
        the query comes as often as its printing says. `processes` above 1 lets forked workers draw. Raises UsageError,
        InputError, TemplateError, FontError.
        """
        from carddb.app.deck_check import to_day
        from carddb.app.sheet_job import print_sheets

        parts = tuple(str(self._local(part)) for part in selection)
        return print_sheets(
            self, parts, game, to_day(on), format, editions, options or {},
            allow_illegal=allow_illegal, allow_faults=allow_faults, playset=playset, processes=processes, paper=paper,
        )  # fmt: skip

    def components(
        self,
        game: str,
        *names: str,
        on: date | str | None = None,
        players: int | None = None,
        deck: str = "",
        module: str = "",
        values: Mapping[str, str] | None = None,
        contents: bool = True,
        options: Mapping[str, Any] | None = None,
        **paper: Unpack[PaperOptions],
    ) -> PrintedFile:
        """What a game needs besides its cards, all or those named; `options` are own readings. Raises UsageError."""
        from carddb.app.component_prints import ComponentRequest, print_game_components
        from carddb.app.deck_check import to_day

        request = ComponentRequest(game, names, players, deck, module, dict(values or {}), contents, options or {})
        return print_game_components(self, request, to_day(on), paper)

    def guide(
        self,
        game: str,
        *,
        kind: str = "pdf",
        paper: str = "letter",
        lang: str = "",
        options: Mapping[str, Any] | None = None,
        on: date | str | None = None,
    ) -> PrintedFile:
        """The rule sheet of a game as `pdf` or `html`; `options` are the table's own readings, which it tells, `on`
        the day that a PDF names as that of its making.

        Raises InputError, UsageError.
        """
        from carddb.app.deck_check import to_day
        from carddb.app.rule_sheet import print_rule_sheet

        return print_rule_sheet(self, game, kind, paper, lang, options or {}, to_day(on))

    def handbook(self, *, kind: str = "pdf", paper: str = "letter") -> HandbookFiles:
        """The manual of carddb as one `pdf`, or as `html`, a page a chapter. Raises UsageError, FontError."""
        from carddb.app.handbook import print_handbook

        return print_handbook(self, kind, paper)

    def decklist(
        self,
        deck: DeckSource | Sequence[DeckSource],
        *,
        kind: str = "pdf",
        paper: str = "letter",
        game: str | None = None,
        format: str | Path | None = None,
        on: date | str | None = None,
        event: date | str | None = None,
        editions: Sequence[str] = (),
        options: Mapping[str, Any] | None = None,
        only_illegal: bool = False,
    ) -> PrintedFile:
        """The validated deck list as `pdf`, `txt` or `json`; of a folder or a list of decks one PDF."""
        from carddb.app.deck_check import CheckRequest, to_day
        from carddb.app.deck_lists import print_deck_lists

        request = CheckRequest(game, format, to_day(on), to_day(event), tuple(editions), dict(options or {}))
        return print_deck_lists(self, self._local(deck), request, kind, paper, only_illegal)

    def bans(self, name: str) -> BanList:
        """A ban list by its name, such as `long`, or `cahrd:long`; `.on(day)` is how it stands. Raises UsageError."""
        from carddb.app.ban_lists import ban_list

        return ban_list(self, name)

    def judge(self, operation: str, question: Mapping[str, Any], why: bool = False) -> dict[str, Any]:
        """The referee's answer to a question; a refusal is an answer. With `why` it has the `rules` it stands on.

        Raises UsageError for an unknown operation.
        """
        from carddb.app.referee import referee

        return referee(self).ask(operation, question, why)


def open(folder: Path | str = ".", *, catalog: Path | str | None = None, games: Iterable[Path | str] = ()) -> Project:
    """The project of a folder with a `carddb.toml`, found by walking up; see `Project`. Raises InputError."""
    project = Project(folder, catalog=catalog, games=games)
    if not project.folder.is_dir():
        raise UsageError(f"there is no folder {folder}", "Name the folder of a project.")
    return project
