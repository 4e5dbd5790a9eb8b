"""The catalogue of cards: one file, and one transaction per command."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from contextlib import closing, contextmanager
from datetime import date, datetime
from functools import cache, wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Self, TypeVar

from carddb.cards.cards import DOCUMENTS, SAMPLE, Card, Pool, ReadCard, ReadPrinting, ReadTranslation
from carddb.cards.print_history import PrintJob
from carddb.cards.query import Query
from carddb.catalog import load, printings, search
from carddb.catalog.connection import VERSION, Stamp, connect, create, version_of
from carddb.catalog.health import upgrade
from carddb.catalog.load import TranslationResult
from carddb.catalog.printings import PrintingResult
from carddb.catalog.search import DatedCard, LoadResult
from carddb.core.database import guarded, is_there
from carddb.core.errors import CatalogError
from carddb.core.groups import grouped
from carddb.game.game import GameSpec

if TYPE_CHECKING:
    from carddb.bans.lint import KnownCards
    from carddb.bans.log import Log
    from carddb.catalog.announcements import AnnounceResult

_PATIENCE = 5.0

UnfiledEdits = Mapping[str, Mapping[str, tuple[Any, Any]]]
"""Values before and after edits that are in no file, by reference and field; None means no value."""

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


def _method(
    of_connection: Callable[Concatenate[sqlite3.Connection, Given], Answer],
) -> Callable[Concatenate[Catalog, Given], Answer]:
    """Makes a function of a connection a method of `Catalog`, which raises CatalogError if the file is unusable."""

    @wraps(of_connection)
    def method(catalog: Catalog, /, *args: Given.args, **kwargs: Given.kwargs) -> Answer:
        with guarded(catalog.path):
            return of_connection(catalog._connection, *args, **kwargs)

    shown = signature(of_connection)
    first, *others = shown.parameters.values()
    parameters = [first.replace(name="self", annotation=Parameter.empty), *others]
    method.__signature__ = shown.replace(parameters=parameters)  # type: ignore[attr-defined]
    return method


class Catalog:
    """An open catalogue, to be used in a `with`.

    All reads in the block see the same state of the file. Changes are committed when the block ends, and discarded if
    an exception leaves it. `is_new` says that the catalogue was just created. If an older catalogue had to be upgraded,
    `backup` is the path of the copy made before, otherwise None. `keeps_samples` returns whether the sample cards of a
    game stay when the user has loaded others.
    """

    keeps_samples: Callable[[str], bool] = staticmethod(lambda game: False)

    added_after = _method(search.added_after)
    card = _method(search.card)
    cards_of_other_types = _method(search.cards_of_other_types)
    change_days = _method(search.change_days)
    games = _method(search.games)
    history = _method(search.history)
    last_print_day = _method(printings.last_day)
    numbered_print = _method(printings.numbered)
    last_print_job = _method(printings.last)
    older_translations = _method(search.older_translations)
    printing_codes = _method(printings.codes)
    reference_of = _method(printings.card_of_code)
    refs = _method(search.refs)
    sets = _method(search.sets)
    sources = _method(search.sources)
    unfiled_edits = _method(search.unfiled_edits)

    def __init__(self, path: Path, connection: sqlite3.Connection, is_new: bool, backup: Path | None) -> None:
        self.path = path
        self.is_new = is_new
        self.backup = backup
        self._connection = connection
        self._is_writing = is_new

    @classmethod
    def open(cls, path: Path, *, must_exist: bool, timeout: float = _PATIENCE) -> Catalog:
        """Opens a catalogue, or creates it if it is missing and `must_exist` is False.

        An older catalogue is upgraded after it was copied. Waits `timeout` seconds for another program. Raises
        CatalogError if the file is missing, no catalogue, from a newer program, in use, or damaged.
        """
        there_before = is_there(path)
        if must_exist and not there_before:
            raise CatalogError(f"there is no catalogue {path}", "Make one: carddb init, or carddb load FILE.")
        connection = connect(path, timeout)
        try:
            version = version_of(connection, path)
            if not version:
                if must_exist:
                    raise CatalogError(f"{path} is empty: the program that made it never finished", "Delete it.")
                return cls(path, connection, create(connection, path), None)
            backup = upgrade(connection, path) if version < VERSION else None
            with guarded(path):
                connection.execute("BEGIN")
            return cls(path, connection, False, backup)
        except BaseException:
            connection.close()
            if not there_before:
                _remove(path)
            raise

    @classmethod
    def create(cls, path: Path, *, timeout: float = _PATIENCE) -> Catalog:
        """Creates a catalogue. Raises CatalogError if there is one already."""
        if cls.exists(path):
            raise CatalogError(f"there is a catalogue {path} already", "Name another --catalog, or load into this one.")
        return cls.open(path, must_exist=False, timeout=timeout)

    @staticmethod
    def exists(path: Path) -> bool:
        """Returns whether there is a finished catalogue of any version. Raises CatalogError for any other file."""
        if not is_there(path):
            return False
        with closing(connect(path, _PATIENCE)) as connection:
            return version_of(connection, path) > 0

    def to_bytes(self) -> bytes:
        """Returns the whole catalogue, as this connection sees it, as the bytes of a file."""
        with guarded(self.path):
            return self._connection.serialize()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        committed = False
        try:
            if self._connection.in_transaction:
                with guarded(self.path):
                    self._connection.execute("ROLLBACK" if kind else "COMMIT")
            committed = kind is None
        finally:
            self._connection.close()
            if self.is_new and not committed:
                _remove(self.path)

    def load(
        self,
        spec: GameSpec,
        rows: Iterable[ReadCard],
        *,
        day: date,
        sets: Collection[str],
        author: str,
        source: str,
        recorded_at: datetime,
        prune: bool = False,
        dry_run: bool = False,
        new_always: bool = False,
    ) -> LoadResult:
        """Adds and changes cards by reference, all of the rows or none, and returns what changed.

        A new card is in force from the beginning, a change from `day` on; with `new_always`, a field that a card never
        had is in force from the beginning too. `prune` retires the cards of `sets` that are not in the rows.
        `recorded_at` must have a time zone. With `dry_run`, nothing is written, and the result says what would be. Rows
        equal to the catalogue write nothing. Faulty rows become findings; an unusable file raises CatalogError.
        """
        with self._writing(not dry_run):
            rows, stamp = list(rows), Stamp(recorded_at, author, source)
            plan = load.plan(self._connection, spec.key, rows, day, sets, prune)
            if dry_run or not (plan.added or plan.revised):
                return plan.result()
            of_days = grouped(load.backdated(self._connection, spec.key, rows) if new_always else ())
            for on, older in sorted(of_days.items()):
                load.write(self._connection, load.plan(self._connection, spec.key, older, on, sets, False), on, stamp)
            # What was written as in force from the beginning is not written again from `day` on. The result has both.
            rest = load.plan(self._connection, spec.key, rows, day, sets, prune) if of_days else plan
            load.write(self._connection, rest, day, stamp)
        return plan.result()

    def stored_values(self, game: str, *, day: date, to_change: bool) -> Callable[[str], Mapping[str, Any]]:
        """Returns a function from a reference to the card's values on a day, even if retired; none for a new card.

        It reads the values at its first call; with `to_change`, no other program can write from then on.
        """

        @cache
        def states() -> Mapping[str, str]:
            with self._writing(to_change):
                return {state.ref: state.data for state in search.states(self._connection, game, day)}

        def values(ref: str) -> Mapping[str, Any]:
            data = states().get(ref)
            return search.values_of(data) if data else {}

        return values

    def add_print_job(self, job: PrintJob, *, on: date, recorded_at: datetime) -> None:
        """Records a print job of the day `on`; `recorded_at` has a time zone. An unusable file raises CatalogError."""
        with self._writing():
            printings.add(self._connection, job, on, recorded_at)

    def announce(
        self,
        game: str,
        log: Log,
        cards: KnownCards,
        *,
        day: date,
        author: str,
        source: str,
        recorded_at: datetime,
        sample: bool | None = None,
        dry_run: bool = False,
    ) -> AnnounceResult:
        """Adds announcements to a game's ban lists, and `log`'s lists, levels and groups from `day` on, all or nothing.

        The result has every finding; if one is an error, nothing was written. Announcements already in the log are
        skipped. `sample` says whether they are for the game's sample lists. By default, a log with lists is for the
        user's own lists, and a log without lists is for the lists in use. `recorded_at` must have a time zone. Raises
        CatalogError if the catalogue cannot be read or written.
        """
        from carddb.catalog import announcements  # see ban_log

        with self._writing(not dry_run):
            of_samples = sample if sample is not None else not log.lists and self._uses_sample_lists(game)
            result = announcements.plan(announcements.latest(self._connection, game, of_samples), log, cards)
            if not (dry_run or result.refused):
                stamp = Stamp(recorded_at, author, source)
                announcements.write(self._connection, game, of_samples, result, day, stamp)
        return result

    def ban_log(self, game: str, *, day: date = date.max) -> Log:
        """Returns a game's ban lists as defined on `day` (default: the latest definition), with all announcements.

        Empty if the game has none. The sample lists are left out as soon as the user has loaded ban lists, or has
        loaded cards without keeping the sample cards.
        """
        from carddb.catalog import announcements  # 2 ms, not needed to search cards

        with guarded(self.path):
            return announcements.log(self._connection, game, day, self._uses_sample_lists(game))

    def samples_in_use(self, game: str) -> tuple[bool, bool]:
        """Returns whether a game uses its sample cards, and whether it uses its sample ban lists."""
        with guarded(self.path):
            return self._shows_samples(game), self._uses_sample_lists(game)

    def _shows_samples(self, game: str, query: Query | None = None) -> bool:
        """Returns whether sample cards are shown: the query names them, or the user keeps them or has no others."""
        return _names_samples(query) or self.keeps_samples(game) or not search.has_own_cards(self._connection, game)

    def _uses_sample_lists(self, game: str) -> bool:
        """Returns whether a game uses its sample ban lists, because it has no others and its sample cards are shown."""
        return not search.has_terms(self._connection, game, sample=False) and self._shows_samples(game)

    @contextmanager
    def _writing(self, to_write: bool = True) -> Iterator[None]:
        """Turns a failure of the file into CatalogError. With `to_write`, nobody else can write from now on."""
        with guarded(self.path):
            if to_write and not self._is_writing:
                self._connection.execute("COMMIT")
                self._connection.execute("BEGIN IMMEDIATE")
                self._is_writing = True
            yield

    def search(
        self, spec: GameSpec, query: Query | None = None, *, day: date, with_sample: bool | None = None, lang: str = ""
    ) -> list[Card]:
        """Returns the cards in force on a day that match `query` (None: all), in natural order by set and reference.

        The set `sample` is left out as soon as the game has another set, unless the query names it or the samples are
        kept; `with_sample` overrides this. With `lang`, the cards are in that language as far as they are translated.
        """
        with guarded(self.path):
            words = self._words(spec, lang, day)
            return [card for card, _ in self._hits(spec, day, query, with_sample, words=words)]

    def _hits(
        self, spec: GameSpec, day: date, query: Query | None, samples: bool | None = None, **more: Any
    ) -> list[tuple[Card, DatedCard]]:
        """Returns the cards that match. Sample cards that are kept give way to the user's of the same type and name."""
        if samples is None:
            samples = self._shows_samples(spec.key, query)
            if self.keeps_samples(spec.key) and not _names_samples(query):
                more["giving_way"] = (SAMPLE, DOCUMENTS)
        return search.hits(self._connection, spec, day, query, samples, **more)

    def pool(self, spec: GameSpec, *, day: date, query: Query | None = None, with_sample: bool | None = None) -> Pool:
        """Returns the cards that `search` finds, as a pool."""
        return Pool(self.search(spec, query, day=day, with_sample=with_sample))

    def mentioned(self, spec: GameSpec, words: Set[str], *, day: date) -> list[Card]:
        """Returns the cards in force whose reference, or name in any language, is among `words`."""
        cards = self.search(spec, day=day)
        return [card for card in cards if not words.isdisjoint((card.ref, card.name, *card.translated_names))]

    def given(self, spec: GameSpec, query: Query | None = None, *, day: date) -> list[tuple[str, Mapping[str, Any]]]:
        """Returns the reference and the values, without the game's defaults, of each card that `search` finds."""
        with guarded(self.path):
            hits = self._hits(spec, day, query)
        return [(card.ref, search.values_of(state.data)) for card, state in hits]

    def load_printings(
        self, game: str, rows: Iterable[ReadPrinting], *, author: str, source: str, recorded_at: datetime,
        new_cards: Collection[str] = (), prune: bool = False, dry_run: bool = False,
    ) -> PrintingResult:  # fmt: skip
        """Adds and changes printings by code, all of the rows or none, and returns what changed.

        Rows may name `new_cards`, which a dry run has not stored. `prune` retires the printings in the rows' sets that
        no row has. Faulty rows become findings; an unusable file raises CatalogError.
        """
        with self._writing(not dry_run):
            refs = search.refs(self._connection, game) | set(new_cards)
            result = printings.plan(self._connection, game, rows, refs, prune)
            if not (dry_run or result.refused):
                printings.write(self._connection, game, result.changes, Stamp(recorded_at, author, source))
        return result

    def load_translations(
        self, game: str, rows: Iterable[ReadTranslation], *, day: date, author: str, source: str,
        recorded_at: datetime, new_cards: Collection[str] = (), dry_run: bool = False,
    ) -> TranslationResult:  # fmt: skip
        """Adds and changes translated values of cards, all of the rows or none, and returns what changed.

        A card's first translation into a language is in force from the beginning, a change from `day` on. Rows may name
        `new_cards`, which a dry run has not stored. Faulty rows become findings; an unusable file raises CatalogError.
        """
        with self._writing(not dry_run):
            refs = search.refs(self._connection, game) | set(new_cards)
            result = load.plan_translations(self._connection, game, rows, day, refs)
            if result.changes and not (dry_run or result.refused):
                load.write_translations(self._connection, game, result.changes, day, Stamp(recorded_at, author, source))
        return result

    def translations(self, spec: GameSpec, lang: str, *, day: date) -> dict[str, dict[str, Any]]:
        """Returns the translated values of a game's cards on a day, by reference; empty for the game's own language."""
        with guarded(self.path):
            return self._words(spec, lang, day) or {}

    def _words(self, spec: GameSpec, lang: str, day: date) -> dict[str, dict[str, Any]] | None:
        """Returns the translated values of cards, by reference; None for the game's own language."""
        if not spec.is_foreign(lang):
            return None
        return search.words(self._connection, spec.key, lang, day, spec.translatable)

    def revision_hash(self, game: str, day: date) -> str:
        """Returns ten hex digits of SHA-256 over the cards shown on a day, equal for equal cards."""
        with guarded(self.path):
            return search.revision_hash(self._connection, game, day, self._shows_samples(game))


def _names_samples(query: Query | None) -> bool:
    """Returns whether a query names the set of sample cards."""
    return query is not None and ("set", SAMPLE) in query.texts()


def _remove(path: Path) -> None:
    """Removes the file of a failed creation, unless another program has finished the catalogue meanwhile."""
    try:
        if not Catalog.exists(path):
            path.unlink(missing_ok=True)
    except CatalogError:
        return
