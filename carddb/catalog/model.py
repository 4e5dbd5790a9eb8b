"""The tables of the catalogue, and the SQL that is generated from them.

Table classes do not validate. Therefore everything that is written is first made a record (`carddb.catalog.load`), and
the database's checks repeat the record's. Dates and times are ISO texts; values of cards are canonical JSON.
"""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Index, Integer, Text, UniqueConstraint, text
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable, ExecutableDDLElement
from sqlmodel import Field, SQLModel

from carddb.catalog.connection import APPLICATION_ID, VERSION


def _day(table: str, column: str = "in_force_from") -> CheckConstraint:
    # Without a modifier SQLite returns 2026-02-30 unchanged.
    return CheckConstraint(f"{column} IS date({column}, '+0 days')", name=f"{table}_{column}")


def _moment(table: str, column: str = "recorded_at") -> CheckConstraint:
    as_moment = f"strftime('%Y-%m-%dT%H:%M:%SZ', {column}, '+0 days')"
    return CheckConstraint(f"{column} IS {as_moment}", name=f"{table}_{column}")


def _line(table: str, column: str) -> CheckConstraint:
    one_line = f'instr("{column}", char(10)) = 0 AND instr("{column}", char(13)) = 0'
    return CheckConstraint(f"trim(\"{column}\") <> '' AND {one_line}", name=f"{table}_{column}")


def _object(table: str, column: str) -> CheckConstraint:
    return CheckConstraint(f"json_valid({column}) AND substr({column}, 1, 1) = '{{'", name=f"{table}_{column}")


class CardRow(SQLModel, table=True):
    """A card, in the state that its latest revision gave it.

    `in_force_from` is the day of that revision (NULL: from the beginning). Revisions have the state on earlier days.
    """

    __tablename__ = "card"
    __table_args__ = (
        UniqueConstraint("game", "ref", name="card_once"),
        *(_line("card", column) for column in ("game", "ref", "name", "type", "set")),
        _object("card", "data"),
        CheckConstraint("retired IN (0, 1)", name="card_retired"),
        _day("card"),
        Index("card_by_day", "game", "in_force_from", sqlite_where=text("in_force_from IS NOT NULL")),
        {"sqlite_strict": True},
    )

    game: str = Field(sa_type=Text)
    ref: str = Field(sa_type=Text)
    name: str = Field(sa_type=Text)
    type: str = Field(sa_type=Text)
    set: str = Field(sa_type=Text)
    data: str = Field(sa_type=Text)
    id: int | None = Field(default=None, primary_key=True)
    retired: int = Field(default=0, sa_type=Integer)
    in_force_from: str | None = Field(default=None, sa_type=Text)


class RevisionRow(SQLModel, table=True):
    """A change of one card; rows are added and never changed.

    `changes` is `{field: [old, new]}`, empty without an old state. `data` is the whole new state.
    """

    __tablename__ = "revision"
    __table_args__ = (
        _day("revision"),
        _moment("revision"),
        CheckConstraint("kind IN ('added', 'changed', 'retired', 'restored')", name="revision_kind"),
        CheckConstraint("(kind = 'added') = (in_force_from IS NULL)", name="revision_always"),
        _object("revision", "changes"),
        _object("revision", "data"),
        Index("revision_in_force", "card_id", "in_force_from"),
        Index("revision_first", "card_id", unique=True, sqlite_where=text("in_force_from IS NULL")),
        Index("revision_rename", "card_id", sqlite_where=text("json_type(changes, '$.name') IS NOT NULL")),
        {"sqlite_strict": True},
    )

    kind: str = Field(sa_type=Text)
    in_force_from: str | None = Field(default=None, sa_type=Text)
    recorded_at: str = Field(sa_type=Text)
    author: str = Field(sa_type=Text)
    source: str = Field(sa_type=Text)
    id: int | None = Field(default=None, primary_key=True)
    card_id: int = Field(foreign_key="card.id")
    changes: str = Field(sa_type=Text)
    data: str = Field(sa_type=Text)


