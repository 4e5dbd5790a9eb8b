"""One schema, three ways to it; and an older catalogue on its way."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from catalog_samples import DAY, SPEC, asked, found, load, made, opened, row
from sqlalchemy import create_engine
from sqlmodel import SQLModel

from carddb import assets
from carddb.catalog import connection as opening
from carddb.catalog import schema
from carddb.catalog.store import Catalog
from carddb.errors import CatalogError

THEN = opening.VERSION + 1
COPY = f"carddb.db.bak-{opening.VERSION}"
_HEAD = f"""
from alembic import op
revision = "{schema.revision_id(THEN)}"
down_revision = "{schema.revision_id(opening.VERSION)}"
"""
NEXT = f"""{_HEAD}
def upgrade():
    op.get_bind().exec_driver_sql("CREATE TABLE receipt (id INTEGER PRIMARY KEY) STRICT")
"""
REBUILD = f"""{_HEAD}
import sqlalchemy as sa

def upgrade():
    with op.batch_alter_table("card", recreate="always", table_kwargs={{"sqlite_strict": True}}) as batch:
        batch.add_column(sa.Column("artist", sa.Text))
"""


@pytest.fixture
def second(tmp_path: Path) -> Path:
    """A folder with one further migration."""
    folder = tmp_path / "more migrations"
    folder.mkdir()
    (folder / "next.py").write_text(NEXT)
    return folder


def structure(path: Path) -> set[tuple[str, str]]:
    """Everything that the database is made of, but for white space."""
    rows = asked(path, "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {(name, re.sub(r"\s+", " ", re.sub(r"\s*([(),])\s*", r"\1", sql))) for name, sql in rows}


def stamps(path: Path) -> list[Any]:
    return [
        asked(path, statement)
        for statement in ("PRAGMA application_id", "PRAGMA user_version", "SELECT version_num FROM alembic_version")
    ]


def test_file_is_generated() -> None:
    """schema/catalog.sql is what the model gives."""
    assert (assets.schema() / "catalog.sql").read_text("utf-8") == schema.sql()


def test_migrations_reach_the_same(tmp_path: Path) -> None:
    """The migrations, run from nothing, make the same database as the file, stamps and all."""
    new, grown = made(tmp_path / "new.db"), tmp_path / "grown.db"
    schema.upgrade(grown, 0)
    assert structure(grown) == structure(new)
    assert (
        stamps(grown)
        == stamps(new)
        == [[(opening.APPLICATION_ID,)], [(opening.VERSION,)], [(schema.revision_id(opening.VERSION),)]]
    )


def test_model_is_the_same(tmp_path: Path) -> None:
    """Alembic finds no difference between a new catalogue and the model."""

    def known(name: str | None, kind: str, _: object) -> bool:
        return kind != "table" or name in ("card", "revision", "printing", "printed", "ban_terms", "announcement")

    engine = create_engine(f"sqlite:///{made(tmp_path / 'new.db')}")
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"include_name": known})
        assert compare_metadata(context, SQLModel.metadata) == []
    engine.dispose()


def test_version_is_the_last_migration() -> None:
    """The version that the program knows is the number of the last migration."""
    script = ScriptDirectory(str(schema.MIGRATIONS), version_locations=[str(schema.MIGRATIONS)])
    assert script.get_current_head() == schema.revision_id(opening.VERSION)


def test_upgrade_makes_a_copy(tmp_path: Path, second: Path) -> None:
    """An older catalogue is copied, then brought up to date with all that is in it."""
    path = made(tmp_path / "carddb.db", row("A"))
    before = structure(path)
    assert schema.upgrade(path, 0, THEN, [second]) == tmp_path / COPY
    assert ("receipt",) in asked(path, "SELECT name FROM sqlite_master")
    assert asked(path, "PRAGMA user_version") == [(THEN,)]
    assert asked(path, "SELECT ref FROM card") == asked(tmp_path / COPY, "SELECT ref FROM card") == [("A",)]
    assert structure(tmp_path / COPY) == before


def test_upgrade_happens_once(tmp_path: Path, second: Path) -> None:
    """A catalogue that another program has brought up to date meanwhile is left alone."""
    path = made(tmp_path / "carddb.db")
    schema.upgrade(path, 0, THEN, [second])
    assert schema.upgrade(path, 0, THEN, [second]) is None
    assert len(list(tmp_path.glob("*.bak-*"))) == 1


def test_upgrade_spares_older_copies(tmp_path: Path, second: Path) -> None:
    """A copy that is there already is not written over."""
    path = made(tmp_path / "carddb.db")
    (tmp_path / COPY).write_text("mine")
    assert schema.upgrade(path, 0, THEN, [second]) == tmp_path / f"{COPY}-2"
    assert (tmp_path / COPY).read_text() == "mine"


def test_upgrade_may_rebuild_tables(tmp_path: Path, second: Path) -> None:
    """A migration can rebuild the table that the revisions point to; it stays strict and nothing is lost."""
    path = made(tmp_path / "carddb.db", row("A"))
    (second / "next.py").write_text(REBUILD)
    schema.upgrade(path, 0, THEN, [second])
    assert asked(path, "SELECT ref, artist FROM card JOIN revision ON card_id = card.id") == [("A", None)]
    assert asked(path, "SELECT strict FROM pragma_table_list WHERE name = 'card'") == [(1,)]


@pytest.mark.parametrize("fault", ['op.get_bind().exec_driver_sql("CREATE TABLE card (x)")', 'op.execute("nonsense")'])
def test_upgrade_all_or_nothing(tmp_path: Path, second: Path, fault: str) -> None:
    """A migration that fails half-way leaves the catalogue as it was."""
    path = made(tmp_path / "carddb.db", row("A"))
    (second / "next.py").write_text(NEXT + f"    {fault}\n")
    before = structure(path)
    with pytest.raises(CatalogError):
        schema.upgrade(path, 0, THEN, [second])
    assert structure(path) == before and asked(path, "PRAGMA user_version") == [(opening.VERSION,)]
    with opened(path) as catalog:
        assert catalog.card(SPEC, "A", day=DAY)


def test_upgrade_of_a_locked_catalogue(tmp_path: Path, second: Path) -> None:
    """A catalogue that is being written is not brought up to date."""
    path = made(tmp_path / "carddb.db")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(CatalogError, match="in use"):
            schema.upgrade(path, 0, THEN, [second])


def test_opening_upgrades(tmp_path: Path, second: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening an older catalogue brings it up to date, says where the copy is, and goes on as usual."""
    path = made(tmp_path / "carddb.db", row("A"))
    monkeypatch.setattr(opening, "VERSION", THEN)
    monkeypatch.setattr(schema, "upgrade", partial(schema.upgrade, version=THEN, more=[second]))
    with Catalog.open(path, must_exist=True) as catalog:
        assert catalog.backup == tmp_path / COPY
        assert load(catalog, [row("B")]).added and len(catalog.pool(SPEC, day=DAY)) == 2
    with opened(path) as catalog:
        assert catalog.backup is None


