"""One deck on a web page that edits its text line by line, and the decks that the page offers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from carddb.app.cards.search import find
from carddb.app.decks.check import CheckRequest, ReadDeck, Report, deck_and_context, findings_of, read_deck, report_of
from carddb.app.decks.forecast import Forecast, forecast_of
from carddb.app.decks.help import DeckProposal, HelpRequest, diff_decks, fix_deck
from carddb.app.decks.odds import DeckStatistics, statistics_of
from carddb.app.workspace.workspace import Workspace, root_of
from carddb.cards.cards import Card, Entry
from carddb.core.errors import CarddbError, InputError, UsageError
from carddb.core.files import file_inside, read_inside
from carddb.core.groups import totals
from carddb.core.names import natural
from carddb.deck.check.forecast import GRAVE
from carddb.deck.context import Context
from carddb.deck.help.statistics import DeckDifference
from carddb.findings import Finding, Severity
from carddb.games import Game
from carddb.play.chance import Stream
from carddb.read.decks.builder import MAX_BYTES
from carddb.read.decks.text import header_of, open_deck
from carddb.read.decks.writer import LineEdit, Remedy, edited, recounted, remedies, write_deck

FOLDER = "decks"
"""The folder of a project that contains its decks."""
_OWN = "own"  # in the place of the game's key, for a deck of the project
_MOST_SEARCHED = 300


class DeckChoice(NamedTuple):
    """A deck that can be chosen: its key on the page, its game, its file, the file's folder, its name and its format.

    The file must be inside `folder`, the folder of the project or the game, which is None for a bundled game.
    """

    key: str
    game: str
    path: Path
    folder: Path | None
    name: str = ""
    format: str | None = None

    @property
    def is_own(self) -> bool:
        return self.key.startswith(f"{_OWN}:")

    @property
    def text(self) -> str:
        """The text of the deck. Raises InputError if its file cannot be read."""
        data = read_inside(self.folder, self.path, MAX_BYTES) if self.folder else self.path.read_bytes()
        return data.decode("utf-8", "replace")


def own_decks(project: Workspace) -> list[Path]:
    """Returns the deck files in the project's folder of decks, sorted by name."""
    return sorted((root_of(project) / FOLDER).glob("*.deck"))


def deck_choices(project: Workspace, own: bool = True) -> list[DeckChoice]:
    """Returns the decks that can be chosen by name: if `own`, first the project's; then the games' examples."""
    own_paths = own_decks(project) if own else []
    places: list[tuple[str, Path, Path | None]] = [(_OWN, path, root_of(project)) for path in own_paths]
    for game in project.all_games():
        folder = None if game.folder.bundled else game.folder.path
        places += [(game.key, path, folder) for path in game.folder.decks]
    choices = []
    for owner, path, folder in places:
        choice = DeckChoice(f"{owner}:{path.name}", owner, path, folder)
        with suppress(InputError):  # one that cannot be read is not offered
            called, name, format_ = (header_of(choice.text, path.name, head) for head in ("game", "name", "format"))
            key = project.game_called(called or "") if owner == _OWN else owner
            name = name or path.stem.replace("-", " ").capitalize()
            choices += [choice._replace(game=key, name=name, format=format_)] if key else []
    return sorted(choices, key=lambda choice: (not choice.is_own, choice.game, natural(choice.name)))


def chosen_text(choices: list[DeckChoice], key: str) -> str:
    """Returns the text of the deck with the key `key`. Raises UsageError if no choice has this key."""
    choice = next((choice for choice in choices if choice.key == key), None)
    if choice is None:
        raise UsageError(f"no deck with the key {key!r} can be chosen", "Choose a deck from the list.")
    return choice.text + "\n"


