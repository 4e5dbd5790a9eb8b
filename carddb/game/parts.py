"""The parts of a `game.yaml`: types and their fields, header lines, options, pages and sheets."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal, NamedTuple

from carddb.core.names import YES_AND_NO, Vocabulary, capital, did_you_mean, fold_word
from carddb.game.frozen import AtLeast, Frozen, Misfit, fields_of

RULE_MARK = re.compile(r"\{([A-Z]+-\d+(?:, ?[A-Z]+-\d+)*)\}")
"""The mark `{E-14, E-15}` after a text that states these rules; its group has the ids."""
SIGN = "°"
"""The sign printed after the id of a rule, or after a sentence, that is based on a ruling."""

DECIDED = "decided"
"""The table in a game's data that lists, for components, the ids of the rules with a ruling."""


def marked(rule: str, ruling: object) -> str:
    """Returns the id of a rule, followed by SIGN if `ruling` is true or not empty."""
    return rule + SIGN if ruling else rule


class CreditsSpec(Frozen):
    """The credits of a game, in the order in which they are printed."""

    subtitle: str = ""
    """The line below the name of the game."""
    by: str = ""
    """All who made the game; the game's own `by` is the short form for titles."""
    version: str = ""
    """The version of the game."""
    date: str = ""
    """The date of the version."""
    copyright: str = ""
    """The owner of the rights."""
    story: str = ""
    """The history of the game."""
    aims: tuple[str, ...] = ()
    """The aims of its makers."""
    mottoes: tuple[str, ...] = ()
    """Mottoes of its makers."""
    thanks: tuple[str, ...] = ()
    """The people whom the makers thank."""
    contact: str = ""
    """An address of the makers."""


class SheetWords(Frozen):
    """The words that carddb adds to a game's rule sheets and cards; a game in another language has its own."""

    footnote: str = "our reading, see the last pages"
    """The footnote for the sign of a ruling on a sheet."""
    rulings_footnote: str = "our reading, see the Rulings"
    """The footnote for the sign of a ruling on a sheet whose rulings are in a separate file."""
    card_footnote: str = "decided for this printing"
    """The footnote for the sign of a ruling on a card."""
    decided: str = "Decided for this printing"
    """The title of the table of rulings."""
    decided_intro: str = (
        "Where the game’s author leaves something open, or says two things, this printing reads it as told here. "
        "The author has not said so, and a table may agree on another reading."
    )
    """The paragraph below the title `decided`."""
    decided_own_intro: str = (
        "Where the rules leave something open, they are read as told here. A table may agree on another reading."
    )
    """The introduction used instead of `decided_intro` if the game is its author's own."""
    decided_reading: str = "As read here"
    """The heading of the column of readings in the table of rulings."""
    why: str = "Why"
    """The heading of the column of reasons in the table of rulings."""
    rule: str = "Rule"
    """The heading of the column of rules in the table of options."""
    other_reading: str = "Other reading"
    """The words before a reading that a table may choose instead."""
    so: str = "yes"
    """The word for an option's other value, if this is true."""
    not_so: str = "not so"
    """The word for an option's other value, if this is false."""
    options: str = "To choose another reading"
    """The title of the table of options that change a reading."""
    option: str = "Option"
    """The heading of the column of options in the table of options."""
    values: str = "Other values"
    """The heading of the column of values in the table of options."""
    own_reading: str = "This table’s own reading; otherwise"
    """The words before a reading that this table has chosen."""
    printed_with: str = "Printed with"
    """The title of the options that a sheet was printed with."""
    own_intro: str = "This table’s own readings. Where a sentence below says otherwise, these readings apply."
    """The paragraph below the title `printed_with`."""
    elsewhere: str = (
        "The reference has each rule with its id, to be looked up; the rulings say how open ones were decided for this "
        "printing, and why, and name all who made the game."
    )
    """The last paragraph of a rulebook, about what only the other documents have."""
    contents: str = "Contents"
    """The title of the table of contents of a booklet."""
    index: str = "Index"
    """The title of the index of rule ids at the end of the reference."""
    credits: str = "Credits"
    """The title of the credits."""
    subtitle: str = "Subtitle"
    """The word for the subtitle in the credits."""
    by: str = "By"
    """The word for the makers."""
    version: str = "Version"
    """The word for the version."""
    date: str = "Date"
    """The word for the date."""
    copyright: str = "Copyright"
    """The word for the copyright."""
    story: str = "The story"
    """The word for the story."""
    aims: str = "Aims"
    """The word for the aims."""
    mottoes: str = "Mottoes"
    """The word for the mottoes."""
    thanks: str = "Thanks"
    """The word for the thanks."""
    contact: str = "Contact"
    """The word for the contact."""


