"""The parts of a `game.yaml` beside those that decks are checked by: types, header lines, options, components.

The JSON Schema of `game.yaml` is generated from these classes; what stands below a key is its description there.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal

from carddb.core.names import did_you_mean
from carddb.core.vocabulary import YES_AND_NO, fold_word
from carddb.game.card_fields import FieldSpec
from carddb.game.frozen import AtLeast, Frozen, Misfit

_FONT_PACKAGE = re.compile(r"(?:fontpkg|justmytype)_[a-z0-9_]+")
"""The packages that hold fonts and nothing else: plain names, so that looking for one runs nothing."""


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


class ColourCodeSpec(Frozen):
    """Colours that carry a meaning: those by which types, factions or sides are told apart."""

    colours: str
    """Where they are in `data`: `faces.paths`; a last `.*` means that each entry there is a code of its own."""
    shade: str = ""
    """The key of the colour in each entry; without it the entry is the colour."""
    sign: str = ""
    """The key of what else tells the entries apart, such as a hatching: no two have the same."""
    signs: tuple[str, ...] = ()
    """The same in place of a key, a sign for each entry: `#path-steel` is a shared symbol, `square` a word."""


class ZoneSpec(Frozen):
    """A place on the playtest table."""

    label: str = ""
    """The place in words."""
    whose: Literal["player", "shared"] = "player"
    """Whether each player has one, or all share it."""
    faces: Literal["up", "down", "own"] = "up"
    """Who sees the cards there: all, nobody, or their owner."""
    order: Literal["pile", "row", "grid"] = "row"
    """Whether they lie in a pile, a row or a grid."""
    sections: tuple[str, ...] = ()
    """The sections of each deck whose cards begin there."""
    shuffled: bool = False
    """Whether they are shuffled, or lie in the order of the deck."""
    opening_hand: bool = False
    """Whether the opening hand that the game's data name is dealt there."""
    rules: tuple[str, ...] = ()
    """The ids of the rules behind it."""


def zone_misfits(zones: Mapping[str, ZoneSpec], sections: Collection[str]) -> Iterator[Misfit]:
    """Keys that cannot be part of a place's name, and sections that the game does not have."""
    for key, zone in zones.items():
        if not re.fullmatch("[a-z][a-z0-9_]*", key):
            yield ("zones", key), f"zone {key!r} is not small letters, digits and _, a letter first", ""
        for section in zone.sections:
            if section not in sections:
                yield ("zones", key, "sections"), f"zone {key}: no section {section!r}", did_you_mean(section, sections)


class LanguageSpec(Frozen):
    """The words of a game in one other language, by the keys that `game.yaml` has; what has none stays as it is."""

    name: str = ""
    """The game in words."""
    notice: str = ""
    """Whose game it is, and what the sample set is not."""
    footer: str = ""
    """A few words for the foot of every sheet."""
    types: Mapping[str, str] = {}
    """The printed names of types."""
    plurals: Mapping[str, str] = {}
    """The printed names of several cards of a type."""
    fields: Mapping[str, str] = {}
    """The printed names of fields."""
    values: Mapping[str, Mapping[str, str]] = {}
    """By field the printed names of its values."""
    sections: Mapping[str, str] = {}
    """The printed names of sections, which decks may use too."""
    formats: Mapping[str, str] = {}
    """The formats in words."""
    components: Mapping[str, str] = {}
    """The printed names of components."""
    sheet_words: Mapping[str, str] = {}
    """The words that carddb adds to the sheets of a game."""
    page_words: Mapping[str, str] = {}
    """The words that carddb has on the pages of a site."""
    data: Mapping[str, Any] = {}
    """Tables that stand for those of the game's own data."""


class FontSpec(Frozen):
    """A family of fonts."""

    package: str = ""
    """The package that holds the files; without it they lie in the game's folder."""
    files: Mapping[str, str]
    """A file by style: `400`, `700`, `400 italic`."""
    licence: str = ""
    """Its licence, in words."""
    variable: bool = False
    """The files are variable fonts, used at the weight that the style names."""
    extra: str = ""
    """The optional dependency that installs it; such a family is a fallback, left out where that is missing."""
    fallback: bool = False
    """Its letters stand in for those that another family lacks."""
    figures: Literal["lining", "none"] = "lining"
    """How its numbers are: as high as capitals, or those of its alternative."""
    alternative: str = ""
    """The family that takes its place in a text with a letter that it lacks, and lends it all other characters."""
    languages: tuple[str, ...] = ()
    """The languages whose letters it draws as their readers know them: there it stands in before others."""

    @property
    def stands_in(self) -> bool:
        """Whether it is there for what other families lack."""
        return self.fallback or bool(self.extra)

    def misfits(self) -> Iterable[Misfit]:
        """A package that is no font package, and files that do not lie in it, or in the game's folder."""
        if self.package and not _FONT_PACKAGE.fullmatch(self.package):
            yield ("package",), f"{self.package!r} is no font package", "Name one such as fontpkg_cardo."
        for style, file in self.files.items():
            path = PurePosixPath(file)
            if path.is_absolute() or ".." in path.parts or "\\" in file or ":" in file:
                yield ("files", style), f"{file!r} leads out of the folder", "Name a file inside it: fonts/Name.ttf."
            elif path.suffix.lower() != ".ttf":
                yield ("files", style), f"{file!r} is no TrueType font", "Name a file that ends in .ttf."
