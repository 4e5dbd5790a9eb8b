"""A whole `game.yaml`: its parts, checks that they fit together, and the game in another language."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, Self

from carddb.cards.cards import Card, stated
from carddb.cards.query import Query, parse
from carddb.core.errors import QueryError, UsageError
from carddb.core.names import Vocabulary, did_you_mean, fold_word
from carddb.core.options import json_or_text
from carddb.core.plain_text import language_chain, language_tag
from carddb.core.units import Size, parse_length
from carddb.game.frozen import Frozen, FrozenT, Misfit, Path_, fields_of, replaced
from carddb.game.parts import (
    ACCENT,
    GROUND,
    HEADINGS,
    PICTURES,
    PLACEHOLDER,
    RESERVED,
    SHAPE,
    BringSpec,
    ColourCodeSpec,
    ComponentSpec,
    CreditsSpec,
    FieldSpec,
    FontSpec,
    HeaderTable,
    InkSpec,
    LanguageSpec,
    OptionSpec,
    PageWords,
    PrintedName,
    RoundsSpec,
    SheetWords,
    TypeSpec,
    VariantSpec,
    ZoneSpec,
    defaults_of,
)
from carddb.game.rule_parts import REFERENCE, Conditional, FilterSpec, FormatSpec, LimitSpec, RoleSpec, SectionSpec

_WORD_FIX = "Begin it with a letter, and use only small letters, digits and _."


def query_misfits(path: Path_, where: str, query: str, fields: Mapping[str, FieldSpec]) -> Iterator[Misfit]:
    """Yields a fault if `query` is not a valid query over these fields; `where` begins the message."""
    try:
        parse(query, fields, ())
    except QueryError as error:
        yield path, f"{where}: {error.reason} in the query {error.query!r}", error.remedy


def unknown(
    path: Path_, where: str, kind: str, names: Iterable[str | None], choices: Collection[str]
) -> Iterator[Misfit]:
    """Yields a fault for each of `names` not among `choices`; None is skipped. `where` begins the message."""
    for name in names:
        if name is not None and name not in choices:
            yield path, f"{where}: there is no {kind} {name or 'named'}", did_you_mean(name, choices)


def with_samples(query: str, fields: Mapping[str, FieldSpec]) -> str:
    """Returns a query with sample values in place of references to cards in roles, such as `@leader.influence`."""

    def sample(match: re.Match[str]) -> str:
        field = fields.get(match[2], FieldSpec())
        samples = {"integer": "1", "number": "1", "boolean": "true", "object": "none"}
        return samples.get(field.type) or f'"{next(iter(field.of), "x")}"'

    return REFERENCE.sub(sample, query)


def _size_misfits(path: Path_, where: str, size: str) -> Iterator[Misfit]:
    """Yields a fault for a size that is neither a pair of lengths nor like a name, which the layout looks up."""
    try:
        _ = re.fullmatch("[A-Za-z][A-Za-z0-9.-]*|", size) or Size.parse(size)
    except ValueError as error:
        yield path, f"{where}: {error}", ""


_OF_ONE_CARD = ((0, 1), (1, 1))
"""The sizes of sections of at most one card, which are roles as well."""
_MOST_TABLES = 16
"""The most games with other defaults of options that a game keeps in memory."""


class GameSpec(Frozen):
    """The whole of a `game.yaml`."""

    key: str
    """The key of the game: small letters, digits and hyphens, and the name of its folder."""
    prefix: str
    """The prefix of the names of its questions to the referee, such as `eg.attack`."""
    name: str
    """The name of the game."""
    language: str = "en"
    """The language that the cards and this file are written in."""
    languages: Mapping[str, LanguageSpec] = {}
    """The texts of the game in other languages, by tag; they may also be in files beside this one: `labels.ja.yaml`."""
    by: str = ""
    """The makers of the game, in short."""
    author: Literal["", "me"] = ""
    """`me` if the author of the game writes this file, so that its rulings are the author’s own."""
    notice: str = ""
    """The owner of the game, and a note that the sample set is not official."""
    credits: CreditsSpec = CreditsSpec()
    """The credits at the end of a rule sheet."""
    sheet_words: SheetWords = SheetWords()
    """The words that carddb adds to the sheets of the game."""
    page_words: PageWords = PageWords()
    """The words that carddb has on the pages of the game's site."""
    footer: str = ""
    """A few words for the foot of every sheet."""
    accent: str = ACCENT
    """The colour of small marks in documents, such as bullets."""
    ground: str = GROUND
    """The colour behind the pages of the game on a screen."""
    colour_codes: tuple[ColourCodeSpec, ...] = ()
    """Colours that carry a meaning; `carddb conform` checks that people with any colour vision can distinguish them."""
    inks: Mapping[str, InkSpec] = {}
    """The inks of colours on a printing press, by colour: `#8e1b2e`, or its path in `data`, such as `faces.red`."""
    players: tuple[int, int] = (1, 1)
    """The fewest and the most players."""
    card_size: str = "index-3x5"
    """The size of cards whose type names none: a name such as `poker`, or `63x88mm`."""
    layouts: tuple[str, ...] = ()
    """Further sizes, by name, for which the templates have a layout of their own, chosen by `size`."""
    art: str = ""
    """The path of the picture of a card that names none: `art/{ref}.png`; other suffixes are tried too."""
    art_bleed: str = ""
    """The bleed around the trim of finished pictures (`face_image`), such as `3mm`; else they end at the trim."""
    identity: tuple[str, ...] = ("ref",)
    """The fields by which two cards count as the same."""
    lists: Mapping[str, str] = {}
    """Still accepted, but no longer used; `bans.yaml` has the ban lists of a game."""
    columns: Mapping[str, str] = {}
    """Other names of columns and keys in a card file, and the fields that they mean."""
    printed_name: PrintedName | None = None
    """The printed field that identifies a card, if another field distinguishes the cards of different formats."""
    name_from: str = ""
    """The field of a card file that is used as a card's name if the file gives none."""
    caption: tuple[str, ...] = ()
    """The fields whose values are the caption of a card on a page, if its type does not say what it is."""
    fields: Mapping[str, FieldSpec] = {}
    """The fields of every card, by name."""
    types: Mapping[str, TypeSpec] = {}
    """The types of cards, by key."""
    type_code: str = "unknown_card_type"
    """The code of the finding for a card of an unknown type."""
    ref_code: str = "reference_missing"
    """The code of the finding for a card without a reference."""
    name_code: str = "name_missing"
    """The code of the finding for a card without a name."""
    sections: Mapping[str, SectionSpec] = {}
    """The parts of a deck, by key."""
    zones: Mapping[str, ZoneSpec] = {}
    """The places of the playtest table, in their order; without any they follow the sections."""
    header: Mapping[str, str] = {}
    """The header lines of a deck besides name, game and format: each word, and the key that it means."""
    header_words: Mapping[str, tuple[str, ...]] = {}
    """For each field of a deck's header, the lists with its words: fields of cards, `types`, lists of `words`."""
    header_tables: Mapping[str, HeaderTable] = {}
    """The header lines that set two other header lines, by key."""
    rounds: RoundsSpec = RoundsSpec()
    """The matches of a tournament."""
    roles: Mapping[str, RoleSpec] = {}
    """The roles that single cards of a deck fill, such as its leader, by the name that limits use."""
    limits: tuple[LimitSpec, ...] = ()
    """The limits on the numbers of cards in a deck."""
    filters: Mapping[str, FilterSpec] = {}
    """The filters that formats may switch on, by name."""
    formats: Mapping[str, FormatSpec] = {}
    """The card pools that a deck may be played in, by key."""
    default_format: str | None = None
    """The format of a deck that names none."""
    format_rules: tuple[str, ...] = ()
    """The rules by which formats are named."""
    options: Mapping[str, OptionSpec] = {}
    """The house readings of its rules, by name."""
    refusal_key: Literal["reason", "error"] = "reason"
    """The key under which a refusal of the referee gives its reason."""
    components: Mapping[str, ComponentSpec] = {}
    """The parts that are printed besides the cards, by key."""
    variants: Mapping[str, VariantSpec] = {}
    """The variants of components, by the key of their rows or cards."""
    bring: tuple[str | BringSpec, ...] = ()
    """The things needed besides the components, each as text, or with a number."""
    fonts: Mapping[str, FontSpec] = {}
    """The font families that its faces use."""
    furniture: Mapping[Literal["label", "aside", "heading", "text"], str] = {}
    """The font families of texts around the cards of a sheet (`label`, `aside`) and of documents (the others)."""
    face_rules: tuple[str, ...] = ()
    """The rules that are shown by the faces and backs of the cards, and by their sheets."""
    ignored_types: tuple[str, ...] = ()
    """Types that limits and formats ignore in every section (reference cards)."""
    words: Mapping[str, Mapping[str, tuple[str, ...]]] = {}
    """Printed names and other words for keys in questions: by list (`phases`; `header`: keys of decks), then by key."""
    data: Mapping[str, Any] = {}
    """The game's own tables: what its `rules.py` and templates read."""

    def misfits(self) -> Iterator[Misfit]:
        """Yields faults: names of things that do not exist, invalid values, and words with two meanings."""
        yield from self._misjoined()
        if not re.fullmatch("[a-z][a-z0-9_]*", self.prefix):
            yield ("prefix",), f"prefix: {self.prefix!r} cannot be a prefix of questions", _WORD_FIX
        if not 0 < self.players[0] <= self.players[1]:
            words = f"players: {self.players[0]} to {self.players[1]} is not possible"
            yield ("players",), words, "Write the fewest players, at least 1, then the most."
        for key, colour in (("accent", self.accent), ("ground", self.ground)):
            if not re.fullmatch("#[0-9a-fA-F]{6}", colour):
                yield (key,), f"{key}: {colour!r} is not a colour such as #8e1b2e", ""
        try:
            _ = self.art_bleed and parse_length(self.art_bleed)
        except ValueError as error:
            yield ("art_bleed",), f"art_bleed: {error}", ""
        yield from _size_misfits(("card_size",), "card_size", self.card_size)
        for group, parts in (("types", self.types), ("components", self.components)):
            for key, part in parts.items():
                where = f"{group.removesuffix('s')} {key}"
                yield from _size_misfits((group, key, "size"), where, part.size)
                if part.shape and not SHAPE.fullmatch(part.shape):
                    kinds = "rectangle 3mm, circle, hexagon flat, hexagon pointed, standee 10mm, die, or shape.svg"
                    yield (group, key, "shape"), f"{where}: there is no shape {part.shape!r}", f"Write {kinds}."
        for key, zone in self.zones.items():
            if not re.fullmatch("[a-z][a-z0-9_]*", key):
                yield ("zones", key), f"{key!r} cannot be the key of a zone", _WORD_FIX
            yield from unknown(("zones", key, "sections"), f"zone {key}", "section", zone.sections, self.sections)
        for name, ink in self.inks.items():
            if not self._colour(name):
                words = f"inks: {name!r} is neither a colour such as '#8e1b2e' nor a path in data that leads to one"
                yield ("inks", name), words, "Put quotes around a colour."
            if not all(0 <= amount <= 100 for amount in ink.cmyk):
                yield ("inks", name), f"inks: {name}: every amount of ink must be from 0 to 100 percent", ""
        yield from self._clashes()

    @cached_property
    def ink_amounts(self) -> Mapping[str, tuple[int, int, int, int]]:
        """The amounts of cyan, magenta, yellow and black, in thousandths, by colour (`#rrggbb`) that has `inks`."""
        amounts = {}
        for name, ink in self.inks.items():
            cyan, magenta, yellow, black = (round(amount * 10) for amount in ink.cmyk)
            amounts[self._colour(name)] = (cyan, magenta, yellow, black)
        return amounts

    @cached_property
    def spot_colours(self) -> Mapping[str, str]:
        """The separate plate of each colour that has one, by colour (`#rrggbb`)."""
        return {self._colour(name): ink.spot for name, ink in self.inks.items() if ink.spot}

    def _colour(self, name: str) -> str:
        """Returns a colour given as `#rrggbb` or as a path in `data`; empty if there is none."""
        colour: Any = name
        if not name.startswith("#"):
            colour = self.data
            for step in name.split("."):
                colour = colour.get(step) if isinstance(colour, Mapping) else None
        return colour.lower() if isinstance(colour, str) and re.fullmatch("#[0-9a-fA-F]{6}", colour) else ""

    def _misjoined(self) -> Iterator[Misfit]:
        fields = self.all_fields()
        yield from unknown(("identity",), "identity", "field", self.identity, fields)
        yield from unknown(("columns",), "columns", "field", self.columns.values(), fields)
        yield from unknown(("art",), "art", "field", PLACEHOLDER.findall(self.art), fields)
        for key, kind in self.types.items():
            names = (*kind.reverse, *kind.reverse.values())
            yield from unknown(("types", key, "reverse"), f"type {key}", "field", names, fields)
        for path, name, field in self._declared():
            if field.separators and field.type != "list":
                words = f"{name}: a field of type {field.type} cannot have a separator"
                yield (*path, "separator"), words, "Write type: list, or remove the separator."
            if "" in field.separators:
                words = f"{name}: the separator is empty"
                yield (*path, "separator"), words, 'Write what stands between two values, as in " - ".'
        yield from unknown(("name_from",), "name_from", "field", [self.name_from or None], fields)
        yield from unknown(("caption",), "caption", "field", self.caption, fields)
        if self.printed_name:
            pair = self.printed_name.field, self.printed_name.by
            yield from unknown(("printed_name",), "printed_name", "field", pair, fields)
        lists = {*self.fields, "types", *self.words}
        for name, listed in self.header_words.items():
            yield from unknown(("header_words", name), "header_words", "list", listed, lists)
        for name, table in self.header_tables.items():
            keys = (name, table.rows, table.columns)
            yield from unknown(("header_tables", name), "header_tables", "header key", keys, self.header.values())
        yield from unknown(("ignored_types",), "ignored_types", "type", self.ignored_types, self.types)
        yield from unknown(("default_format",), "default_format", "format", [self.default_format], self.formats)
        for at, limit in enumerate(self.limits):
            path, where = ("limits", at), f"limit {limit.code}"
            yield from unknown((*path, "over"), where, "section", limit.over, self.sections)
            yield from unknown((*path, "formats"), where, "format", limit.formats or (), self.formats)
            yield from unknown((*path, "by"), where, "field", [limit.by], ("identity", *fields))
            of = limit.of or ("" if limit.kind == "same" or (limit.kind == "budget" and not limit.weights) else None)
            yield from unknown((*path, "of"), where, "field", [of], fields)
            yield from unknown((*path, "max_field"), where, "field", [limit.max_field], fields)
            yield from unknown((*path, "given_over"), where, "section", limit.given_over, self.sections)
            for query in limit.weights:
                yield from query_misfits((*path, "weights", query), where, with_samples(query, fields), fields)
            for query, weight in limit.conditional_weights:
                path_of = (*path, "weights", query, "when")
                yield from query_misfits(path_of, where, with_samples(weight.when, fields), fields)
            for number, other in enumerate(limit.instead):
                yield from unknown((*path, "instead", number, "over"), where, "section", other.over, self.sections)
            yield from self._misreferred(limit, path, fields)
        for key, section in self.sections.items():
            yield from unknown(("sections", key, "types"), f"section {key}", "type", section.types, self.types)
            others = self.sections.keys() - {key}
            yield from unknown(("sections", key, "part_of"), f"section {key}", "section", section.part_of, others)
            least, most = section.size
            if most is not None and least > most:
                yield ("sections", key, "size"), f"section {key}: at least {least}, at most {most} cards", "Swap them."
        for key, role in self.roles.items():
            yield from query_misfits(("roles", key, "match"), f"role {key}", role.match, fields)
            yield from unknown(("roles", key, "over"), f"role {key}", "section", role.over, self.sections)
        for key, chosen in self.formats.items():
            yield from unknown(("formats", key, "filters"), f"format {key}", "filter", chosen.filters, self.filters)
            of = chosen.rotation.of if chosen.rotation else None
            yield from unknown(("formats", key, "rotation", "of"), f"format {key}", "field", [of], fields)
        for key, component in self.components.items():
            yield from query_misfits(("components", key, "each"), f"component {key}", component.each, fields)
        for path_, where, part, queries in self._conditionals():
            for key, option in (("when", part.when), ("unless", part.unless)):
                yield from unknown((*path_, key), where, "option", [option and option.partition("=")[0]], self.options)
            for key in queries:
                query = with_samples(getattr(part, key) or "", fields)
                yield from query_misfits((*path_, key), where, query, fields)

    def _misreferred(self, limit: LimitSpec, path: Path_, fields: Mapping[str, FieldSpec]) -> Iterator[Misfit]:
        """Yields a fault for each role or field that a limit needs but the game lacks, or bad query in `instead`."""
        where = f"limit {limit.code}"
        for role, field in limit.references:
            yield from unknown(path, where, "role or section", [role], self.role_of.keys() | self.sections.keys())
            yield from unknown(path, where, "field", [field], fields)
            if role in self.sections and role not in self.role_of:
                yield path, f"{where}: the section {role} may have several cards", "Give it the size [1, 1]."
        for at, other in enumerate(limit.instead):
            query = with_samples(other.given, fields)
            yield from query_misfits((*path, "instead", at, "given"), where, query, fields)

    def _declared(self) -> Iterator[tuple[Path_, str, FieldSpec]]:
        """Yields the fields of all cards, then the fields of the types, each as (path in the file, name, field)."""
        yield from ((("fields", name), name, field) for name, field in self.fields.items())
        for key, kind in self.types.items():
            yield from ((("types", key, "fields", name), name, field) for name, field in kind.fields.items())

    @cached_property
    def role_of(self) -> Mapping[str, RoleSpec]:
        """The roles by name; each section of at most one card is an optional role under its own key as well."""
        sections = {key: part for key, part in self.sections.items() if part.size in _OF_ONE_CARD}
        own = {key: RoleSpec(over=(key,), optional=True, label=part.label) for key, part in sections.items()}
        return {**own, **self.roles}

    def _conditionals(self) -> Iterator[tuple[Path_, str, Conditional, tuple[str, ...]]]:
        """Yields every part that an option may switch on or off, as (path, description, part, keys of its queries)."""
        for at, limit in enumerate(self.limits):
            yield ("limits", at), f"limit {limit.code}", limit, tuple(limit.queries)
        for key, section in self.sections.items():
            for at, wrong in enumerate(section.wrong):
                yield ("sections", key, "wrong", at), f"section {key}", wrong, ("match",)
        for kind, holders in (("format", self.formats), ("filter", self.filters)):
            for key, holder in holders.items():
                for at, must in enumerate(holder.pool):
                    yield (f"{kind}s", key, "pool", at), f"{kind} {key}", must, ("must",)

    @cached_property
    def type_words(self) -> Vocabulary:
        """The types of cards, findable by key, label, plural and alias."""
        return self._type_field.words

    @cached_property
    def section_words(self) -> Vocabulary:
        """The sections of decks, findable by key, alias and label in any language."""
        labels = {key: section.label for key, section in self.sections.items()}
        others = [words.sections for words in self.languages.values()]
        aliases = {key: (*part.aliases, *(o[key] for o in others if key in o)) for key, part in self.sections.items()}
        return Vocabulary(self.sections, labels, aliases)

    @cached_property
    def format_words(self) -> Vocabulary:
        """The formats, findable by key, name and alias; not by label, which several may share (E-44)."""
        names = {key: format_.name for key, format_ in self.formats.items()}
        return Vocabulary(self.formats, names, {key: format_.aliases for key, format_ in self.formats.items()})

    def format_named(self, text: str) -> str | None:
        """Returns the key of the format that `text` means, or None if it means several or none.

        It may be a key, a name, an alias, or a label with or without the name: `10) Up to date` means the same as
        `10b`, because the name tells which of the formats labelled 10 it is.
        """
        word = fold_word(text.replace(")", ""))
        labels = {
            key
            for key, format_ in self.formats.items()
            for label in (format_.label, format_.label.rstrip("abcdefghijklmnopqrstuvwxyz"))
            if word and word in (fold_word(f"{label} {format_.name}"), fold_word(format_.label))
        }
        return self.format_words.find(text) or (labels.pop() if len(labels) == 1 else None)

    @cached_property
    def option_words(self) -> Vocabulary:
        """The options, findable by key."""
        return Vocabulary(self.options)

    def vocabulary(self, keys: tuple[str, ...], list_: str | None = None) -> Vocabulary:
        """Returns a vocabulary of `keys` with labels and aliases of `list_`: a field, `types`, or a list in `words`."""
        if (list_, keys) not in self._vocabularies:
            fields, further = {**self.fields, "types": self._type_field}, self.words.get(list_ or "", {})
            field = fields.get(list_ or "", FieldSpec())
            labels = {key: field.labels.get(key, "") for key in keys}
            aliases = {key: (*field.aliases.get(key, ()), *further.get(key, ())) for key in keys}
            self._vocabularies[list_, keys] = Vocabulary(keys, labels, aliases)
        return self._vocabularies[list_, keys]

    @cached_property
    def _vocabularies(self) -> dict[tuple[str | None, tuple[str, ...]], Vocabulary]:
        return {}

    @cached_property
    def field_words(self) -> Vocabulary:
        """The fields of cards, findable by key, label and further column headings."""
        return self._names_of(self.all_fields())

    def _names_of(self, fields: Mapping[str, FieldSpec]) -> Vocabulary:
        headings: dict[str, list[str]] = {name: [] for name in fields}
        for kind in self.types.values():
            for name, field in kind.fields.items():
                headings[name].append(field.label)
        for heading, name in {**HEADINGS, **self.columns}.items():
            headings.setdefault(name, []).append(heading)
        return Vocabulary(fields, {name: field.label for name, field in fields.items()}, headings)

    def is_foreign(self, lang: str) -> bool:
        """Returns whether `lang` differs from the game's language; an empty `lang` does not."""
        return language_tag(lang) not in ("", language_tag(self.language))

    @cached_property
    def translatable(self) -> frozenset[str]:
        """The fields whose values may be translated: names, texts, open lists, objects, pictures."""
        return frozenset(name for key in self.types or [""] for name in self.translatable_of(key))

    def translatable_of(self, card_type: str) -> list[str]:
        """Returns the translatable fields of a type, the name first, pictures last."""
        fields = {**RESERVED, **self.fields_of(card_type)}
        own = [name for name, spec in fields.items() if name not in RESERVED and spec.is_wording]
        return ["name", *own, *PICTURES]

    def query_fields(self) -> dict[str, FieldSpec]:
        """Returns the fields that a search may use: all fields of cards, with `set` as free text, and `game`."""
        game = FieldSpec(of=(self.key,), labels={self.key: self.name})
        return {**self.all_fields(), "set": FieldSpec(), "game": game}

    def query(self, text: str) -> Query:
        """Parses a search, where fields may be called by any column heading. Raises QueryError for a faulty one."""
        fields = self.query_fields()
        return parse(text, fields, names=self._names_of(fields))

    def _clashes(self) -> Iterator[Misfit]:
        """Yields each word that two entries of the same vocabulary share."""
        lists: list[tuple[Path_, Vocabulary]] = [
            (("types",), self.type_words),
            (("sections",), self.section_words),
            (("formats",), self.format_words),
            (("options",), self.option_words),
            (("components",), Vocabulary(self.components, {key: part.label for key, part in self.components.items()})),
            *((("words", name), Vocabulary(words, None, words)) for name, words in self.words.items()),
            *((path, field.words) for path, _, field in self._declared()),
        ]
        for path, vocabulary in lists:
            for word, first, second in vocabulary.clashes():
                where = ".".join(map(str, path))
                yield (*path, second), f"{where}: {word!r} means both {first} and {second}", "Rename one of them."

    def fields_of(self, card_type: str) -> dict[str, FieldSpec]:
        """Returns the fields of a type: the game's, refined by the type's own."""
        kind = self.types.get(card_type)
        return {**self.fields, **(kind.fields if kind else {})}

    def all_fields(self) -> dict[str, FieldSpec]:
        """Returns the fields of all types by name, reserved fields first; the first type with a field defines it."""
        out: dict[str, FieldSpec] = dict(RESERVED)
        if not self.counts_copies:
            del out["count"]
        out["type"] = self._type_field
        out["set"] = FieldSpec(type="choice")
        for fields in (self.fields, *(kind.fields for kind in self.types.values())):
            for name, spec in fields.items():
                out.setdefault(name, spec)
        return out

    @cached_property
    def counts_copies(self) -> bool:
        """True if `count` is the number of copies to print, because no field of the game has this name."""
        parts = (self.fields, *(kind.fields for kind in self.types.values()))
        words = {word for fields in parts for name, field in fields.items() for word in (name, field.label)}
        return "count" not in {fold_word(word) for word in (*words, *self.columns)}

    @cached_property
    def _type_field(self) -> FieldSpec:
        labels = {key: self.label_of(key) for key in self.types}
        aliases = {key: (kind.plural, *kind.aliases) for key, kind in self.types.items()}
        return FieldSpec(type="choice", of=tuple(self.types), labels=labels, aliases=aliases)

    def card(self, ref: str, values: Mapping[str, Any], aliases: tuple[str, ...] = ()) -> Card:
        """Returns a card of this game, with default values and the values that its type implies, and without None."""
        of_type = self._filled_in.get(str(values.get("type", "")))
        defaults, implied = of_type or (defaults_of(self.fields), {})
        return Card(self.key, ref, {**defaults, **stated(values), **implied}, aliases)

    @cached_property
    def _filled_in(self) -> Mapping[str, tuple[Mapping[str, Any], Mapping[str, Any]]]:
        """For each type, by key: the defaults of its fields, and the values that it implies, both by field."""
        return {key: (defaults_of(self.fields_of(key)), kind.implies) for key, kind in self.types.items()}

    @cached_property
    def readings(self) -> Mapping[str, Any]:
        """The value in force of every option, by name: its default, which `with_defaults` may have replaced."""
        return MappingProxyType({name: option.default for name, option in self.options.items()})

    def readings_with(self, texts: Mapping[str, str]) -> dict[str, Any]:
        """Returns `readings` overridden by option values in `texts`. Raises UsageError for a bad option or value."""
        return {**self.readings, **self.option_values(texts)}

    def option_values(self, texts: Mapping[str, str]) -> dict[str, Any]:
        """Returns the values in `texts`, by the option's key; a text that is not JSON is the value itself.

        Raises UsageError, with what is accepted, for an unknown option, and for a value that an option does not accept.
        """
        values: dict[str, Any] = {}
        for name, text in texts.items():
            key = self.option_words.find(name)
            if key is None:
                accepted = f"Accepted: {', '.join(self.options)}." if self.options else "The game has no options."
                remedy = f"{did_you_mean(name, self.options, '')} {accepted}".strip()
                raise UsageError(f"{self.name} has no option {name}", remedy)
            option = self.options[key]
            try:
                values[key] = option.value_of(json_or_text(text))
            except ValueError:
                raise UsageError(f"the option {name} cannot be {text}", f"Accepted: {option.accepted}.") from None
        return values

    def with_defaults(self, values: Mapping[str, Any]) -> Self:
        """Returns the game with other defaults for some options, such as the house readings of one table.

        Some of these games are kept in memory, because creating one takes 0.1 ms, but answering a question 0.01 ms.
        """
        usual = self.readings
        other = {name: value for name, value in values.items() if value is not usual[name] and value != usual[name]}
        if not other:
            return self
        key = repr(sorted(other.items()))
        if key not in self._tables:
            if len(self._tables) >= _MOST_TABLES:
                self._tables.clear()
            own = {name: replaced(self.options[name], default=value) for name, value in other.items()}
            self._tables[key] = replaced(self, options={**self.options, **own})
        return self._tables[key]

    @cached_property
    def _tables(self) -> dict[str, Self]:
        return {}

    @cached_property
    def brought(self) -> tuple[BringSpec, ...]:
        """The things that players need besides the components."""
        return tuple(BringSpec(what=item) if isinstance(item, str) else item for item in self.bring)

    @cached_property
    def counted_sections(self) -> tuple[str, ...]:
        """The sections that limits and statistics look at by default: those `counted` that are not part of others."""
        return tuple(key for key, section in self.sections.items() if section.counted and not section.part_of)

    def section_label(self, key: str) -> str:
        """Returns the label of a section, or one made from its key; a key without a section is returned unchanged."""
        section = self.sections.get(key)
        return section.label or key.replace("_", " ").replace("-", " ").capitalize() if section else key

    def label_of(self, card_type: str) -> str:
        """Returns the label of a type, or one made from its key."""
        kind = self.types.get(card_type)
        return (kind.label if kind else "") or card_type.replace("_", " ").capitalize()

    def plural_of(self, card_type: str) -> str:
        """Returns the label of cards of a type in the plural, or its label if it has none."""
        kind = self.types.get(card_type)
        return (kind.plural if kind else "") or self.label_of(card_type)

    def shown_type(self, card: Card) -> str:
        """Returns the type (key) under which a card is listed: the first whose implied values it has, or its own."""
        held = card.values.items()
        implied = (key for key, kind in self.types.items() if kind.implies and kind.implies.items() <= held)
        return next(implied, card.type)

    def kind_of(self, card: Card) -> str:
        """Returns the label of `shown_type`, the type under which a card is listed."""
        return self.label_of(self.shown_type(card))