def decks_with(project: Workspace, game: Game, ref: str, on: date) -> list[tuple[str, int]]:
    """Returns the names of the project's readable decks with the card `ref`, each with the number of its copies."""
    found = []
    for path in own_decks(project)[:_MOST_SEARCHED]:
        try:
            read = read_deck(project, open_deck(file_inside(root_of(project), path)), None, on)
        except CarddbError:
            continue  # `check decks` says why
        count = sum(entry.count for entry in read.deck.entries if entry.ref == ref)
        if read.game.key == game.key and count:
            found.append((read.deck.name or Path(read.deck.file).stem, count))
    return found


MOST_REMEDIED = 100
"""The most findings for which remedies are looked for, because this takes time, and more in a longer deck."""
_ROUNDS = 4
_CROWD = 99
"""A number of copies that is certainly too high; the number that must be removed then shows a card's limit."""
_MOST_SHOWN = 20
"""The limit from which on none is shown: such a limit comes from the size of the section, not from the card."""


class LineNote(NamedTuple):
    """A finding with its remedies, as the page shows it beside a line; `at` is its index (from 0) in the report.

    Findings that make the deck illegal or not checkable are numbered from 1 (`number`); other findings have 0.
    """

    number: int
    at: int
    finding: Finding
    remedies: list[Remedy]

    @property
    def lines(self) -> list[int]:
        """The numbers of the lines of the deck that the finding is about."""
        return [place.line for place in self.finding.where if place.line]

    @property
    def mark(self) -> str:
        """The sign of the note: its number if it has one, else `!` for a warning or `i` for an info."""
        return str(self.number) if self.number else "!" if self.finding.severity is Severity.WARNING else "i"

    @property
    def kind(self) -> str:
        return {"error": "", "not_checkable": "", "warning": "warn"}.get(self.finding.severity, "hint")

    def edits(self, remedy: Remedy) -> str:
        """Returns the text edits of a remedy as JSON, for the page's script."""
        return json.dumps(remedy.edits)


