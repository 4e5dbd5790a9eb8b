"""The parts of a `game.yaml` beside those that decks are checked by: types, header lines, options, components.

The JSON Schema of `game.yaml` is generated from these classes; what stands below a key is its description there.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from carddb.core.vocabulary import YES_AND_NO, fold_word
from carddb.game.card_fields import FieldSpec
from carddb.game.frozen import AtLeast, Frozen


class TypeSpec(Frozen):
    """One type of card."""

    label: str = ""
    """One card of the type in words."""
    plural: str = ""
    """Several of them in words."""
    face: str = ""
    """The template of its front, in `templates`."""
    back: str = ""
    """The template of its back; one that does not speak of its card is the same for all."""
    size: str = ""
    """The size of its cards, where it is not the game's: `tarot`, `3.5x2.5in`."""
    reverse: Mapping[str, str] = {}
    """For double-faced cards: a field as the other face has it, and the field of the card that holds it."""
    reverse_face: str = ""
    """The template of the other face; without it that of the front."""
    fields: Mapping[str, FieldSpec] = {}
    """Fields that only cards of this type have, or have otherwise."""
    implies: Mapping[str, Any] = {}
    """Values that every card of the type has."""
    aliases: tuple[str, ...] = ()
    """Other words for the type."""


class PrintedName(Frozen):
    """What a printed card is known by where another field tells the formats' cards apart."""

    field: str
    """The field that stands on the card."""
    by: str
    """The field whose value is the label of the deck's format."""

    @property
    def as_pair(self) -> tuple[str, str]:
        """Both fields."""
        return self.field, self.by


class HeaderTable(Frozen):
    """A header line that stands for two others: its word is a cell of a table of the game's data."""

    table: str
    """The table in the game's data."""
    rows: str
    """The field of the header that names the cell's row."""
    columns: str
    """The field of the header that names the cell's column."""


class OptionSpec(Frozen):
    """A house reading of a rule."""

    type: Literal["boolean", "choice", "integer", "text", "object"] = "boolean"
    """What its values are."""
    of: tuple[str | int, ...] = ()
    """The values of a choice."""
    default: Any = False
    """Its value where nobody names one."""
    only_documented: tuple[str | int, ...] = ()
    """Readings that the rules mention and nobody can choose."""
    label: str = ""
    """What it decides, in words."""
    rules: tuple[str, ...] = ()
    """The ids of the rules behind it."""
    players: bool = False
    """Whether only people at the table can apply it."""

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
    """Its id in the documents of the game."""
    label: str = ""
    """The component in words."""
    template: str = ""
    """The template of its face, in `templates`."""
    document: str = ""
    """The document that it is, where it is written and not drawn."""
    size: str = ""
    """Its size, such as `poker` or `15x15mm`."""
    per: Literal["player", "table", "deck", "module", "row-per-player"] = "player"
    """What there is one of; `row-per-player`: as many of the rows, from the first, as there are players."""
    count: Annotated[int, AtLeast(1)] = 1
    """How many there are for each `per`."""
    back: str = ""
    """The template of its back."""
    data: Mapping[str, Any] = {}
    """What its template is told."""
    rows: tuple[Mapping[str, Any], ...] = ()
    """What each of its faces is told besides: one for each row."""
    when_named: bool = False
    """Printed only when it is asked for, not with all the others."""
    each: str = ""
    """A query: the component is those of the game's own cards that match, as their types draw them."""
    tile: bool = False
    """Whether a face that is larger than the paper is cut into sheets."""
    seams: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())
    """Where a tiled face may be cut: positions across and down, in millimetres."""
    reference: bool = False
    """One of the game's reference cards."""
    on: str = ""
    """What it is best printed on, in words, where its size does not tell: labels, thick paper."""
    rules: tuple[str, ...] = ()
    """The ids of the rules that it shows."""

    @property
    def faces(self) -> tuple[Mapping[str, Any], ...]:
        """What each face of it is told: the component's own data, and that of a row."""
        return tuple({**self.data, **row} for row in self.rows or ({},))

    @property
    def drawn(self) -> bool:
        """Whether it is drawn; a document is written."""
        return bool(self.template or self.each)


class VariantSpec(Frozen):
    """Something that components differ in, such as the size of a field; they are printed for one value of it."""

    default: str | int
    """The value where nobody names one."""
    label: str = "{}"
    """What is printed, in words; `{}` stands for the value."""


class BringSpec(Frozen):
    """Something that is needed beside what is printed."""

    what: str
    """What it is, in words."""
    count: Annotated[int, AtLeast(0)] = 0
    """How many; 0 where the number does not matter."""
    per: Literal["player", "table"] = "table"
    """For whom there are so many."""
    rules: tuple[str, ...] = ()
    """The ids of the rules that ask for it."""