def game_in_language(spec: GameSpec, lang: str) -> GameSpec:
    """Returns the game with its texts in `lang`; missing texts are in a more general language, or the original one."""
    if not spec.is_foreign(lang):
        return spec
    by_tag = {language_tag(tag): words for tag, words in spec.languages.items()}
    for tag in reversed(language_chain(lang)):
        if tag in by_tag:
            spec = _with_words(spec, by_tag[tag])
    return spec


def language_misfits(spec: GameSpec, words: LanguageSpec) -> Iterator[Misfit]:
    """Yields a fault for each translation of a key that the game does not have."""
    fields = spec.all_fields()
    keys_of: Mapping[str, Collection[str]] = {
        **dict.fromkeys(("types", "plurals"), spec.types),
        "fields": fields,
        "values": [name for name, field in fields.items() if field.of],
        "sections": spec.sections,
        "formats": spec.formats,
        "components": spec.components,
        "sheet_words": fields_of(SheetWords),
        "page_words": fields_of(PageWords),
    }
    for name, keys in keys_of.items():
        for key in getattr(words, name):
            if key not in keys:
                yield (name, key), f"there is nothing called {key} in {name}", did_you_mean(key, keys)
    page_words = {key: text for key, text in words.page_words.items() if key in fields_of(PageWords)}
    for path, message, fix in PageWords(**page_words).misfits():
        yield ("page_words", *path), message, fix


