"""The open tables of a web server: limited in number and age, with a link that cannot be guessed for each seat."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from secrets import compare_digest, token_hex, token_urlsafe
from tempfile import TemporaryDirectory
from typing import Any

from carddb.app.decks.check import read_deck
from carddb.app.decks.odds import hand_sizes
from carddb.app.tables.file import TableFile, front_of
from carddb.app.workspace.clock import today
from carddb.app.workspace.workspace import Workspace, root_of
from carddb.core.cache import LruCache
from carddb.core.errors import CarddbError, InputError, UsageError
from carddb.core.files import read_inside, write_file
from carddb.core.groups import grouped
from carddb.games import Game
from carddb.play.playtest.front import PLAYTEST
from carddb.play.playtest.session import DeckLine, SeatDeck, seat_deck
from carddb.play.table.front import SAVE_EXISTS, Front

MOST_TABLES = 64
DAY = 86_400.0
"""The time, in seconds, that a table stays open without a move."""
WATCHER = ""
"""The seat of a spectator, who sees what all players see, and has the links of all seats."""
_SECRET_BYTES = 24
_LINK = re.compile(r"([0-9a-f]{12})-([A-Za-z0-9_-]{32})")
_MOST_REMARKS = 40
MOST_BYTES = 2_000_000
"""The largest saved session, in bytes, of a table that does not belong to a project."""
_MOST_FILES = 8
"""The most sessions kept in memory."""


class UnknownTable(CarddbError):
    """Raised for a link whose table does not exist or was closed."""

    def __init__(self) -> None:
        remedy = "The table may have been closed after a day without a move. Begin a new table."
        super().__init__("this link does not lead to an open table", remedy)


class TooManyTables(CarddbError):
    """Raised if no further table can be opened."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A message to a seat: why an action was refused (with its code and rule ids), or that an action was undone.

    `after` is the number of actions in the log when the message was sent.
    """

    after: int
    text: str
    code: str = ""
    rules: tuple[str, ...] = ()
    action: str = ""


@dataclass(frozen=True, slots=True)
class OpenTable:
    """An open table: its kind (the verb of a `Front`), its game, the path of its session, and the secret of each seat.

    `is_own` means that the session belongs to a project, and stays when the table is closed. `stamp` is a secret key
    for `mark`; without a key, hidden cards could be guessed from it. `remarks` are the messages to each seat.
    """

    name: str
    kind: str
    game: str
    path: Path
    is_own: bool
    seats: Mapping[str, str]
    stamp: str
    remarks: Mapping[str, Sequence[Remark]] = field(default_factory=dict)

    def link(self, seat: str) -> str:
        """Returns the last part of a seat's address, which contains its secret."""
        return f"{self.name}-{self.seats[seat]}"

    def mark(self, text: str) -> str:
        """Returns a short digest of the text of a session, by which a page knows whether the table has changed."""
        return hmac.new(self.stamp.encode(), text.encode(), hashlib.sha256).hexdigest()[:24]