Fault = Literal["missing", "invalid", "range"]
"""The kinds of faults that a field's value can have."""

_WITH_UNIT = re.compile(r"([-+]?[0-9]{1,15}(?:\.[0-9]{1,15})?)\s*([^\W\d_][\w\s-]{0,40})")


class FieldSpec(Frozen):
    """One field of a card. An object is a mapping, or a list of mappings."""

    type: Literal["text", "integer", "number", "boolean", "choice", "list", "object"] = "text"
    """The kind of its values."""
    of: tuple[str, ...] = ()
    """The values of a choice or a list."""
    required: bool = False
    """True if every card needs a value."""
    min: float | None = None
    """The least number."""
    max: float | None = None
    """The greatest number."""
    default: Any = None
    """The value of a card that gives none."""
    label: str = ""
    """The name of the field for people."""
    labels: Mapping[str, str] = {}
    """The printed names of values."""
    aliases: Mapping[str, tuple[str, ...]] = {}
    """Further words for values."""
    open: bool = False
    """True if a choice or list may have values that are not in `of`."""
    separator: str | tuple[str, ...] = ()
    """One or several texts that separate the values of a list, besides a semicolon, as in `Pilot - Scout`."""
    unit: str = ""
    """The word that may follow a number, as in `4 Points`."""
    suffix: Mapping[str, int] = {}
    """Letters that may follow a number, each with its factor, as in `25k`."""
    keys: tuple[str, ...] = ()
    """The two keys of an object that is written with one line for each pair, `Name: text`."""
    markup: Literal["marks", "plain", "html"] = "marks"
    """The reading of a text: with marks, as plain characters, or as basic HTML that is converted to marks."""
    translate: bool = True
    """False if the field is the same in all languages, such as the artist; otherwise it can be translated."""
    codes: Mapping[Fault, str] = {}
    """The game's own codes in place of `field_missing`, `field_invalid` and `field_range`, by kind of fault."""
    rules: tuple[str, ...] = ()
    """The ids of the rules behind it."""

    @cached_property
    def words(self) -> Vocabulary:
        """The values of a choice or list, findable by value, label and alias."""
        return Vocabulary(self.of, self.labels, self.aliases)

    @cached_property
    def truth(self) -> Mapping[str, bool]:
        """The boolean of each folded word: YES_AND_NO, the field's label (true), and `no` before the label (false)."""
        label = fold_word(self.label)
        return {**YES_AND_NO, **({label: True, f"no{label}": False} if label else {})}

    @property
    def closed(self) -> tuple[str, ...]:
        """The only values allowed, or an empty tuple if others are allowed too."""
        return () if self.open or self.type == "text" else self.of

    def year(self, value: float) -> str:
        """Returns a number as a year, such as `585 BCE` for -585; empty if the values of the field are not years."""
        before = next((word for word, factor in self.suffix.items() if factor == -1), "")
        return before and (f"{-value:g} {before}" if value < 0 else f"{value:g}")

    def shown(self, value: Any, words: "PageWords", text: Callable[[str], str]) -> Any:
        """Returns a value as people see it: choices by their labels, years with their era, other texts by `text`."""
        if isinstance(value, bool):
            return words.yes if value else words.no
        if isinstance(value, str):
            return self.labels.get(value) or (capital(value.replace("_", " ")) if value in self.of else text(value))
        if isinstance(value, list | tuple):
            parts = [str(self.shown(part, words, text)) for part in value]
            return ("; " if any("," in part for part in parts) else ", ").join(parts)
        if isinstance(value, Mapping):
            pair = [value[key] for key in self.keys] if self.keys and self.keys == tuple(value) else []
            each = [pair] if pair else [[key.replace("_", " "), part] for key, part in value.items()]
            return "; ".join(
                f"{name}{'' if name.endswith('!') else ':'} {self.shown(part, words, text)}" for name, part in each
            )
        return self.year(value) or self.labels.get(str(value)) or f"{value:,}" if isinstance(value, int) else value

    @property
    def is_wording(self) -> bool:
        """True if translations may replace the values of the field; the values of closed lists have labels instead."""
        has_words = self.type in ("text", "object") or (self.type == "list" and not self.closed)
        return has_words and self.translate

    @property
    def separators(self) -> tuple[str, ...]:
        """The texts, besides a semicolon, that may separate the values of a list."""
        return (self.separator,) if isinstance(self.separator, str) else self.separator

    def without_unit(self, text: str) -> str:
        """Returns a number without its unit (`4 Points`: `4`) or suffix (`25k`: `25000`), other text unchanged."""
        match = _WITH_UNIT.fullmatch(text) if self.unit or self.suffix else None
        if not match:
            return text
        word, unit = fold_word(match[2]), fold_word(self.unit)
        word = "" if word in (unit, unit.removesuffix("s")) else word.removesuffix(unit)
        factor = {"": 1, **{fold_word(suffix): each for suffix, each in self.suffix.items()}}.get(word)
        return text if factor is None else match[1] if factor == 1 else f"{float(match[1]) * factor:.15g}"

    def fault(self, value: Any) -> Fault | None:
        """Returns the fault of a value that is already converted, or None. None and blank text count as missing."""
        if value is None or (isinstance(value, str) and not value.strip()):
            return "missing" if self.required else None
        if not self._has_type(value):
            return "invalid"
        return "range" if self.type in ("integer", "number") and not self.reaches(value) else None

    def reaches(self, value: float) -> bool:
        """Returns whether a number lies within `min` and `max`."""
        low, high = self.min, self.max
        return not ((low is not None and value < low) or (high is not None and value > high))

    def _has_type(self, value: Any) -> bool:
        if self.type == "choice":
            return isinstance(value, str) and (not self.closed or value in self.closed)
        if self.type == "list":
            return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)
        if self.type == "object":
            return all(isinstance(item, dict) for item in (value if isinstance(value, list) else [value]))
        kinds = {"text": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,)}
        return type(value) in kinds[self.type]

    def code(self, fault: Fault) -> str:
        """Returns the finding code for a fault: the game's own code, or the generic one."""
        return self.codes.get(fault, f"field_{fault}")