def untranslated_keys(spec: GameSpec, lang: str) -> list[str]:
    """Returns the keys that have a label in the game's language but none in `lang`, such as `types.ship`."""
    by_tag = {language_tag(tag): words for tag, words in spec.languages.items()}
    there = [by_tag[tag] for tag in language_chain(lang) if tag in by_tag]
    labelled = {
        "types": {key: spec.label_of(key) for key in spec.types},
        "fields": {name: field.label for name, field in spec.all_fields().items() if name not in RESERVED},
        "sections": {key: section.label for key, section in spec.sections.items()},
        "formats": {key: chosen.name for key, chosen in spec.formats.items()},
        "components": {key: component.label for key, component in spec.components.items()},
    }
    return [
        f"{name}.{key}"
        for name, labels in labelled.items()
        for key, label in labels.items()
        if label and not any(key in getattr(words, name) for words in there)
    ]


def _with_words(spec: GameSpec, words: LanguageSpec) -> GameSpec:
    types = {key: replaced(kind, fields=_fields(kind.fields, words)) for key, kind in spec.types.items()}
    own = {name: text for name in ("name", "notice", "footer") if (text := getattr(words, name))}
    return replaced(
        spec,
        types=_labelled(_labelled(types, words.types), words.plurals, "plural"),
        fields=_fields(spec.fields, words),
        sections=_labelled(spec.sections, words.sections),
        formats=_labelled(spec.formats, words.formats, "name"),
        components=_labelled(spec.components, words.components),
        sheet_words=replaced(spec.sheet_words, **words.sheet_words),
        page_words=replaced(spec.page_words, **words.page_words),
        data={**spec.data, **words.data},
        **own,
    )


def _fields(fields: Mapping[str, FieldSpec], words: LanguageSpec) -> dict[str, FieldSpec]:
    """Returns fields with the labels of `words`, for the fields and for their values."""
    labelled = _labelled(fields, words.fields)
    for name, labels in words.values.items():
        if name in labelled:
            labelled[name] = replaced(labelled[name], labels={**labelled[name].labels, **labels})
    return labelled


def _labelled(parts: Mapping[str, FrozenT], labels: Mapping[str, str], attribute: str = "label") -> dict[str, FrozenT]:
    """Returns the parts with their `label`, or the other text `attribute`, replaced where `labels` has their key."""
    changes: dict[str, dict[str, Any]] = {key: {attribute: label} for key, label in labels.items()}
    return {key: replaced(part, **changes[key]) if key in changes else part for key, part in parts.items()}
