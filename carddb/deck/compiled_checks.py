"""The compiled checks of games, each prepared once for a format, a day, options, and what the deck's owner chose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from functools import lru_cache

from carddb.cards import Deck
from carddb.deck.compiled import MOST_KNOWN_LINES, PAYS_FROM, CompiledCheck
from carddb.deck.context import Context
from carddb.deck.deck_view import View
from carddb.deck.line_rules import line_rules
from carddb.game import GameSpec
from carddb.identity import Identity

_MOST_CHECKS = 256
_MOST_KINDS = 10_000
"""Kinds of decks that are counted until it pays to have a check for one."""


class CompiledChecks:
    """The compiled checks of one game, by what they were prepared for."""

    def __init__(self, spec: GameSpec) -> None:
        self._spec = spec
        self._headers = ["format", *sorted({limit.chosen for limit in spec.limits if limit.chosen})]
        """The headers of a deck that the rules look at."""
        self._decks = Counter[tuple[Hashable, ...]]()
        self._checks: dict[tuple[Hashable, ...], CompiledCheck] = {}

    def view_unless_legal(self, deck: Deck, context: Context) -> View | None:
        """None where the compiled check of such decks, where it pays to have one, has nothing to say of a deck.

        Else the view of the deck, with the rules that it may break.
        """
        compiled = self._of(deck, context)
        return View(deck, self._spec, context) if compiled is None else compiled.view_unless_legal(deck)

    def _of(self, deck: Deck, context: Context) -> CompiledCheck | None:
        """The compiled check for such decks; None where it does not pay yet, or something is wrong with each."""
        custom, options, chosen = context.custom, context.options, context.chosen
        key = (
            context.on,
            context.format,
            None if custom is None else str(custom),
            str(options) if options else "",
            str(chosen) if chosen else "",
            *map(deck.headers.get, self._headers),
        )
        compiled = self._checks.get(key)
        if compiled is None or compiled.known_lines > MOST_KNOWN_LINES:
            if len(self._decks) > _MOST_KINDS:
                self._decks.clear()
            self._decks[key] += 1
            if self._decks[key] < PAYS_FROM:
                return None
            if len(self._checks) >= _MOST_CHECKS:
                self._checks.clear()
            rules = line_rules(View(deck, self._spec, context))
            compiled = self._checks[key] = CompiledCheck(deck, self._spec, context, rules)
        return compiled


def compiled_checks(spec: GameSpec) -> CompiledChecks:
    """The compiled checks of a game, cached for the games checked last."""
    return _checks(Identity(spec))


@lru_cache(maxsize=8)
def _checks(spec: Identity[GameSpec]) -> CompiledChecks:
    return CompiledChecks(spec.value)