def defaults_of(fields: Mapping[str, FieldSpec]) -> dict[str, Any]:
    """Returns the defaults of the fields that have one, by name."""
    return {name: field.default for name, field in fields.items() if field.default is not None}


RESERVED: Mapping[str, FieldSpec] = {
    **{name: FieldSpec() for name in ("ref", "name", "type", "set", "art", "emblem", "face_image")},
    "face_fit": FieldSpec(type="choice", of=("fit", "fill", "stretch")),
    "count": FieldSpec(type="integer", min=1, max=999),
}
"""The fields that exist in every game; `count`, the copies to print, only where a game gives the word no meaning."""
HEADINGS: Mapping[str, str] = {
    **dict.fromkeys(("reference", "reference number", "reference no.", "card number"), "ref"),
    "card name": "name",
    "card type": "type",
}
"""Further column headings for reserved fields, in every game."""
PLACEHOLDER = re.compile(r"\{(\w+)\}")
"""A field name in braces, as in the path pattern of pictures."""
LEFT_OUT = "-"
"""The value to which a user maps a column heading in order to ignore the column."""
PICTURES = ("art", "face_image")
"""The fields that name a picture file: for the art window of a face, and for a whole front."""
NO_PICTURE = "-"
"""The value of `art` of a card that has no picture on purpose."""
ACCENT, GROUND = "#8e1b2e", "#fdfcf9"
"""The colour of small marks, and the colour behind pages, if a game names none, and on pages of no game."""
_FONT_PACKAGE = re.compile(r"(?:fontpkg|justmytype)_[a-z0-9_]+")
"""The names of font packages, which contain only fonts; without dots, so that locating a package imports nothing."""
SHAPE = re.compile(
    r"(?P<kind>circle|hexagon flat|hexagon pointed)"
    r"|(?P<sized>rectangle|die|standee)(?: (?P<length>[0-9]{1,4}(?:\.[0-9]{1,4})?(?:mm|cm|in)))?"
    r"|(?P<file>[\w-]+\.svg)"
)
"""The outline of a piece: its kind, and the radius of its corners or the base of a standee; or an SVG drawing."""


