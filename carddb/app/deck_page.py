"""A deck as it is looked at line by line: its report, the remedies of each finding, its numbers and its future."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from carddb.app.card_search import find
from carddb.app.deck_check import CheckRequest, Report, check_deck
from carddb.app.deck_forecast import Forecast, forecast
from carddb.app.deck_help import diff_decks
from carddb.app.deck_statistics import DeckStatistics, deck_statistics
from carddb.findings import Finding
from carddb.play.stream import Stream
from carddb.read.deck_edits import Remedy, edited, recounted, remedies

if TYPE_CHECKING:
    from carddb.app.project import Project
    from carddb.cards import Card
    from carddb.deck.difference import Difference


@dataclass(frozen=True)
class DeckPage:
    """The text of a deck with everything that carddb says of it."""

    project: Project
    text: str
    request: CheckRequest

    @cached_property
    def report(self) -> Report:
        """Every finding. Raises UsageError for a game that nothing names."""
        return check_deck(self.project, self.text, self.request)

    def remedies(self, finding: Finding) -> list[Remedy]:
        """The ways to mend a finding by editing lines."""
        return remedies(self.text, self.report.deck, self.report.game.spec, finding)

    def mended(self, number: int, way: int = 0) -> str:
        """The text after one remedy of the finding with that number, counted from 0; the same text without one."""
        findings = self.report.findings
        ways = self.remedies(findings[number]) if number < len(findings) else []
        return edited(self.text, ways[way].edits) if way < len(ways) else self.text

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
        return deck_statistics(self.project, self.text, self.report.game.key, self.report.context.on)

    @cached_property
    def forecast(self) -> Forecast:
        """What ban lists bring until the event, or until the last day that is announced."""
        return forecast(self.project, self.text, self.request, self.request.event)
