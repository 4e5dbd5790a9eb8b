"""Statistics of many decks: cards, pairs, archetypes and the effect of a draft of announcements, also as a web page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from carddb.app.bans.announcements import announce
from carddb.app.decks.check import CheckRequest, DeckSource, Report
from carddb.app.decks.check_many import UnreadableDeck, answers_of, deck_sources, grave_findings
from carddb.app.decks.forecast import Coming, coming_by, coming_json
from carddb.app.workspace.published_folder import write_folder
from carddb.app.workspace.words import report_templates
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import CarddbError, InputError
from carddb.core.executors import HERE, ExecutorRequest
from carddb.core.files import NamedBytes
from carddb.core.plain_text import amount
from carddb.deck.help.statistics import (
    Archetype,
    CardPair,
    CardShare,
    Copies,
    archetypes,
    card_pairs,
    card_shares,
    copies_of,
)
from carddb.findings import VERDICTS, Finding
from carddb.games import Game
from carddb.read.documents.located_document import MAX_BYTES
from carddb.read.source import name_of, read_bytes, standard_input
from carddb.read.tables.grid import csv_table

if TYPE_CHECKING:
    from carddb.app.bans.announcements import AnnounceReport


@dataclass(frozen=True, slots=True)
class MetaDeck:
    """A deck in the statistics, with its copies of each card; `coming` are the findings that a draft would cause."""

    game: str
    format: str
    on: date
    name: str
    player: str
    file: str
    fingerprint: str
    verdict: str
    faults: tuple[Finding, ...]
    copies: Copies
    names: Mapping[str, str]
    """The names of its cards, by reference."""
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
            "ahead": coming_json(self.coming),
        }


class AnnouncementDraft:
    """A file of announcements that are not made yet. They are tried on the games of the decks, but not stored."""

    def __init__(self, file: Path | BinaryIO) -> None:
        """Reads the draft. Raises InputError if the file cannot be read or is too large."""
        self.file = str(file) if isinstance(file, Path) else ""
        self._name = name_of(file)
        self._data, findings = read_bytes(standard_input() if self.file == "-" else file, MAX_BYTES)
        self._trials: dict[str, AnnounceReport | CarddbError] = {}
        if findings:
            raise self.refusal(findings)

    def refusal(self, findings: Sequence[Finding]) -> InputError:
        """Returns the error that says that the draft has the faults `findings`."""
        return InputError(f"the draft {self.file}".strip() + " has errors", "Correct the draft first.", findings)

    def trial(self, project: Workspace, game: str) -> AnnounceReport:
        """Returns the report of announcing the draft in a game without storing it. Raises CarddbError if it fails."""
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
        """Returns the findings that the draft would give a deck; empty if it cannot be announced."""
        try:
            trial = self.trial(project, report.game.key)
        except CarddbError:
            return ()
        return () if trial.result.refused else coming_by(trial, report)


def meta_rows(
    draft: AnnouncementDraft | None, project: Workspace, reports: Iterable[Report | UnreadableDeck]
) -> list[MetaDeck | UnreadableDeck]:
    """Returns some reports as decks of the statistics, with what `draft` would forbid; unreadable decks stay."""
    rows: list[MetaDeck | UnreadableDeck] = []
    for report in reports:
        if isinstance(report, UnreadableDeck):
            rows.append(report)
            continue
        deck = report.deck
        rows.append(MetaDeck(
            report.game.key, report.format, report.context.on, deck.name or Path(deck.file).stem,
            deck.headers.get("player", ""), deck.file, report.fingerprint, report.verdict,
            tuple(grave_findings(report)), copies_of(deck, report.game.spec),
            {entry.ref: entry.card.name for entry in deck.entries if entry.card},
            draft.coming(project, report) if draft else (),
        ))  # fmt: skip
    return rows


NO_ARCHETYPE = "(no archetype)"
MOST_ROWS = 50
"""The most rows of a chart or a table on the page; the CSV tables have all rows."""


@dataclass(frozen=True, slots=True)
class Meta:
    """The statistics of many decks of one game.

    `unread` are the files that are not counted because they are not decks of this game, each with the reason. `draft`
    is the file of announcements that was tried, or `draft` if it has no name. `names` maps references to card names.
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
        """3 if a file is not counted, else 0; decks that are not legal do not matter."""
        return 3 if self.unread else 0

    @property
    def sentence(self) -> str:
        """A summary such as `40 decks of Cahrd: 37 legal, 3 not legal; 2 files not counted. Battle, on 2026-06-20.`"""
        verdicts = Counter(deck.verdict for deck in self.decks)
        parts = ", ".join(f"{verdicts[key]} {word.lower()}" for key, word in VERDICTS.items() if verdicts[key])
        unread = f"; {amount(len(self.unread), 'file')} not counted" if self.unread else ""
        decks = amount(len(self.decks), "deck")
        return f"{decks} of {self.game.spec.name}: {parts or 'none'}{unread}. {self.format}, on {self.on.isoformat()}."

    @property
    def not_legal(self) -> list[MetaDeck]:
        """The decks that are not legal or not checkable."""
        return [deck for deck in self.decks if deck.verdict != "legal"]

    @property
    def affected(self) -> list[MetaDeck]:
        """The decks that the draft would make illegal or not checkable."""
        return [deck for deck in self.decks if deck.coming]

    def mends(self) -> list[tuple[str, int]]:
        """Returns the smallest fixes for illegal decks, each with the number of decks that need it."""
        return _mends(deck.faults for deck in self.decks)

    def mends_by_draft(self) -> list[tuple[str, int]]:
        """Returns the smallest fixes for what the draft would forbid, each with the number of decks that need it."""
        return _mends((finding for _, finding in deck.coming) for deck in self.decks)

    def archetype_name(self, archetype: Archetype) -> str:
        """Returns the name of an archetype: the cards that distinguish it, as `Sacred Band and War Elephants`."""
        return " and ".join(self.names[ref] for ref in archetype.named_by)

    def to_json(self) -> dict[str, Any]:
        """Returns what `meta --json` shows. Cards are given by their references, and `names` maps these to names."""
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
        """Returns how many decks of an archetype are legal."""
        return sum(self.decks[at].verdict == "legal" for at in archetype.decks)

    def files(self) -> dict[str, bytes]:
        """Returns the page `index.html` and its CSV tables, as `{name: bytes}`."""
        tables, page = meta_tables(self), report_templates().get_template("meta.html")
        html = page.render(_page_values(self), tables=list(tables), title=meta_title(self))
        return {"index.html": html.encode(), **tables}

    def write(self, project: Workspace, folder: Path) -> None:
        """Writes the page and the tables into a folder, and removes files of an earlier run. Raises OutputError."""
        write_folder(project, folder, self.files(), ("index.html",))

    def _repr_html_(self) -> str:
        return meta_body(self)