class TypeSpec(Frozen):
    """One type of card."""

    label: str = ""
    """The name of one card of the type."""
    plural: str = ""
    """The name of several cards of the type."""
    face: str = ""
    """The template of its front, in `templates`."""
    back: str = ""
    """The template of its back; if it uses no data of the card, all cards share one back."""
    size: str = ""
    """The size of its cards, if it differs from the game's: `tarot`, `3.5x2.5in`."""
    shape: str = ""
    """The outline of its cards, if they are not plain rectangles: `circle`, `hexagon flat`, `shield.svg`."""
    mosaic: tuple[Annotated[int, AtLeast(1)], Annotated[int, AtLeast(1)]] = (1, 1)
    """The numbers of cards across and down that form a picture, row by row in file order. Sheets keep them together."""
    reverse: Mapping[str, str] = {}
    """For double-faced cards: fields of the other face, and the fields of the card that hold their values."""
    reverse_face: str = ""
    """The template of the other face; by default that of the front."""
    fields: Mapping[str, FieldSpec] = {}
    """Fields that only cards of this type have, or that differ for this type."""
    implies: Mapping[str, Any] = {}
    """Values that every card of the type has."""
    aliases: tuple[str, ...] = ()
    """Other words for the type."""


class PrintedName(Frozen):
    """The printed field that identifies a card, if another field distinguishes the cards of different formats."""

    field: str
    """The field that is printed on the card."""
    by: str
    """The field whose value is the label of the deck's format."""
    name: str = ""
    """The pattern of a card's full name, as `{} of {by}×{by}`; `{}` is the name in a deck. Empty if there is none."""


class HeaderTable(Frozen):
    """A header line that sets two others: its word is a cell of a table in the game's data."""

    table: str
    """The table in the game's data."""
    rows: str
    """The field of the header that names the cell's row."""
    columns: str
    """The field of the header that names the cell's column."""


class OptionSpec(Frozen):
    """A house reading of a rule."""

    type: Literal["boolean", "choice", "integer", "text", "object"] = "boolean"
    """The kind of its values."""
    of: tuple[str | int, ...] = ()
    """The values of a choice."""
    default: Any = False
    """The value if nobody sets one."""
    only_documented: tuple[str | int, ...] = ()
    """Readings that the rules mention but that cannot be chosen."""
    label: str = ""
    """A description of what the option decides."""
    labels: Mapping[str, str] = {}
    """The printed words for its values, where they differ from what is typed; `any` stands for freely chosen values."""
    rules: tuple[str, ...] = ()
    """The ids of the rules behind it."""
    players: bool = False
    """True if only people at the table can apply it, not the program."""

    def value_of(self, value: Any) -> Any:
        """Returns `value` converted to the option's type. Raises ValueError if the option does not accept it."""
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
        raise ValueError(f"it must be {self.accepted}, not {value!r}")

    def documents(self, value: Any) -> bool:
        """Returns whether `value` is a reading that the rules mention but that cannot be chosen (`only_documented`)."""
        return any(_alike(choice, value) for choice in self.only_documented)

    @property
    def accepted(self) -> str:
        """The accepted values, as text."""
        if self.type == "choice":
            return ", ".join(map(str, self.of))
        words = {"boolean": "true, false", "integer": "a whole number", "object": "a JSON object"}
        return words.get(self.type, "a text")

    @property
    def others(self) -> tuple[Any, ...]:
        """The values other than the default that a user may choose, as far as they can be listed.

        Empty if there are readings that cannot be chosen, because then all accepted values mean the same reading.
        """
        if self.only_documented:
            return ()
        values = (True, False) if self.type == "boolean" else self.of
        return tuple(value for value in values if value != self.default)

    @property
    def changeable(self) -> bool:
        """True if a user may choose another value than the default."""
        return bool(self.others) or self.type in ("integer", "text", "object")


