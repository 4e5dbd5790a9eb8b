"""The parts of a `game.yaml` beside those that decks are checked by: types, header lines, options, components.

The JSON Schema of `game.yaml` is generated from these classes; what stands below a key is its description there.
"""

from collections.abc import Mapping
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