def _mends(of_decks: Iterable[Iterable[Finding]]) -> list[tuple[str, int]]:
    """Returns the fixes of the findings of decks, each with the number of decks that need it, the most needed first."""
    counts = Counter(fix for findings in of_decks for fix in {finding.fix for finding in findings if finding.fix})
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


# The CSV tables: their texts are escaped for spreadsheet programs.


def meta_tables(meta: Meta) -> dict[str, bytes]:
    """Returns the CSV tables as `{file name: bytes}`; `draft.csv` has what a draft would forbid, if there is one."""
    names = meta.names
    tables: dict[str, tuple[tuple[str, ...], Iterable[Sequence[str]]]] = {
        "cards": (
            ("ref", "card", "decks", "share", "copies", "copies a deck"),
            ((each.ref, names[each.ref], str(each.decks), _fraction(each.share), str(each.copies),
              _fraction(each.average)) for each in meta.cards),
        ),
        "copies": (
            ("ref", "card", "copies", "decks"),
            ((each.ref, names[each.ref], str(copies), str(decks))
             for each in meta.cards for copies, decks in each.by_copies.items()),
        ),
        "pairs": (
            ("ref", "card", "other ref", "other card", "decks", "share", "lift", "leverage"),
            ((pair.first, names[pair.first], pair.second, names[pair.second], str(pair.decks), _fraction(pair.share),
              _fraction(pair.lift), _fraction(pair.leverage)) for pair in meta.pairs),
        ),
        "archetypes": (
            ("archetype", "decks", "legal", "ref", "card", "share", "share elsewhere", "copies a deck"),
            ((meta.archetype_name(each), str(len(each.decks)), str(meta.legal_in(each)), card.ref, names[card.ref],
              _fraction(card.share), _fraction(card.elsewhere), _fraction(card.average))
             for each in meta.archetypes for card in each.core),
        ),
        "decks": (
            ("player", "deck", "verdict", "archetype", "fingerprint", "file"),
            ((deck.player, deck.name, deck.verdict, deck.archetype or NO_ARCHETYPE, deck.fingerprint, deck.file)
             for deck in meta.decks),
        ),
        "findings": (
            ("player", "deck", "file", "code", "finding", "smallest mend"),
            ((deck.player, deck.name, deck.file, finding.code, finding.message, finding.fix)
             for deck in meta.decks for finding in deck.faults),
        ),
        "unread": (("file", "reason"), meta.unread),
    }  # fmt: skip
    if meta.draft:
        tables["draft"] = (
            ("player", "deck", "archetype", "file", "from", "finding", "smallest mend"),
            ((deck.player, deck.name, deck.archetype or NO_ARCHETYPE, deck.file, day.isoformat(), finding.message,
              finding.fix) for deck in meta.affected for day, finding in deck.coming),
        )  # fmt: skip
    return {f"{name}.csv": csv_table(columns, rows) for name, (columns, rows) in tables.items()}