def _alike(choice: str | int, value: Any) -> bool:
    """Returns whether two option values are the same word: 5 and "5", true and "True", `own_turn` and `Own turn`."""
    if not isinstance(value, str | int | float):
        return False
    return fold_word(str(choice)) == fold_word(str(value))


class ComponentSpec(Frozen):
    """Something printed that is not a card: a face without a card, or a document."""

    id: str = ""
    """Its id in the documents of the game."""
    label: str = ""
    """The name of the component."""
    template: str = ""
    """The template of its face, in `templates`."""
    document: str = ""
    """The document, if it is written and not drawn."""
    size: str = ""
    """Its size, such as `poker` or `15x15mm`."""
    shape: str = ""
    """Its outline, if it is not a plain rectangle: `rectangle 3mm`, `circle`, `hexagon pointed`, `standee 10mm`, `die`,
    or an SVG drawing in `templates` with one closed path."""
    per: Literal["player", "table", "deck", "module", "row-per-player"] = "player"
    """The unit of `count`; `row-per-player` prints the first rows, one for each player."""
    count: Annotated[int, AtLeast(1)] = 1
    """Number of copies for each `per`."""
    back: str = ""
    """The template of its back."""
    data: Mapping[str, Any] = {}
    """The data that its template gets."""
    rows: tuple[Mapping[str, Any], ...] = ()
    """The additional data that the template gets for each face, one mapping per face."""
    when_named: bool = False
    """True if it is printed only when it is named, not with all the others."""
    each: str = ""
    """A query; the component consists of the game's own cards that match, drawn by their own templates."""
    tile: bool = False
    """True if a face that is larger than the paper is divided over several sheets."""
    seams: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())
    """The positions at which a tiled face may be cut, across and down, in millimetres."""
    reference: bool = False
    """True if it is one of the game's reference cards."""
    on: str = ""
    """The recommended material if the size does not imply it, such as labels or thick paper."""
    rules: tuple[str, ...] = ()
    """The ids of the rules that it shows."""

    @property
    def faces(self) -> tuple[Mapping[str, Any], ...]:
        """The data of each face: the component's own data, and those of a row, which take precedence."""
        return tuple({**self.data, **row} for row in self.rows or ({},))

    @property
    def drawn(self) -> bool:
        """True if the component is drawn from templates, False if it is a written document."""
        return bool(self.template or self.each)


class VariantSpec(Frozen):
    """A property in which components differ, such as the size of the board; they are printed for one of its values."""

    default: str | int
    """The value if nobody names one."""
    label: str = "{}"
    """The description of the printed variant; `{}` stands for the value."""


class BringSpec(Frozen):
    """Something that is needed to play and is not printed."""

    what: str
    """The name of the thing."""
    count: Annotated[int, AtLeast(0)] = 0
    """The number of them; 0 if it does not matter."""
    per: Literal["player", "table"] = "table"
    """The unit of `count`: each player, or the table."""
    rules: tuple[str, ...] = ()
    """The ids of the rules that require it."""


