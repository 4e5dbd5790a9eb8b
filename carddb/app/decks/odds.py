"""The statistics of a deck, with the exact odds of an opening hand, and the odds of any draw from many dealt games."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Annotated, Any, NamedTuple

from carddb.app.decks.check import DeckSource, ReadDeck, read_deck
from carddb.app.workspace.clock import today
from carddb.app.workspace.day_cards import option_texts
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Deck
from carddb.cards.query import Query
from carddb.core.errors import UsageError
from carddb.core.executors import HERE, ExecutorRequest, open_executor
from carddb.core.groups import totals
from carddb.core.names import did_you_mean
from carddb.core.options import Option
from carddb.deck.help.statistics import Statistics, statistics
from carddb.findings import Finding, Severity
from carddb.game.game import GameSpec
from carddb.play.chance import Bounds, Deal, Interval, Tally, deal_games, hypergeometric, interval_json, packed, text


@dataclass(frozen=True, slots=True)
class OpeningHand:
    """The odds of an opening hand of `drawn` cards from a section with `total` cards.

    `chances` are the probabilities that it has 0, 1, 2, ... cards of each type, as `{type: {count: probability}}`.
    """

    section: str
    drawn: int
    total: int
    chances: dict[str, dict[int, Fraction]]

    @property
    def of_one_copy(self) -> Fraction:
        """The probability that the hand contains one particular card of the section."""
        return Fraction(self.drawn, self.total)

    def to_json(self) -> dict[str, Any]:
        chances = {
            kind: {str(count): text(chance) for count, chance in counts.items()}
            for kind, counts in self.chances.items()
        }
        one = text(self.of_one_copy)
        return {"section": self.section, "drawn": self.drawn, "total": self.total, "chances": chances, "one_copy": one}


@dataclass(frozen=True, slots=True)
class DeckStatistics:
    """The statistics of a deck (`numbers`), the odds of a hand for each section, and notes on hands without odds."""

    name: str
    numbers: Statistics
    labels: dict[str, str]
    """The displayed names of the fields of cards, by field."""
    hands: tuple[OpeningHand, ...]
    notes: tuple[str, ...]
    findings: tuple[Finding, ...]
    """The errors from reading the deck."""

    @property
    def hand(self) -> OpeningHand | None:
        """The first opening hand; None if there is none."""
        return self.hands[0] if self.hands else None

    def to_json(self) -> dict[str, Any]:
        """Returns what `decks stats --json` shows."""
        return {
            "schema": "carddb.deck-stats/1",
            "deck": self.name,
            **self.numbers.to_json(),
            "opening_hand": self.hand.to_json() if self.hand else None,
            "opening_hands": [hand.to_json() for hand in self.hands],
            "hand_notes": list(self.notes),
        }


def deck_statistics(
    project: Workspace, deck: DeckSource, game: str | None = None, on: date | None = None, hand: int | None = None
) -> DeckStatistics:
    """Returns the statistics of a deck; `hand` is the size of an opening hand (None: the size that the game gives).

    Raises InputError if the deck cannot be read, UsageError for an unknown game or a hand without cards.
    """
    if hand is not None and hand < 1:
        raise UsageError(f"a hand cannot have {hand} cards", "Write 1 or more.")
    return statistics_of(project, read_deck(project, deck, game, on or today()), hand)


def statistics_of(project: Workspace, read: ReadDeck, hand: int | None = None) -> DeckStatistics:
    """Returns the statistics of a deck that was read before; `hand` is as for `deck_statistics`."""
    spec = read.game.spec
    fields = spec.all_fields()
    labels = {name: field.label or name.replace("_", " ").capitalize() for name, field in fields.items()}
    faults = tuple(finding for finding in read.findings if finding.severity is Severity.ERROR)
    hands, notes = [], []
    for section, drawn, note in hand_sizes(project, read):
        opening = _opening_hand(read.deck, spec, section, hand or drawn)
        if opening:
            hands.append(opening)
        elif drawn and not note:
            name = spec.section_label(section)
            notes.append(f"An opening hand has {drawn} cards, but {name} has only {read.deck.size(section)}.")
        if note and not (hand and opening):
            notes.append(note)
    numbers = statistics(read.deck, spec)
    return DeckStatistics(read.deck.name, numbers, labels, tuple(hands), tuple(dict.fromkeys(notes)), faults)


def hand_sizes(project: Workspace, read: ReadDeck) -> list[tuple[str, int, str]]:
    """Returns the sections from which an opening hand is drawn, each with the size of the hand (0: unknown) and a note.

    They come from the game's `opening_hands(deck, spec, options)`, or else from its data about its first section.
    """
    spec = read.game.spec
    if own := read.game.hook("opening_hands"):
        readings = spec.readings_with(option_texts(project, spec.key, {}))
        sizes: list[tuple[str, int, str]] = own(read.deck, spec, readings)
        return sizes
    hand = hand_data(spec).get("hand")
    drawn = hand if isinstance(hand, int) else 0
    missing = "" if drawn else "The game's data do not say how many cards an opening hand has."
    return [(next(iter(spec.sections), ""), drawn, str(spec.data.get("hand_note", missing)))]


def hand_data(spec: GameSpec) -> Mapping[str, Any]:
    """Returns the part of a game's data that describes opening hands: `setup`, or else all data."""
    setup = spec.data.get("setup")
    return setup if isinstance(setup, dict) else spec.data


