"""The parts of a `game.yaml`: types, sections, limits, formats, components.

The JSON Schema of `game.yaml` is generated from these classes. Queries are kept as text; the rooms that
use them compile them. `when` and `unless` name one option (`name` or `name=value`): the only conditionals.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, Literal

from carddb.card_fields import FieldSpec
from carddb.frozen import AtLeast, Frozen
from carddb.vocabulary import YES_AND_NO, fold_word


class TypeSpec(Frozen):
    """One type of card. `implies` are values every card of the type has; `fields` add to or refine the game's."""

    label: str = ""
    plural: str = ""
    face: str = ""
    back: str = ""
    fields: Mapping[str, FieldSpec] = {}
    implies: Mapping[str, Any] = {}
    aliases: tuple[str, ...] = ()


class Conditional(Frozen):
    """Anything that an option switches on or off."""

    when: str | None = None
    unless: str | None = None


class Misplaced(Conditional):
    """Cards that do not belong in a section, whatever their type: the first of the list that matches gives the code."""

    match: str
    code: str
    rules: tuple[str, ...] = ()


class PrintedName(Frozen):
    """What a printed card is known by where another field tells the formats' cards apart.

    `field` is what stands on the card; `by` is the field whose value is the label of the deck's format.
    """

    field: str
    by: str

    @property
    def as_pair(self) -> tuple[str, str]:
        """Both fields."""
        return self.field, self.by


class HeaderTable(Frozen):
    """A header line that stands for two others: its word is a cell of a table of the game's data.

    `rows` and `columns` are the fields of the header that the cell's row and column are the values of.
    """

    table: str
    rows: str
    columns: str


class SectionSpec(Frozen):
    """A part of a deck. `size` is least and most (null: no bound); `counted` sections obey limits and formats.

    `types` says which cards go here of themselves, `wrong` which do not belong here; a section without `wrong`
    refuses every other type as `card_misplaced`.
    """

    label: str = ""
    size: tuple[int, int | None] = (0, None)
    code: str = "section_size"
    rules: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    wrong: tuple[Misplaced, ...] = ()
    aliases: tuple[str, ...] = ()
    counted: bool = True


class ZoneSpec(Frozen):
    """A place on the playtest table: each player has one, or all share it.

    `faces` says who sees the cards that lie there: all, nobody, or their owner alone. The cards of the `sections` of
    each deck begin there, `shuffled` or in the order of the deck. The opening hand that the game's data name is dealt
    into the zone that is the `opening_hand`.
    """

    label: str = ""
    whose: Literal["player", "shared"] = "player"
    faces: Literal["up", "down", "own"] = "up"
    order: Literal["pile", "row", "grid"] = "row"
    sections: tuple[str, ...] = ()
    shuffled: bool = False
    opening_hand: bool = False
    rules: tuple[str, ...] = ()


class LimitSpec(Conditional):
    """One rule about numbers of cards; exactly one of the kinds is given, its value is a query.

    copies    at most `max`, and where there is one at least `min`, of the cards that share `by` (identity, or a field)
    total     between `min` and `max` cards match
    ratio     matching cards <= those matching `per`, divided by `each` and rounded down
    requires  at least `min` matching cards, where any card matches `given`
    budget    the sum of field `of` over matching cards <= `max`
    same      matching cards agree in field `of` within each group `by` (no `by`: all of them);
              where the deck's `chosen` list names values, they must be among those instead
    """

    copies: str | None = None
    total: str | None = None
    ratio: str | None = None
    requires: str | None = None
    budget: str | None = None
    same: str | None = None
    by: str | None = None
    min: int = 0
    max: int | None = None
    per: str = ""
    each: Annotated[int, AtLeast(1)] = 1
    of: str = ""
    given: str | None = None
    chosen: str | None = None
    over: tuple[str, ...] = ()
    formats: tuple[str, ...] | None = None
    code: str
    severity: Literal["error", "warning", "info"] = "error"
    rules: tuple[str, ...] = ()
    label: str = ""
    """The matching cards in a message: "a common card" for copies, "Act of God cards" for the rest."""
    per_label: str = ""
    """The cards of `per` or `given` in a message."""

    def of_format(self, key: str | None) -> bool:
        """Whether the limit is one of this format's own."""
        return self.formats is not None and key in self.formats

    @cached_property
    def kind(self) -> str:
        """The one kind that is given. Raises ValueError where it is none or several."""
        kinds = ("copies", "total", "ratio", "requires", "budget", "same")
        present = [kind for kind in kinds if getattr(self, kind) is not None]
        if len(present) != 1:
            raise ValueError(f"a limit names exactly one kind, this one {len(present)}: {self.code}")
        return present[0]

    @cached_property
    def query(self) -> str:
        """The query of the kind."""
        return str(getattr(self, self.kind))


class MustSpec(Conditional):
    """Every card of the pool must match a query; `{}` in it stands for the value a format gives to the filter."""

    must: str
    code: str
    label: str = ""
    """What is asked, in a message; `{}` stands for the value here too."""
    rules: tuple[str, ...] = ()


