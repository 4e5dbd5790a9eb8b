"""Opens everything from which a game's faces are drawn: templates, symbols, fonts and pictures."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import uharfbuzz as hb

from carddb.cards.cards import Card
from carddb.core import assets, cache
from carddb.core.errors import FontError, GameError, InputError, TemplateError, UsageError
from carddb.core.files import MOST_BYTES, NamedBytes, read_inside
from carddb.core.plain_text import is_right_to_left
from carddb.core.units import Size, parse_length
from carddb.game.frozen import build
from carddb.game.game import GameSpec
from carddb.game.parts import FontSpec, FontStyle, font_style
from carddb.games import Game
from carddb.layout.display_list import Run
from carddb.layout.documents.blocks import DocumentFonts
from carddb.layout.drawing import svg_parser
from carddb.layout.drawing.face import DrawingKit
from carddb.layout.drawing.outline import Outline
from carddb.layout.drawing.shapes import outline_of as read_outline
from carddb.layout.stock import CARDS, card_size
from carddb.layout.templates.card_values import CardValues, Label
from carddb.layout.templates.template import BASE, PARTS, Templates
from carddb.layout.text.fonts import LINING, NONE, TABULAR, Font, FontBook, FontFile, with_figures
from carddb.layout.text.text_setting import Style
from carddb.press.faces.art import ArtFolder, PictureFiles, art_name
from carddb.press.templates.foreign_templates import ForeignTemplates
from carddb.read import source
from carddb.read.documents import located_document

if TYPE_CHECKING:
    from carddb.press.templates.bytecode_cache import BytecodeCache


def load_family(family: str, spec: FontSpec, folder: Path | None = None) -> list[Font]:
    """Loads every style of a font family, which the game in `folder` names. Raises FontError if a file is missing."""
    kind = "variable" if spec.variable else spec.figures
    own = None if spec.package else folder
    paths = {
        style: _own_file(own, file) if own else assets.font_file(spec.package, file)
        for style, file in spec.styles.items()
    }
    return [_font(family, style, path, kind, own) for style, path in paths.items()]


@functools.lru_cache(maxsize=256)
def _own_file(folder: Path, file: str) -> Path:
    """Returns the path of a game's font file. Raises FontError if it is missing, outside the folder, or not a font."""
    remedy = "Put a TrueType font (.ttf) into the game's folder, and name it from there: fonts/Name.ttf."
    path = folder / file
    try:
        data = read_inside(folder, path)
    except InputError as fault:
        raise FontError(f"the font {file} cannot be used: {fault.message}", remedy) from fault
    if len(data) > MOST_BYTES or not hb.Face(data).glyph_count:
        raise FontError(f"{file} in {folder} is not a font", remedy)
    return path


@functools.lru_cache(maxsize=256)
def _font(family: str, style: str, path: Path, kind: str, folder: Path | None) -> Font:
    """Returns one style of a font family. All workshops of this process share it, with its measurements.

    `kind` is `variable` for a font that is set to the weight in `style`, and `none` for a font without digits; any
    other font gets lining digits and a tabular variant. `folder` is the folder of the game that has the file, None for
    a file of a package. A game's file is read whole, because its maker may replace it while it is in use.
    """
    key = f"{family} {style}"
    if kind == "variable":
        weight = (font_style(style) or FontStyle()).weight
        return Font(key, family, style, _mapped(path, folder), {"wght": float(weight)})
    if kind == "none":
        return Font(key, family, style, FontFile(functools.partial(_read, path, folder, NONE)))
    lining, tabular = (FontFile(functools.partial(_read, path, folder, figures)) for figures in (LINING, TABULAR))
    return Font(key, family, style, lining, tabular=Font(f"{key} tabular", family, style, tabular))


def _read(path: Path, folder: Path | None, figures: tuple[str, ...]) -> bytes:
    return with_figures(read_inside(folder, path) if folder else path.read_bytes(), figures)


