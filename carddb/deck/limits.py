"""Limits: how many of which cards. One function a kind; each gives one finding a cause."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from math import inf
from typing import Any

from carddb.cards import Entry
from carddb.deck import fixes
from carddb.deck.deck_view import EntryFacts, View, cards, copies, last, name_of, places
from carddb.findings import CardCount, Finding, Severity
from carddb.game_parts import LimitSpec

Rule = Callable[[View, LimitSpec], Iterator[Finding]]


def check(view: View, limits: Iterable[LimitSpec]) -> list[Finding]:
    """Every finding of these limits, as far as the options leave them in force."""
    return [finding for limit in limits if view.applies(limit) for finding in _RULES[limit.kind](view, limit)]


def _groups(view: View, entries: list[EntryFacts], by: str | None) -> list[list[Entry]]:
    """Entries of cards that are the same, or have the same in a field."""
    if by in (None, "identity"):
        keys = [facts.identity for _, facts in entries]
    else:
        keys = view.identity(by).of([entry for entry, _ in entries])
    groups: dict[tuple[Hashable, ...], list[Entry]] = defaultdict(list)
    for (entry, _), key in zip(entries, keys, strict=True):
        if key is not None:
            groups[key].append(entry)
    return list(groups.values())


def _copies(view: View, limit: LimitSpec) -> Iterator[Finding]:
    entries = view.matching(limit.query, limit.over)
    least, most = limit.min, inf if limit.max is None else limit.max
    counts = [entry.count for entry, _ in entries]
    if not entries or (least == 0 and sum(counts) <= most):
        return
    enough = least == 0 or least <= min(counts)
    # Where no card comes twice there is nothing to group; otherwise a check of 2,000 decks takes 1.75 times as long.
    if view.differ and limit.by in (None, "identity") and enough and max(counts) <= most:
        return
    for group in _groups(view, entries, limit.by):
        count = copies(group)
        if least <= count <= most:
            continue
        name, label = name_of(group[0]), limit.label or "one card"
        if limit.max is not None and count > limit.max:
            message = f"{name}: {fixes.amount(count, 'copy')}, at most {limit.max} of {label}"
            yield _finding(limit, message, group, count, limit.max, fixes.remove(last(group, count - limit.max)))
        elif count < limit.min:
            message = f"{name}: {fixes.amount(count, 'copy')}, at least {limit.min} of {label} are needed"
            more = fixes.add(limit.min - count, f"of {name}", ref=group[0].ref)
            yield _finding(limit, message, group, count, limit.min, more)


def _matching(view: View, query: str, over: tuple[str, ...]) -> list[Entry]:
    return [entry for entry, _ in view.matching(query, over)]


def _total(view: View, limit: LimitSpec) -> Iterator[Finding]:
    entries = _matching(view, limit.query, limit.over)
    count, label = copies(entries), _label(limit)
    if limit.max is not None and count > limit.max:
        message = f"{label}: {count}, at most {limit.max} in all"
        yield _finding(limit, message, entries, count, limit.max, fixes.remove(last(entries, count - limit.max)))
    elif count < limit.min:
        message = f"{label}: {count}, at least {limit.min} are needed"
        more = fixes.add(limit.min - count, f"to the {_lowered(label)}", match=limit.query)
        yield _finding(limit, message, entries, count, limit.min, more, view=view)


def _ratio(view: View, limit: LimitSpec) -> Iterator[Finding]:
    entries = _matching(view, limit.query, limit.over)
    count, base = copies(entries), copies(_matching(view, limit.per, limit.over))
    allowed = base // limit.each
    if count > allowed:
        per = limit.per_label or f"cards matching {limit.per}"
        message = f"{_label(limit)}: {count}, at most {allowed}, one for every {limit.each} of the {base} {per}"
        less = fixes.remove(last(entries, count - allowed))
        more = fixes.add(count * limit.each - base, f"to the {per}", match=limit.per)
        order = (less, more) if count - allowed <= count * limit.each - base else (more, less)
        yield _finding(limit, message, entries, count, allowed, *order, per=base, each=limit.each)


def _requires(view: View, limit: LimitSpec) -> Iterator[Finding]:
    cause = _matching(view, limit.given or "", limit.over)
    entries = (
        _matching(view, limit.query, limit.over) if limit.query else [entry for entry, _ in view.counted(limit.over)]
    )
    count = copies(entries)
    if copies(cause) and count < limit.min:
        because = limit.per_label or f"cards matching {limit.given}"
        message = f"{_label(limit)}: {count}, at least {limit.min} are needed where there are {because}"
        more = fixes.add(limit.min - count, f"to the {_lowered(_label(limit))}", match=limit.query)
        less = fixes.remove(cards(cause))
        order = (more, less) if limit.min - count <= copies(cause) else (less, more)
        yield _finding(limit, message, cause, count, limit.min, *order)


def _budget(view: View, limit: LimitSpec) -> Iterator[Finding]:
    entries = [entry for entry in _matching(view, limit.query, limit.over) if _price(entry, limit.of)]
    spent = sum(entry.count * _price(entry, limit.of) for entry in entries)
    if limit.max is not None and spent > limit.max:
        message = f"{_label(limit)}: {spent:g} {limit.of} in all, at most {limit.max} may be spent"
        less = fixes.remove(_dearest(entries, limit.of, spent - limit.max))
        yield _finding(limit, message, entries, spent, limit.max, less)


def _price(entry: Entry, field: str) -> int | float:
    value = entry.card.get(field) if entry.card else None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else 0


def _dearest(entries: list[Entry], field: str, excess: int | float) -> list[CardCount]:
    """The fewest cards that bring the sum down by `excess`."""
    out = []
    for entry in sorted(entries, key=lambda entry: -_price(entry, field)):
        price = _price(entry, field)
        taken = min(entry.count, int(-(-excess // price))) if excess > 0 else 0
        if taken > 0:
            out.append(CardCount(entry.ref, name_of(entry), taken))
            excess -= taken * price
    return out


def _same(view: View, limit: LimitSpec) -> Iterator[Finding]:
    entries = _matching(view, limit.query, limit.over)
    chosen = view.chosen(limit.chosen) if limit.chosen else ()
    if chosen:
        yield from _among(limit, entries, chosen)
        return
    for group in _groups(view, view.matching(limit.query, limit.over), limit.by) if limit.by else [entries]:
        tally: Counter[Any] = Counter()
        for entry in group:
            tally[_value(entry, limit.of)] += entry.count
        if len(tally) > 1:
            yield _differing(limit, group, tally)


def _among(limit: LimitSpec, entries: list[Entry], chosen: Sequence[str]) -> Iterator[Finding]:
    outside = [entry for entry in entries if _value(entry, limit.of) not in chosen]
    if outside:
        values = sorted({_shown(_value(entry, limit.of)) for entry in outside})
        message = (
            f"{fixes.amount(copies(outside))} of {limit.of} {fixes.listed(values)}, 0 may be outside "
            f"the chosen {fixes.listed(list(chosen))}: {fixes.counted(cards(outside))}"
        )
        words, data = fixes.remove(cards(outside))
        fix = (f"{words}, or choose their {limit.of} too", data)
        yield _finding(limit, message, outside, copies(outside), 0, fix, chosen=list(chosen))


def _differing(limit: LimitSpec, group: list[Entry], tally: Counter[Any]) -> Finding:
    usual = tally.most_common(1)[0][0]
    others = [entry for entry in group if _value(entry, limit.of) != usual]
    spread = fixes.listed([f"{_shown(value)} ({fixes.amount(count)})" for value, count in tally.most_common()])
    subject = name_of(group[0]) if limit.by else _label(limit)
    message = f"{subject}: {len(tally)} different values of {limit.of} where 1 is allowed: {spread}"
    values = {_shown(value): count for value, count in tally.items()}
    return _finding(limit, message, others, len(tally), 1, fixes.remove(cards(others)), values=values)


def _value(entry: Entry, field: str) -> Any:
    value = entry.card.get(field) if entry.card else None
    return tuple(value) if isinstance(value, list) else value


def _shown(value: Any) -> str:
    return "none" if value is None else str(value)


def _label(limit: LimitSpec) -> str:
    return limit.label or (f"Cards matching {limit.query}" if limit.query else "Cards")


def _lowered(label: str) -> str:
    return label[:1].lower() + label[1:]


def _finding(
    limit: LimitSpec,
    message: str,
    entries: Sequence[Entry],
    count: float,
    bound: float,
    *remedies: fixes.Fix,
    view: View | None = None,
    **data: Any,
) -> Finding:
    return Finding(
        limit.code,
        Severity(limit.severity),
        message,
        places(entries) or ((view.file,) if view else ()),
        cards=cards(entries),
        data={"count": count, "limit": bound, **data},
        rules=limit.rules,
        **fixes.offered(*remedies),
    )


_RULES: dict[str, Rule] = {
    "copies": _copies,
    "total": _total,
    "ratio": _ratio,
    "requires": _requires,
    "budget": _budget,
    "same": _same,
}
