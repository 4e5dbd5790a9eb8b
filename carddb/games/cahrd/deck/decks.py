"""Decks: what is unusual about their cards, and the question whether one may be played."""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from functools import partial
from typing import Any, Literal

from carddb.cards.cards import Card, Deck, Entry, Pool
from carddb.core.amounts import amount, listed
from carddb.deck import Context, check
from carddb.deck.view import cards, places
from carddb.findings import Finding, Place, Severity, codes_of, warning
from carddb.game.game import GameSpec
from carddb.games.cahrd.deck import imd_decks
from carddb.games.cahrd.play.cards import read, remarks
from carddb.games.cahrd.play.imd_questions import changes_of, limits_of
from carddb.play import inline
from carddb.play.fields import Day, Many
from carddb.play.question import Answer, Options, operation

ANY_DAY = date.min
"""Nothing about decks depends on the day, save the restricted lists."""

_REMARKS = {
    "trait_missing": ("without a trait", "Most officers have one: see whether it was forgotten.", ("C-15",)),
    "cost_not_round": ("whose cost is not round", "See whether the cost is a slip.", ("C-19",)),
}


def unusual_cards(deck: Deck, spec: GameSpec, pool: Pool, context: Context) -> list[Finding]:
    """The cards that are unusual but not wrong, a warning for each reason (C-15, C-19)."""
    by_code: dict[str, list[Entry]] = defaultdict(list)
    for entry in deck.entries:
        for code in remarks(entry.card, spec) if entry.card else ():
            by_code[code].append(entry)
    return [_remark(code, entries) for code, entries in by_code.items()]


def unusual_card(card: Card, place: Place, spec: GameSpec) -> list[Finding]:
    """The same of one card of a file."""
    entry = Entry("", 1, card.name, card, place)
    return [_remark(code, [entry]) for code in remarks(card, spec)]


def _remark(code: str, entries: list[Entry]) -> Finding:
    remark, fix, rules = _REMARKS[code]
    unusual = cards(entries)
    message = f"{amount(len(unusual))} {remark}: {listed([card.name for card in unusual])}"
    return warning(code, message, *places(entries), cards=unusual, data={"count": len(unusual)}, fix=fix, rules=rules)


@operation(
    *("C-5", *(f"C-{number}" for number in range(32, 43)), "C-71"),
    *("C-143", "C-144", "C-146", "C-147", "C-148", "C-149", "C-150"),
)
def validate_deck(
    main: Many[Any],
    strategy: Many[Any] = (),
    match: Literal["battle", "war"] = "battle",
    date: Day | None = None,
    imd: Any = None,
    *,
    spec: GameSpec,
    options: Options,
) -> Answer:
    """Whether a deck may be played: sections are lists of `[card, count]`, `imd` changes of the restricted lists."""
    limits = limits_of(options, spec)
    deck, codes = inline.deck(spec, {"main": main, "strategy": strategy}, partial(read, options=options))
    findings = check(deck, spec, Pool(()), Context(date or ANY_DAY, match, options=options), [unusual_cards])
    if date and imd is not None:
        list_ = spec.data["imd"]["lists"][match]
        findings += imd_decks.findings(deck, spec, changes_of(imd, spec), list_, date, limits)
    violations = {*codes, *codes_of(findings, Severity.ERROR)}
    return {
        "valid": not violations,
        "violations": sorted(violations),
        "warnings": codes_of(findings, Severity.WARNING, Severity.NOT_CHECKABLE),
        "main_count": deck.size("main"),
        "strategy_count": deck.size("strategy"),
        "findings": [finding.to_json() for finding in findings],
    }