def _opening_hand(deck: Deck, spec: GameSpec, section: str, drawn: int) -> OpeningHand | None:
    """Returns the odds of a hand of `drawn` cards from a section; None if `drawn` is 0, or the section has fewer."""
    total = deck.size(section)
    if not 0 < drawn <= total:
        return None
    of_section = [entry for entry in deck.entries if entry.section == section]
    counts = totals((entry.card.type, entry.count) for entry in of_section if entry.card)
    kinds = [kind for kind in spec.types if counts[kind]]
    chances = {spec.label_of(kind): hypergeometric(drawn, counts[kind], total) for kind in kinds}
    return OpeningHand(spec.section_label(section), drawn, total, chances)


_GAMES_AT_ONCE = 100_000
"""The number of games that a process deals in one task; this takes a second or less."""
_CONDITION = re.compile(r"(?:(?P<least>\d{1,4})(?:-(?P<most>\d{1,4}))?\s+)?(?P<query>.+)", re.DOTALL)


class Condition(NamedTuple):
    """A number of cards that a query finds: `2 type:event` means 2 or more, `0-1 cost>4` at most 1."""

    bounds: Bounds
    query: Query

    def __str__(self) -> str:
        least, most = self.bounds
        if most is None:
            return f"{least} or more: {self.query.text}"
        number = f"{least} to {most}" if least < most else f"exactly {most}" if most else "none"
        return f"{number}: {self.query.text}"

    def to_json(self) -> dict[str, Any]:
        return {"least": self.bounds.least, "most": self.bounds.most, "query": self.query.text}


@dataclass(frozen=True, slots=True)
class HandRequest:
    """The options for dealing hands: the conditions `holds`, whose odds are computed, and how hands are dealt.

    A hand that does not meet the conditions `keep` is drawn again, up to `redraws` times. After `draws` further cards,
    the conditions are tested again. If `keep`, `redraws`, `hand` or `section` is missing, the game's rule applies.
    """

    holds: Sequence[str]
    # fmt: off
    draws: Annotated[Sequence[int], Option(
        "Test the conditions again after drawing N more cards; repeatable.", least=1, metavar="N")] = ()
    keep: Annotated[Sequence[str], Option(
        "Redraw hands that do not meet this condition (default: the game's rule); repeatable.",
        metavar="CONDITION")] = ()
    redraws: Annotated[int | None, Option(
        "Redraw at most N times (default: the game's rule, or else without limit).",
        least=0, metavar="N")] = None
    hand: Annotated[int | None, Option(
        "Number of cards in an opening hand (default: the game's rule).", least=1, metavar="N")] = None
    section: Annotated[str | None, Option(
        "The section to draw from (default: the game's rule).", metavar="S")] = None
    games: Annotated[int, Option(
        "The number of hands to deal.", 100_000, least=1, most=1_000_000_000, metavar="N")] = 100_000
    seed: Annotated[int, Option("The seed of the first game; each next game has the next seed.", 1)] = 1
    # fmt: on


class DrawStage(NamedTuple):
    """The odds after `draws` further cards: the share of games that meet each condition (`held`), and `all`."""

    draws: int
    held: list[Interval]
    all: Interval


@dataclass(frozen=True, slots=True)
class DeckOdds:
    """The odds of the conditions `holds` with a deck, from the `tally` of many dealt games."""

    name: str
    section: str
    deal: Deal
    holds: tuple[Condition, ...]
    keep: tuple[Condition, ...]
    seed: int
    tally: Tally
    findings: tuple[Finding, ...]
    """The errors from reading the deck."""

    @property
    def stages(self) -> list[DrawStage]:
        shares = [self.tally.shares(self.deal, at) for at in range(len(self.deal.draws))]
        return [
            DrawStage(draws, held, together) for draws, (*held, together) in zip(self.deal.draws, shares, strict=True)
        ]

    @property
    def hands_a_game(self) -> float:
        """The average number of hands drawn in a game until one was kept."""
        return self.tally.hands / self.tally.games

    def to_json(self) -> dict[str, Any]:
        """Returns what `decks odds --json` shows."""
        deal = self.deal
        return {
            "schema": "carddb.deck-odds/1",
            "deck": self.name,
            "section": self.section,
            "total": len(deal.cards),
            "hand": deal.hand,
            "games": self.tally.games,
            "seed": self.seed,
            "keep": [condition.to_json() for condition in self.keep],
            "redraws": deal.redraws,
            "hands_a_game": round(self.hands_a_game, 4),
            "stages": [
                {
                    "draws": stage.draws,
                    "holds": [
                        condition.to_json() | interval_json(share)
                        for condition, share in zip(self.holds, stage.held, strict=True)
                    ],
                    "all": interval_json(stage.all),
                }
                for stage in self.stages
            ],
        }


