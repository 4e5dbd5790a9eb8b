"""Opens everything that faces of a game are made from: its templates, symbols, fonts and pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from carddb.cards.cards import Card
from carddb.core import assets, cache
from carddb.core.errors import FontError, GameError, InputError, TemplateError
from carddb.core.languages import is_right_to_left
from carddb.game.frozen import build
from carddb.game.parts import FontSpec
from carddb.games import Game
from carddb.layout.display_list import Run
from carddb.layout.drawing import svg_parser
from carddb.layout.drawing.face import Studio
from carddb.layout.templates.card_values import CardValues, Label
from carddb.layout.templates.template import Templates
from carddb.layout.text.fonts import Font, FontBook
from carddb.layout.text.text_setting import Style
from carddb.press.faces.art import ArtFolder, PictureFiles
from carddb.press.faces.card_art import art_name
from carddb.press.faces.font_files import load_family
from carddb.press.templates.foreign_templates import ForeignTemplates
from carddb.read import source
from carddb.read.documents import located_document

if TYPE_CHECKING:
    from carddb.press.templates.bytecode_cache import BytecodeCache

BASE = "_base"
PARTS = "_parts"
"""Templates that every game can use: those of carddb's own pages, and parts of faces."""
_SHAPED = "scripts"
"""The extra with the fonts of scripts that are shaped."""
_INK = "#1c1a19"
_SYMBOLS = "symbols"
_MAX_BYTES = 512 << 10
"""Of one template: three times the largest that the bundled games have. A larger one takes seconds to compile."""


@dataclass
class Workshop:
    """A game ready to be drawn: `prefix` is its template folder, `images` picture files by key."""

    game: Game
    studio: Studio
    prefix: str
    images: PictureFiles = field(default_factory=PictureFiles)
    picture_folders: tuple[Path, ...] = ()
    """Where pictures are looked for, in their order."""
    lang: str = "en"
    """The language that words are printed in."""

    @cached_property
    def field_labels(self) -> Mapping[str, str]:
        """The printed name of every field of the game."""
        fields = self.game.spec.all_fields()
        return {name: spec.label or name.replace("_", " ").capitalize() for name, spec in fields.items()}

    @cached_property
    def value_labels(self) -> Mapping[str, Mapping[str, str]]:
        """The printed names of the values of fields, as far as they have some."""
        return {name: spec.labels for name, spec in self.game.spec.all_fields().items() if spec.labels}

    def label_named(self, text: str) -> Label:
        """A label that is this text, and knows those of all fields and values."""
        return Label.of(text, self.field_labels, self.value_labels)

    @cached_property
    def type_labels(self) -> Mapping[str, Label]:
        """The printed name of every type, and those of its fields."""
        spec = self.game.spec
        own = {key: {name: field.label for name, field in kind.fields.items()} for key, kind in spec.types.items()}
        return {
            key: Label.of(
                spec.label_of(key),
                {**self.field_labels, **{n: label for n, label in labels.items() if label}},
                self.value_labels,
            )
            for key, labels in own.items()
        }

    def label(self, role: str) -> Callable[[str, int, int, int, str, int], tuple[Run, ...]]:
        """How words around the cards are set: `label`, or `aside` in italics."""
        family = self.family(role)
        setter = self.studio.setter  # the widths of labels are remembered, and with them no more than this

        def runs(text: str, x: int, y: int, size: int, align: str, angle: int) -> tuple[Run, ...]:
            style = Style(family, size, italic=role == "aside", colour=_INK)
            return setter.line(text, style, x, y, align, angle).runs

        return runs

    def family(self, role: str) -> str:
        """The family of words that belong to no card: `label`, or `aside` for the lesser or larger ones."""
        return self.game.spec.furniture.get("aside" if role == "aside" else "label") or next(iter(self.families))

    @property
    def families(self) -> list[str]:
        return list(dict.fromkeys(font.family for font in self.studio.book.fonts.values()))


def open_workshop(game: Game, cards: Iterable[Card] = (), art_folder: Path | None = None, lang: str = "") -> Workshop:
    """The workshop of a game; pictures that `cards` name are read from `art_folder`.

    The words of the game are in `lang`, as far as it has them; by default in its own language.

    Raises GameError, FontError, TemplateError.
    """
    lang = lang or game.spec.language
    game = game.in_language(lang)
    prefix = game.folder.path.name
    shared_folders = {name: _sources(assets.templates() / name, name) for name in (BASE, PARTS)}
    sources = shared_folders[BASE] | shared_folders[PARTS] | _sources(game.folder.template_folder, prefix)
    templates = templates_of_game(game, sources)
    try:
        symbols = [svg_parser.parse(text) for text in _symbol_texts(templates)]
    except svg_parser.Fault as fault:
        raise GameError(f"the symbols of {game.spec.name} cannot be read: {fault.message}", fault.remedy) from fault
    plain_fields = {name for name, field in game.spec.all_fields().items() if field.markup == "plain"}
    library = svg_parser.Library(symbols, plain_fields)
    gallery = ArtFolder(*game.picture_folders(art_folder))
    book = font_book(game.spec.fonts, lang, game.folder.path)
    studio = Studio(templates, book, library, gallery, is_right_to_left(lang))
    return Workshop(game, studio, prefix, gallery.files, gallery.roots, lang)