class FilterSpec(Frozen):
    """A filter that formats switch on by giving it a value; `pool` is what every card must then match.

    A boolean filter is on where it is true; the others where they have a value. `default` is the value in a custom
    format that does not name the filter.
    """

    type: Literal["boolean", "integer", "list"] = "boolean"
    default: Any = None
    pool: tuple[MustSpec, ...] = ()


class FormatSpec(Frozen):
    """A card-pool format: `filters` by name with their values, and further `pool` rules of its own."""

    name: str = ""
    label: str = ""
    filters: Mapping[str, Any] = {}
    pool: tuple[MustSpec, ...] = ()
    rules: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()


class OptionSpec(Frozen):
    """A house reading of a rule: `players` means that only people at the table can apply it.

    `of` are the values of a choice, texts or whole numbers; `only_documented` are further readings that the rules
    mention and nobody can choose.
    """

    type: Literal["boolean", "choice", "integer", "text", "object"] = "boolean"
    of: tuple[str | int, ...] = ()
    default: Any = False
    only_documented: tuple[str | int, ...] = ()
    label: str = ""
    rules: tuple[str, ...] = ()
    players: bool = False

    def value_of(self, value: Any) -> Any:
        """A value as the option has it. Raises ValueError where it cannot have it."""
        if self.type == "choice":
            for choice in self.of:
                if _alike(choice, value):
                    return choice
        elif self.type == "boolean" and isinstance(value, str) and fold_word(value) in YES_AND_NO:
            return YES_AND_NO[fold_word(value)]
        elif self.type == "text":
            if isinstance(value, str | int | float):
                return str(value)
        elif type(value) is {"boolean": bool, "integer": int, "object": dict}[self.type]:
            return value
        raise ValueError(f"not {self.accepted}: {value!r}")

    def documents(self, value: Any) -> bool:
        """Whether a value is one of the readings that are only documented."""
        return any(_alike(choice, value) for choice in self.only_documented)

    @property
    def accepted(self) -> str:
        """The values of the option in words."""
        if self.type == "choice":
            return ", ".join(map(str, self.of))
        words = {"boolean": "true, false", "integer": "a whole number", "object": "a JSON object"}
        return words.get(self.type, "a text")

    @property
    def others(self) -> tuple[Any, ...]:
        """The values beside the default that somebody may choose, where they can be listed.

        None where other readings are only documented: the values are spellings of one then.
        """
        if self.only_documented:
            return ()
        values = (True, False) if self.type == "boolean" else self.of
        return tuple(value for value in values if value != self.default)

    @property
    def changeable(self) -> bool:
        """Whether somebody may choose another value than the default."""
        return bool(self.others) or self.type in ("integer", "text", "object")


def _alike(choice: str | int, value: Any) -> bool:
    """Whether two values of an option are one word: 5 and "5", true and "True", `each_player` and `Each player`."""
    if not isinstance(value, str | int | float):
        return False
    return fold_word(str(choice)) == fold_word(str(value))


class ComponentSpec(Frozen):
    """Something printed that is not a card: a face without a card, or a document."""

    id: str = ""
    label: str = ""
    template: str = ""
    document: str = ""
    size: str = ""
    per: Literal["player", "table", "deck", "module", "row-per-player"] = "player"
    """What there is one of; `row-per-player`: as many of the rows, from the first, as there are players."""
    count: Annotated[int, AtLeast(1)] = 1
    back: str = ""
    data: Mapping[str, Any] = {}
    rows: tuple[Mapping[str, Any], ...] = ()
    when_named: bool = False
    """Printed only when it is asked for, not with all the others."""
    each: str = ""
    """A query: the component is those of the game's own cards that match, as their types draw them."""
    tile: bool = False
    seams: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())
    """Where a tiled face may be cut: positions across and down, in millimetres."""
    reference: bool = False
    """One of the game's reference cards."""
    on: str = ""
    """What it is best printed on, in words, where its size does not tell: label sheet, thick paper."""
    rules: tuple[str, ...] = ()

    @property
    def faces(self) -> tuple[Mapping[str, Any], ...]:
        """What each face of it is told: the component's own data, and that of a row."""
        return tuple({**self.data, **row} for row in self.rows or ({},))

    @property
    def drawn(self) -> bool:
        """Whether it is drawn; a document is written."""
        return bool(self.template or self.each)


class VariantSpec(Frozen):
    """Something that components differ in, such as the size of a field; they are printed for one value of it.

    `default` is the value where nobody names one; `label` says what is printed, `{}` in it stands for the value.
    """

    default: str | int
    label: str = "{}"


class BringSpec(Frozen):
    """Something that is needed beside what is printed: in words, and how many, 0 where the number does not matter."""

    what: str
    count: Annotated[int, AtLeast(0)] = 0
    per: Literal["player", "table"] = "table"
    rules: tuple[str, ...] = ()


def _holds(condition: str, options: Mapping[str, Any]) -> bool:
    """Whether `name` is set, or `name=value` equals the option as text."""
    name, equals, expected = condition.partition("=")
    value = options.get(name)
    return str(value).lower() == expected.lower() if equals else bool(value)


def applies(part: Conditional, options: Mapping[str, Any]) -> bool:
    """Whether a conditional part is in force under these options."""
    switched_on = part.when is None or _holds(part.when, options)
    return switched_on and (part.unless is None or not _holds(part.unless, options))
