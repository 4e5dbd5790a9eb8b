"""Limits: how many of which cards. One function a kind; each gives one finding a cause."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import inf

from carddb.cards.cards import Entry
from carddb.core.amounts import amount
from carddb.deck import fixes
from carddb.deck.check import binding, limit_sums, limit_values
from carddb.deck.check.limit_findings import finding, label, lowered, too_few, too_many, without_all, without_last
from carddb.deck.view import EntryFacts, View, copies, name_of
from carddb.findings import Finding
from carddb.game.rule_parts import LimitSpec

Rule = Callable[[View, LimitSpec], Iterator[Finding]]


def check(view: View, limits: Iterable[LimitSpec]) -> list[Finding]:
    """Every finding of these limits, as far as the options leave them in force."""
    return [finding for limit in limits if view.applies(limit) for finding in _findings(view, limit)]


def _findings(view: View, limit: LimitSpec) -> Iterator[Finding]:
    if limit.fixed:
        yield from _RULES[limit.kind](view, limit)
    elif bound := binding.bind(view, limit):
        yield from (_sourced(found, bound.source) for found in _RULES[limit.kind](view, bound.limit))


def _sourced(found: Finding, source: str) -> Finding:
    """A finding that says where its bound comes from."""
    return found._replace(message=f"{found.message} ({source})") if source else found


def _copies(view: View, limit: LimitSpec) -> Iterator[Finding]:
    entries = view.matching(limit.query, limit.over)
    if limit.max_field is None and not _may_fail(view, limit, entries):
        return
    name = limit.label or "one card"
    for group in limit_values.groups(view, entries, limit.by):
        count, most = copies(group), _most(limit, group)
        if count > most:
            message = f"{name_of(group[0])}: {amount(count, 'copy')}, at most {most} of {name}"
            yield finding(limit, message, group, count, most, without_last(view, group, count - int(most)))
        elif count < limit.least:
            message = f"{name_of(group[0])}: {amount(count, 'copy')}, at least {limit.least} of {name} are needed"
            more = fixes.add(limit.least - count, f"of {name_of(group[0])}", ref=group[0].ref)
            yield finding(limit, message, group, count, limit.least, more)


def _may_fail(view: View, limit: LimitSpec, entries: list[EntryFacts]) -> bool:
    """Whether a limit of copies may be broken, as far as that is seen without putting the copies together."""
    least, most = limit.least, inf if limit.most is None else limit.most
    counts = [entry.count for entry, _ in entries]
    if not entries or (least == 0 and sum(counts) <= most):
        return False
    enough = least == 0 or least <= min(counts)
    # Where no card comes twice there is nothing to group; otherwise a check of 2,000 decks takes 1.75 times as long.
    return not (view.differ and limit.by in (None, "identity") and enough and max(counts) <= most)


def _most(limit: LimitSpec, group: list[Entry]) -> float:
    """The most copies of these cards: their own number, none where they say true, else that of the limit."""
    own = next((value for entry in group if (value := _own_most(limit, entry)) is not None), None)
    return (inf if limit.most is None else limit.most) if own is None else own


def _own_most(limit: LimitSpec, entry: Entry) -> float | None:
    value = entry.card.get(limit.max_field) if entry.card and limit.max_field else None
    if isinstance(value, bool):
        return inf if value else None
    return value if isinstance(value, int | float) else None


def _matching(view: View, query: str, over: tuple[str, ...]) -> list[Entry]:
    return [entry for entry, _ in view.matching(query, over)]


def _total(view: View, limit: LimitSpec) -> Iterator[Finding]:
    entries = _matching(view, limit.query, limit.over)
    count = copies(entries)
    yield from too_many(view, limit, entries, count)
    yield from too_few(view, limit, entries, count)


def _ratio(view: View, limit: LimitSpec) -> Iterator[Finding]:
    entries = _matching(view, limit.query, limit.over)
    count, base = copies(entries), copies(_matching(view, limit.per, limit.over))
    allowed = base // limit.each
    if count > allowed:
        per = limit.per_label or f"cards matching {limit.per}"
        message = f"{label(limit)}: {count}, at most {allowed}, one for every {limit.each} of the {base} {per}"
        less = without_last(view, entries, count - allowed)
        more = fixes.add(count * limit.each - base, f"to the {per}", match=limit.per)
        order = (less, more) if count - allowed <= count * limit.each - base else (more, less)
        yield finding(limit, message, entries, count, allowed, *order, per=base, each=limit.each)
    else:
        yield from too_many(view, limit, entries, count)
    yield from too_few(view, limit, entries, count)


def _requires(view: View, limit: LimitSpec) -> Iterator[Finding]:
    cause = _matching(view, limit.given or "", limit.given_over or limit.over)
    entries = (
        _matching(view, limit.query, limit.over) if limit.query else [entry for entry, _ in view.counted(limit.over)]
    )
    count = copies(entries)
    if not copies(cause):
        return
    because = limit.per_label or f"cards matching {limit.given}"
    if count < limit.least:
        message = f"{label(limit)}: {count}, at least {limit.least} are needed where there are {because}"
        more = fixes.add(limit.least - count, f"to the {lowered(label(limit))}", match=limit.query)
        less = without_all(view, cause)
        order = (more, less) if limit.least - count <= copies(cause) else (less, more)
        yield finding(limit, message, cause, count, limit.least, *order)
    elif limit.most is not None and count > limit.most:
        message = f"{label(limit)}: {count}, at most {limit.most} where there are {because}"
        less = without_last(view, entries, count - limit.most)
        yield finding(limit, message, entries, count, limit.most, less, without_all(view, cause))


_RULES: dict[str, Rule] = {
    "copies": _copies,
    "total": _total,
    "ratio": _ratio,
    "requires": _requires,
    "budget": limit_sums.budget,
    "same": limit_values.same,
    "different": limit_values.different,
}
