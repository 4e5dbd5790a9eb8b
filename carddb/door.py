"""The interface for scripts: `Project` has a method for everything that carddb does.

A method calls the use case in `carddb.app`, and imports it when it is called, so that a script that checks a deck does
not wait for the modules that draw cards. A relative path is looked for in the working folder, and then in the project's
folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypedDict, TypeVar, Unpack

from carddb.app.workspace.clock import to_day, to_start
from carddb.app.workspace.words import notebook
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Card
from carddb.core.errors import UsageError
from carddb.core.options import refuse_unknown

if TYPE_CHECKING:
    from carddb.app.bans.lists import BanList
    from carddb.app.cards.load import LoadReport
    from carddb.app.decks.check import CheckRequest, DeckSource, Report
    from carddb.app.decks.check_many import Reports
    from carddb.app.decks.help import DeckProposal
    from carddb.app.decks.meta import Meta
    from carddb.app.decks.odds import DeckOdds, DeckStatistics
    from carddb.app.documents import HandbookFiles
    from carddb.app.events.rounds import CheckedIn, Paired
    from carddb.app.printing.changes import ChangeReport
    from carddb.app.printing.online_table import Program
    from carddb.app.printing.options import PaperOptions
    from carddb.app.printing.sheet_job import PrintResult
    from carddb.app.workspace.published_folder import PrintedFile
    from carddb.deck.help.statistics import DeckDifference
    from carddb.layout.box import Style
    from carddb.press.documents.guide import Voice

_Source = TypeVar("_Source")

MOST_SHOWN = 24
"""The number of faces of a search that a notebook shows; the other cards are only counted."""


class ProjectCard(Card):
    """A card that knows its project. It equals the `Card` of the same values, and a notebook shows it as its front."""

    project: Workspace

    @classmethod
    def of(cls, project: Workspace, card: Card) -> Self:
        own = cls(*card)
        own.project = project
        return own

    def svg(self) -> bytes:
        """Returns the front as one SVG file. Raises TemplateError or FontError if it cannot be drawn."""
        from carddb.app.cards.faces import front_svg

        return front_svg(self.project, self)

    def _repr_html_(self) -> str:
        return notebook("face", self)


class CardList(list[ProjectCard]):
    """The cards that a search finds, sorted by game, set and reference. A notebook shows them as their fronts."""

    def _repr_html_(self) -> str:
        """Returns the fronts of the first cards as HTML, and how many cards there are."""
        return notebook("faces", self, MOST_SHOWN)


class CheckOptions(TypedDict, total=False):
    """The options by which `fix`, `fill` and `meta` check a deck; they mean the same as in `Project.check`."""

    game: str | None
    format: str | Path | Mapping[str, Any] | None
    on: date | str | None
    editions: Sequence[str]
    options: Mapping[str, Any] | None


class HandOptions(TypedDict, total=False):
    """The options for dealing hands; they mean the same as in `carddb.app.decks.odds.HandRequest`."""

    draws: Sequence[int]
    section: str | None
    hand: int | None
    keep: Sequence[str]
    redraws: int | None
    games: int
    seed: int


class Project(Workspace):
    """A project: a folder with its settings, the games that it can use, and its catalogue.

    carddb looks for `carddb.toml` in `folder` and in the folders above it. `catalog` is the path of the catalogue; if
    it is given, the file must exist, except for loading. Without `catalog` the path comes from CARDDB_CATALOG, from the
    settings, or is `carddb.db` in the folder, and a missing catalogue is made with the sample cards. `games` are
    folders of further games; the `rules.py` in them may run.
    """

    def cards(
        self, query: str = "", *, game: str | None = None, on: date | str | None = None, lang: str = ""
    ) -> CardList:
        """Returns the cards that `query` finds on the day `on` (default: today), with texts in the language `lang`.

        Searches `game`, or else every game that has the fields of the query. Raises QueryError with the position of the
        character that cannot be read, UsageError for an unknown game.
        """
        from carddb.app.cards.search import search

        return CardList(ProjectCard.of(self, card) for card in search(self, query, game, to_day(on), lang))

    def card(self, ref: str, *, game: str | None = None, on: date | str | None = None, lang: str = "") -> ProjectCard:
        """Returns the card with the reference, printing code or name `ref`, with its texts in the language `lang`.

        Raises UsageError if there is no such card, or if several cards have this name.
        """
        from carddb.app.cards.search import find

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
        """Checks whether a deck may be played, and returns every finding at once.

        `deck` is a path, a text with at least one newline, or a `Deck`; for a folder or a list, a list of reports is
        returned. `format` is a key of the game, a file, or the filters of a custom format. Changes that forbid the deck
        by the day `event` give warnings. Days are dates or texts such as `2026-06-20`. Raises InputError if a single
        deck cannot be read, UsageError for an unknown game, format, edition or option.
        """
        from carddb.app.decks import check, check_many

        request = self._check_request(event, game=game, on=on, format=format, editions=editions, options=options)
        source = self._local(deck)
        if check.is_single(source):
            return check.check_deck(self, source, request)
        return check_many.check_decks(self, source, request)

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
        keep_samples: bool = False,
        joins: Sequence[str] = (),
    ) -> LoadReport:
        """Loads card files and ban lists into the catalogue.

        Each file is stored whole, or not at all if it has an error. A path may be a folder, which means all card files
        in it, or an https address.

        `on` is the day from which changes are in force (default: today); with "always", fields that a card never had
        are in force on all days. `columns` maps headings of card files to the fields that they mean. `joins` are second
        files, such as `packs.json:code=pack_code`: a row whose `code` is the `pack_code` of a card has further values
        of this card, under headings such as `packs.name`. If a file has no column or key for a field, the cards keep
        their value of it; they also keep edits that were made in the studio and are in no file, unless `force` is
        given. With `lang` the files are translations into that language, as is a file whose name ends with a language,
        such as `cards.ja.csv`. The game's samples are no longer used once there are own cards, unless `keep_samples` is
        given once. Raises InputError, CatalogError, and UsageError for an unknown field.
        """
        from carddb.app.cards import load

        fields = dict(columns or {})
        request = load.LoadRequest(
            game, set, to_start(on), fields, prune, dry_run, force, lang=lang, keep_samples=keep_samples,
            joins=load.read_joins(joins, self._local),
        )  # fmt: skip
        return load.load_files(self, load.load_sources(map(self._local, paths)), request)

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
        """Prints sheets of deck files, of cards given by reference, and of the cards of one query, as PDF.

        The result holds the same bytes as the file that `carddb sheets` writes with these options; `.write(path)`
        writes it and remembers what was printed. A deck that is not legal is only printed with `allow_illegal`, and
        faces with errors only with `allow_faults`; otherwise `.data` is empty and `.findings` give the reasons. With
        `playset` each card of the query is printed as many times as its printing says. If `processes` is above 1, that
        many worker processes draw. With `colour="cmyk"` the PDF is PDF/X for the printing press whose colour profile
        is the file `icc`. Raises UsageError for an invalid parameter, InputError if a file cannot be read,
        TemplateError or FontError if a face cannot be drawn.
        """
        from carddb.app.printing.sheet_job import PrintRequest, print_sheets

        check = self._check_request(game=game, on=on, format=format, editions=editions, options=options)
        chosen, pages = [str(self._local(part)) for part in selection], self._paper(paper)
        return print_sheets(self, PrintRequest(chosen, check, pages, allow_illegal, allow_faults, playset, processes))

    def changes(
        self,
        query: str = "",
        *,
        since: date | str = "print",
        until: date | str | None = None,
        game: str | None = None,
        guide: Path | str | None = None,
    ) -> ChangeReport:
        """Returns what changed in the cards of `query` from the state `since` to the state `until` (default: today).

        A state is a day, `print` (the last one), `print:3`, or an exported card file. `.changes` are the cards with
        their changed fields, `.notes` also what to print again, `.page()` is a web page, and `.errata()` prints the
        fronts that look different. `guide` is an earlier rule sheet to compare with. Raises UsageError for an invalid
        day or game, InputError if a file cannot be read, QueryError.
        """
        from carddb.app.printing.changes import ChangeRequest, changes

        earlier = Path(self._local(guide)) if guide else None
        request = ChangeRequest(query, game, str(self._local(str(since))), str(self._local(str(until or ""))), earlier)
        return changes(self, request)

    def order(
        self,
        profile: str,
        *selection: str | Path,
        game: str | None = None,
        on: date | str | None = None,
        format: str | Path | None = None,
        editions: Sequence[str] = (),
        options: Mapping[str, Any] | None = None,
        allow_illegal: bool = False,
        allow_faults: bool = False,
        **paper: Unpack[PaperOptions],
    ) -> PrintedFile:
        """Returns an order of cards for a print shop: its PDF, or a ZIP of pictures with files that help to order them.

        `profile` is the key of a shop's card, such as `mpc-poker` or `drivethru-poker`. The selection and the refusals
        are those of `sheets`. Raises UsageError for options that the shop refuses, InputError if a file cannot be read.
        """
        from carddb.app.printing import card_images, sheet_job

        check = self._check_request(game=game, on=on, format=format, editions=editions, options=options)
        chosen, pages = [str(self._local(part)) for part in selection], self._paper(paper)
        request = sheet_job.PrintRequest(chosen, check, pages, allow_illegal, allow_faults)
        return card_images.order_file(self, profile, request)

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
        """Prints what a game needs besides its cards, such as counters: everything, or the components in `names`.

        `deck` is a deck file, whose module is used too, or a name for a title card. `module` is a module's id or file,
        and `values` choose variants, such as `{"n": "6"}`. With `contents`, page 1 lists the components. `options` are
        house readings of the rules. Raises UsageError for an unknown game, component or option.
        """
        from carddb.app.printing.component_prints import ComponentRequest, print_game_components

        request = ComponentRequest(game, names, players, deck, module, dict(values or {}), contents, options or {})
        return print_game_components(self, request, to_day(on), self._paper(paper))

    def box(
        self,
        subject: str | Path,
        *,
        style: Style = "tuck",
        stock_thickness: int | str = "0.30mm",
        sleeved: bool = False,
        play: int | str = "1mm",
        cards: int | None = None,
        title: str = "",
        on: date | str | None = None,
        **paper: Unpack[PaperOptions],
    ) -> PrintedFile:
        """Prints a box for a deck, or for the cards of the game with the key `subject`; or dividers for its parts.

        `style` is `tuck`, `two-part` or `dividers`; `play` is the room around the cards. Lengths are in micrometres, or
        texts such as `0.3mm`. Raises UsageError for an unknown game, invalid values, and a box too large for the paper.
        """
        from carddb.app.printing.component_prints import BoxRequest, print_game_box

        source = str(self._local(subject))
        request = BoxRequest(source, style, stock_thickness, sleeved, play, cards, title)
        return print_game_box(self, request, to_day(on), self._paper(paper))

    def table(
        self,
        output: str | Path,
        *names: str | Path,
        program: Program = "plan",
        game: str | None = None,
        paper: str = "a4",
        url: str = "",
        on: date | str | None = None,
    ) -> PrintedFile:
        """Lays out a game, or a deck for each player, on a table, as the file `output` for another program.

        `program` is `plan` for a drawing as PNG or PDF, `tts` for Tabletop Simulator (.json, .zip), or `pcio` for
        playingcards.io (.pcio). The pictures for Tabletop Simulator, which loads them from `url`, are written beside
        `output`. Raises UsageError for an unknown game, decks of several games, and an ending unfit for the program.
        """
        from carddb.app.printing.online_table import TableRequest, table_file

        local = [str(self._local(str(name))) for name in names]
        return table_file(self, TableRequest(local, program, game, paper, url, to_day(on)), Path(output))

    def guide(
        self,
        game: str,
        *,
        kind: str = "pdf",
        paper: str = "letter",
        lang: str = "",
        options: Mapping[str, Any] | None = None,
        on: date | str | None = None,
        voice: Voice = "rulebook",
    ) -> PrintedFile:
        """Returns the rule sheet of a game as `pdf` or `html`.

        `voice` is `rulebook`, without the ids of rules; `reference`, with the ids in the margin; `rulings`, the
        decisions about open rules with the credits; `summary`, one page; or `whole`, everything in one. `options` are
        house readings of the rules, which the sheet then describes. `on` is the date of creation that a PDF contains.
        Raises InputError if the game has no such sheet, UsageError if the options do not fit together.
        """
        from carddb.app.documents import print_rule_sheet

        return print_rule_sheet(self, game, kind, paper, lang, options or {}, to_day(on), voice=voice)

    def credits(
        self, game: str, *, kind: str = "pdf", paper: str = "letter", on: date | str | None = None
    ) -> PrintedFile:
        """Returns the credits of a game's pictures as `pdf` or `html`, with a warning for each picture that has none.

        Raises InputError if no card has a picture.
        """
        from carddb.app.documents import print_credits

        return print_credits(self, game, kind, paper, to_day(on))

    def handbook(self, *, kind: str = "pdf", paper: str = "letter") -> HandbookFiles:
        """Returns the manual of carddb as one `pdf`, or as `html` with a page for each chapter.

        Raises UsageError for another kind or an unknown paper, FontError if a font is missing.
        """
        from carddb.app.documents import print_handbook

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
        """Returns the checked deck list as `pdf`, `txt` or `json`; for many decks, one PDF of all or `only_illegal`."""
        from carddb.app.decks.lists import print_deck_lists

        request = self._check_request(event, game=game, on=on, format=format, editions=editions, options=options)
        return print_deck_lists(self, self._local(deck), request, kind, paper, only_illegal)

    def bans(self, name: str) -> BanList:
        """Returns the ban list called `name`, such as `long` or `cahrd:long`.

        Its `.on(day)` returns its state on a day. Raises UsageError if no game has such a list, or several have one.
        """
        from carddb.app.bans.lists import ban_list

        return ban_list(self, name)

    def judge(self, operation: str, question: Mapping[str, Any], why: bool = False) -> dict[str, Any]:
        """Returns the referee's answer to the `operation`, such as `eg.attack`, with the fields in `question`.

        A refusal is returned as an answer, not raised. With `why` the answer contains the `rules` that it is based on.
        Raises UsageError for an unknown operation.
        """
        from carddb.app.referee import referee

        return referee(self).ask(operation, question, why)

    def fix(self, deck: DeckSource, *, owned: Path | str | None = None, **check: Unpack[CheckOptions]) -> DeckProposal:
        """Returns the smallest change that makes a deck legal, with its steps; a legal deck is returned unchanged.

        `owned` is a file of the cards that the player owns; if it is given, only those are added. The other parameters
        are as in `check`. Raises InputError if the deck cannot be read, UsageError if the request is invalid.
        """
        from carddb.app.decks.help import HelpRequest, fix_deck

        own = Path(self._local(owned)) if owned else None
        return fix_deck(self, self._local(deck), HelpRequest(self._check_request(**check), own))

    def fill(
        self, deck: DeckSource, *, owned: Path | str | None = None, seed: int = 0, **check: Unpack[CheckOptions]
    ) -> DeckProposal:
        """Returns a deck with cards added until it is legal, as `fix` does it. Another `seed` adds other cards."""
        from carddb.app.decks.help import HelpRequest, fill_deck

        own = Path(self._local(owned)) if owned else None
        return fill_deck(self, self._local(deck), HelpRequest(self._check_request(**check), own, seed))

    def diff(
        self, first: DeckSource, second: DeckSource, *, game: str | None = None, on: date | str | None = None
    ) -> DeckDifference:
        """Returns the cards, by section, of which two decks have different numbers of copies.

        Raises InputError if a deck cannot be read, UsageError if they are of different games.
        """
        from carddb.app.decks.help import diff_decks

        return diff_decks(self, self._local(first), self._local(second), game, to_day(on))

    def meta(
        self,
        decks: DeckSource | Sequence[DeckSource],
        *,
        draft: Path | str | None = None,
        **check: Unpack[CheckOptions],
    ) -> Meta:
        """Summarises many decks: how often and in how many copies cards are played, pairs, archetypes, and fixes.

        `draft` is a file of announcements that are not made yet; the result then also says what it would forbid in
        which decks. The other parameters are as in `check`. Raises InputError if no deck can be read, or if the draft
        cannot, UsageError if a parameter is invalid.
        """
        from carddb.app.decks.meta import meta

        announced = Path(self._local(draft)) if draft else None
        return meta(self, self._local(decks), self._check_request(**check), announced)

    def stats(
        self, deck: DeckSource, *, game: str | None = None, on: date | str | None = None, hand: int | None = None
    ) -> DeckStatistics:
        """Returns the statistics of a deck, with exact odds of an opening hand of `hand` cards (default: the game's).

        Raises InputError if the deck cannot be read, UsageError for an unknown game.
        """
        from carddb.app.decks.odds import deck_statistics

        return deck_statistics(self, self._local(deck), game, to_day(on), hand)

    def deck_odds(
        self,
        deck: DeckSource,
        holds: Sequence[str],
        *,
        game: str | None = None,
        on: date | str | None = None,
        **request: Unpack[HandOptions],
    ) -> DeckOdds:
        """Deals many sample hands of a deck, and returns how often they meet the conditions in `holds`.

        A condition is a number and a query, as in `["2 type:event", "0-1 cost>4"]`. Raises InputError if the deck
        cannot be read, QueryError if a query cannot, UsageError for an invalid condition or parameter.
        """
        from carddb.app.decks.odds import HandRequest, deck_odds

        refuse_unknown(request, HandOptions)
        return deck_odds(self, self._local(deck), HandRequest(holds, **request), game, to_day(on))

    def check_in(self, event: str, *names: str) -> list[CheckedIn]:
        """Checks players in by name, and registers new ones. Raises UsageError if the event takes no more players."""
        from carddb.app.events import rounds, tournament

        with tournament.open_event(self, event) as record:
            return rounds.check_in(record, names)

    def pair(self, event: str, again: bool = False) -> Paired:
        """Pairs the next round of an event, or with `again` the present one once more, each match with its reason.

        Raises UsageError if a round has no result yet at a table, or if the tournament is over.
        """
        from carddb.app.events import rounds, tournament

        with tournament.open_event(self, event) as record:
            return rounds.pair(record, again=again)

    def result(self, event: str, table: int, result: str, round: int | None = None) -> list[str]:
        """Enters or corrects the result of a table, such as `2-1`. Returns as sentences what a correction changes.

        `round` is the round, by default the present one. Raises UsageError if the match cannot end so.
        """
        from carddb.app.events import rounds, tournament

        with tournament.open_event(self, event) as record:
            return rounds.enter_result(record, table, rounds.to_result(result), round)

    def standings(self, event: str) -> dict[str, Any]:
        """Returns the JSON of `carddb event standings --json`. Raises UsageError if there is no such event."""
        from carddb.app.events import rounds, tournament

        with tournament.open_event(self, event) as record:
            return rounds.standings_json(record, rounds.tournament_of(record))

    def _check_request(self, event: date | str | None = None, **check: Unpack[CheckOptions]) -> CheckRequest:
        """Returns the request by which a deck is checked. Raises UsageError for an unknown option or an invalid day."""
        from carddb.app.decks.check import CheckRequest

        refuse_unknown(check, CheckOptions)
        editions, options = tuple(check.get("editions", ())), dict(check.get("options") or {})
        on = to_day(check.get("on"))
        return CheckRequest(check.get("game"), check.get("format"), on, to_day(event), editions, options)

    def _paper(self, paper: PaperOptions) -> PaperOptions:
        """Returns options for printing in which a colour profile that is a text has become the path of its file."""
        icc = paper.get("icc")
        return {**paper, "icc": Path(self._local(icc))} if isinstance(icc, str | Path) and icc else paper

    def _local(self, source: _Source) -> _Source | Path:
        if not isinstance(source, str | Path) or "\n" in str(source) or Path(source).exists():
            return source
        path = self.folder / source
        return path if path.exists() else source


def open(folder: Path | str = ".", *, catalog: Path | str | None = None, games: Iterable[Path | str] = ()) -> Project:
    """Returns the project of the nearest `carddb.toml` at or above `folder`.

    Raises UsageError without such a folder.
    """
    project = Project(folder, catalog=catalog, games=games)
    if not project.folder.is_dir():
        raise UsageError(f"there is no folder {folder}", "Name an existing folder.")
    return project
