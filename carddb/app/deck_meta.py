"""What a folder of decks says together: cards, pairs, archetypes, what a draft would forbid, the smallest mends."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from carddb.app.deck_batch import Unreadable, answers_of
from carddb.app.deck_check import CheckRequest, DeckSource
from carddb.app.deck_checks import deck_sources
from carddb.app.meta_rows import Draft, MetaDeck, MetaRow, draft_name, meta_part
from carddb.app.words import amount
from carddb.errors import InputError
from carddb.executors import HERE, ExecutorRequest
from carddb.findings import VERDICTS, Finding

if TYPE_CHECKING:
    from carddb.app.project import Project
    from carddb.deck.archetypes import Archetype
    from carddb.deck.metagame import CardPair, CardShare
    from carddb.games import Game

_MOST_PAIRS = 100
NO_ARCHETYPE = "(no archetype)"


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
        verdicts = Counter(deck.verdict for deck in self.decks)
        parts = ", ".join(f"{verdicts[key]} {word.lower()}" for key, word in VERDICTS.items() if verdicts[key])
        unread = f"; {amount(len(self.unread), 'file')} not counted" if self.unread else ""
        decks = amount(len(self.decks), "deck")
        return f"{decks} of {self.game.spec.name}: {parts or 'none'}{unread}. {self.format}, on {self.on.isoformat()}."

    @property
    def not_legal(self) -> list[MetaDeck]:
        """The decks that are not legal, or not checkable."""
        return [deck for deck in self.decks if deck.verdict != "legal"]

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
        return sum(self.decks[at].verdict == "legal" for at in archetype.decks)

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
    from carddb.deck.archetypes import archetypes
    from carddb.deck.metagame import card_pairs, card_shares

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
    project: Project, rows: Iterable[MetaRow | Unreadable], skipped: Iterable[str], game: Game
) -> Iterator[tuple[str, str]]:
    """What is not counted: files that could not be read, decks of other games, files that are no decks."""
    for row in rows:
        if isinstance(row, Unreadable):
            yield row.file, row.error.message
        elif row.game != game.key:
            yield row.deck.file, f"a deck of {project.game(row.game).spec.name}"
    for name in skipped:
        yield name, "no deck file by its ending"


def _once(findings: Iterable[Finding]) -> Iterable[Finding]:
    """The findings with a mend, each mend once."""
    return {finding.fix: finding for finding in findings if finding.fix}.values()


def _tally(fixes: Iterable[str]) -> list[tuple[str, int]]:
    return sorted(Counter(fixes).items(), key=lambda pair: (-pair[1], pair[0]))
