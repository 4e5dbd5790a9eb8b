"""What a game says of a deck, taken apart: sums over its lines, and what each line says by itself.

All of it is asked of the long way about decks of one line, so no rule is written twice. Limits that say something else
of other decks are bound first. What needs the whole deck takes the long way: different values of a field, groups of
cards named through a field of a role, bounds that are no whole numbers, and sections that are picked from others.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, NamedTuple

from carddb.deck import binding, formats, limit_sums, limit_values, limits, roles, sections
from carddb.deck.deck_view import View, copies
from carddb.frozen import replaced
from carddb.rule_parts import REFERENCE, LimitSpec, RoleSpec, SectionSpec


class LineSum(NamedTuple):
    """A number of a deck that is the sum of its lines' numbers; where its rule is kept it lies between the bounds.

    `rule` is the id of the limit, or of the function, that has something to say otherwise. So it is in what follows.
    """

    rule: int
    of_line: Callable[[View], int | float]
    least: int = 0
    most: int | None = None


class Fault(NamedTuple):
    """What a rule says of a line by itself: anything that is true."""

    rule: int
    of_line: Callable[[View], object]


class Condition(NamedTuple):
    """Whether the sums of a deck, in the order of `LineRules.sums`, are as they must be."""

    rule: int
    holds: Callable[[Sequence[int]], bool]


class Agreement(NamedTuple):
    """Values of lines that must be the same for all lines; `NOTHING` for a line that need not agree."""

    rule: int
    of_line: Callable[[View], Any]


@dataclass
class LineRules:
    """The rules of one game, format, day and set of options for decks, taken apart."""

    faults: list[Fault] = field(default_factory=list)
    sums: list[LineSum] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    separable: defaultdict[str, list[LimitSpec]] = field(default_factory=lambda: defaultdict(list))
    """Limits that say of a deck what they say of its lines, as long as no two lines are the same by this field."""
    agreeing: list[Agreement] = field(default_factory=list)
    bound: list[LimitSpec] = field(default_factory=list)
    """Limits that say something else of other decks: by cards in roles, by groups of cards, by the size."""
    circumstances: list[Callable[[Sequence[int]], Hashable]] = field(default_factory=list)
    """What they go by besides the cards in roles, from the sums of a deck."""
    conditional: list[tuple[int, Callable[[View], object]]] = field(default_factory=list)
    """What needs the whole deck where a sum, by its number, is not 0; it is true where something is wrong."""
    whole: list[LimitSpec] = field(default_factory=list)
    """Limits that need the whole deck."""

    def add_sum(
        self, rule: object, of_line: Callable[[View], int | float], least: int = 0, most: int | None = None
    ) -> int:
        """Adds a sum of a rule with its bounds, and gives its number."""
        self.sums.append(LineSum(id(rule), of_line, least, most))
        return len(self.sums) - 1

    def add_copies(
        self, rule: object, query: str, over: tuple[str, ...], least: int = 0, most: int | None = None
    ) -> int:
        """Adds the sum of the copies of cards that match a query of a limit."""
        return self.add_sum(rule, lambda line: copies(entry for entry, _ in line.matching(query, over)), least, most)

    def add_fault(self, rule: object, of_line: Callable[[View], object]) -> None:
        """Adds what a rule says of a line by itself."""
        self.faults.append(Fault(id(rule), of_line))

    def add_condition(self, rule: object, holds: Callable[[Sequence[int]], bool]) -> None:
        """Adds what a rule asks of the sums."""
        self.conditions.append(Condition(id(rule), holds))


NOTHING = object()


def line_rules(view: View) -> LineRules:
    """The rules for decks such as this one, taken apart."""
    played = formats.in_force(view)
    rules = LineRules()
    if played.findings or (played.spec and not played.spec.holds_on(view.context.on)):
        rules.add_sum(formats.check, lambda line: 0, least=1)  # nothing makes such a deck right
    rules.add_fault(sections.misplaced, sections.misplaced)
    if format_ := played.spec:
        rules.add_fault(formats.check, lambda line: formats.check(line, format_))
    for key, section in view.spec.sections.items():
        _take_section(rules, key, section)
    for role in view.spec.roles.values():
        _take_role(rules, role)
    for limit in (*view.game_facts.always, *view.game_facts.own.get(played.key or "", ())):
        if view.applies(limit):
            _take_limit(rules, limit, view)
    return rules


def rules_of_bound(view: View, limits_of_game: Iterable[LimitSpec]) -> LineRules:
    """The rules of limits when they are bound to a deck, for decks to which they are bound in the same way."""
    rules = LineRules()
    for limit in limits_of_game:
        if bound := binding.bind(view, limit):
            held = bound.limit if limit.kind == "requires" else replaced(bound.limit, given=None)
            if held.fixed:
                _KINDS[held.kind](rules, limit, held, view)
            else:
                rules.whole.append(limit)
    return rules


def _take_section(rules: LineRules, key: str, section: SectionSpec) -> None:
    number = rules.add_sum(sections.sizes, lambda line: line.sizes.get(key, 0), *section.size)
    if section.part_of:
        rules.conditional.append((number, sections.not_in_others))


def _take_role(rules: LineRules, role: RoleSpec) -> None:
    rules.add_sum(roles.check, lambda line: copies(line.players(role)), 0 if role.optional else 1, 1)


def _take_limit(rules: LineRules, limit: LimitSpec, view: View) -> None:
    if limit.fixed:
        _KINDS[limit.kind](rules, limit, limit, view)
    else:
        _take_bound(rules, limit)


def _take_bound(rules: LineRules, limit: LimitSpec) -> None:
    """Takes in a limit that says something else of other decks, with what it goes by."""
    groups = [(other.given, other.over) for other in limit.instead]
    if limit.given is not None and limit.kind != "requires":
        groups.append((limit.given, limit.given_over))
    if any(REFERENCE.search(query) for query, _ in groups):
        rules.whole.append(limit)
        return
    rules.bound.append(limit)
    for query, over in groups:
        rules.circumstances.append(_is_there(rules.add_copies(limit, query, over or limit.over)))
    bounds = (limit.min, limit.max, *(bound for other in limit.instead for bound in (other.min, other.max)))
    steps = sorted({int(step) for bound in bounds if isinstance(bound, Mapping) for step in bound})
    if steps:
        size = rules.add_sum(limit, lambda line: copies(entry for entry, _ in line.counted(limit.over)))
        rules.circumstances.append(lambda sums: bisect_right(steps, sums[size]))


def _is_there(number: int) -> Callable[[Sequence[int]], bool]:
    return lambda sums: sums[number] > 0


def _copies(rules: LineRules, origin: LimitSpec, limit: LimitSpec, _: View) -> None:
    rules.add_fault(origin, lambda line: limits.check(line, [limit]))
    rules.separable[limit.by or "identity"].append(origin)


def _total(rules: LineRules, origin: LimitSpec, limit: LimitSpec, _: View) -> None:
    rules.add_copies(origin, limit.query, limit.over, limit.least, limit.most)


def _ratio(rules: LineRules, origin: LimitSpec, limit: LimitSpec, _: View) -> None:
    count = rules.add_copies(origin, limit.query, limit.over, limit.least, limit.most)
    base = rules.add_copies(origin, limit.per, limit.over)
    rules.add_condition(origin, lambda sums: sums[count] <= sums[base] // limit.each)


def _requires(rules: LineRules, origin: LimitSpec, limit: LimitSpec, _: View) -> None:
    cause = rules.add_copies(origin, limit.given or "", limit.given_over or limit.over)
    if limit.query:
        count = rules.add_copies(origin, limit.query, limit.over)
    else:
        count = rules.add_sum(origin, lambda line: copies(entry for entry, _ in line.counted(limit.over)))
    least, most = limit.least, inf if limit.most is None else limit.most
    rules.add_condition(origin, lambda sums: not sums[cause] or least <= sums[count] <= most)


def _budget(rules: LineRules, origin: LimitSpec, limit: LimitSpec, _: View) -> None:
    rules.add_sum(origin, lambda line: limit_sums.spent(line, limit), limit.least, limit.most)
    if limit.copy_factors:
        rules.separable["ref"].append(origin)


def _same(rules: LineRules, origin: LimitSpec, limit: LimitSpec, view: View) -> None:
    rules.add_copies(origin, limit.query, limit.over, limit.least, limit.most)
    unbounded = replaced(limit, min=0, max=None)
    rules.add_fault(origin, lambda line: limits.check(line, [unbounded]))
    if limit.subset_of is not None or (limit.chosen and view.chosen(limit.chosen)):
        return
    if limit.by:
        rules.separable[limit.by].append(origin)
    else:
        rules.agreeing.append(Agreement(id(origin), lambda line: _value(line, limit)))


def _value(line: View, limit: LimitSpec) -> Any:
    entries = line.matching(limit.query, limit.over)
    return limit_values.value_of(entries[0][0], limit.of) if entries else NOTHING


def _different(rules: LineRules, origin: LimitSpec, limit: LimitSpec, _: View) -> None:
    if limit.by in (None, "identity"):
        rules.add_sum(origin, lambda line: len(limit_values.by_value(line, limit)), limit.least, limit.most)
        rules.separable["identity"].append(origin)
    else:
        rules.whole.append(origin)


_KINDS: dict[str, Callable[[LineRules, LimitSpec, LimitSpec, View], None]] = {
    "copies": _copies,
    "total": _total,
    "ratio": _ratio,
    "requires": _requires,
    "budget": _budget,
    "same": _same,
    "different": _different,
}