def templates_of_game(game: Game, sources: Mapping[str, str]) -> Templates:
    """Templates for a game: filled in here where it is trusted, else by a process of their own."""
    if game.folder.trusted:
        return Templates(sources, _bytecode_cache)

    return ForeignTemplates(sources)


def _bytecode_cache() -> BytecodeCache:
    from carddb.press.templates.bytecode_cache import BytecodeCache  # Jinja, 50 ms, where a template is filled in

    return BytecodeCache()


def _symbol_texts(templates: Templates) -> list[str]:
    """The files of symbols filled in, which need nothing but the templates: those of an earlier run where it had the
    same. Without them a game of somebody's own needs no process for its templates (0.09 s) where no face is drawn.

    Raises TemplateError.
    """
    names = sorted(name for name in templates.sources if name.split("/")[1].startswith("symbols"))
    try:
        stamps = cache.program_stamps()
    except OSError:
        return [templates.render(name, {}) for name in names]
    parts = [part for name in sorted(templates.sources) for part in (name, templates.sources[name])]
    key = cache.key_of([*stamps, *parts])
    texts = cache.fetch_plain(_SYMBOLS, key)
    if not isinstance(texts, list) or [type(text) for text in texts] != [str] * len(names):
        texts = [templates.render(name, {}) for name in names]
        cache.keep_plain(_SYMBOLS, key, texts)
    return texts


def _sources(folder: Path, prefix: str) -> dict[str, str]:
    """The templates of a folder by name. Raises TemplateError where one cannot be read."""
    return {f"{prefix}/{path.name}": template_source(path) for path in sorted(folder.glob("*.svg"))}


def font_book(fonts: Mapping[str, FontSpec], lang: str = "en", folder: Path | None = None) -> FontBook:
    """The fonts of a game in a folder, then those of documents; families of an extra that is not installed are left
    out.

    What a family lacks comes from those of alphabets, then from those made for the language, then from the rest.
    """
    house = document_fonts()
    loaded: list[Font] = []
    missing: dict[str, list[str]] = {}
    for family, spec in {**fonts, **{name: spec for name, spec in house.items() if name not in fonts}}.items():
        try:
            loaded.extend(load_family(family, spec, folder))
        except FontError:
            if not spec.extra:
                raise
            missing.setdefault(spec.extra, []).append(family)
    standing_in = {family: spec for family, spec in {**fonts, **house}.items() if spec.stands_in}
    fallbacks = sorted(standing_in, key=lambda family: not _suits(standing_in[family], lang))
    hints = {extra: f"pip install 'carddb[{extra}]' adds {', '.join(families)}." for extra, families in missing.items()}
    shaped_hint = hints.pop(_SHAPED, "")
    alternatives = {family: spec.alternative for family, spec in fonts.items() if spec.alternative}
    return FontBook(loaded, fallbacks, " ".join(hints.values()), alternatives, shaped_hint)


def _suits(spec: FontSpec, lang: str) -> bool:
    """Whether a family is for every language, or names this one or what it is a kind of: `zh` for `zh-CN`."""
    tag = f"{lang}-".casefold()
    return not spec.languages or any(tag.startswith(f"{language}-".casefold()) for language in spec.languages)


def document_fonts() -> dict[str, FontSpec]:
    """The families that every document has, as they were read when their file last was the same, else read anew."""
    path = assets.templates() / BASE / "fonts.yaml"
    key = cache.key_of([path.read_bytes()])
    families = cache.fetch_plain("fonts", key)
    if families is None:
        parsed, findings = located_document.load(path)
        if parsed is None:
            raise GameError(f"{path} cannot be used: {findings[0].message}")
        families = parsed.value
        cache.keep_plain("fonts", key, families)
    return {name: build(FontSpec, value) for name, value in families.items()}


def context_of(workshop: Workshop, card: Card) -> dict[str, Any]:
    """What the templates of a card see: what all templates see, and the card with its fields.

    A card without a picture has the one that the game's pattern leads to. A game's own `face_data` adds to it, and
    goes before it.
    """
    spec = workshop.game.spec
    if spec.art and not card.get("art") and (name := art_name(spec, card, workshop.picture_folders)):
        card = Card(card.game, card.ref, {**card.values, "art": name}, card.aliases)
    make = workshop.game.hook("face_data")
    own = dict(make(card, spec)) if make else {"card": {"ref": card.ref, **card.values}}
    if isinstance(own.get("card"), dict):
        own["card"] = CardValues(own["card"], workshop.field_labels, card.name)
    label = workshop.type_labels.get(card.type) or workshop.label_named(spec.label_of(card.type))
    return {**common_context(workshop), "label": label, **own}


def common_context(workshop: Workshop) -> dict[str, Any]:
    """What every template of a game sees: its data, the words for its fields, their language and its direction."""
    return {
        "data": workshop.game.spec.data,
        "label": workshop.label_named(""),
        "lang": workshop.lang,
        "dir": "rtl" if is_right_to_left(workshop.lang) else "ltr",
    }


def template_source(path: Path) -> str:
    """The text of a template. Raises InputError where it cannot be read, TemplateError where it is no UTF-8 text."""
    data, findings = source.read_bytes(path, _MAX_BYTES)
    text, faults = source.decode(data, str(path))
    for fault in (*findings, *faults):
        raise TemplateError(fault.message, str(path), fault.where[0].line, fault.fix)
    if text is None:
        raise InputError(f"{path} cannot be read")
    return text.replace("\r\n", "\n").replace("\r", "\n")
