"""Ban lists in the catalogue."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from carddb.bans.lint import KnownCards
from carddb.bans.log import Announcement, GroupSpec, Log, Window
from carddb.catalog.announcements import AnnounceResult
from carddb.catalog.store import Catalog
from carddb.core.errors import CatalogError
from carddb.findings import Severity
from tests.bans.samples import GROUPS, LEVELS, LISTS, card, day, group, log, told, withdrawn
from tests.catalog.samples import NOW, load, new_catalog, older, opened, row, rows_of

T = told("t", 1, 10, card("A", 0, 2, why="Ω, “too” strong\n"))
W = withdrawn("w", 12, 16, "t", source="https://example.org")
OWN = log(T, W)


def announce(path: Path, given: Log, **options: Any) -> AnnounceResult:
    parts: dict[str, Any] = {"day": day(1), "author": "Ann", "source": "bans.yaml"}
    with opened(path) as catalog:
        return catalog.announce("test", given, KnownCards(("A", "B", "C")), recorded_at=NOW, **{**parts, **options})


def kept(path: Path, on: date = date.max) -> Log:
    with opened(path) as catalog:
        return catalog.ban_log("test", day=on)


def only(*announcements: Announcement) -> Log:
    return log(*announcements, lists={}, levels={}, groups={})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return new_catalog(tmp_path / "carddb.db")


def test_a_log_comes_back_as_it_was(path: Path) -> None:
    """Lists, levels, groups and announcements are what was given; the same again adds nothing."""
    result = announce(path, OWN)
    assert (result.added, result.unchanged, result.terms, result.findings) == (("t", "w"), (), True, ())
    assert kept(path) == OWN == result.log
    again = announce(path, OWN)
    assert (again.added, again.unchanged, again.terms) == ((), ("t", "w"), False)
    assert rows_of(path, "SELECT count(*) FROM announcement") == [(2,)]
    assert rows_of(path, "SELECT count(*) FROM ban_terms") == [(1,)]


def test_an_announcement_is_added(path: Path) -> None:
    """A file without lists adds to the lists in use."""
    announce(path, log(T))
    assert announce(path, only(W)).added == ("w",)
    assert kept(path) == OWN


def test_everything_is_refused_at_once(path: Path) -> None:
    """Where one announcement is at fault nothing is written, and every finding is told."""
    announce(path, log(T))
    bad = only(told("u", 3, 4, card("X", 0, 1), card("A", 1, 3)), told("v", 3, 9, card("B", 0, 1)))
    result = announce(path, bad)
    errors = [finding.code for finding in result.findings if finding.severity is Severity.ERROR]
    assert errors == ["ban_window", "ban_card_unknown", "ban_from_differs"]
    assert result.refused and kept(path) == log(T)


def test_a_dry_run_writes_nothing(path: Path) -> None:
    """The result tells the log as it would be."""
    result = announce(path, OWN, dry_run=True)
    assert result.log == OWN and kept(path) == Log()


def test_what_was_announced_is_never_changed(path: Path) -> None:
    """An announcement of a known id that says something else is refused."""
    announce(path, log(T))
    result = announce(path, only(T._replace(source="elsewhere")))
    assert [finding.code for finding in result.findings] == ["ban_duplicate"]


@pytest.mark.parametrize("table", ["announcement", "ban_terms"])
@pytest.mark.parametrize("statement", ["DELETE FROM {}", "UPDATE {} SET data = '{{}}'"])
def test_the_log_only_grows(path: Path, table: str, statement: str) -> None:
    """The database itself refuses to change or remove what was announced, and what it was announced by."""
    announce(path, log(T))
    with (
        closing(sqlite3.connect(path, isolation_level=None)) as connection,
        pytest.raises(sqlite3.IntegrityError, match=r"(is|are) never"),
    ):
        connection.execute(statement.format(table))


def test_terms_have_their_days(path: Path) -> None:
    """The meaning of a level may change from a day on; before it the older one is told."""
    announce(path, log(T))
    official = {**LEVELS, 2: LEVELS[2]._replace(max_copies=0, status="official")}
    assert announce(path, log(levels=official), day=day(20)).terms
    whole = kept(path)
    assert kept(path, day(19))._replace(dated=()) == whole.on(day(19))._replace(dated=()) == log(T)
    assert kept(path, day(20)) == whole and whole._replace(dated=()) == log(T, levels=official)
    assert [since for since, _ in whole.dated] == [date.min, day(20)]


def test_a_group_comes_with_its_announcement(path: Path) -> None:
    """A file without lists may bring groups, which stand beside the known ones and hold on earlier days too."""
    announce(path, log(T))
    pair = {"pair": GroupSpec("pair", ("A", "B"))}
    told_ = told("p", 12, 16, group("pair", 0, 1))
    assert announce(path, log(told_, lists={}, levels={}, groups=pair), day=day(20)).terms
    expected = log(T, told_, groups={**GROUPS, **pair})
    assert all(each._replace(dated=()) == expected for each in (kept(path), kept(path, day(2))))


def test_a_narrower_window_leaves_the_past_alone(path: Path) -> None:
    """What was announced with the notice of its time stays in force; new announcements need the new one."""
    announce(path, OWN)
    narrow = log(window=Window(10, 14))
    assert announce(path, narrow, day=day(20)).terms
    assert kept(path).window == Window(3, 14)
    assert [finding.code for finding in announce(path, only(told("u", 21, 25, card("B", 0, 1)))).findings] == [
        "ban_window"
    ]


def test_terms_that_lack_something_are_refused(path: Path) -> None:
    """A list or level that an announcement needs cannot be taken away."""
    announce(path, log(T))
    lacking: tuple[dict[str, Any], ...] = ({"lists": {"short": LISTS["short"]}}, {"levels": {}})
    for parts in lacking:
        result = announce(path, log(**parts))
        assert result.refused and {finding.code[-8:] for finding in result.findings} == {"_unknown"}
    assert kept(path) == log(T)


def test_without_lists_nothing_is_announced(path: Path) -> None:
    """A game that has no lists takes no announcements."""
    assert [finding.code for finding in announce(path, only(T)).findings] == ["ban_list_unknown"]


def test_sample_lists_stand_back(tmp_path: Path) -> None:
    """The sample lists are those in use until the game has lists, or cards, of its own."""
    path = new_catalog(tmp_path / "carddb.db")
    announce(path, log(T), sample=True)
    assert kept(path) == log(T)
    announce(path, only(W))
    assert kept(path) == OWN
    own = log(told("mine", 1, 10, card("B", 0, 1)))
    announce(path, own)
    assert kept(path) == own
    other = new_catalog(tmp_path / "other.db")
    announce(other, log(T), sample=True)
    with opened(other) as catalog:
        load(catalog, [row("A")])
    assert kept(other) == Log()


def test_a_damaged_log_is_said_to_be(path: Path) -> None:
    """What cannot be read as a log is a damaged catalogue."""
    announce(path, log(T))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER announcement_no_update")
        connection.execute("UPDATE announcement SET data = '{}'")
    with pytest.raises(CatalogError, match="ban lists of test"):
        kept(path)


def test_a_catalogue_from_before_ban_lists(tmp_path: Path) -> None:
    """A catalogue of the second schema takes ban lists when it is next opened, and keeps a copy of itself."""
    path = older(tmp_path / "carddb.db", 2)
    with Catalog.open(path, must_exist=True) as catalog:
        assert catalog.backup == tmp_path / "carddb.db.bak-2"
        assert catalog.ban_log("test") == Log()
    assert announce(path, OWN).added == ("t", "w")