class ColourCodeSpec(Frozen):
    """Colours that carry a meaning, such as those that distinguish types, factions or sides."""

    colours: str
    """The path of the colours in `data`, such as `faces.paths`; a final `.*` makes each entry there a code."""
    shade: str = ""
    """The key of the colour in each entry; without it the entry itself is the colour."""
    sign: str = ""
    """The key of a second mark, such as a hatching, that is different for each entry."""
    signs: tuple[str, ...] = ()
    """Instead of `sign`, the mark of each entry: `#path-steel` is a shared symbol, `square` a word."""


class InkSpec(Frozen):
    """A colour on a printing press."""

    cmyk: tuple[float, float, float, float]
    """Cyan, magenta, yellow and black, each 0 to 100 percent."""
    spot: Literal["", "foil", "uv", "white"] = ""
    """The separate plate that prints the colour instead; `cmyk` is then only the colour on a screen."""


class ZoneSpec(Frozen):
    """A place on the playtest table."""

    label: str = ""
    """The printed name of the place."""
    whose: Literal["player", "shared"] = "player"
    """The owner of the place: each player has one, or all share it."""
    faces: Literal["up", "down", "own"] = "up"
    """The players who see the cards there: all, nobody, or only the owner."""
    order: Literal["pile", "row", "grid"] = "row"
    """The arrangement of the cards: a pile, a row or a grid."""
    sections: tuple[str, ...] = ()
    """The sections of each deck whose cards begin there."""
    shuffled: bool = False
    """True if the cards are shuffled; otherwise they stay in the order of the deck."""
    opening_hand: bool = False
    """True if the opening hand is dealt there, as large as the game's data say."""
    rules: tuple[str, ...] = ()
    """The ids of the rules behind it."""


Tiebreak = Literal[
    "strength_of_schedule", "extended_strength_of_schedule", "head_to_head", "game_points", "random"
]  # fmt: skip
"""A criterion for the order of players with equal points, see `RoundsSpec.tiebreaks`."""


class RoundsSpec(Frozen):
    """The rules for playing and counting the matches of a tournament; an event may change `best_of` and `draws`."""

    best_of: Annotated[int, AtLeast(1)] = 1
    """The most games of a match; who wins more than half of them wins it."""
    draws: bool = False
    """True if a match can be drawn."""
    sides: tuple[str, ...] = ()
    """The names of the two sides, if they are different; the first player of a table has the first one."""
    points: tuple[int, int, int] = (3, 1, 0)
    """The points for a match that is won, drawn and lost."""
    tiebreaks: tuple[Tiebreak, ...] = (
        "strength_of_schedule", "extended_strength_of_schedule", "head_to_head", "random",
    )  # fmt: skip
    """The values that order players with equal points, one after the other: their opponents' mean points per round, the
    mean of these means of their opponents, points from matches against each other, games won, last drawing lots."""
    rules: tuple[str, ...] = ()
    """The ids of the rules behind it."""

    def misfits(self) -> Iterable[Misfit]:
        """Yields faults: an even number of games, other than two sides, and points that do not fall or exceed 100."""
        if self.best_of % 2 == 0:
            yield ("best_of",), f"best of {self.best_of}: no player can win more than half", "Choose an odd number."
        if len(self.sides) not in (0, 2):
            yield ("sides",), f"there are {len(self.sides)} sides, but a match has two", "Write two sides, or none."
        win, draw, loss = self.points
        if not 100 >= win > draw >= loss >= 0:
            yield ("points",), "a win must give more points than a draw", "Write 100 to 0, falling, as [3, 1, 0]."