def _fraction(value: float) -> str:
    return f"{value:.4f}"


def meta_title(meta: Meta) -> str:
    """Returns a title such as `What 40 decks of Cahrd say together`."""
    return f"What {amount(len(meta.decks), 'deck')} of {meta.game.spec.name} say together"


def meta_body(meta: Meta) -> str:
    """Returns the charts and tables as HTML without a page around them, beginning with what a draft would forbid."""
    return report_templates().get_template("meta-charts.html").render(_page_values(meta))


def _page_values(meta: Meta) -> dict[str, Any]:
    """Returns the variables of the templates."""
    return {
        "meta": meta,
        "decks": amount(len(meta.decks), "deck"),
        "coming": [(deck, deck.coming) for deck in meta.affected],
        "faulty": [(deck, [(None, finding) for finding in deck.faults]) for deck in meta.not_legal],
        "lone": sum(not deck.archetype for deck in meta.decks),
        "no_archetype": NO_ARCHETYPE,
        "most": MOST_ROWS,
    }


_MOST_PAIRS = 100


def meta(
    project: Workspace,
    decks: DeckSource | Iterable[DeckSource],
    request: CheckRequest,
    draft: Path | BinaryIO | None = None,
    executor: ExecutorRequest = HERE,
) -> Meta:
    """Returns the statistics of decks of one game, the one with most of these decks; see `Project.meta`."""
    sources, skipped = deck_sources(project, decks)
    tried = AnnouncementDraft(draft) if draft else None
    with project.working("checking", len(sources)) as step:
        rows = [*chain(*answers_of(project, sources, request, executor, partial(meta_rows, tried), step))]
    read = [row for row in rows if isinstance(row, MetaDeck)]
    if not read:
        first = next(row for row in rows if isinstance(row, UnreadableDeck))
        raise InputError(f"none of the decks can be read: {first.error.message}", first.error.remedy)
    game = project.game(Counter(row.game for row in read).most_common(1)[0][0])
    if tried and (trial := tried.trial(project, game.key)).result.refused:
        raise tried.refusal(trial.findings)
    counted = [row for row in read if row.game == game.key]
    name_of_card = {ref: name for row in counted for ref, name in row.names.items()}
    copies = [row.copies for row in counted]
    shares, groups = card_shares(copies), archetypes(copies)
    of_deck = {at: " and ".join(name_of_card[ref] for ref in each.named_by) for each in groups for at in each.decks}
    formats = dict.fromkeys(row.format for row in counted)
    return Meta(
        game,
        " and ".join(formats) if len(formats) < 4 else f"{len(formats)} formats",
        counted[0].on,
        tuple(replace(deck, archetype=of_deck.get(at, "")) for at, deck in enumerate(counted)),
        tuple(shares),
        tuple(card_pairs(copies, shares, _MOST_PAIRS)),
        tuple(groups),
        tuple(_unread(project, rows, skipped, game)),
        {card.ref: name_of_card[card.ref] for card in shares},
        (tried.file or "draft") if tried else "",
    )


def _unread(
    project: Workspace, rows: Iterable[MetaDeck | UnreadableDeck], skipped: Iterable[str], game: Game
) -> Iterator[tuple[str, str]]:
    """Yields the files that are not counted, each with the reason: unreadable, of another game, or not a deck file."""
    for row in rows:
        if isinstance(row, UnreadableDeck):
            yield row.file, row.error.message
        elif row.game != game.key:
            yield row.file, f"a deck of {project.game(row.game).spec.name}"
    for name in skipped:
        yield name, "its ending is not that of a deck file"
