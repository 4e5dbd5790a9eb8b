"""One deck as it is read: its text against the cards of a day, with the game's ban lists on that day."""

from __future__ import annotations

import re
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard

from carddb.app.workspace.day_cards import DayCards, day_cards
from carddb.app.workspace.workspace import Workspace
from carddb.bans.log import Log
from carddb.cards.cards import Deck, Pool
from carddb.findings import Finding
from carddb.games import Game
from carddb.read.decks.file import OpenedDeck, game_of_deck, open_deck

if TYPE_CHECKING:
    from carddb.catalog.store import Catalog

DeckSource = str | Path | Deck
"""A deck file (`-`: standard input), the text of a deck, which has a newline, or a deck that was read before."""

_REFERENCE = re.compile(r"\[([^\]]+)\]")


@dataclass(frozen=True, slots=True)
class ReadDeck:
    """A deck as read: the findings of its reader, the cards of the day, and the game's ban lists on it."""

    game: Game
    deck: Deck
    findings: list[Finding]
    pool: Pool
    bans: Log


def is_single(decks: object) -> TypeGuard[DeckSource]:
    """Whether this is one deck, and neither a folder nor a list."""
    if isinstance(decks, Deck):
        return True
    if isinstance(decks, str) and "\n" in decks:
        return True
    return isinstance(decks, str | Path) and not Path(decks).is_dir()


def read_deck(
    project: Workspace,
    deck: DeckSource | OpenedDeck,
    key: str | None,
    on: date,
    cards: DayCards | None = None,
    format_: str | None = None,
) -> ReadDeck:
    """A deck against the cards of a day; `format_` is chosen beside it. Raises InputError, UsageError."""
    from carddb.read.decks import text as deck_text  # 5 ms; tournaments and prints mostly have no deck to read

    text, file, findings = (None, deck.file, []) if isinstance(deck, Deck) else _text_of(project, deck)
    if not key:
        key = deck.game if isinstance(deck, Deck) else game_of_deck(text or "", file, {k: k for k in project.folders})
    game = project.only_game(key)
    alone = cards is None and text is not None
    with nullcontext(cards) if cards else day_cards(project) as cards:
        pool = (
            cards.mentioned(game, on, partial(deck_text.mentioned_words, text or "")) if alone else cards.pool(game, on)
        )
        bans = cards.bans(game, on)
        if isinstance(deck, Deck):
            return ReadDeck(game, deck, [], pool, bans)
        if text is None:
            return ReadDeck(game, Deck(game.key, (), file=file), findings, pool, bans)
        chosen = game.spec.format_words.find(format_) if format_ else None
        read, findings = deck_text.read_deck(text, game.spec, pool, file, chosen)
        if any(finding.code == "card_unknown" for finding in findings):
            findings = _with_causes(cards.catalog, game, read, findings, on)
    return ReadDeck(game, read, findings, pool, bans)


def _text_of(project: Workspace, deck: str | Path | OpenedDeck) -> OpenedDeck:
    """The text of a deck. Raises InputError."""
    if isinstance(deck, OpenedDeck):
        return deck
    if isinstance(deck, str) and "\n" in deck:
        return OpenedDeck(deck, "", [])
    path = Path(deck)
    project.protect(path)
    return open_deck(path)


def _with_causes(catalog: Catalog, game: Game, deck: Deck, findings: list[Finding], on: date) -> list[Finding]:
    """The same findings; those of cards that are only out of sight say why."""
    names = {entry.place.line: entry.name for entry in deck.entries if entry.card is None}
    refs = {line: match[1] for line, name in names.items() if (match := _REFERENCE.search(name))}
    samples = catalog.pool(game.spec, day=on, with_sample=True)
    last = {line: revisions[-1] for line, ref in refs.items() if (revisions := catalog.history(game.key, ref))}

    def with_cause(finding: Finding) -> Finding:
        line = finding.where[0].line if finding.where else 0
        if finding.code != "card_unknown" or line not in names:
            return finding
        name = _REFERENCE.sub("", names[line]).strip()
        if samples.get(refs.get(line, "")) or samples.folded(name):
            fix = "It is a sample card, and the samples stand back since you loaded cards of your own."
            return finding._replace(message=f"{name} is not among your cards", fix=fix)
        if line in last and last[line].kind == "retired":
            return finding._replace(message=f"{name} is retired since {last[line].in_force_from}", fix="Take it out.")
        return finding

    return [with_cause(finding) for finding in findings]