@functools.lru_cache(maxsize=256)
def _mapped(path: Path, folder: Path | None) -> FontFile:
    """Returns the file of a variable font, shared by its styles; a package's (10 MB or more) is mapped into memory."""
    if folder:
        return FontFile(functools.partial(read_inside, folder, path))
    return FontFile(path.read_bytes, functools.partial(hb.Blob.from_file_path, str(path)))


_INK = "#1c1a19"
_SYMBOLS = "symbols"
_MAX_BYTES = 512 << 10
"""The most bytes of a template, three times the largest in bundled games. A larger one takes seconds to compile."""


@dataclass
class Workshop:
    """A game with everything that is needed to draw its faces.

    `prefix` is the name of its template folder, and `images` has its picture files by key.
    """

    game: Game
    kit: DrawingKit
    prefix: str
    images: PictureFiles = field(default_factory=PictureFiles)
    picture_folders: tuple[Path, ...] = ()
    """The folders in which pictures are looked for, in order."""
    lang: str = "en"
    """The language of the printed texts."""

    @cached_property
    def field_labels(self) -> Mapping[str, str]:
        """The printed name of each field of the game."""
        fields = self.game.spec.all_fields()
        return {name: spec.label or name.replace("_", " ").capitalize() for name, spec in fields.items()}

    @cached_property
    def value_labels(self) -> Mapping[str, Mapping[str, str]]:
        """The printed names of values, by field and value, for the fields whose values have names."""
        return {name: spec.labels for name, spec in self.game.spec.all_fields().items() if spec.labels}

    def label_named(self, text: str) -> Label:
        """Returns a label with this text, through which a template can reach the labels of fields and values."""
        return Label.of(text, self.field_labels, self.value_labels)

    @cached_property
    def type_labels(self) -> Mapping[str, Label]:
        """The label of each type, which includes the labels of its fields."""
        spec = self.game.spec
        labels = {}
        for key, kind in spec.types.items():
            own = {name: field.label for name, field in kind.fields.items() if field.label}
            labels[key] = Label.of(spec.label_of(key), {**self.field_labels, **own}, self.value_labels)
        return labels

    def label(self, role: str) -> Callable[[str, int, int, int, str, int], tuple[Run, ...]]:
        """Returns the function that sets texts around the cards, in italics if `role` is `aside`, otherwise upright."""
        family = self.family(role)
        setter = self.kit.setter  # caches keep the returned function alive, and should not keep the whole workshop

        def runs(text: str, x: int, y: int, size: int, align: str, angle: int) -> tuple[Run, ...]:
            style = Style(family, size, italic=role == "aside", colour=_INK)
            return setter.line(text, style, x, y, align, angle)

        return runs

    def family(self, role: str) -> str:
        """Returns the font family around cards: for the role `aside`, of secondary or large texts, else of labels."""
        own = self.game.spec.furniture.get("aside" if role == "aside" else "label")
        return own or next(iter(self.kit.book.fonts.values())).family


def open_workshop(game: Game, cards: Iterable[Card] = (), art_folder: Path | None = None, lang: str = "") -> Workshop:
    """Returns the workshop of a game. Pictures are read from `art_folder`, then from the game's own folders.

    `cards` has no effect. Texts are in the language `lang` if they are translated; if it is empty, in the game's own.
    Raises GameError if the game's symbols cannot be read, FontError if a font is missing, TemplateError.
    """
    lang = lang or game.spec.language
    game = game.in_language(lang)
    prefix = game.folder.path.name
    base, parts = (_sources(assets.templates() / name, name) for name in (BASE, PARTS))
    sources = base | parts | _sources(game.folder.template_folder, prefix, game.folder.source)
    templates = templates_of_game(game, sources)
    try:
        symbols = [svg_parser.parse(text) for text in _symbol_texts(templates)]
    except svg_parser.DrawingError as fault:
        raise GameError(f"the symbols of {game.spec.name} cannot be read: {fault.message}", fault.remedy) from fault
    plain_fields = {name for name, field in game.spec.all_fields().items() if field.markup == "plain"}
    library = svg_parser.Library(symbols, plain_fields)
    gallery = ArtFolder(*game.picture_folders(art_folder))
    book = font_book(game.spec.fonts, lang, game.folder.path)
    bleed = parse_length(game.spec.art_bleed) if game.spec.art_bleed else 0
    kit = DrawingKit(templates, book, library, gallery, is_right_to_left(lang), bleed)
    return Workshop(game, kit, prefix, gallery.files, gallery.roots, lang)


