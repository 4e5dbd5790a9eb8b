"""The parts of a `game.yaml` by which decks are checked: sections, roles, limits, filters, formats.

The JSON Schema of `game.yaml` is generated from these classes; the text below a key is its description there.
Queries are kept as text; the packages that use them compile them. `when` and `unless` name one option (`name` or
`name=value`). A bound and a query of a limit may name a field of a card that the deck has once: `@leader.influence`,
where `leader` is a role or a section.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cached_property
from itertools import chain
from typing import Annotated, Any, ClassVar, Literal

from carddb.core.dates import day
from carddb.game.frozen import AtLeast, Frozen, Misfit

REFERENCE = re.compile(r"@([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)")
"""A field of the card in a role, as it is written in bounds and in the values of queries."""
NO_BOUND = "none"
"""The value that lifts another bound."""
STEPS = ("every", "add")
"""The keys that continue a table of bounds beyond its last row: each `every` further cards `add` to the bound."""
_KEYS_OF_KINDS: Mapping[str, tuple[str, ...]] = {
    "copies": ("by", "max", "max_field"),
    "total": ("max",),
    "ratio": ("per", "each", "max"),
    "requires": ("max",),
    "budget": ("of", "weights", "copy_factors", "max"),
    "same": ("of", "by", "chosen", "subset_of", "max"),
    "different": ("by", "max"),
}
KINDS = tuple(_KEYS_OF_KINDS)
"""The kinds of limits."""


class Conditional(Frozen):
    """Anything that applies only with an option, or only without it."""

    when: str | None = None
    """The option, as `name` or `name=value`, with which the part applies."""
    unless: str | None = None
    """The option, as `name` or `name=value`, with which the part does not apply."""


class Misplaced(Conditional):
    """Cards that do not belong in a section, whatever their type; the first entry of a list that matches applies."""

    match: str
    """A query: the cards that do not belong there."""
    code: str
    """The code of the finding."""
    rules: tuple[str, ...] = ()
    """The ids of the rules behind it."""


class SectionSpec(Frozen):
    """A part of a deck. `size` is least and most (null: no bound); `counted` sections obey limits and formats.

    `types` are the types that go here by default, `wrong` the cards that do not belong here; a section without `wrong`
    refuses every other type as `card_misplaced`. A section that is `part_of` others is picked from their cards: its
    copies are counted there, and limits look at it only where they name it.
    """

    label: str = ""
    """The printed name of the section."""
    size: tuple[int, int | None] = (0, None)
    """The fewest and the most cards; null for no bound."""
    code: str = "section_size"
    """The code of the finding if the section has too few or too many cards."""
    rules: tuple[str, ...] = ()
    """The ids of the rules behind it."""
    types: tuple[str, ...] = ()
    """The types of cards that belong here if a deck does not say otherwise."""
    wrong: tuple[Misplaced, ...] = ()
    """The cards that do not belong here; if absent, those of every type that is not in `types`."""
    aliases: tuple[str, ...] = ()
    """Other headings of the section in a deck."""
    counted: bool = True
    """True if limits and formats that name no section include this one."""
    part_of: tuple[str, ...] = ()
    """The sections that its cards are picked from: there must be as many copies of each in them."""
    part_code: str = "not_in_other_section"
    """The code of the finding if a card of the section is not in the sections that it is part of."""


class RoleSpec(Frozen):
    """A part that one card of a deck plays, such as its leader: `@leader.influence` names a field of that card.

    A section of one card is such a part too, under its own key.
    """

    match: str = ""
    """A query: the cards that may play the part."""
    over: tuple[str, ...] = ()
    """The sections in which the card must be (default: all)."""
    optional: bool = False
    """True if a deck may have no such card; limits that name the role then do not apply."""
    label: str = ""
    """The printed name of the role."""
    code: str = "role_count"
    """The code of the finding if no card plays the part, or several do."""
    rules: tuple[str, ...] = ()
    """The ids of the rules behind it."""


class OtherBounds(Frozen):
    """Other bounds of a limit, in a deck that has any card of a group."""

    given: str
    """A query: the group of cards."""
    over: tuple[str, ...] = ()
    """The sections in which a card of the group must be (default: those of the limit)."""
    min: int | str | Mapping[str, int] | None = None
    """The bound that replaces `min`; `none` removes it."""
    max: int | str | Mapping[str, int] | None = None
    """The bound that replaces `max`; `none` removes it."""
    label: str = ""
    """The words for the group in a message."""

    def misfits(self) -> Iterator[Misfit]:
        """Yields a fault for each invalid bound."""
        for key, bound in (("min", self.min), ("max", self.max)):
            if fault := _bound_fault(bound):
                yield (key,), f"{key} {fault}", ""


class WeightSpec(Frozen):
    """A cost of a copy that depends on the deck: it applies if certain cards have from `min` to `max` copies."""

    cost: float
    """The cost of a copy."""
    when: str
    """A query: the cards of the deck that are counted."""
    over: tuple[str, ...] = ()
    """The sections in which they are counted (default: those of the limit)."""
    min: int = 1
    """The fewest copies of these cards with which the cost applies."""
    max: int | None = None
    """The most copies of these cards with which the cost applies (default: any number)."""


class LimitSpec(Conditional):
    """One rule about numbers of cards; exactly one of the kinds is given, its value is a query.

    copies     at most `max`, and where there is one at least `min`, of the cards that share `by` (identity, or a field)
    total      between `min` and `max` cards match
    ratio      matching cards <= those matching `per`, divided by `each` and rounded down
    requires   at least `min` matching cards, where any card matches `given`
    budget     the sum of field `of`, or of the `weights`, over the copies of matching cards is between `min` and `max`
    same       matching cards agree in field `of` within each group `by` (no `by`: all of them); where the deck's
               `chosen` list names values, or `subset_of` does, they must be among those instead
    different  between `min` and `max` different cards match, or different values of the field `by`

    A bound is a number, a field of the card in a role (`"@leader.influence"`), a table by the size of the deck
    (`{40: 18, 45: 20}`: from so many cards on; `every: 5, add: 2` beside them goes on beyond the last), or `none`.
    """

    copies: str | None = None
    """A query: the cards whose copies are limited."""
    total: str | None = None
    """A query: the cards that are counted together."""
    ratio: str | None = None
    """A query: the cards of which one is allowed for a number of others."""
    requires: str | None = None
    """A query: the cards that others require."""
    budget: str | None = None
    """A query: the cards that use up the budget."""
    same: str | None = None
    """A query: the cards that must agree in a field."""
    different: str | None = None
    """A query: the cards of which only a number of different ones is allowed."""
    by: str | None = None
    """For copies, same and different: the property by which cards count as the same, `identity` or a field."""
    min: int | str | Mapping[str, int] = 0
    """The least number of copies, cards or different cards, or the least sum; for ratio and same, of matching cards."""
    max: int | str | Mapping[str, int] | None = None
    """The greatest number or sum, counted like `min`."""
    max_field: str | None = None
    """For copies: a field of the card. Its number replaces `max`; if it is true there is no maximum."""
    per: str = ""
    """For ratio: a query for the cards that allow the limited ones."""
    each: Annotated[int, AtLeast(1)] = 1
    """For ratio: the number of cards matching `per` that allow one limited card."""
    of: str = ""
    """For budget, the field that is summed; for same, the field in which cards must agree."""
    weights: Mapping[str, float | WeightSpec] = {}
    """For budget, instead of `of`: the cost of a copy, by query; the first query that matches counts. A cost may depend
    on the deck; if it does not apply, the next query is tried, and at last the field `of`."""
    copy_factors: tuple[float, ...] = ()
    """For budget: cost factors of the first copy of a card, the second, and so on; the last also of all others."""
    given: str | None = None
    """A query: the limit applies only if a card of its sections matches."""
    given_over: tuple[str, ...] = ()
    """The sections that `given` looks at (default: those of the limit)."""
    chosen: str | None = None
    """For same: the list chosen for the deck, or the key of its header, that has the allowed values."""
    subset_of: str | tuple[str, ...] | None = None
    """For same: the values that `of` may have, or a field of a role, `"@leader.colours"`; cards without any pass."""
    instead: tuple[OtherBounds, ...] = ()
    """Other bounds if a card of a group is in the deck; the first that applies counts."""
    over: tuple[str, ...] = ()
    """The sections that the limit looks at (default: all counted ones)."""
    formats: tuple[str, ...] | None = None
    """The formats in which the limit applies (default: all decks)."""
    code: str
    """The code of the finding."""
    severity: Literal["error", "warning", "info"] = "error"
    """The severity of the finding."""
    rules: tuple[str, ...] = ()
    """The ids of the rules behind it."""
    label: str = ""
    """The words for the matching cards in a message: "a common card" for copies, "Act of God cards" for the rest."""
    per_label: str = ""
    """The words for the cards of `per` or `given` in a message."""

    @cached_property
    def kind(self) -> str:
        """The one kind that is given. Raises ValueError if none or several are given."""
        present = [kind for kind in KINDS if getattr(self, kind) is not None]
        if len(present) != 1:
            raise ValueError(f"a limit must name exactly one kind; this one names {len(present)}: {self.code}")
        return present[0]

    @cached_property
    def query(self) -> str:
        """The query of the limit's kind."""
        return str(getattr(self, self.kind))

    @cached_property
    def least(self) -> int:
        """`min` if it is a number, otherwise 0; a limit with another `min` must first be bound to a deck."""
        return self.min if isinstance(self.min, int | float) else 0

    @cached_property
    def most(self) -> int | None:
        """`max` if it is a number, otherwise None; a limit with another `max` must first be bound to a deck."""
        return self.max if isinstance(self.max, int | float) else None

    @property
    def queries(self) -> Mapping[str, str]:
        """The limit's queries, by key."""
        texts = {self.kind: self.query, "per": self.per, "given": self.given or ""}
        return {key: text for key, text in texts.items() if text}

    @cached_property
    def fixed(self) -> bool:
        """True if the limit's bounds are the same for every deck: no roles, no tables, no condition on other cards."""
        numbers = isinstance(self.min, int) and isinstance(self.max, int | None)
        conditional = self.instead or (self.given is not None and self.kind != "requires")
        return numbers and not conditional and not self.references

    @cached_property
    def conditional_weights(self) -> tuple[tuple[str, WeightSpec], ...]:
        """The costs that depend on the deck, each after its query."""
        return tuple((query, each) for query, each in self.weights.items() if isinstance(each, WeightSpec))

    @cached_property
    def references(self) -> tuple[tuple[str, str], ...]:
        """The pairs of role and field to which its bounds and queries refer."""
        bounds = (self.min, self.max, *(bound for other in self.instead for bound in (other.min, other.max)))
        queries = (*self.queries.values(), *self.weights, *(each.when for _, each in self.conditional_weights))
        queries = (*queries, *(other.given for other in self.instead))
        texts = (*queries, *bounds, self.subset_of)
        pairs = (pair for text in texts if isinstance(text, str) for pair in REFERENCE.findall(text))
        return tuple(dict.fromkeys(pairs))

    def misfits(self) -> Iterator[Misfit]:
        """Yields a fault for each key that the kind does not use, and for each invalid bound."""
        own = _KEYS_OF_KINDS[self.kind]
        for key in dict.fromkeys(chain.from_iterable(_KEYS_OF_KINDS.values())):
            if key not in own and getattr(self, key) != getattr(LimitSpec, key):
                users = ", ".join(kind for kind, keys in _KEYS_OF_KINDS.items() if key in keys)
                yield (key,), f"limit {self.code}: {self.kind} does not use {key}", f"Remove it; it is for {users}."
        for key, bound in (("min", self.min), ("max", self.max)):
            if fault := _bound_fault(bound):
                yield (key,), f"limit {self.code}: {key} {fault}", ""