def test_a_catalogue_of_the_first_schema_learns_to_remember(tmp_path: Path) -> None:
    """A catalogue from before printings keeps its cards and takes printings when it is next opened."""
    path = tmp_path / "carddb.db"
    schema.upgrade(path, 0, 1)
    assert not asked(path, "SELECT name FROM sqlite_master WHERE name = 'printing'")
    with Catalog.open(path, must_exist=True) as catalog:
        assert catalog.backup == tmp_path / "carddb.db.bak-1"
        assert catalog.printed("g", "t", "1x1") is None


def of_schema(path: Path, version: int, name: str, words: str) -> Catalog:
    """A catalogue of one card, made by an older version with these words, as it is opened now."""
    schema.upgrade(path, 0, version)
    data = json.dumps({"name": name, "set": "base", "type": "unit"}, ensure_ascii=False)
    stored = ("test", "A", name, "unit", "base", data, 0)
    asked(path, f'INSERT INTO card (game, ref, name, type, "set", data, retired) VALUES {stored}')
    asked(path, f"INSERT INTO card_words (rowid, words) VALUES (1, '{words}')")
    return Catalog.open(path, must_exist=True)


def having(path: Path, *words: str) -> list[int]:
    """How many cards the index finds by each of these words."""
    statement = "SELECT count(*) FROM card_words WHERE card_words MATCH '{}'"
    return [asked(path, statement.format(word))[0][0] for word in words]


def test_a_catalogue_of_the_third_schema_keeps_its_words(tmp_path: Path) -> None:
    """The words of cards from before are found, and forgotten with the next change of the card."""
    path = tmp_path / "carddb.db"
    with of_schema(path, 3, "Siege Ladder", "Siege Ladder") as catalog:
        assert found(catalog, "ladder") == found(catalog, 'name="Siege Ladder"') == ["A"]
        load(catalog, [row("A", "Siege Tower")])
        assert found(catalog, "tower") == ["A"] and not found(catalog, "ladder")
    assert having(path, "siege", "tower", "ladder") == [1, 1, 0]


def test_a_catalogue_of_the_fourth_schema_learns_ideographs(tmp_path: Path) -> None:
    """The words of cards from before are told anew, so that one within a line without spaces is found."""
    path = tmp_path / "carddb.db"
    with of_schema(path, 4, "静かな港の灯", " 静かな港の灯") as catalog:
        assert found(catalog, "港") == found(catalog, 'name="静かな港の灯"') == ["A"]
        load(catalog, [row("A", "静かな海")])
        assert found(catalog, "海") == ["A"] and not found(catalog, "灯")
    assert having(path, "静", "海", "灯", "静かな港の灯") == [1, 1, 0, 0]
