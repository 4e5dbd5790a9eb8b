"""Tables begun in a front: those that games bring, a playtest, or any of them from its save."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import Any

from carddb.app.decks.check import read_deck
from carddb.app.decks.odds import hand_sizes
from carddb.app.tables.file import TableFile, front_of
from carddb.app.tables.seat import MOST_BYTES
from carddb.app.tables.tables import WATCHER, OpenTable, Tables
from carddb.app.workspace.clock import today
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import CarddbError, InputError, UsageError
from carddb.core.files import read_inside, write_file
from carddb.games import Game
from carddb.play.playtest.front import PLAYTEST
from carddb.play.playtest.session import DeckLine, SeatDeck, seat_deck
from carddb.play.table.front import Front

MOST_DECKS = 4


@dataclass(frozen=True)
class TableRequest:
    """The options of beginning any table.

    `seed` None is by chance. `save` is the name of a save in the project, empty for a table of the front's own; a save
    that is there already stands in the way unless `force`.
    """

    seed: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    save: str = ""
    force: bool = False


class TableBeginnings:
    """Begins tables for a project; on a front of one's `own` its files may be used."""

    def __init__(self, project: Workspace, tables: Tables, own: bool) -> None:
        self.project = project
        self.tables = tables
        self.own = own

    def fronts(self) -> dict[str, tuple[Front[Any], Game]]:
        """The tables that games bring, by the words for them, each with its game."""
        found = ((front_of(game), game) for game in self.project.all_games())
        return {front.verb: (front, game) for front, game in found if front is not None}

    def of_game(self, kind: str, values: Mapping[str, Any], request: TableRequest) -> OpenTable:
        """A table as its game has it; `values` are those that its front declares: decks and cards as texts.

        Raises UsageError, InputError with findings, TooManyTables.
        """
        front, game = self.fronts()[kind]
        kinds = {each.key: each.kind for each in front.begin.parameters}
        said = {"options": request.options, **values}
        given = {"seed": request.seed, **{key: value for key, value in said.items() if key in kinds}}

        def work(file: TableFile[Any]) -> None:
            with TemporaryDirectory() as folder:
                for key, value in given.items():
                    if kinds.get(key) == "cards":
                        given[key] = (_written(Path(folder), value),) if value.strip() else ()
                    elif kinds.get(key) == "save":
                        given[key] = self._path(value) if value else None
                file.begin(given, request.force)

        return self._laid(front, game, request, work)

    def playtest(self, decks: Sequence[str], request: TableRequest) -> OpenTable:
        """A playtest table with the decks of its seats, all of one game; a card that is unknown lies there as a name.

        Raises UsageError, InputError, TooManyTables.
        """
        if not 1 <= len(decks) <= MOST_DECKS:
            raise UsageError(f"a table has 1 to {MOST_DECKS} seats, not {len(decks)}", "Choose a deck for each.")
        game, seats = _seat_decks(self.project, decks)
        values = {"seats": seats, "seed": request.seed}
        return self._laid(PLAYTEST, game, request, lambda file: file.begin(values, request.force))

    def of_save(self, text: str) -> OpenTable:
        """A table of the front's own that goes on where a save ended. Raises InputError, TooManyTables."""
        front, key = self._front_of_save(text)
        if len(text.encode()) > MOST_BYTES:
            raise InputError("this save is too large", f"A table has at most {MOST_BYTES // 1_000_000} MB.")
        game = self.project.game(key)
        return self._laid(front, game, TableRequest(), lambda file: write_file(file.path, text.encode()))

    def of_project(self, name: str) -> OpenTable:
        """The table of a save of the project, which stays that file. Raises InputError, TooManyTables."""
        path = self._path(name)
        if not path.is_file():
            raise InputError(f"there is no save {name} in the project", "Begin a table.")
        front, key = self._front_of_save(self._text(path))
        return self._opened(front, self.project.game(key), path, own=True)

    def saves(self) -> list[tuple[str, Front[Any]]]:
        """Lists the saves in the project's folder; a playtest's too whose game is not there: opening it says so."""
        listed = []
        for path in sorted(self._folder.glob("*.json")) if self.own else ():
            try:
                listed.append((path.name, self._front_of_save(self._text(path))[0]))
            except (CarddbError, OSError):
                continue
        return listed

    def closed(self, saves: Iterable[tuple[str, Front[Any]]]) -> list[tuple[str, Front[Any]]]:
        """Those of some saves of the project at which no table is open."""
        open_saves = {(table.path, table.kind) for table in self.tables.all()}
        return [(name, front) for name, front in saves if (self._folder / name, front.verb) not in open_saves]

    @property
    def _folder(self) -> Path:
        return self.project.settings.root or self.project.folder

    def _text(self, path: Path) -> str:
        """Returns the text of a file of the project's folder. Raises InputError."""
        return read_inside(self._folder, path, MOST_BYTES).decode("utf-8", "replace")

    def _path(self, name: str) -> Path:
        """A save of the project by the name of its file. Raises UsageError."""
        if not self.own or Path(name).name != name or not name.endswith(".json"):
            raise UsageError(f"{name!r} is no name of a save", "Write a name such as solo.json.")
        return self._folder / name

    def _front_of_save(self, text: str) -> tuple[Front[Any], str]:
        """Returns the table that a save is of, and the key of its game. Raises InputError."""
        try:
            data = json.loads(text)
            owner, of = (data.get("game"), data.get("of")) if isinstance(data, dict) else (None, None)
        except (ValueError, RecursionError):
            owner = of = None
        if owner == PLAYTEST.verb and isinstance(of, str):
            return PLAYTEST, of
        if isinstance(owner, str) and owner in self.project.folders:
            front = front_of(self.project.game(owner))
            if front is not None:
                return front, owner
        raise InputError("this is no save of a table", "Take a file that a table was saved in: solo.json, battle.json.")

    def _laid(
        self, front: Front[Any], game: Game, request: TableRequest, work: Callable[[TableFile[Any]], object]
    ) -> OpenTable:
        """A table whose save some work writes; without a name it lies in the front's own folder."""
        self.tables.make_room()
        path = self._path(request.save) if request.save else self.tables.folder / f"{token_hex(6)}.json"
        if path.exists() and not request.force:
            raise UsageError(
                f"there is a table in {path.name} already", "Go on with it, or name another under Seed and save."
            )
        work(TableFile(self.project, path, game, front, self.own))
        return self._opened(front, game, path, own=bool(request.save))

    def _opened(self, front: Front[Any], game: Game, path: Path, own: bool) -> OpenTable:
        try:
            seats = [*front.seats(TableFile(self.project, path, game, front).load())]
            with_watcher = seats if len(seats) == 1 else [WATCHER, *seats]
            return self.tables.lay(front.verb, game.key, with_watcher, path, is_own=own)
        except BaseException:
            if not own:
                path.unlink(missing_ok=True)
            raise


