"""What a report on many decks needs of each: made where the decks are checked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from carddb.app.decks.announcement_effect import coming_by
from carddb.app.decks.batch import Unreadable
from carddb.app.decks.check import Report
from carddb.app.decks.rows import grave_findings
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import CarddbError, InputError
from carddb.deck.help.metagame import Copies, copies_of
from carddb.findings import Finding
from carddb.read.documents.located_document import MAX_BYTES
from carddb.read.source import NamedBytes, name_of, read_bytes, standard_input

if TYPE_CHECKING:
    from carddb.app.bans.announcements import AnnounceReport

Coming = tuple[tuple[date, Finding], ...]
"""What is announced to be forbidden, and from what day."""


@dataclass(frozen=True, slots=True)
class MetaDeck:
    """A deck of the folder: whose it is, its verdict, the reasons, what a draft would forbid of it, its archetype."""

    name: str
    player: str
    file: str
    fingerprint: str
    verdict: str
    faults: tuple[Finding, ...]
    coming: Coming = ()
    archetype: str = ""

    def to_json(self) -> dict[str, Any]:
        return {
            "deck": self.name,
            "player": self.player,
            "file": self.file,
            "fingerprint": self.fingerprint,
            "verdict": self.verdict,
            "archetype": self.archetype,
            "findings": [finding.to_json() for finding in self.faults],
            "ahead": [{"from": day.isoformat(), **finding.to_json()} for day, finding in self.coming],
        }


class MetaRow(NamedTuple):
    """A deck, by what it was checked, and the copies of its cards."""

    game: str
    format: str
    on: date
    deck: MetaDeck
    copies: Copies


class MetaPart(NamedTuple):
    """Some decks, and the names of their cards by game and reference."""

    rows: list[MetaRow | Unreadable]
    names: dict[str, dict[str, str]]


class Draft:
    """Announcements that nobody has made yet, tried on the games of decks."""

    def __init__(self, data: bytes, name: str) -> None:
        self._data = data
        self._name = name
        self._trials: dict[str, AnnounceReport | CarddbError] = {}

    @classmethod
    def read(cls, file: Path | BinaryIO) -> Draft:
        """Raises InputError for a file that cannot be read, or is too large."""
        data, findings = read_bytes(standard_input() if str(file) == "-" else file, MAX_BYTES)
        if findings:
            raise InputError(f"{draft_name(file)} cannot be announced", "Put it right first.", findings)
        return cls(data, name_of(file))

    def trial(self, project: Workspace, game: str) -> AnnounceReport:
        """What comes of it in a game. Raises CarddbError where it cannot be tried there."""
        from carddb.app.bans.announcements import announce  # the writer of ban lists, 10 ms, for a draft alone

        if game not in self._trials:
            try:
                self._trials[game] = announce(project, NamedBytes(self._data, self._name), game, None, dry_run=True)
            except CarddbError as fault:
                self._trials[game] = fault
        trial = self._trials[game]
        if isinstance(trial, CarddbError):
            raise trial
        return trial

    def coming(self, project: Workspace, report: Report) -> Coming:
        """What it would forbid of a deck; nothing where it cannot be announced."""
        try:
            trial = self.trial(project, report.game.key)
        except CarddbError:
            return ()
        if trial.result.refused:
            return ()
        return coming_by(trial, report.game, report.deck, trial.pool, report.context)


def draft_name(file: Path | BinaryIO) -> str:
    """How messages call a draft."""
    return f"the draft {file}" if isinstance(file, Path) else "the draft"


def meta_part(draft: Draft | None, project: Workspace, reports: Iterable[Report | Unreadable]) -> MetaPart:
    """What is needed of some decks."""
    part = MetaPart([], {})
    for report in reports:
        if isinstance(report, Unreadable):
            part.rows.append(report)
            continue
        part.rows.append(_row(draft, project, report))
        names = part.names.setdefault(report.game.key, {})
        names.update((entry.ref, entry.card.name) for entry in report.deck.entries if entry.card)
    return part


def _row(draft: Draft | None, project: Workspace, report: Report) -> MetaRow:
    deck = report.deck
    coming = draft.coming(project, report) if draft else ()
    row = MetaDeck(
        deck.name or Path(deck.file).stem, deck.headers.get("player", ""), deck.file, report.fingerprint,
        report.verdict, tuple(grave_findings(report)), coming,
    )  # fmt: skip
    return MetaRow(report.game.key, report.format, report.context.on, row, copies_of(deck, report.game.spec))
