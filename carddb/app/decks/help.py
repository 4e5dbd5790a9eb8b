"""Help with decks: making one legal, completing one, building a new one, and comparing two."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from difflib import SequenceMatcher
from pathlib import Path
from typing import Annotated, Any

from carddb.app.decks.check import CheckRequest, DeckSource, ReadDeck, deck_and_context, read_deck
from carddb.app.workspace.clock import today
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import HEADER_KEYS, Deck
from carddb.core.errors import InputError, OutputError, UsageError
from carddb.core.files import locked, write_file
from carddb.core.names import did_you_mean, fold
from carddb.core.options import Option
from carddb.deck.help.building import Candidates, Filled, Owned, advice, fill
from carddb.deck.help.repair import Repair, repair
from carddb.deck.help.statistics import DeckDifference, counts_by, difference
from carddb.findings import CardCount, Finding, Severity, has_errors
from carddb.game.game import GameSpec
from carddb.read.decks.owned import read_owned
from carddb.read.decks.text import load_deck
from carddb.read.decks.writer import write_deck

_WRITTEN = ("", ".deck", ".txt", ".dec")
"""The endings of files that contain a deck in its canonical text form."""
_ALIKE = 0.85
"""The similarity (0 to 1) at which a written name is read as a card's name."""
_OF_CARDS = ("card_unknown", "card_ambiguous", "name_and_reference_differ")
"""The codes of findings about lines that could not be read fully, but are entries of the deck all the same."""


@dataclass(frozen=True, slots=True)
class DeckProposal:
    """A proposal for a deck: the deck that was made legal, completed or built, with the changes (`result`).

    `respelled` are misspelled names with the cards as which they were read. `unread` are the findings about lines of
    the deck that could not be read; these lines would be lost if the proposal were written over the deck.
    """

    result: Repair | Filled
    spec: GameSpec
    respelled: tuple[tuple[str, CardCount], ...]
    unread: tuple[Finding, ...]

    @property
    def deck(self) -> Deck:
        return self.result.deck

    @property
    def legal(self) -> bool:
        return self.result.legal and not self.unread

    @property
    def exit_code(self) -> int:
        """0 if the proposed deck is legal, else 1."""
        return 0 if self.legal else 1

    @property
    def text(self) -> bytes:
        """The deck as a file in canonical form."""
        return write_deck(self.deck, self.spec).encode()

    def to_json(self) -> dict[str, Any]:
        """Returns what `decks fix --json` and `decks fill --json` show."""
        respelled = [{"text": text, **card.to_json()} for text, card in self.respelled]
        unread = [finding.to_json() for finding in self.unread]
        return {**self.result.to_json(), "legal": self.legal, "respelled": respelled, "unread": unread}


@dataclass(frozen=True, slots=True)
class HelpRequest:
    """The options for help with a deck: how it is checked, the cards owned, and a seed for choosing among cards."""

    check: CheckRequest = field(default_factory=CheckRequest)
    # fmt: off
    owned: Annotated[Path | None, Option(
        "Add only cards that you own; FILE is a table with ref or name, and count, or a deck.", metavar="FILE")] = None
    seed: Annotated[int, Option("The seed for choosing among the cards that could be added.", 0)] = 0
    # fmt: on


def fix_deck(project: Workspace, deck: DeckSource, request: HelpRequest) -> DeckProposal:
    """Returns a proposal with the smallest change that makes a deck legal; see `Project.fix`."""
    return _proposal(project, deck, request, repair)


def fill_deck(project: Workspace, deck: DeckSource, request: HelpRequest) -> DeckProposal:
    """Returns a proposal in which cards are added to a deck until it is legal; see `Project.fill`."""
    return _proposal(project, deck, request, fill)


def _proposal(
    project: Workspace, deck: DeckSource, request: HelpRequest, help_: Callable[[Candidates], Repair | Filled]
) -> DeckProposal:
    """Returns the proposal that `help_` (`repair` or `fill`) makes for a deck."""
    read, candidates, respelled = _candidates(project, deck, request)
    errors = (finding for finding in read.findings if finding.severity is Severity.ERROR)
    unread = tuple(finding for finding in errors if finding.code not in _OF_CARDS)
    return DeckProposal(help_(candidates), read.game.spec, respelled, unread)


def new_deck(
    project: Workspace, request: HelpRequest, headers: Mapping[str, str], *, balanced: bool = False
) -> DeckProposal:
    """Returns a proposal for a new legal deck; if `balanced`, with the recommended number of cards of each type.

    If the game recommends no numbers, they come from its first example deck in the format, as do required headers that
    are not given. Raises InputError for the file of owned cards, UsageError for an invalid request.
    """
    game = project.only_game(request.check.game)
    names = _headers(game.spec, headers)
    if request.check.format and str(request.check.format) in game.spec.formats:
        names.setdefault("format", str(request.check.format))
    empty = Deck(game.key, (), names)
    read, candidates, _ = _candidates(project, empty, request)
    example = _example(read, names.get("format"))
    if lacking := {str(fault.data["field"]) for fault in candidates.header_faults if "field" in fault.data}:
        examples = {key: example.headers[key] for key in lacking if example and key in example.headers}
        empty = replace(empty, headers={**names, **examples})
        read, candidates, _ = _candidates(project, empty, request)
    advised = advice(candidates, empty) or (counts_by(example, "type") if example else {})
    return DeckProposal(fill(candidates, advised if balanced else None), game.spec, (), ())