class PrintingRow(SQLModel, table=True):
    """A printing of a card: its code, its set, its number there, and its day of release.

    `position`, `released`, `quantity` (copies in a playset), and its own `art`, `flavor` and `artist` may be NULL. A
    `retired` printing no longer counts; time, author and source then are those of its retirement.
    """

    __tablename__ = "printing"
    __table_args__ = (
        UniqueConstraint("game", "code", name="printing_once"),
        *(_line("printing", column) for column in ("game", "code", "set")),
        _day("printing", "released"),
        CheckConstraint("quantity > 0", name="printing_quantity"),
        CheckConstraint("retired IN (0, 1)", name="printing_retired"),
        _moment("printing"),
        Index("printing_of_card", "card_id"),
        {"sqlite_strict": True},
    )

    id: int | None = Field(default=None, primary_key=True)
    game: str = Field(sa_type=Text)
    code: str = Field(sa_type=Text)
    card_id: int = Field(foreign_key="card.id")
    set: str = Field(sa_type=Text)
    position: str | None = Field(default=None, sa_type=Text)
    released: str | None = Field(default=None, sa_type=Text)
    art: str | None = Field(default=None, sa_type=Text)
    quantity: int | None = Field(default=None, sa_type=Integer)
    flavor: str | None = Field(default=None, sa_type=Text)
    artist: str | None = Field(default=None, sa_type=Text)
    retired: int = Field(default=0, sa_type=Integer, sa_column_kwargs={"server_default": text("0")})
    recorded_at: str = Field(sa_type=Text)
    author: str = Field(sa_type=Text)
    source: str = Field(sa_type=Text)


class TranslationRow(SQLModel, table=True):
    """A card's texts in another language from a day on (NULL: from the beginning); rows are added and never changed.

    `data` holds every translated field, none for a withdrawn translation. `name` is a column of its own for decks.
    """

    __tablename__ = "translation"
    __table_args__ = (
        _line("translation", "lang"),
        _line("translation", "name"),
        _day("translation"),
        _moment("translation"),
        _object("translation", "data"),
        Index("translation_in_force", "card_id", "lang", "in_force_from"),
        Index("translation_by_name", "name", sqlite_where=text("name IS NOT NULL")),
        {"sqlite_strict": True},
    )

    id: int | None = Field(default=None, primary_key=True)
    card_id: int = Field(foreign_key="card.id")
    lang: str = Field(sa_type=Text)
    name: str | None = Field(default=None, sa_type=Text)
    in_force_from: str | None = Field(default=None, sa_type=Text)
    recorded_at: str = Field(sa_type=Text)
    author: str = Field(sa_type=Text)
    source: str = Field(sa_type=Text)
    data: str = Field(sa_type=Text)


class PrintJobRow(SQLModel, table=True):
    """A print job: its game, its title, the size of its cards, the day of printing and the time of recording."""

    __tablename__ = "print_job"
    __table_args__ = (
        _line("print_job", "game"),
        _day("print_job", "printed_on"),
        _moment("print_job"),
        Index("print_job_by_title", "game", "size", "title"),
        {"sqlite_strict": True},
    )

    id: int | None = Field(default=None, primary_key=True)
    game: str = Field(sa_type=Text)
    title: str = Field(sa_type=Text)
    size: str = Field(sa_type=Text)
    printed_on: str = Field(sa_type=Text)
    recorded_at: str = Field(sa_type=Text)


class PrintJobCardRow(SQLModel, table=True):
    """A card as it was on paper after a print job: its name then, its copies, and how its two sides looked.

    `front` and `back` are digests of the drawings; `back` is empty if none was printed. A card printed with several
    pictures has a row for each front.
    """

    __tablename__ = "print_job_card"
    __table_args__ = (
        CheckConstraint("copies > 0", name="print_job_card_copies"),
        {"sqlite_strict": True, "sqlite_with_rowid": False},
    )

    print_job_id: int = Field(foreign_key="print_job.id", primary_key=True)
    ref: str = Field(sa_type=Text, primary_key=True)
    name: str = Field(sa_type=Text)
    copies: int = Field(sa_type=Integer)
    front: str = Field(sa_type=Text, primary_key=True)
    back: str = Field(sa_type=Text)