class LanguageSpec(Frozen):
    """The words of a game in one other language, by the keys of `game.yaml`; missing words stay untranslated."""

    name: str = ""
    """The printed name of the game."""
    notice: str = ""
    """The owner of the game, and a note that the sample set is not official."""
    footer: str = ""
    """A few words for the foot of every sheet."""
    types: Mapping[str, str] = {}
    """The printed names of types."""
    plurals: Mapping[str, str] = {}
    """The printed names of several cards of a type."""
    fields: Mapping[str, str] = {}
    """The printed names of fields."""
    values: Mapping[str, Mapping[str, str]] = {}
    """The printed names of values, by field."""
    sections: Mapping[str, str] = {}
    """The printed names of sections, which decks may use too."""
    formats: Mapping[str, str] = {}
    """The printed names of formats."""
    components: Mapping[str, str] = {}
    """The printed names of components."""
    sheet_words: Mapping[str, str] = {}
    """The words that carddb adds to the sheets of a game."""
    page_words: Mapping[str, str] = {}
    """The words that carddb has on the pages of a site."""
    data: Mapping[str, Any] = {}
    """Tables that replace those of the game's own `data`."""


_WEIGHTS = {
    "thin": 100,
    "extralight": 200,
    "light": 300,
    **dict.fromkeys(("regular", "normal", "book"), 400),
    "medium": 500,
    **dict.fromkeys(("semibold", "demibold"), 600),
    "bold": 700,
    "extrabold": 800,
    **dict.fromkeys(("black", "heavy"), 900),
}
"""The weights of CSS by their usual names."""
_STYLE = re.compile(r"(\d{1,4}|[a-z]*?)(italic|oblique|i)?")


class FontStyle(NamedTuple):
    """A style of a family: its weight as in CSS, 1 to 1000, and whether it is italic. As text: `400`, `400 italic`."""

    weight: int = 400
    italic: bool = False

    def __str__(self) -> str:
        return f"{self.weight} italic" if self.italic else str(self.weight)


def font_style(name: str) -> FontStyle | None:
    """Returns the style that a text such as `400i`, `Bold Italic` or `italic` means, or None if it is none."""
    match = _STYLE.fullmatch(re.sub(r"[\s_-]", "", name.lower()))
    if not match or not name.strip():
        return None
    word = match[1] or "400"
    weight = int(word) if word.isdecimal() else _WEIGHTS.get(word, 0)
    return FontStyle(weight, bool(match[2])) if 1 <= weight <= 1000 else None


class FontSpec(Frozen):
    """A family of fonts."""

    package: str = ""
    """The package that contains the files; without it they are in the game's folder."""
    files: Mapping[str, str]
    """A file by style: `400`, `700`, `400 italic`, or a name such as `bold italic`."""
    licence: str = ""
    """Its licence, in words."""
    variable: bool = False
    """True if the files are variable fonts, which are used at the weight of each style."""
    extra: str = ""
    """The optional dependency that installs it; such a family is a fallback, left out if it is not installed."""
    scripts: tuple[str, ...] = ()
    """The scripts (ISO 15924) for which messages recommend the `extra` if letters are missing."""
    fallback: bool = False
    """True if its characters replace those that another family lacks."""
    figures: Literal["lining", "none"] = "lining"
    """The digits used: its own, which must be as high as capitals, or those of its alternative."""
    alternative: str = ""
    """The family that replaces this one for whole texts with a letter that this one lacks, and for single signs."""
    languages: tuple[str, ...] = ()
    """The languages for which it is the first fallback, because it draws their characters as readers expect."""

    @property
    def stands_in(self) -> bool:
        """True if the family only supplies characters that other families lack."""
        return self.fallback or bool(self.extra)

    @property
    def styles(self) -> dict[str, str]:
        """The files, by style in the form `400` or `400 italic`; files under other names are left out."""
        return {str(style): file for name, file in self.files.items() if (style := font_style(name))}

    def misfits(self) -> Iterable[Misfit]:
        """Yields faults of the package, the styles (unknown, or repeated), and the files (outside, or not TrueType)."""
        if self.package and not _FONT_PACKAGE.fullmatch(self.package):
            yield ("package",), f"{self.package!r} is not a font package", "Name one such as fontpkg_cardo."
        styles: dict[FontStyle, str] = {}
        for style, file in self.files.items():
            plain = font_style(style)
            if plain is None:
                fix = "Write a weight, 1 to 1000 or a name, then italic or nothing: 400, 700 italic, bold italic."
                yield ("files", style), f"{style!r} is not the style of a font", fix
            elif styles.setdefault(plain, style) != style:
                yield ("files", style), f"{style!r} and {styles[plain]!r} both mean the style {plain}", "Remove one."
            path = PurePosixPath(file)
            if path.is_absolute() or ".." in path.parts or "\\" in file or ":" in file:
                yield ("files", style), f"{file!r} leads out of the folder", "Name a file inside it: fonts/Name.ttf."
            elif path.suffix.lower() != ".ttf":
                yield ("files", style), f"{file!r} is not a TrueType font", "Name a file that ends in .ttf."