def deck_odds(
    project: Workspace,
    deck: DeckSource,
    request: HandRequest,
    game: str | None = None,
    on: date | None = None,
    executor: ExecutorRequest = HERE,
) -> DeckOdds:
    """Returns the odds that hands from a deck meet the conditions `request.holds`; see `Project.deck_odds`."""
    read = read_deck(project, deck, game, on or today())
    spec = read.game.spec
    if not request.holds:
        raise UsageError("there is no condition to test", 'Say what a hand must contain: --holds "2 type:event".')
    holds = tuple(_condition(spec, text) for text in request.holds)
    keep = tuple(_condition(spec, text) for text in request.keep or _kept_hand(read))
    section, hand = _section_and_hand(project, read, request)
    redraws = hand_data(spec).get("redraws") if request.redraws is None else request.redraws
    cards = _pile(read, section, (*holds, *keep))
    draws = (0, *sorted({number for number in request.draws if number > 0}))
    if hand + draws[-1] > len(cards):
        problem = f"{hand + draws[-1]} cards would be drawn, but {spec.section_label(section)} has only {len(cards)}"
        raise UsageError(problem, "Choose a smaller hand, or fewer further draws.")
    deal = Deal(cards, hand, _bounds(holds), _bounds(keep), redraws if isinstance(redraws, int) else None, draws)
    seeds = range(request.seed, request.seed + request.games)
    parts = [seeds[at : at + _GAMES_AT_ONCE] for at in range(0, len(seeds), _GAMES_AT_ONCE)]
    tally = Tally()
    # Other processes only receive the deal, which contains no code of a game.
    with project.working(f"{len(seeds)} games", len(parts)) as step, open_executor(executor, len(parts)) as processes:
        for part in processes.map(_deal_part, deal, parts):
            tally.add(part)
            step("")
    faults = tuple(finding for finding in read.findings if finding.severity is Severity.ERROR)
    return DeckOdds(read.deck.name, spec.section_label(section), deal, holds, keep, request.seed, tally, faults)


def _deal_part(deal: Deal, seeds: range) -> Iterator[Tally]:
    yield deal_games(deal, seeds)


def _condition(spec: GameSpec, text: str) -> Condition:
    """Returns a condition from its text. Raises UsageError if it is empty or impossible, QueryError for its query."""
    match = _CONDITION.fullmatch(text.strip())
    if match is None:
        raise UsageError("a condition is empty", 'Write a number and a query: "2 type:event".')
    least, most = int(match["least"] or 1), int(match["most"]) if match["most"] else None
    if most is not None and most < least:
        raise UsageError(f"{text!r} is impossible: {least} is more than {most}", "Write the smaller number first.")
    return Condition(Bounds(least, most), spec.query(match["query"]))


def _bounds(conditions: Sequence[Condition]) -> tuple[Bounds, ...]:
    return tuple(condition.bounds for condition in conditions)


def _kept_hand(read: ReadDeck) -> Sequence[str]:
    """Returns the game's conditions for keeping an opening hand, from its `kept_hand(spec)`, or else from its data."""
    if own := read.game.hook("kept_hand"):
        conditions: list[str] = own(read.game.spec)
        return conditions
    keep = hand_data(read.game.spec).get("keep", ())
    return [keep] if isinstance(keep, str) else [str(condition) for condition in keep]


def _section_and_hand(project: Workspace, read: ReadDeck, request: HandRequest) -> tuple[str, int]:
    """Returns the section to draw from, and the size of a hand. Raises UsageError if one of them is unknown."""
    spec = read.game.spec
    sizes: Mapping[str, int] = {section: drawn for section, drawn, _ in hand_sizes(project, read)}
    if request.section is None:
        section = next((key for key, drawn in sizes.items() if drawn and read.deck.size(key)), next(iter(sizes), ""))
    else:
        section = spec.section_words.find(request.section) or ""
        if not section:
            raise UsageError(f"no section is called {request.section!r}", did_you_mean(request.section, spec.sections))
    hand = request.hand or sizes.get(section, 0)
    if not hand:
        problem = f"the game does not say how many cards a hand of {spec.section_label(section)} has"
        raise UsageError(problem, "Say the number of cards with --hand N.")
    return section, hand


def _pile(read: ReadDeck, section: str, conditions: Sequence[Condition]) -> tuple[int, ...]:
    """Returns the cards of a section, each as a bit set of the conditions whose query finds it (unknown cards: 0)."""
    cards: list[int] = []
    for entry in read.deck.entries:
        if entry.section == section:
            card = entry.card
            number = packed(card is not None and condition.query.matches(card) for condition in conditions)
            cards += [number] * entry.count
    return tuple(cards)