def _bound_fault(bound: int | str | Mapping[str, int] | None) -> str:
    """Returns what is wrong with a bound, as a predicate such as `is a table ...`; empty if nothing is."""
    if isinstance(bound, str) and bound != NO_BOUND and not REFERENCE.fullmatch(bound):
        return f'is {bound!r}, neither a number nor a field of a role such as "@leader.influence"'
    if not isinstance(bound, Mapping):
        return ""
    sizes = bound.keys() - set(STEPS)
    if not sizes or not all(size.isdecimal() for size in sizes):
        return "is a table whose keys are not numbers of cards"
    steps = bound.keys() & set(STEPS)
    if steps and (len(steps) < len(STEPS) or bound["every"] < 1):
        return "is a table that must have both `every`, at least 1, and `add`, or neither"
    return ""


class Dated(Frozen):
    """Anything that is in force from one day on, and before another."""

    written: ClassVar[Mapping[str, str]] = {"since": "from"}

    since: str = ""
    """The first day on which it applies, as 2026-03-01 (default: always)."""
    until: str = ""
    """The first day on which it no longer applies (default: never)."""

    def holds_on(self, on: date) -> bool:
        """Returns whether the part is in force on the day `on`."""
        if not (self.since or self.until):
            return True
        text = on.isoformat()
        return self.since <= text and (not self.until or text < self.until)

    @property
    def days(self) -> tuple[date, ...]:
        """The days `since` and `until`, as far as they are given."""
        return tuple(date.fromisoformat(text) for text in (self.since, self.until) if text)

    def misfits(self) -> Iterator[Misfit]:
        """Yields a fault for a text that is not a date, and for an end that is not after the beginning."""
        for key, text in (("from", self.since), ("until", self.until)):
            try:
                _ = text and day(text)
            except ValueError:
                yield (key,), f"{key} is {text!r}, not a day such as 2026-03-01", ""
        if self.since and self.until and self.until <= self.since:
            yield ("until",), f"until ({self.until}) is not later than from ({self.since})", "Swap them."