class PageWords(Frozen):
    """The words of carddb on the pages of `carddb site`; a game in another language has its own.

    A name in braces, such as `{count}`, is replaced by what it stands for.
    """

    skip: str = "To the text"
    """The link past the head of a page."""
    games: str = "Games"
    """The link to all games of the site."""
    cards: str = "Cards"
    """The name of the page of cards, and of the file of cards."""
    decks: str = "Decks"
    """The decks."""
    print: str = "Print"
    """The name of the page with files to print."""
    bans: str = "Ban lists"
    """The ban lists."""
    rule_sheet: str = "Rules"
    """The name of the page of the rule sheet, and of its file."""
    rooms: str = "Rooms"
    """The name of the navigation links for screen readers."""
    by: str = "by {who}"
    """The makers of the game, below its name."""
    game_by: str = ", a game by {who}"
    """The makers of the game, after the number of its cards."""
    one_card: str = "{count} card"
    """The text for one card."""
    several_cards: str = "{count} cards"
    """The text for several cards."""
    some_cards: str = "{count} of {all}"
    """The number of cards found; `{all}` is the text for the number of all cards."""
    find: str = "Find cards by their words"
    """The label of the search."""
    nothing: str = "No card has these words."
    """The message if a search finds nothing."""
    deck_list: str = "List as PDF"
    """The link to the list of a deck."""
    deck_text: str = "text"
    """The link to the text of a deck."""
    cards_note: str = "Every card on sheets to cut, to print at actual size."
    """The description of the file of cards."""
    components: str = "Components"
    """The link to the file of components."""
    components_note: str = "What the game needs besides its cards."
    """The description of the file of components."""
    changes: str = "Changes"
    """The name of the page of changes."""
    changes_note: str = "What changed since {day}."
    """The description of the page of changes."""
    credits: str = "Picture credits"
    """The name of the page with the credits of the pictures."""
    credits_note: str = "Who made the pictures, where they are from, and under which licence."
    """The description of the page with the credits of the pictures."""
    rules_note: str = "The rulebook"
    """The description of the file of rules."""
    rules_page: str = "as a page"
    """The link to the rules as a page."""
    reference: str = "Reference"
    """The name of the page of the rules with their ids."""
    reference_note: str = "Every rule with its id, what was decided about open ones, and the credits."
    """The description of the page of the rules with their ids."""
    fields: str = "Fields"
    """The title of the fields of a card."""
    front: str = "Face of {name}"
    """The text alternative of a picture of a front."""
    back: str = "Back of {name}"
    """The text alternative of a picture of a back."""
    yes: str = "yes"
    """The text for a field that is true."""
    no: str = "no"
    """The text for a field that is false."""
    made_with: str = "Made with carddb {version}"
    """The last line of a page."""

    def misfits(self) -> Iterator[Misfit]:
        """Yields a fault for each name in braces that carddb does not replace."""
        for name in fields_of(PageWords):
            filled_in = PLACEHOLDER.findall(getattr(PageWords, name))
            for word in PLACEHOLDER.findall(getattr(self, name)):
                if word not in filled_in:
                    yield (name,), f"{name}: nothing is filled in for {{{word}}}", did_you_mean(word, filled_in)


PAGE_WORDS = PageWords()
"""The words of PageWords in English."""
