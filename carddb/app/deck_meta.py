"""What a folder of decks says together: cards, pairs, archetypes, what a draft would forbid, the smallest mends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from carddb.app.announcement_effect import coming_by
from carddb.app.deck_batch import Unreadable
from carddb.app.deck_check import CheckRequest, DeckSource, Report
from carddb.app.deck_checks import Reports, check_decks, grave_findings
from carddb.app.words import amount
from carddb.errors import InputError
from carddb.executors.choice import HERE, ExecutorRequest
from carddb.findings import VERDICTS, Finding

if TYPE_CHECKING:
    from carddb.app.announcements import AnnounceReport
    from carddb.app.project import Project
    from carddb.deck.archetypes import Archetype
    from carddb.deck.metagame import CardPair, CardShare
    from carddb.games import Game

_MOST_PAIRS = 100
NO_ARCHETYPE = "(no archetype)"


@dataclass(frozen=True, slots=True)
class MetaDeck:
    """A deck of the folder: who plays it, its verdict, its archetype, and what a draft would forbid of it, and when."""

    report: Report
    archetype: str = ""
    coming: tuple[tuple[date, Finding], ...] = ()

    @property
    def name(self) -> str:
        return self.report.deck.name or Path(self.report.deck.file).stem

    @property
    def player(self) -> str:
        return self.report.deck.headers.get("player", "")

    @property
    def faults(self) -> list[Finding]:
        """Why it is not legal."""
        return grave_findings(self.report)

    def to_json(self) -> dict[str, Any]:
        return {
            "deck": self.name,
            "player": self.player,
            "file": self.report.deck.file,
            "fingerprint": self.report.fingerprint,
            "verdict": self.report.verdict,
            "archetype": self.archetype,
            "findings": [finding.to_json() for finding in self.faults],
            "ahead": [{"from": day.isoformat(), **finding.to_json()} for day, finding in self.coming],
        }


@dataclass(frozen=True, slots=True)
class Meta:
    """What many decks of one game say together.

    `unread` are files that are no decks of it, each with the reason; `draft` is the file of announcements that was
    tried, `draft` where it has no name, and `names` the cards by reference.
    """

    game: Game
    format: str
    on: date
    decks: tuple[MetaDeck, ...]
    cards: tuple[CardShare, ...]
    pairs: tuple[CardPair, ...]
    archetypes: tuple[Archetype, ...]
    unread: tuple[tuple[str, str], ...]
    names: Mapping[str, str]
    draft: str = ""

    @property
    def exit_code(self) -> int:
        """3 where a deck could not be read, else 0: decks that are not legal are no fault of the question."""
        return 3 if self.unread else 0

    @property
    def sentence(self) -> str:
        """`40 decks of Cahrd: 37 legal, 3 not legal; 2 files are no decks of it. Battle, on 2026-06-20.`"""
        verdicts = Counter(deck.report.verdict for deck in self.decks)
        parts = ", ".join(f"{verdicts[key]} {word.lower()}" for key, word in VERDICTS.items() if verdicts[key])
        unread = f"; {amount(len(self.unread), 'file')} not counted" if self.unread else ""
        decks = amount(len(self.decks), "deck")
        return f"{decks} of {self.game.spec.name}: {parts or 'none'}{unread}. {self.format}, on {self.on.isoformat()}."

    @property
    def not_legal(self) -> list[MetaDeck]:
        """The decks that are not legal, or not checkable."""
        return [deck for deck in self.decks if deck.report.verdict != "legal"]

    @property
    def affected(self) -> list[MetaDeck]:
        """The decks of which the draft forbids something."""
        return [deck for deck in self.decks if deck.coming]

    def mends(self) -> list[tuple[str, int]]:
        """The smallest mends that the checker proposes for decks that are not legal, with how many decks need each."""
        return _tally(finding.fix for deck in self.decks for finding in _once(deck.faults))

    def mends_by_draft(self) -> list[tuple[str, int]]:
        """The same for what the draft forbids."""
        return _tally(finding.fix for deck in self.decks for finding in _once(finding for _, finding in deck.coming))

    def archetype_name(self, archetype: Archetype) -> str:
        """`Sacred Band and War Elephants`: the cards that tell it from the others."""
        return " and ".join(self.names[ref] for ref in archetype.named_by)

    def to_json(self) -> dict[str, Any]:
        """The shape of `meta --json`; refs are the keys of `names`."""
        return {
            "schema": "carddb.meta/1",
            "context": {"game": self.game.key, "format": self.format, "on": self.on.isoformat(), "draft": self.draft},
            "decks": [deck.to_json() for deck in self.decks],
            "cards": [card.to_json() for card in self.cards],
            "pairs": [pair.to_json() for pair in self.pairs],
            "archetypes": [
                {
                    "name": self.archetype_name(each),
                    "decks": len(each.decks),
                    "legal": self.legal_in(each),
                    "typical": self.decks[each.decks[0]].name,
                    "core": [card.to_json() for card in each.core],
                }
                for each in self.archetypes
            ],
            "mends": [{"fix": fix, "decks": decks} for fix, decks in self.mends()],
            "unread": [{"file": file, "reason": reason} for file, reason in self.unread],
            "names": dict(self.names),
        }

    def legal_in(self, archetype: Archetype) -> int:
        """How many decks of an archetype are legal."""
        return sum(self.decks[at].report.verdict == "legal" for at in archetype.decks)

    def files(self) -> dict[str, bytes]:
        """The page `index.html`, and its tables as CSV."""
        from carddb.app.meta_page import meta_page
        from carddb.app.meta_tables import meta_tables

        return {"index.html": meta_page(self), **meta_tables(self)}

    def write(self, project: Project, folder: Path) -> None:
        """Writes the page and the tables into a folder; those of an earlier run go. Raises OutputError."""
        from carddb.app.published_folder import write_folder

        write_folder(project, folder, self.files(), ("index.html",))

    def _repr_html_(self) -> str:
        from carddb.app.meta_page import meta_body

        return meta_body(self)


def meta(
    project: Project,
    decks: DeckSource | Iterable[DeckSource],
    request: CheckRequest,
    draft: Path | BinaryIO | None = None,
    executor: ExecutorRequest = HERE,
) -> Meta:
    """What decks say together; of several games those count of which there are most, unless the request names one.

    `draft` is a file of announcements that nobody has made yet, or its bytes. Raises InputError, UsageError.
    """
    from carddb.app.announcements import announce

    reports = check_decks(project, decks, request, executor)
    read = [report for report in reports if isinstance(report, Report)]
    if not read:
        first = next(report for report in reports if isinstance(report, Unreadable))
        raise InputError(f"none of the decks can be read: {first.error.message}", first.error.remedy)
    game = Counter(report.game.key for report in read).most_common(1)[0][0]
    name = f"the draft {draft}" if isinstance(draft, Path) else "the draft"
    trial = announce(project, draft, game, None, dry_run=True) if draft else None
    if trial and trial.result.refused:
        raise InputError(f"{name} cannot be announced", "Put it right first.", trial.findings)
    return _meta(project, reports, [report for report in read if report.game.key == game], trial, draft)


def _meta(
    project: Project,
    reports: Reports,
    read: Sequence[Report],
    trial: AnnounceReport | None,
    draft: Path | BinaryIO | None,
) -> Meta:
    from carddb.deck.archetypes import archetypes
    from carddb.deck.metagame import card_pairs, card_shares, copies_of

    game, context = read[0].game, read[0].context
    copies = [copies_of(report.deck, game.spec) for report in read]
    shares, groups = card_shares(copies), archetypes(copies)
    names = {entry.ref: entry.card.name for report in read for entry in report.deck.entries if entry.card}
    used = {card.ref: names[card.ref] for card in shares}
    of_deck = {at: " and ".join(names[ref] for ref in group.named_by) for group in groups for at in group.decks}
    coming = _coming(project, read, trial)
    lines = tuple(MetaDeck(report, of_deck.get(at, ""), coming.get(at, ())) for at, report in enumerate(read))
    formats = dict.fromkeys(report.format for report in read)
    return Meta(
        game,
        " and ".join(formats) if len(formats) < 4 else f"{len(formats)} formats",
        context.on,
        lines,
        tuple(shares),
        tuple(card_pairs(copies, shares, _MOST_PAIRS)),
        tuple(groups),
        tuple(_unread(reports, game)),
        used,
        "" if draft is None else str(draft) if isinstance(draft, Path) else "draft",
    )


def _coming(
    project: Project, read: Sequence[Report], trial: AnnounceReport | None
) -> dict[int, tuple[tuple[date, Finding], ...]]:
    """What a draft would forbid, by the number of the deck."""
    if trial is None:
        return {}
    with project.working("trying the draft", len(read)) as step:
        coming = {}
        for at, report in enumerate(read):
            step()
            coming[at] = coming_by(trial, report.game, report.deck, trial.pool, report.context)
    return coming


def _unread(reports: Reports, game: Game) -> Iterable[tuple[str, str]]:
    """What is not counted: files that could not be read, decks of other games, files that are no decks."""
    for report in reports:
        if isinstance(report, Unreadable):
            yield report.file, report.error.message
        elif report.game.key != game.key:
            yield report.deck.file, f"a deck of {report.game.spec.name}"
    for name in reports.skipped:
        yield name, "no deck file by its ending"


def _once(findings: Iterable[Finding]) -> Iterable[Finding]:
    """The findings with a mend, each mend once."""
    return {finding.fix: finding for finding in findings if finding.fix}.values()


def _tally(fixes: Iterable[str]) -> list[tuple[str, int]]:
    return sorted(Counter(fixes).items(), key=lambda pair: (-pair[1], pair[0]))