def templates_of_game(game: Game, sources: Mapping[str, str]) -> Templates:
    """Returns templates that run in this process for a trusted game, and in a separate process for others."""
    if game.folder.trusted:
        return Templates(sources, _bytecode_cache)
    return ForeignTemplates(sources)


def _bytecode_cache() -> BytecodeCache:
    from carddb.press.templates.bytecode_cache import BytecodeCache  # imports Jinja (50 ms) only when needed

    return BytecodeCache()


def _symbol_texts(templates: Templates) -> list[str]:
    """Returns the texts of the symbol files, which are templates, filled in and cached.

    Because of the cache, a game that is not trusted needs no separate process (0.09 s) until a face is drawn. Raises
    TemplateError if a symbol file cannot be filled in.
    """
    names = sorted(name for name in templates.sources if name.split("/")[1].startswith("symbols"))
    try:
        stamps = cache.program_stamps()
    except OSError:
        return [templates.render(name, {}) for name in names]
    parts = [part for name in sorted(templates.sources) for part in (name, templates.sources[name])]
    key = cache.key_of([*stamps, *parts])
    texts = cache.fetch_value(_SYMBOLS, key)
    if not isinstance(texts, list) or [type(text) for text in texts] != [str] * len(names):
        texts = [templates.render(name, {}) for name in names]
        cache.keep_value(_SYMBOLS, key, texts)
    return texts


def _sources(
    folder: Path, prefix: str, opened: Callable[[Path], Path | NamedBytes] = lambda path: path
) -> dict[str, str]:
    """Returns the templates of a folder by name. Raises TemplateError if one cannot be read."""
    return {f"{prefix}/{path.name}": template_source(opened(path)) for path in sorted(folder.glob("*.svg"))}


def font_book(fonts: Mapping[str, FontSpec], lang: str = "en", folder: Path | None = None) -> FontBook:
    """Returns the fonts of a game, whose folder is `folder`, followed by the fonts of documents.

    Families of an extra that is not installed are left out. For characters that a family lacks, the fallback fonts that
    are for `lang` or for no particular language are tried first, then those for other languages.
    """
    house = document_fonts()
    loaded: list[Font] = []
    hints: dict[str, str] = {}
    for family, spec in {**fonts, **{name: spec for name, spec in house.items() if name not in fonts}}.items():
        try:
            loaded.extend(load_family(family, spec, folder))
        except FontError:
            if not spec.extra:
                raise
            for script in spec.scripts:
                hints.setdefault(script, f"pip install 'carddb[{spec.extra}]' adds {family}.")
    standing_in = {family: spec for family, spec in {**fonts, **house}.items() if spec.stands_in}
    tag = f"{lang}-".casefold()  # `zh-CN` is a kind of `zh`

    def is_foreign(family: str) -> bool:
        languages = standing_in[family].languages
        return bool(languages) and not any(tag.startswith(f"{language}-".casefold()) for language in languages)

    fallbacks = sorted(standing_in, key=is_foreign)
    alternatives = {family: spec.alternative for family, spec in fonts.items() if spec.alternative}
    return FontBook(loaded, fallbacks, alternatives, hints)


def document_fonts() -> dict[str, FontSpec]:
    """Returns the font families that all documents can use. Their file is parsed again only if it has changed."""
    path = assets.templates() / BASE / "fonts.yaml"
    key = cache.key_of([path.read_bytes()])
    families = cache.fetch_value("fonts", key)
    if families is None:
        parsed, findings = located_document.load(path)
        if parsed is None:
            raise GameError(f"{path} cannot be used: {findings[0].message}")
        families = parsed.value
        cache.keep_value("fonts", key, families)
    return {name: build(FontSpec, value) for name, value in families.items()}


