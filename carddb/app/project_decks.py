"""What a project does with decks that are being built."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Unpack, cast

from carddb.app.keyword_options import refuse_unknown

if TYPE_CHECKING:
    from carddb.app.deck_check import DeckSource
    from carddb.app.deck_help import DeckProposal, HelpRequest
    from carddb.app.deck_meta import Meta
    from carddb.app.deck_odds import DeckOdds
    from carddb.app.deck_statistics import DeckStatistics
    from carddb.app.project import Project
    from carddb.deck.difference import Difference

_Source = TypeVar("_Source")


class CheckOptions(TypedDict, total=False):
    """By what a proposal is checked, as in `Project.check`."""

    game: str | None
    format: str | Path | Mapping[str, Any] | None
    on: date | str | None
    editions: Sequence[str]
    options: Mapping[str, Any] | None


class HandOptions(TypedDict, total=False):
    """How hands are dealt, as in `carddb.app.deck_odds.HandRequest`."""

    draws: Sequence[int]
    section: str | None
    hand: int | None
    keep: Sequence[str]
    redraws: int | None
    games: int
    seed: int


class DeckWork:
    """The part of `Project` that helps with decks."""

    folder: Path

    def fix(self, deck: DeckSource, *, owned: Path | str | None = None, **check: Unpack[CheckOptions]) -> DeckProposal:
        """The smallest change that makes a deck legal, with its steps; a legal deck stays as it is.

        `owned` is a file of what the player owns: only that is added. The rest is as in `check`. Raises InputError,
        UsageError.
        """
        from carddb.app.deck_help import fix_deck

        return fix_deck(self._project, self._local(deck), self._request(owned, 0, check))

    def fill(
        self, deck: DeckSource, *, owned: Path | str | None = None, seed: int = 0, **check: Unpack[CheckOptions]
    ) -> DeckProposal:
        """A deck with cards added until it is legal, as in `fix`; another `seed` chooses other cards."""
        from carddb.app.deck_help import fill_deck

        return fill_deck(self._project, self._local(deck), self._request(owned, seed, check))

    def diff(
        self, first: DeckSource, second: DeckSource, *, game: str | None = None, on: date | str | None = None
    ) -> Difference:
        """The cards whose copies differ from one deck to another. Raises InputError, UsageError."""
        from carddb.app.deck_check import to_day
        from carddb.app.deck_help import diff_decks

        return diff_decks(self._project, self._local(first), self._local(second), game, to_day(on))

    def meta(
        self,
        decks: DeckSource | Sequence[DeckSource],
        *,
        draft: Path | str | None = None,
        **check: Unpack[CheckOptions],
    ) -> Meta:
        """What the decks of a folder or a list say together: cards by share and copies, pairs, archetypes, mends.

        `draft` is a file of announcements that nobody has made yet: what it would forbid, and of whom. The rest is as
        in `check`. Raises InputError, UsageError.
        """
        from carddb.app.deck_meta import meta

        sources = self._local(decks) if isinstance(decks, str | Path) else decks
        return meta(
            self._project, sources, self._request(None, 0, check).check, Path(self._local(draft)) if draft else None
        )

    def stats(
        self, deck: DeckSource, *, game: str | None = None, on: date | str | None = None, hand: int | None = None
    ) -> DeckStatistics:
        """The numbers of a deck, with the exact odds of an opening hand of `hand` cards (default: the game's).

        Raises InputError, UsageError.
        """
        from carddb.app.deck_check import to_day
        from carddb.app.deck_statistics import deck_statistics

        return deck_statistics(self._project, self._local(deck), game, to_day(on), hand)

    def deck_odds(
        self,
        deck: DeckSource,
        holds: Sequence[str],
        *,
        game: str | None = None,
        on: date | str | None = None,
        **request: Unpack[HandOptions],
    ) -> DeckOdds:
        """How often hands of a deck hold what is asked for, by sampling: `["2 type:event", "0-1 cost>4"]`.

        Raises InputError, UsageError, QueryError.
        """
        from carddb.app.deck_check import to_day
        from carddb.app.deck_odds import HandRequest, deck_odds

        refuse_unknown(request, HandOptions)
        return deck_odds(self._project, self._local(deck), HandRequest(holds, **request), game, to_day(on))

    @property
    def _project(self) -> Project:
        return cast("Project", self)

    def _request(self, owned: Path | str | None, seed: int, check: CheckOptions) -> HelpRequest:
        from carddb.app.deck_check import CheckRequest, to_day
        from carddb.app.deck_help import HelpRequest

        refuse_unknown(check, CheckOptions)
        editions, options = tuple(check.get("editions", ())), dict(check.get("options") or {})
        on = to_day(check.get("on"))
        request = CheckRequest(check.get("game"), check.get("format"), on, None, editions, options)
        return HelpRequest(request, Path(self._local(owned)) if owned else None, seed)

    def _local(self, source: _Source) -> _Source | Path:
        if not isinstance(source, str | Path) or "\n" in str(source) or Path(source).exists():
            return source
        path = self.folder / source
        return path if path.exists() else source
