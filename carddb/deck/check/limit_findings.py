"""The findings of limits: their words, numbers, places and remedies. No remedy takes out a card that plays a role."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from carddb.cards.cards import Entry
from carddb.deck import fixes
from carddb.deck.view import View, cards, last, places
from carddb.findings import CardCount, Finding, Severity
from carddb.game.rule_parts import LimitSpec


def finding(
    limit: LimitSpec,
    message: str,
    entries: Sequence[Entry],
    count: float,
    bound: float,
    *remedies: fixes.Fix | None,
    view: View | None = None,
    **data: Any,
) -> Finding:
    """The finding of a limit about these entries, or about the deck of the view where there are none."""
    return Finding(
        limit.code,
        Severity(limit.severity),
        message,
        places(entries) or ((view.file,) if view else ()),
        cards=cards(entries),
        data={"count": count, "limit": bound, **data},
        rules=limit.rules,
        **fixes.offered(*filter(None, remedies)),
    )


def too_few(view: View, limit: LimitSpec, entries: Sequence[Entry], count: int) -> Iterator[Finding]:
    """The finding for fewer matching cards than the least."""
    if count < limit.least:
        name = label(limit)
        message = f"{name}: {count}, at least {limit.least} are needed"
        more = fixes.add(limit.least - count, f"to the {lowered(name)}", match=limit.query)
        yield finding(limit, message, entries, count, limit.least, more, view=view)


def too_many(view: View, limit: LimitSpec, entries: Sequence[Entry], count: int) -> Iterator[Finding]:
    """The finding for more matching cards than the most."""
    if limit.most is not None and count > limit.most:
        message = f"{label(limit)}: {count}, at most {limit.most} in all"
        yield finding(limit, message, entries, count, limit.most, without_last(view, entries, count - limit.most))


def removable(view: View, entries: Sequence[Entry]) -> list[Entry]:
    """The entries that may be taken out: not those of cards that play a role."""
    return [entry for entry in entries if entry.ref not in view.role_refs] if view.role_refs else list(entries)


def without_last(view: View, entries: Sequence[Entry], count: int) -> fixes.Fix | None:
    """The remedy that takes out the last cards of these entries; None where they cannot be taken out."""
    taken = last(removable(view, entries), count)
    return fixes.remove(taken) if sum(card.count for card in taken) == count else None


def without_all(view: View, entries: Sequence[Entry]) -> fixes.Fix | None:
    """The remedy that takes out all cards of these entries; None where one of them plays a role."""
    return fixes.remove(cards(entries)) if len(removable(view, entries)) == len(entries) else None


def without(taken: Sequence[CardCount]) -> fixes.Fix | None:
    """The remedy that takes out these cards; None where there are none."""
    return fixes.remove(taken) if taken else None


def label(limit: LimitSpec) -> str:
    """The matching cards in words."""
    return limit.label or (f"Cards matching {limit.query}" if limit.query else "Cards")


def lowered(words: str) -> str:
    """Words within a sentence."""
    return words[:1].lower() + words[1:]