class TermsRow(SQLModel, table=True):
    """A game's ban lists, levels and groups from a day on, never changed; `sample` if they came with sample cards."""

    __tablename__ = "ban_terms"
    __table_args__ = (
        _line("ban_terms", "game"),
        CheckConstraint("sample IN (0, 1)", name="ban_terms_sample"),
        _day("ban_terms"),
        _moment("ban_terms"),
        _object("ban_terms", "data"),
        Index("ban_terms_in_force", "game", "sample", "in_force_from"),
        {"sqlite_strict": True},
    )

    id: int | None = Field(default=None, primary_key=True)
    game: str = Field(sa_type=Text)
    sample: int = Field(sa_type=Integer)
    in_force_from: str | None = Field(default=None, sa_type=Text)
    recorded_at: str = Field(sa_type=Text)
    author: str = Field(sa_type=Text)
    source: str = Field(sa_type=Text)
    data: str = Field(sa_type=Text)


class AnnouncementRow(SQLModel, table=True):
    """An announcement of ban lists, by its id; rows are added and never changed."""

    __tablename__ = "announcement"
    __table_args__ = (
        UniqueConstraint("game", "sample", "name", name="announcement_once"),
        *(_line("announcement", column) for column in ("game", "name")),
        CheckConstraint("sample IN (0, 1)", name="announcement_sample"),
        _day("announcement", "effective"),
        *(_moment("announcement", column) for column in ("made", "recorded_at")),
        _object("announcement", "data"),
        {"sqlite_strict": True},
    )

    id: int | None = Field(default=None, primary_key=True)
    game: str = Field(sa_type=Text)
    sample: int = Field(sa_type=Integer)
    name: str = Field(sa_type=Text)
    made: str = Field(sa_type=Text)
    effective: str = Field(sa_type=Text)
    recorded_at: str = Field(sa_type=Text)
    author: str = Field(sa_type=Text)
    source: str = Field(sa_type=Text)
    data: str = Field(sa_type=Text)


TABLES = tuple(SQLModel.metadata.tables.values())


def _only_added(table: str, rows: str) -> list[str]:
    """Returns triggers that keep the rows of a table from being removed or changed."""
    return [
        f"""\
CREATE TRIGGER {table}_no_{event.lower()} BEFORE {event} ON {table}
BEGIN
    SELECT RAISE(ABORT, '{rows} never {verb}');
END"""
        for event, verb in (("DELETE", "removed"), ("UPDATE", "changed"))
    ]


def _word_index(name: str) -> str:
    """Returns the SQL of an index of words by row id. It stores no texts, and splits and lowers only ASCII."""
    return f"CREATE VIRTUAL TABLE {name} USING fts5(words, content='', tokenize='ascii', detail=none, columnsize=0)"


BESIDE_THE_TABLES = (
    *_only_added("revision", "a revision is"),
    *_only_added("translation", "a translation is"),
    *_only_added("ban_terms", "the terms of a ban list are"),
    *_only_added("announcement", "an announcement is"),
    _word_index("card_words"),
    _word_index("translation_words"),
)
"""The triggers and word indexes of the database.

`card_words` maps words of names and texts to card ids, `translation_words` words of translations to translation ids.
"""


_HEAD = """\
-- A new catalogue. Generated from the model by `python -m carddb.catalog.model`; a test compares the two.
"""


def sql() -> str:
    """Returns the SQL script that makes an empty database a catalogue of this version."""
    stamp = [f"PRAGMA application_id = {APPLICATION_ID}", f"PRAGMA user_version = {VERSION}"]
    ddl: list[ExecutableDDLElement] = []
    for table in TABLES:
        ddl += [CreateTable(table), *map(CreateIndex, sorted(table.indexes, key=lambda index: str(index.name)))]
    tables = []
    for each in ddl:
        lines = str(each.compile(dialect=sqlite.dialect())).strip().splitlines()
        statement = "\n".join(line.rstrip().expandtabs(4) for line in lines)
        tables.append(statement.replace(")\n STRICT", ") STRICT").replace(",\n STRICT", ", STRICT"))
    return _HEAD + "".join(f"\n{statement};\n" for statement in (*tables, *BESIDE_THE_TABLES, *stamp))


if __name__ == "__main__":
    print(sql(), end="")