def _written(folder: Path, cards: str) -> Path:
    """The owner's cards as a file: a deck list by its head, else a table."""
    is_list = cards.lstrip().startswith(("# carddb", "Name:", "Game:", "Format:", "##"))
    path = folder / f"cards.{'deck' if is_list else 'csv'}"
    path.write_text(cards.replace("\r\n", "\n"), "utf-8")
    return path


def _seat_decks(project: Workspace, decks: Sequence[str]) -> tuple[Game, list[SeatDeck]]:
    """The game of some decks, and what each brings. Raises UsageError where they are of several games."""
    reads = [read_deck(project, text if "\n" in text else f"{text}\n", None, today()) for text in decks]
    games = {read.game.key: read.game for read in reads}
    if len(games) > 1:
        raise UsageError(f"these decks are of several games: {', '.join(games)}", "Choose decks of one game.")
    game, seats, names = reads[0].game, list[SeatDeck](), list[str]()
    for number, read in enumerate(reads, 1):
        sections: dict[str, list[DeckLine]] = {}
        for entry in read.deck.entries:
            line = DeckLine(ref=entry.card.ref if entry.card else "", name=entry.name, count=entry.count)
            sections.setdefault(entry.section, []).append(line)
        if not sections:
            raise InputError("this deck has no card", "Paste a deck, or choose one.", read.findings)
        name = (read.deck.headers.get("player") or read.deck.name or f"Seat {number}")[:60]
        names.append(name if name not in names else f"{name} ({number})")
        hands = [(section, count) for section, count, _ in hand_sizes(project, read)]
        seats.append(seat_deck(game.spec, names[-1], sections, hands))
    return game, seats