def context_of(workshop: Workshop, card: Card) -> dict[str, Any]:
    """Returns the values for a card's templates: the common values, and the card with its fields.

    A card that names no picture gets the one found by the game's pattern, unless it says that it has none. The game's
    hook `face_data` replaces the card and adds values, which override the common values.
    """
    spec = workshop.game.spec
    if (name := art_name(spec, card, workshop.picture_folders)) != card.get("art", ""):
        values = {key: value for key, value in card.values.items() if key != "art"}
        card = Card(card.game, card.ref, {**values, **({"art": name} if name else {})}, card.aliases)
    make = workshop.game.hook("face_data")
    own = dict(make(card, spec)) if make else {"card": {"ref": card.ref, **card.values}}
    if isinstance(own.get("card"), dict):
        own["card"] = CardValues(own["card"], workshop.field_labels, card.name)
    label = workshop.type_labels.get(card.type) or workshop.label_named(spec.label_of(card.type))
    return {**common_context(workshop), "label": label, **own}


def common_context(workshop: Workshop) -> dict[str, Any]:
    """Returns the values for all templates of a game: its data, labels, language and writing direction."""
    return {
        "data": workshop.game.spec.data,
        "label": workshop.label_named(""),
        "lang": workshop.lang,
        "dir": "rtl" if is_right_to_left(workshop.lang) else "ltr",
    }


def template_source(path: Path | NamedBytes) -> str:
    """Returns a template's text. Raises InputError if it is unreadable, TemplateError if not UTF-8 or too large."""
    data, findings = source.read_bytes(path, _MAX_BYTES)
    name = source.name_of(path)
    text, faults = source.decode(data, name)
    for fault in (*findings, *faults):
        raise TemplateError(fault.message, name, fault.where[0].line, fault.fix)
    if text is None:
        raise InputError(f"{name} cannot be read")
    return text.replace("\r\n", "\n").replace("\r", "\n")


_CARD = re.compile(r"""{[{%](?:[^{}]|{(?![{%]))*(?<![\w."'])(?<!macro )card(?![\w"'])""")
_TAKEN_IN = re.compile(r"""{%-?\s*(?:include|import|extends|from)\s+["']([^"']+)["']""")
_SHARED = ("type", "set")
"""The fields that both faces of a double-faced card share."""


def templates_of(game: Game, card: Card) -> tuple[str, str]:
    """Returns a card's front and back templates, as the hook `templates_of` or else the type says; empty if missing."""
    choose = game.hook("templates_of")
    kind = game.spec.types.get(card.type)
    front, back = choose(card, game.spec) if choose else (kind.face, kind.back) if kind else ("", "")
    return str(front), str(back)


def back_of(workshop: Workshop, card: Card) -> tuple[str, Card | None]:
    """Returns the template of a card's back, empty if it has no back, and the card that the back shows.

    That card is None if all cards with the template have the same back. A double-faced card has its other face there.
    """
    game = workshop.game
    if reverse := reverse_of(game.spec, card):
        return game.spec.types[card.type].reverse_face or templates_of(game, reverse)[0], reverse
    template = templates_of(game, card)[1]
    return template, card if template and mentions_card(workshop, template) else None


def own_sizes(spec: GameSpec) -> dict[str, Size]:
    """Returns the sizes of the card types that have their own, by type. Raises UsageError for an unknown size."""
    return {key: card_size(kind.size) for key, kind in spec.types.items() if kind.size}


def shape_of(spec: GameSpec, card: Card) -> str:
    """Returns the shape of a card's type as `game.yaml` writes it; empty for a plain rectangle."""
    return spec.types[card.type].shape if card.type in spec.types else ""


def outline_of(game: Game, shape: str, size: Size) -> Outline | None:
    """Returns the outline of pieces; None if `shape`, as in `game.yaml`, is empty. Raises UsageError if invalid."""

    def drawing(name: str) -> str:
        path = game.folder.template_folder / name
        if not path.is_file():
            raise UsageError(f"there is no drawing {name} among the game's templates", f"Write {path}.")
        return template_source(game.folder.source(path))

    return read_outline(shape, size, drawing) if shape else None