def diff_decks(
    project: Workspace, first: DeckSource, second: DeckSource, game: str | None, on: date | None
) -> DeckDifference:
    """Returns the differences between two decks of one game; see `Project.diff`."""
    one, other = (read_deck(project, deck, game, on or today()) for deck in (first, second))
    if one.game.key != other.game.key:
        raise UsageError(f"one deck is for {one.game.key}, one for {other.game.key}", "Name decks of the same game.")
    for read in (one, other):
        _refuse_empty(read)
    return difference(one.deck, other.deck)


def write_back(path: Path, proposal: DeckProposal) -> Path:
    """Writes a proposed deck over the file of the original deck, and returns the path of the backup, `FILE~`.

    Raises UsageError if the original is not deck text, OutputError if the proposal is not legal or would lose lines.
    """
    if str(path) == "-" or not path.is_file():
        raise UsageError("the deck was not read from a file", "Leave --write out, or name a file.")
    if path.suffix.lower() not in _WRITTEN:
        problem = f"{path} is not deck text, so it cannot be overwritten with the changed deck"
        raise UsageError(problem, f"Convert it first: carddb decks convert {shlex.quote(str(path))} -o FILE.deck.")
    if proposal.unread:
        raise OutputError(f"{path} has lines that cannot be read and would be lost", "Correct these lines first.")
    if proposal.result.faults:
        raise OutputError(f"no legal deck was found, and {path} is left as it is", "Correct the errors listed above.")
    backup = path.with_name(path.name + "~")
    with locked(path):
        data = path.read_bytes()
        if data != proposal.text:  # if they are equal, another program has just done the same; its backup stays
            write_file(backup, data)
            write_file(path, proposal.text)
    return backup


def _headers(spec: GameSpec, headers: Mapping[str, str]) -> dict[str, str]:
    """Returns the headers under their keys, whatever words stand for these. Raises UsageError for an unknown header."""
    keys = (*HEADER_KEYS, *spec.header)
    words = spec.vocabulary(keys, "header")
    names = {}
    for word, value in headers.items():
        key = words.find(word)
        if key is None:
            raise UsageError(f"decks of {spec.name} have no header {word!r}", did_you_mean(word, keys))
        names[spec.header.get(key, key)] = value
    return names


def _candidates(
    project: Workspace, deck: DeckSource, request: HelpRequest
) -> tuple[ReadDeck, Candidates, tuple[tuple[str, CardCount], ...]]:
    read, context = deck_and_context(project, deck, request.check)
    if not isinstance(deck, Deck):
        _refuse_empty(read)
    if read.game.has_rules and not read.game.folder.trusted:
        problem = f"without the rules.py of {read.game.key}, which may not run, no deck can be called legal"
        raise UsageError(problem, "To let it run, name the game's folder with --games.")
    respelled_deck, respelled = _respelled(read)
    owned: Owned | None = None
    if path := request.owned:
        project.protect(path)
        owned, findings = read_owned(path, read.game.spec, read.pool)
        if has_errors(findings):
            raise InputError(f"{path} with the cards you own has errors", "Correct the errors listed above.", findings)
        if findings:
            project.notify("owned_remarks", "", findings)
    checks = [*read.game.checks, read.game.ban_check]
    remedies = {finding.where[0]: finding.fix for finding in read.findings if finding.code == "card_unknown"}
    candidates = Candidates(respelled_deck, read.game.spec, read.pool, context, checks, owned, request.seed, remedies)
    return read, candidates, respelled


def _refuse_empty(read: ReadDeck) -> None:
    """Raises InputError, with the findings, if no line of a deck could be read."""
    if not read.deck.entries and has_errors(read.findings):
        raise InputError("no line of the deck could be read", "Correct the errors listed above.", read.findings)


def _respelled(read: ReadDeck) -> tuple[Deck, tuple[tuple[str, CardCount], ...]]:
    """Returns the deck with misspelled names of cards corrected, and each misspelled name with its card.

    A name is misspelled if no card has it, and the nearest name of a card is almost equal.
    """
    nearest = {
        finding.where[0]: names[0]
        for finding in read.findings
        if finding.code == "card_unknown" and finding.where and (names := finding.data.get("nearest"))
    }
    entries, respelled = [], []
    for entry in read.deck.entries:
        cards = read.pool.named(nearest[entry.place]) if entry.card is None and entry.place in nearest else ()
        if len(cards) == 1 and SequenceMatcher(None, fold(entry.name), fold(cards[0].name)).ratio() >= _ALIKE:
            respelled.append((entry.name, CardCount(cards[0].ref, cards[0].name, entry.count)))
            entries.append(replace(entry, name=cards[0].name, card=cards[0]))
        else:
            entries.append(entry)
    return replace(read.deck, entries=tuple(entries)), tuple(respelled)


def _example(read: ReadDeck, format_: str | None) -> Deck | None:
    """Returns a game's first example deck for a format, or else its first example deck; None if it has none."""
    decks = [load_deck(read.game.folder.source(path), read.game.spec, read.pool)[0] for path in read.game.folder.decks]
    played = format_ or read.game.spec.default_format
    return next((deck for deck in decks if deck.headers.get("format") == played), decks[0] if decks else None)