@dataclass(frozen=True)
class DeckPage:
    """The text of a deck that is edited, with its check, remedies, statistics and forecast."""

    project: Workspace
    text: str
    request: CheckRequest

    @cached_property
    def _read(self) -> tuple[ReadDeck, Context]:
        return deck_and_context(self.project, self.text, self.request)

    @cached_property
    def report(self) -> Report:
        """The report with every finding. Raises UsageError if it is unclear which game the deck is for."""
        return report_of(*self._read, self.request.event)

    def remedies(self, finding: Finding) -> list[Remedy]:
        """Returns the ways in which editing lines of the deck removes a finding."""
        return remedies(self.text, self.report.deck, self.report.game.spec, finding)

    @property
    def notes(self) -> list[LineNote]:
        """The first `MOST_REMEDIED` findings of the report as notes, with their remedies."""
        number, notes = 0, []
        for index, finding in enumerate(self.report.findings[:MOST_REMEDIED]):
            grave = finding.severity in GRAVE
            number += grave
            notes.append(LineNote(number if grave else 0, index, finding, self.remedies(finding)))
        return notes

    def mended(self, fix: str) -> str:
        """Returns the text with a remedy applied; `fix` is the index of a finding, a colon, and the remedy's words.

        If the text has changed and this finding has no such remedy now, that of the nearest finding with these words is
        applied; if there is none, the text stays the same. Raises UsageError if `fix` has another form.
        """
        number, colon, words = fix.partition(":")
        if not (colon and number.isdecimal() and len(number) < 6):
            raise UsageError(f"{fix!r} is not a remedy for the deck", "Press one of the buttons beside the findings.")
        ways = (
            (abs(at - int(number)), remedy)
            for at, finding in enumerate(self.report.findings[:MOST_REMEDIED])
            for remedy in self.remedies(finding)
            if remedy.words == words
        )
        nearest = min(ways, key=lambda way: way[0], default=None)
        return edited(self.text, nearest[1].edits) if nearest else self.text

    @cached_property
    def proposal(self) -> DeckProposal:
        """The smallest change that makes the deck legal. Raises InputError if no deck could be read."""
        return fix_deck(self.project, self.text, HelpRequest(self.request))

    @property
    def unknown(self) -> list[Entry]:
        """The entries of unknown cards, without those that the proposal reads as misspelled names."""
        respelled = {text for text, _ in self.proposal.respelled}
        return [entry for entry in self.report.deck.entries if entry.card is None and entry.name not in respelled]

    def made_legal(self, drop_unknown: bool) -> str:
        """Returns the text of the proposed deck; unknown cards stay in it unless `drop_unknown`."""
        entries = [entry for entry in self.proposal.deck.entries if entry.card]
        entries += [] if drop_unknown else self.unknown
        return write_deck(replace(self.proposal.deck, entries=tuple(entries)), self.report.game.spec)

    def with_remedies(self) -> DeckPage | None:
        """Returns the page of the deck with the first remedy of every fault applied; None if no fault has one.

        As remedies may cause new faults, there are up to `_ROUNDS` rounds, each with at most one remedy for a line.
        """
        page = self
        for _ in range(_ROUNDS):
            edits: dict[int, LineEdit] = {}
            for finding in page.report.findings[:MOST_REMEDIED]:
                ways = page.remedies(finding) if finding.severity in GRAVE else []
                if ways and not any(edit.line in edits for edit in ways[0].edits):
                    edits |= {edit.line: edit for edit in ways[0].edits}
            if not edits:
                break
            page = DeckPage(self.project, edited(page.text, list(edits.values())), self.request)
        return None if page is self else page

    def with_copies(self, ref: str, more: int) -> str:
        """Returns the text with `more` copies of a card (fewer if negative). Raises UsageError for an unknown card."""
        card = find(self.project, ref, self.report.game.key, self.request.on)[1]
        return edited(self.text, recounted(self.text, self.report.deck, self.report.game.spec, card, more))

    @cached_property
    def copies(self) -> Counter[str]:
        """The number of copies of each card, by reference."""
        return totals((entry.ref, entry.count) for entry in self.report.deck.entries)

    def most_copies(self, refs: Iterable[str]) -> dict[str, int]:
        """Returns the most copies that this deck may have of each card in `refs`, if they are below `_MOST_SHOWN`.

        It checks the deck with far too many copies of the card, and subtracts the copies that must be removed.
        """
        (read, context), most = self._read, {}
        for card in filter(None, map(read.pool.get, refs)):
            section = next((key for key, each in read.game.spec.sections.items() if card.type in each.types), None)
            if section is None:
                continue
            others = [entry for entry in read.deck.entries if entry.ref != card.ref]
            crowd = replace(read.deck, entries=(*others, Entry(section, _CROWD, card.name, card)))
            surplus = [
                item["count"]
                for finding in findings_of(replace(read, deck=crowd, findings=[]), context)
                for fix in finding.fixes
                if len(finding.fixes) == 1 and set(fix) == {"remove"}
                for item in fix["remove"]
                if item.get("ref") == card.ref
            ]
            if surplus and max(surplus) > _CROWD - _MOST_SHOWN:
                most[card.ref] = _CROWD - max(surplus)
        return most

    def trial_hand(self, seed: int) -> list[Card]:
        """Returns an opening hand from the deck, shuffled with `seed`; empty if the game has no opening hand."""
        hand = self.statistics.hand
        if hand is None:
            return []
        section, entries = next(iter(self.report.game.spec.sections), ""), self.report.deck.entries
        cards = [entry.card for entry in entries if entry.section == section for _ in range(entry.count)]
        Stream(seed).shuffle(cards)
        return [card for card in cards[: hand.drawn] if card]

    def difference(self, other: str) -> DeckDifference:
        """Returns the difference to the deck text `other`. Raises UsageError if the decks are of different games."""
        return diff_decks(self.project, self.text, other, self.report.game.key, self.report.context.on)

    @cached_property
    def statistics(self) -> DeckStatistics:
        """The statistics of the deck, with the odds of an opening hand."""
        return statistics_of(self.project, self._read[0])

    @cached_property
    def forecast(self) -> Forecast:
        """The forecast of the deck up to the event of the request, or else as far as changes are announced."""
        return forecast_of(*self._read, self.request.event)
