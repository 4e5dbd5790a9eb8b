"""Tables begun in a front: a solo session, a Battle, a playtest, or any of them from its save."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from secrets import randbelow, token_hex
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from carddb.app.decks.reading import read_deck
from carddb.app.decks.statistics import hand_sizes
from carddb.app.tables.battle import beginning as battle_beginning
from carddb.app.tables.file import TableFile
from carddb.app.tables.kinds import BATTLE, PLAYTEST, SOLO, TableKind, kind_of_save, seats_of
from carddb.app.tables.seat import MOST_BYTES
from carddb.app.tables.solo.beginning import KEY, begin
from carddb.app.tables.tables import OpenTable, Tables
from carddb.app.workspace.clock import today
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import InputError, UsageError
from carddb.core.files import write_file
from carddb.games.rishar.play.fields import Army
from carddb.play.playtest.beginning import new, seat_deck
from carddb.play.playtest.session import DeckLine
from carddb.play.question import Refusal

MOST_DECKS = 4


@dataclass(frozen=True)
class TableRequest:
    """What a table is begun with, whatever is played there.

    `seed` None is by chance. `save` is the name of a save in the project, empty for a table of the front's own; a save
    that is there already stands in the way unless `force`.
    """

    seed: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    save: str = ""
    force: bool = False


class BattleBefore(NamedTuple):
    """The Battle before another: the name of its save, whether it was on another Day, whether Morale is restored."""

    save: str
    new_day: bool = False
    refresh: bool = False


class TableBeginnings:
    """Begins tables for a project; on a front of one's `own` its files may be used."""

    def __init__(self, project: Workspace, tables: Tables, own: bool) -> None:
        self.project = project
        self.tables = tables
        self.own = own

    def solo(self, module: str, cards: str, request: TableRequest) -> OpenTable:
        """A solo session of a module; `cards` are those of the owner, as a table or a deck list; empty: those at hand.

        Raises UsageError, InputError with every fault of the cards, TooManyTables.
        """
        modules = self.project.game(KEY).spec.data["modules"]
        if not self.own and module not in modules:
            raise UsageError(f"there is no module {module!r}", "Choose one of the list.")

        def work(file: TableFile[Any]) -> None:
            with TemporaryDirectory() as folder:
                paths = (_written(Path(folder), cards),) if cards.strip() else ()
                begin(file, module, paths, request.options, request.seed, request.force)

        return self._laid(SOLO, KEY, request, work)

    def battle(
        self, decks: tuple[str, str], first: Army | None, request: TableRequest, before: BattleBefore | None = None
    ) -> OpenTable:
        """A Battle between the armies of two decks, after another one of the project where it is named.

        Raises UsageError, InputError with findings, TooManyTables.
        """
        by = battle_beginning.BattleRequest(request.seed, first, request.options, force=request.force)
        if before is not None:
            by = replace(by, after=self._path(before.save), new_day=before.new_day, refresh=before.refresh)
        return self._laid(BATTLE, battle_beginning.KEY, request, lambda file: battle_beginning.begin(file, decks, by))

    def playtest(self, decks: Sequence[str], request: TableRequest) -> OpenTable:
        """A playtest table with the decks of its seats, all of one game; a card that is unknown lies there as a name.

        Raises UsageError, InputError, TooManyTables.
        """
        if not 1 <= len(decks) <= MOST_DECKS:
            raise UsageError(f"a table has 1 to {MOST_DECKS} seats, not {len(decks)}", "Choose a deck for each.")
        spec, seats = _seat_decks(self.project, decks)
        seed = randbelow(1 << 62) if request.seed is None else request.seed

        def work(file: TableFile[Any]) -> None:
            try:
                session = new(spec, seats, seed)
            except Refusal as refusal:
                raise InputError(file.reason(refusal).partition(": ")[2]) from None
            with file.locked():
                _stands_in_the_way(file.path, request)
                file.save(session)

        return self._laid(PLAYTEST, spec.key, request, work)

    def of_save(self, text: str) -> OpenTable:
        """A table of the front's own that goes on where a save ended. Raises InputError, TooManyTables."""
        kind, game = kind_of_save(text)
        if len(text.encode()) > MOST_BYTES:
            raise InputError("this save is too large", f"A table has at most {MOST_BYTES // 1_000_000} MB.")
        return self._laid(kind, game, TableRequest(), lambda file: write_file(file.path, text.encode()))

    def of_project(self, name: str) -> OpenTable:
        """The table of a save of the project, which stays that file. Raises InputError, TooManyTables."""
        path = self._path(name)
        if not path.is_file():
            raise InputError(f"there is no save {name} in the project", "Begin a table.")
        kind, game = kind_of_save(path.read_text("utf-8", "replace"))
        return self._opened(kind, game, path, own=True)

    def saves(self) -> list[tuple[str, TableKind]]:
        """The saves that lie in the project's folder."""
        listed = []
        for path in sorted(self._folder.glob("*.json")) if self.own else ():
            try:
                listed.append((path.name, kind_of_save(path.read_text("utf-8", "replace"))[0]))
            except (InputError, OSError):
                continue
        return listed

    def closed(self, saves: Iterable[tuple[str, TableKind]]) -> list[tuple[str, TableKind]]:
        """Those of some saves of the project at which no table is open."""
        open_saves = {(table.path, table.kind) for table in self.tables.all()}
        return [(name, kind) for name, kind in saves if (self._folder / name, kind.key) not in open_saves]

    @property
    def _folder(self) -> Path:
        return self.project.settings.root or self.project.folder

    def _path(self, name: str) -> Path:
        """A save of the project by the name of its file. Raises UsageError."""
        if not self.own or Path(name).name != name or not name.endswith(".json"):
            raise UsageError(f"{name!r} is no name of a save", "Write a name such as solo.json.")
        return self._folder / name

    def _laid(
        self, kind: TableKind, game: str, request: TableRequest, work: Callable[[TableFile[Any]], object]
    ) -> OpenTable:
        """A table whose save some work writes; without a name it lies in the front's own folder."""
        self.tables.make_room()
        path = self._path(request.save) if request.save else self.tables.folder / f"{token_hex(6)}.json"
        _stands_in_the_way(path, request)
        work(kind.file(self.project, path, game))
        return self._opened(kind, game, path, own=bool(request.save))

    def _opened(self, kind: TableKind, game: str, path: Path, own: bool) -> OpenTable:
        try:
            session = kind.file(self.project, path, game).load()
            return self.tables.lay(kind.key, game, seats_of(kind, session), path, is_own=own)
        except BaseException:
            if not own:
                path.unlink(missing_ok=True)
            raise


def _stands_in_the_way(path: Path, request: TableRequest) -> None:
    if path.exists() and not request.force:
        raise UsageError(
            f"there is a table in {path.name} already", "Go on with it, or name another under Seed and save."
        )


def _written(folder: Path, cards: str) -> Path:
    """The owner's cards as a file: a deck list by its head, else a table."""
    is_list = cards.lstrip().startswith(("# carddb", "Name:", "Game:", "Format:", "##"))
    path = folder / f"cards.{'deck' if is_list else 'csv'}"
    path.write_text(cards.replace("\r\n", "\n"), "utf-8")
    return path


def _seat_decks(project: Workspace, decks: Sequence[str]) -> tuple[Any, list[Any]]:
    """The game of some decks, and what each brings. Raises UsageError where they are of several games."""
    reads = [read_deck(project, text if "\n" in text else f"{text}\n", None, today()) for text in decks]
    games = {read.game.key: read.game.spec for read in reads}
    if len(games) > 1:
        raise UsageError(f"these decks are of several games: {', '.join(games)}", "Choose decks of one game.")
    spec = reads[0].game.spec
    seats, names = [], list[str]()
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
        seats.append(seat_deck(spec, names[-1], sections, hands))
    return spec, seats