class Tables:
    """The open tables whose data are stored in one folder."""

    def __init__(self, folder: Path, most: int = MOST_TABLES) -> None:
        self.folder = folder
        self.most = most
        self.files: LruCache[Path, TableFile[Any]] = LruCache(_MOST_FILES)
        """The files of the sessions in memory, by path."""

    def make_room(self) -> None:
        """Closes old tables. Raises TooManyTables if no further table can be opened even then."""
        self.close_old()
        if len(list(self.folder.glob("*.table"))) >= self.most:
            problem = f"{self.most} tables are open, the most that this server allows"
            raise TooManyTables(problem, "Try again later, or play on your own machine.")

    def lay(self, kind: str, game: str, seats: Sequence[str], path: Path, is_own: bool) -> OpenTable:
        """Opens a table for the session in `path`, or returns it if open. Raises TooManyTables."""
        for table in self.all():
            if table.path == path and table.kind == kind and set(table.seats) == set(seats):
                return table
        self.make_room()
        secrets = {seat: token_urlsafe(_SECRET_BYTES) for seat in seats}
        table = OpenTable(token_hex(6), kind, game, path, is_own, secrets, token_hex(16))
        self.keep(table)
        return table

    def find(self, link: str) -> tuple[OpenTable, str]:
        """Returns the table and the seat of a link. Raises UnknownTable if the link is invalid."""
        self.close_old()
        match = _LINK.fullmatch(link)
        table = self._read(self._entry(match[1])) if match else None
        if match and table:
            for seat, secret in table.seats.items():
                if compare_digest(secret, match[2]):
                    return table, seat
        raise UnknownTable

    def all(self) -> Iterator[OpenTable]:
        """Yields every open table, the newest first."""
        entries = sorted(self.folder.glob("*.table"), key=_time, reverse=True)
        return (table for entry in entries if (table := self._read(entry)))

    def keep(self, table: OpenTable) -> None:
        """Stores the data of a table. For `close_old`, this counts as a move."""
        values = {**asdict(table), "path": str(table.path)}
        write_file(self._entry(table.name), json.dumps(values).encode(), durable=False)

    def remark(self, table: OpenTable, remark: Remark, *seats: str) -> None:
        """Stores a message to some seats of a table."""
        remarks = {seat: [*table.remarks.get(seat, ()), remark][-_MOST_REMARKS:] for seat in seats}
        self.keep(replace(table, remarks={**table.remarks, **remarks}))

    def touch(self, table: OpenTable) -> None:
        """Notes that a move was made at a table now."""
        with suppress(OSError):
            os.utime(self._entry(table.name))

    def close(self, table: OpenTable) -> None:
        """Closes a table, and deletes its session unless it belongs to a project."""
        with suppress(OSError):
            self._entry(table.name).unlink()
        if not table.is_own:
            with suppress(OSError):
                table.path.unlink()
        self.files.pop(table.path)

    def close_old(self) -> None:
        """Closes the tables at which no move was made for a day."""
        before = time.time() - DAY
        for entry in self.folder.glob("*.table"):
            if _time(entry) < before and (table := self._read(entry)):
                self.close(table)

    def _entry(self, name: str) -> Path:
        return self.folder / f"{name}.table"

    def _read(self, entry: Path) -> OpenTable | None:
        """Returns the table that is stored in a file; None if it was closed in the meantime."""
        try:
            data = json.loads(entry.read_text("utf-8"))
        except (OSError, ValueError):
            return None
        remarks = {
            seat: [Remark(**{**remark, "rules": tuple(remark["rules"])}) for remark in listed]
            for seat, listed in data["remarks"].items()
        }
        return OpenTable(**{**data, "path": Path(data["path"]), "remarks": remarks})