def shown_size(spec: GameSpec, card: Card, name: str) -> Size | None:
    """Returns the size of a card's face: its type's own, or the one called `name`; None means the template's size."""
    return own_sizes(spec).get(card.type) or (card_size(name) if name else None)


def layout_sizes(game: Game, templates: Iterable[str]) -> list[str]:
    """Returns the names of the card sizes, besides the default, for which the game's templates have a layout."""
    variants = (name.removesuffix(".svg").rpartition(".")[2] for name in sorted(templates))
    return list(dict.fromkeys(name for name in (*game.spec.layouts, *variants) if name in CARDS))


def template_for(workshop: Workshop, file: str, size: Size | None) -> str:
    """Returns the template for a card size: for poker `unit.poker.svg` instead of `unit.svg`, if that file exists."""
    name = f"{workshop.prefix}/{file}"
    stem = name.removesuffix(".svg")
    variants = (f"{stem}.{size_name}.svg" for size_name, card_size in CARDS.items() if card_size == size)
    return next((variant for variant in variants if variant in workshop.kit.templates), name)


def mentions_card(workshop: Workshop, file: str) -> bool:
    """Returns whether a template, or one that it includes, uses the card. If not, it is the same for all cards."""
    sources = workshop.kit.templates.sources
    names = [f"{workshop.prefix}/{file}"]
    for name in names:  # the list grows by the templates that each includes
        uses_card, includes = _scanned(sources.get(name, ""))
        if uses_card:
            return True
        names += [each for each in includes if each not in names]
    return False


@lru_cache(maxsize=256)
def _scanned(source: str) -> tuple[bool, list[str]]:
    """Returns whether a template uses the card, and the names of the templates that it includes."""
    return bool(_CARD.search(source)), _TAKEN_IN.findall(source)


def reverse_of(spec: GameSpec, card: Card) -> Card | None:
    """Returns the other face of a double-faced card, as a card; None if the card has only one face."""
    kind = spec.types.get(card.type)
    values = {field: card.get(own) for field, own in kind.reverse.items()} if kind else {}
    values = {field: value for field, value in values.items() if value not in (None, "")}
    if not values:
        return None
    shared = {name: card.get(name) for name in _SHARED if card.get(name)}
    return spec.card(card.ref, {"name": card.name, **shared, **values})


TEXT_FAMILY, CODE_FAMILY = "Spectral", "IBM Plex Mono"


def fonts_of(game: Game, lang: str = "") -> DocumentFonts:
    """Returns the fonts of a game's documents in `lang`, or in its own language. Raises FontError if one is missing."""
    spec, book = game.spec, font_book(game.spec.fonts, lang or game.spec.language, game.folder.path)
    return DocumentFonts(book, *families_of(spec), CODE_FAMILY)


def house_fonts() -> DocumentFonts:
    """Returns the fonts for pages that belong to no game. Raises FontError if one is not installed."""
    return DocumentFonts(font_book({}), TEXT_FAMILY, TEXT_FAMILY, "Alegreya Sans", CODE_FAMILY)


def house_kit() -> DrawingKit:
    """Returns the kit for drawings that belong to no game. Raises FontError if a font is not installed."""
    return DrawingKit(Templates(_sources(assets.templates() / BASE, BASE), _bytecode_cache), font_book({}))


class Families(NamedTuple):
    """The font families of a document, by their use."""

    heading: str
    text: str
    label: str


def families_of(spec: GameSpec) -> Families:
    """Returns the font families that a game names for its documents.

    A family that it does not name is one of its cards' families or, for running text, carddb's, because the cards'
    families may suit only titles.
    """
    families = [name for name, font in (spec.fonts or document_fonts()).items() if not font.stands_in]
    label = spec.furniture.get("label") or families[0]
    other = next((family for family in families if family != label), label)
    text = spec.furniture.get("text") or TEXT_FAMILY
    return Families(spec.furniture.get("heading") or other, text, label)
