"""Limits on values: cards that must agree in a field, and how many different ones there may be."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

from carddb.cards.cards import Entry
from carddb.core.amounts import amount, listed
from carddb.deck import fixes
from carddb.deck.check.limit_findings import finding, label, lowered, removable, too_few, too_many, without_all
from carddb.deck.view import EntryFacts, View, cards, copies, name_of, values_of
from carddb.findings import Finding
from carddb.game.rule_parts import LimitSpec


def groups(view: View, entries: list[EntryFacts], by: str | None) -> list[list[Entry]]:
    """Entries of cards that are the same, or have the same in a field."""
    if by in (None, "identity"):
        keys = [facts.identity for _, facts in entries]
    else:
        keys = view.identity(by).of([entry for entry, _ in entries])
    out: dict[str, list[Entry]] = defaultdict(list)
    for (entry, _), key in zip(entries, keys, strict=True):
        if key is not None:
            out[key].append(entry)
    return list(out.values())


def same(view: View, limit: LimitSpec) -> Iterator[Finding]:
    """The findings for cards that differ in a field, or have a value that none may have."""
    matching = view.matching(limit.query, limit.over)
    entries = [entry for entry, _ in matching]
    chosen = view.chosen(limit.chosen) if limit.chosen else ()
    if limit.subset_of is not None:
        yield from _within(view, limit, entries, tuple(limit.subset_of))
    elif chosen:
        yield from _among(view, limit, entries, chosen)
    else:
        for group in groups(view, matching, limit.by) if limit.by else [entries]:
            if len({value_of(entry, limit.of) for entry in group}) > 1:
                yield _differing(view, limit, group)
    yield from too_many(view, limit, entries, copies(entries))
    yield from too_few(view, limit, entries, copies(entries))


def _within(view: View, limit: LimitSpec, entries: list[Entry], allowed: tuple[str, ...]) -> Iterator[Finding]:
    """The finding for cards with a value outside those allowed; a card without any value has none outside."""
    outside = [entry for entry in entries if not set(values_of(entry, limit.of)) <= set(allowed)]
    if outside:
        values = sorted({str(value) for entry in outside for value in values_of(entry, limit.of)} - set(allowed))
        message = (
            f"{label(limit)}: {amount(copies(outside))} of {limit.of} {listed(values)}, "
            f"only {listed(list(allowed)) or 'none'} may be there: {fixes.counted(cards(outside))}"
        )
        less = without_all(view, outside)
        yield finding(limit, message, outside, copies(outside), 0, less, allowed=list(allowed))


def _among(view: View, limit: LimitSpec, entries: list[Entry], chosen: Sequence[str]) -> Iterator[Finding]:
    outside = [entry for entry in entries if value_of(entry, limit.of) not in chosen]
    if outside:
        values = sorted({_shown(value_of(entry, limit.of)) for entry in outside})
        message = (
            f"{amount(copies(outside))} of {limit.of} {listed(values)}, 0 may be outside "
            f"the chosen {listed(list(chosen))}: {fixes.counted(cards(outside))}"
        )
        remedy = without_all(view, outside)
        fix = remedy and (f"{remedy[0]}, or choose their {limit.of} too", remedy[1])
        yield finding(limit, message, outside, copies(outside), 0, fix, chosen=list(chosen))


def _differing(view: View, limit: LimitSpec, group: list[Entry]) -> Finding:
    """The finding for cards that differ; those go that are fewest, and none that plays a role."""
    tally: Counter[Any] = Counter()
    for entry in group:
        tally[value_of(entry, limit.of)] += entry.count
    fixed = {value_of(entry, limit.of) for entry in group if entry.ref in view.role_refs}
    usual = next(iter(fixed)) if len(fixed) == 1 else tally.most_common(1)[0][0]
    others = [entry for entry in group if value_of(entry, limit.of) != usual]
    spread = listed([f"{_shown(value)} ({amount(count)})" for value, count in tally.most_common()])
    subject = name_of(group[0]) if limit.by else label(limit)
    message = f"{subject}: {len(tally)} different values of {limit.of} where 1 is allowed: {spread}"
    values = {_shown(value): count for value, count in tally.items()}
    return finding(limit, message, others, len(tally), 1, without_all(view, others), values=values)


def different(view: View, limit: LimitSpec) -> Iterator[Finding]:
    """The finding for too many or too few different cards, or different values of a field."""
    of_value = by_value(view, limit)
    count, name = len(of_value), label(limit)
    what = "different cards" if limit.by in (None, "identity") else f"different values of {limit.by}"
    entries = list({id(entry): entry for group in of_value.values() for entry in group}.values())
    if limit.most is not None and count > limit.most:
        message = f"{name}: {count} {what}, at most {limit.most} are allowed{_spread(limit, of_value)}"
        surplus = _rarest(view, of_value, count - limit.most)
        less = without_all(view, surplus) if surplus else None
        yield finding(limit, message, entries, count, limit.most, less)
    elif count < limit.least:
        message = f"{name}: {count} {what}, at least {limit.least} are needed{_spread(limit, of_value)}"
        words = f"of other {'cards' if limit.by in (None, 'identity') else limit.by} to the {lowered(name)}"
        more = fixes.add(limit.least - count, words, match=limit.query)
        yield finding(limit, message, entries, count, limit.least, more, view=view)


def by_value(view: View, limit: LimitSpec) -> Mapping[Hashable, list[Entry]]:
    """The matching entries by card, or by each value of the field."""
    matching = view.matching(limit.query, limit.over)
    if limit.by in (None, "identity"):
        return dict(enumerate(groups(view, matching, None)))
    out: dict[Hashable, list[Entry]] = defaultdict(list)
    for entry, _ in matching:
        for value in values_of(entry, limit.by or ""):
            out[value].append(entry)
    return out


def _spread(limit: LimitSpec, of_value: Mapping[Hashable, list[Entry]]) -> str:
    if limit.by in (None, "identity"):
        names = [name_of(group[0]) for group in of_value.values()]
    else:
        names = [f"{value} ({amount(copies(group))})" for value, group in of_value.items()]
    return f": {listed(names)}" if names else ""


def _rarest(view: View, of_value: Mapping[Hashable, list[Entry]], count: int) -> list[Entry]:
    """The entries of so many values, those with the fewest copies and without a role; none where that cannot be."""
    free = [group for group in of_value.values() if len(removable(view, group)) == len(group)]
    taken = sorted(free, key=copies)[:count]
    return list({id(entry): entry for group in taken for entry in group}.values()) if len(taken) == count else []


def value_of(entry: Entry, field: str) -> Any:
    """The value of a card in a field, a list as a tuple; None where it has none."""
    value = entry.card.get(field) if entry.card else None
    return tuple(value) if isinstance(value, list) else value


def _shown(value: Any) -> str:
    return "none" if value is None else str(value)