def _time(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


MOST_DECKS = 4


class TableBeginnings:
    """Starts tables for a project. If `own`, the server is the user's own, and tables may use files of the project."""

    def __init__(self, project: Workspace, tables: Tables, own: bool) -> None:
        self.project = project
        self.tables = tables
        self.own = own

    def fronts(self) -> dict[str, tuple[Front[Any], Game]]:
        """Returns the games that have a table, as `{verb: (front, game)}`."""
        found = ((front_of(game), game) for game in self.project.all_games())
        return {front.verb: (front, game) for front, game in found if front is not None}

    def of_game(self, kind: str, values: Mapping[str, Any], save: str = "", force: bool = False) -> OpenTable:
        """Starts a game's table as `playtest` does; `values` are the parameters of its `Front`, with decks as texts."""
        front, game = self.fronts()[kind]
        kinds = {each.key: each.kind for each in front.begin.parameters}

        def work(file: TableFile[Any]) -> None:
            fields = dict(values)
            with TemporaryDirectory() as folder:
                for key, value in values.items():
                    if kinds[key] == "cards":
                        fields[key] = (_written(Path(folder), value),) if value.strip() else ()
                    elif kinds[key] == "save":
                        fields[key] = self._path(value)
                file.begin(fields, force)

        return self._laid(front, game, work, save, force)

    def playtest(
        self, decks: Sequence[str], names: Sequence[str] = (), seed: int | None = None, save: str = "",
        force: bool = False,
    ) -> OpenTable:  # fmt: skip
        """Starts a playtest table with a deck for each seat, all of one game. Cards that are unknown only have a name.

        `names` are the names of the players; a seat with an empty name is named after its deck. Without `seed`, a
        random one is drawn. `save` is the name of a session file in the project; if it is empty, the server stores the
        session in a file of its own. Raises UsageError for decks of several games, and for an existing file unless
        `force` is given; InputError for a deck without cards; TooManyTables.
        """
        if not 1 <= len(decks) <= MOST_DECKS:
            raise UsageError(f"a table has 1 to {MOST_DECKS} decks, not {len(decks)}", "Choose a deck for each seat.")
        game, seats = _seat_decks(self.project, decks, names)
        values = {"seats": seats, "seed": seed}
        return self._laid(PLAYTEST, game, lambda file: file.begin(values, force), save, force)

    def of_save(self, text: str) -> OpenTable:
        """Opens a table from the text of a saved session, and stores it in a new file on the server.

        Raises InputError if the text is not a saved session or is too large, and TooManyTables.
        """
        front, key = self._front_of_save(text)
        if len(text.encode()) > MOST_BYTES:
            problem = f"this saved table has more than {MOST_BYTES // 1_000_000} MB, the most allowed here"
            raise InputError(problem, "Go on with it on your own machine.")
        game = self.project.game(key)
        return self._laid(front, game, lambda file: write_file(file.path, text.encode()))

    def of_project(self, name: str) -> OpenTable:
        """Opens a table for a session file in the project. Raises InputError if it is missing, and TooManyTables."""
        path = self._path(name)
        if not path.is_file():
            raise InputError(f"the project has no saved table {name}", "Choose another one, or begin a new table.")
        front, key = self._front_of_save(self._text(path))
        return self._opened(front, self.project.game(key), path, own=True)

    def saves(self) -> list[tuple[str, Front[Any]]]:
        """Returns the session files in the project's folder, as pairs of the file's name and the `Front` of its game.

        A playtest is listed even if its game is missing; only opening it reports this.
        """
        listed = []
        for path in sorted(root_of(self.project).glob("*.json")) if self.own else ():
            try:
                listed.append((path.name, self._front_of_save(self._text(path))[0]))
            except (CarddbError, OSError):
                continue
        return listed

    def closed(self, saves: Iterable[tuple[str, Front[Any]]]) -> list[tuple[str, Front[Any]]]:
        """Returns those of `saves` for which no table is open."""
        open_saves = {(table.path, table.kind) for table in self.tables.all()}
        return [(name, front) for name, front in saves if (root_of(self.project) / name, front.verb) not in open_saves]

    def _path(self, name: str) -> Path:
        """Returns the path of a session file in the project. Raises UsageError if `name` is not that of a JSON file."""
        if not self.own or Path(name).name != name or not name.endswith(".json"):
            raise UsageError(f"{name!r} cannot be the name of a saved table", "Write a name such as solo.json.")
        return root_of(self.project) / name

    def _text(self, path: Path) -> str:
        """Returns the text of a file in the project's folder. Raises InputError if the file cannot be read."""
        return read_inside(root_of(self.project), path, MOST_BYTES).decode("utf-8", "replace")

    def _front_of_save(self, text: str) -> tuple[Front[Any], str]:
        """Returns the `Front` and the key of the game of a saved session. Raises InputError for any other text."""
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
        raise InputError("this is not a saved table", "Choose a file in which a table was saved, such as solo.json.")

    def _laid(
        self, front: Front[Any], game: Game, work: Callable[[TableFile[Any]], object], save: str = "",
        force: bool = False,
    ) -> OpenTable:  # fmt: skip
        """Starts a table. `work` writes its session to a file: `save` in the project, or one in the server's folder."""
        self.tables.make_room()
        path = self._path(save) if save else self.tables.folder / f"{token_hex(6)}.json"
        if path.exists() and not force:
            raise UsageError(*(text.format(path=path.name) for text in SAVE_EXISTS))
        work(TableFile(self.project, path, game, front, self.own))
        return self._opened(front, game, path, own=bool(save))

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
    """Writes a player's cards to a file, and returns its path: a deck if they begin like one, else a CSV table."""
    is_list = cards.lstrip().startswith(("# carddb", "Name:", "Game:", "Format:", "##"))
    path = folder / f"cards.{'deck' if is_list else 'csv'}"
    path.write_text(cards.replace("\r\n", "\n"), "utf-8")
    return path


def _seat_decks(project: Workspace, decks: Sequence[str], players: Sequence[str]) -> tuple[Game, list[SeatDeck]]:
    """Returns the game of some decks, and the deck of each seat. Raises UsageError for decks of several games."""
    reads = [read_deck(project, text if "\n" in text else f"{text}\n", None, today()) for text in decks]
    games = {read.game.key: read.game for read in reads}
    if len(games) > 1:
        raise UsageError(f"these decks are of several games: {', '.join(games)}", "Choose decks of one game.")
    game, seats, names = reads[0].game, list[SeatDeck](), list[str]()
    for number, read in enumerate(reads, 1):
        sections = grouped(
            (each.section, DeckLine(ref=each.card.ref if each.card else "", name=each.name, count=each.count))
            for each in read.deck.entries
        )
        if not sections:
            remedy = "Paste a deck with cards, or choose one from the list."
            raise InputError(f"the deck of seat {number} has no cards", remedy, read.findings)
        name = players[number - 1] if number <= len(players) else ""
        name = (name or read.deck.headers.get("player") or read.deck.name or f"Seat {number}")[:60]
        names.append(name if name not in names else f"{name} ({number})")
        hands = [(section, count) for section, count, _ in hand_sizes(project, read)]
        seats.append(seat_deck(game.spec, names[-1], sections, hands))
    return game, seats
