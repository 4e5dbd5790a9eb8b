"""What a folder of decks says together: cards, pairs, archetypes, what a draft would forbid, the smallest mends."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import BinaryIO

from carddb.app.decks.batch import Unreadable, answers_of
from carddb.app.decks.check import CheckRequest
from carddb.app.decks.checks import deck_sources
from carddb.app.decks.meta_report import Meta
from carddb.app.decks.meta_rows import Draft, MetaRow, draft_name, meta_part
from carddb.app.decks.reading import DeckSource
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import InputError
from carddb.core.executors import HERE, ExecutorRequest
from carddb.deck.help.archetypes import archetypes
from carddb.deck.help.metagame import card_pairs, card_shares
from carddb.games import Game

_MOST_PAIRS = 100


def meta(
    project: Workspace,
    decks: DeckSource | Iterable[DeckSource],
    request: CheckRequest,
    draft: Path | BinaryIO | None = None,
    executor: ExecutorRequest = HERE,
) -> Meta:
    """What decks say together; of several games those count of which there are most, unless the request names one.

    `draft` is a file of announcements that nobody has made yet, or its bytes. Raises InputError, UsageError.
    """
    sources, skipped = deck_sources(project, decks)
    tried = Draft.read(draft) if draft else None
    rows, names = list[MetaRow | Unreadable](), defaultdict[str, dict[str, str]](dict)
    with project.working("checking", len(sources)) as step:
        for part in answers_of(project, sources, request, executor, partial(meta_part, tried), step):
            rows += part.rows
            for key, of_game in part.names.items():
                names[key] |= of_game
    read = [row for row in rows if isinstance(row, MetaRow)]
    if not read:
        first = next(row for row in rows if isinstance(row, Unreadable))
        raise InputError(f"none of the decks can be read: {first.error.message}", first.error.remedy)
    game = project.game(Counter(row.game for row in read).most_common(1)[0][0])
    if draft and tried and (trial := tried.trial(project, game.key)).result.refused:
        raise InputError(f"{draft_name(draft)} cannot be announced", "Put it right first.", trial.findings)
    unread = tuple(_unread(project, rows, skipped, game))
    title = "" if draft is None else str(draft) if isinstance(draft, Path) else "draft"
    return _meta(game, names[game.key], [row for row in read if row.game == game.key], unread, title)


def _meta(
    game: Game, names: Mapping[str, str], rows: Sequence[MetaRow], unread: tuple[tuple[str, str], ...], draft: str
) -> Meta:
    copies = [row.copies for row in rows]
    shares, groups = card_shares(copies), archetypes(copies)
    of_deck = {at: " and ".join(names[ref] for ref in group.named_by) for group in groups for at in group.decks}
    decks = tuple(replace(row.deck, archetype=of_deck.get(at, "")) for at, row in enumerate(rows))
    formats = dict.fromkeys(row.format for row in rows)
    return Meta(
        game,
        " and ".join(formats) if len(formats) < 4 else f"{len(formats)} formats",
        rows[0].on,
        decks,
        tuple(shares),
        tuple(card_pairs(copies, shares, _MOST_PAIRS)),
        tuple(groups),
        unread,
        {card.ref: names[card.ref] for card in shares},
        draft,
    )


def _unread(
    project: Workspace, rows: Iterable[MetaRow | Unreadable], skipped: Iterable[str], game: Game
) -> Iterator[tuple[str, str]]:
    """What is not counted: files that could not be read, decks of other games, files that are no decks."""
    for row in rows:
        if isinstance(row, Unreadable):
            yield row.file, row.error.message
        elif row.game != game.key:
            yield row.deck.file, f"a deck of {project.game(row.game).spec.name}"
    for name in skipped:
        yield name, "no deck file by its ending"
