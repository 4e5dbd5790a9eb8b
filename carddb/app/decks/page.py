"""A deck as it is looked at line by line: its report, the remedies of each finding, its numbers and its future."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from carddb.app.cards.search import find
from carddb.app.decks.check import CheckRequest, Report, deck_and_context, report_of
from carddb.app.decks.forecast import Forecast, forecast_of
from carddb.app.decks.help import diff_decks
from carddb.app.decks.reading import ReadDeck
from carddb.app.decks.statistics import DeckStatistics, statistics_of
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Card
from carddb.deck.check.forecast import GRAVE
from carddb.deck.context import Context
from carddb.deck.help.difference import Difference
from carddb.findings import Finding
from carddb.play.stream import Stream
from carddb.read.decks.edits import LineEdit, Remedy, edited, recounted, remedies

MOST_REMEDIED = 100
"""Findings whose remedies are looked for: each takes as long as the deck is."""
_ROUNDS = 4


@dataclass(frozen=True)
class DeckPage:
    """The text of a deck with everything that carddb says of it."""

    project: Workspace
    text: str
    request: CheckRequest

    @cached_property
    def _read(self) -> tuple[ReadDeck, Context]:
        return deck_and_context(self.project, self.text, self.request)

    @cached_property
    def report(self) -> Report:
        """Every finding. Raises UsageError for a game that nothing names."""
        return report_of(*self._read, self.request.event)

    def remedies(self, finding: Finding) -> list[Remedy]:
        """The ways to mend a finding by editing lines."""
        return remedies(self.text, self.report.deck, self.report.game.spec, finding)

    def mended(self, number: int, way: int = 0) -> str:
        """The text after one remedy of the finding with that number, counted from 0; the same text without one."""
        findings = self.report.findings
        ways = self.remedies(findings[number]) if number < len(findings) else []
        return edited(self.text, ways[way].edits) if way < len(ways) else self.text

    def with_remedies(self) -> DeckPage | None:
        """The deck after the first remedy of every fault that has one; None where none has.

        A remedy may bring another finding, so this goes on for a few rounds. Two remedies of one line wait for each
        other.
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
        """The text with copies of a card added, or taken out where `more` is below 0. Raises UsageError."""
        card = find(self.project, ref, self.report.game.key, self.request.on)[1]
        return edited(self.text, recounted(self.text, self.report.deck, self.report.game.spec, card, more))

    def trial_hand(self, seed: int) -> list[Card]:
        """An opening hand as a shuffle from this seed deals it; none where the game knows no opening hand."""
        hand = self.statistics.hand
        section = next(iter(self.report.game.spec.sections), "")
        deck = self.report.deck
        cards = [entry.card for entry in deck.entries if entry.section == section for _ in range(entry.count)]
        if hand is None:
            return []
        Stream(seed).shuffle(cards)
        return [card for card in cards[: hand.drawn] if card]

    def difference(self, other: str) -> Difference:
        """How the deck differs from another text. Raises UsageError."""
        return diff_decks(self.project, self.text, other, self.report.game.key, self.report.context.on)

    @cached_property
    def statistics(self) -> DeckStatistics:
        """The numbers of the deck, with the odds of an opening hand."""
        return statistics_of(self.project, self._read[0])

    @cached_property
    def forecast(self) -> Forecast:
        """What ban lists bring until the event, or until the last day that is announced."""
        return forecast_of(*self._read, self.request.event)
