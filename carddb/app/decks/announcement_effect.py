"""What an announcement would do to decks: which of a folder it makes illegal, from what day, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from carddb.app.decks.check import CheckRequest, deck_and_context
from carddb.app.decks.checks import deck_files
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Deck, Pool
from carddb.core.errors import CarddbError, CatalogError, GameError
from carddb.deck.check.forecast import ahead
from carddb.deck.context import Context
from carddb.findings import Finding
from carddb.games import Game

if TYPE_CHECKING:
    from carddb.app.bans.announcements import AnnounceReport


@dataclass(frozen=True, slots=True)
class AffectedDeck:
    """A deck that an announcement makes illegal, or not checkable, and the first day and the findings of that."""

    name: str
    file: str
    coming: tuple[tuple[date, Finding], ...]

    def to_json(self) -> dict[str, Any]:
        coming = [{"from": day.isoformat(), **finding.to_json()} for day, finding in self.coming]
        return {"deck": self.name, "file": self.file, "ahead": coming}


def affected_decks(project: Workspace, report: AnnounceReport, folder: Path) -> list[AffectedDeck]:
    """The decks of a folder that new announcements change, by file; unreadable ones and other games are left out.

    Raises InputError for a folder that cannot be read.
    """
    return list(_affected(project, report, folder))


def _affected(project: Workspace, report: AnnounceReport, folder: Path) -> Iterator[AffectedDeck]:
    new = report.new_days
    if not new:
        return
    for source in deck_files(folder)[0]:
        path = Path(str(source))
        try:
            read, context = deck_and_context(project, path, CheckRequest(on=min(new)))
        except (CatalogError, GameError):
            raise
        except CarddbError:
            continue  # `check FOLDER` says what is wrong with it
        if read.game.key != report.game:
            continue
        if coming := coming_by(report, read.game, read.deck, read.pool, context):
            yield AffectedDeck(read.deck.name or path.stem, str(path), coming)


def coming_by(
    report: AnnounceReport, game: Game, deck: Deck, pool: Pool, context: Context
) -> tuple[tuple[date, Finding], ...]:
    """What new announcements forbid of a deck that was free of it before, with the first day of each."""
    if not report.new_days:
        return ()
    result, spec, check = report.result, game.spec, game.ban_check
    since = replace(context, on=min(report.new_days) - timedelta(1))  # what begins on a day is ahead of the day before
    before = {_gist(*pair) for pair in ahead(deck, spec, pool, replace(since, bans=result.before), check)}
    after = ahead(deck, spec, pool, replace(since, bans=result.log), check)
    return tuple(pair for pair in after if _gist(*pair) not in before)


def _gist(day: date, finding: Finding) -> tuple[object, ...]:
    return day, finding.code, finding.message