class LegalPool(Dated):
    """The values that are legal from one day on, until the next pool begins, or before the day `until`."""

    legal: tuple[str, ...] = ()
    """All values that are legal from that day on."""


class ValueNames(Frozen):
    """Rows of a database that say by what some values are to be replaced."""

    rows: str
    """The path of the rows: a table of the game, and keys in it, as in card_pools.standard."""
    id: tuple[str, ...] = ("id",)
    """The keys of a row under which the values to replace are."""
    value: tuple[str, ...]
    """The keys of a row under which their replacements are, each a value or a list of values."""


class PoolSnapshots(Frozen):
    """Rows of a database, each with everything that is legal from a day on; they become pools of the rotation.

    Rows are in files that the game has as tables: YAML in its folder, YAML and JSON in folders there.
    """

    rows: str
    """The path of the rows: a table of the game, and keys in it, as in formats.standard.snapshots."""
    effective: str
    """The key of the first day."""
    legal: str
    """The key of the legal values, or of a name for them."""
    names: tuple[ValueNames, ...] = ()
    """Tables that replace the values by names, applied in turn. A value that a table lacks stays as it is."""


class RotationSpec(Frozen):
    """The cards of a format by the values of a field, such as its sets, each with the days on which it is legal."""

    of: str = "set"
    """The field; if it is a list, one legal value is enough."""
    legal: Mapping[str, Dated] = {}
    """The values, each with the days of its legality; a card with none of them is never legal."""
    pools: tuple[LegalPool, ...] = ()
    """All values that are legal from a day on, until the next pool begins; in addition to those under `legal`."""
    snapshots: PoolSnapshots | None = None
    """Further pools, from the files of a published database."""
    code: str = "not_in_rotation"
    """The code of the finding."""
    rules: tuple[str, ...] = ()
    """The ids of the rules behind it."""

    @cached_property
    def periods(self) -> Mapping[str, tuple[Dated, ...]]:
        """The periods in which each value is legal, in order of time; the keys are the values."""
        periods = {value: [days] for value, days in self.legal.items()}
        pools = sorted(self.pools, key=lambda pool: pool.since)
        for pool, following in zip(pools, [*(each.since for each in pools[1:]), ""], strict=False):
            for value in dict.fromkeys(pool.legal):
                of_value = periods.setdefault(value, [])
                goes_on = of_value and of_value[-1].until == pool.since
                since = of_value.pop().since if goes_on else pool.since
                of_value.append(Dated(since=since, until=min(filter(None, (pool.until, following)), default="")))
        return {value: tuple(days) for value, days in periods.items()}


class MustSpec(Conditional, Dated):
    """A query that every card of a pool must match; `{}` in it stands for the value that a format gives the filter."""

    must: str
    """A query that every card must match."""
    code: str
    """The code of the finding."""
    label: str = ""
    """The requirement, for a message; `{}` stands for the value here too."""
    rules: tuple[str, ...] = ()
    """The ids of the rules behind it."""


class FilterSpec(Frozen):
    """A filter that formats switch on by giving it a value; `pool` is what every card must then match.

    A boolean filter is on if it is true, others if they have a value.
    """

    type: Literal["boolean", "integer", "list"] = "boolean"
    """The kind of its values."""
    default: Any = None
    """Its value in a custom format that does not name it."""
    pool: tuple[MustSpec, ...] = ()
    """The queries that every card must match."""


class FormatSpec(Dated):
    """A card-pool format: `filters` by name with their values, further `pool` rules of its own, and a `rotation`.

    It is played from the day `from` and before the day `until`; on other days no deck is legal in it.
    """

    name: str = ""
    """The printed name of the format."""
    label: str = ""
    """The players' short name for it, which several formats may share."""
    filters: Mapping[str, Any] = {}
    """The filters that it switches on, each with its value."""
    pool: tuple[MustSpec, ...] = ()
    """Further queries that every card must match."""
    rotation: RotationSpec | None = None
    """The sets that are legal, each with its days."""
    rules: tuple[str, ...] = ()
    """The ids of the rules behind it."""
    aliases: tuple[str, ...] = ()
    """Other names of the format."""

    def turning_days(self, filters: Mapping[str, FilterSpec]) -> tuple[date, ...]:
        """Returns the days on which the format's rules change; `filters` are the game's filters."""
        musts = (must for name in self.filters if name in filters for must in filters[name].pool)
        legal = chain.from_iterable(self.rotation.periods.values()) if self.rotation else ()
        return tuple(each for part in (self, *self.pool, *musts, *legal) for each in part.days)


def _holds(condition: str, options: Mapping[str, Any]) -> bool:
    """Returns whether a condition is met: `name` means that the option is true, `name=value` that it has this value."""
    name, equals, expected = condition.partition("=")
    value = options.get(name)
    return str(value).lower() == expected.lower() if equals else bool(value)


def applies(part: Conditional, options: Mapping[str, Any]) -> bool:
    """Returns whether a part applies with these values of the options, by its `when` and `unless`."""
    switched_on = part.when is None or _holds(part.when, options)
    return switched_on and (part.unless is None or not _holds(part.unless, options))
