"""A game in another language: the same game with other words in its labels."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from carddb.core.languages import language_chain, language_tag
from carddb.core.names import did_you_mean
from carddb.game.card_fields import RESERVED, FieldSpec
from carddb.game.frozen import FrozenT, Misfit, fields_of, replaced
from carddb.game.game import GameSpec
from carddb.game.page_parts import PageWords
from carddb.game.parts import LanguageSpec
from carddb.game.sheet_parts import SheetWords


def game_in_language(spec: GameSpec, lang: str) -> GameSpec:
    """A game with its words in a language, as far as it has them; those it is a kind of fill its gaps."""
    if not spec.is_foreign(lang):
        return spec
    by_tag = {language_tag(tag): words for tag, words in spec.languages.items()}
    for tag in reversed(language_chain(lang)):
        if tag in by_tag:
            spec = _with_words(spec, by_tag[tag])
    return spec


def language_misfits(spec: GameSpec, words: LanguageSpec) -> Iterator[Misfit]:
    """Words for keys that the game does not have."""
    for name, keys in _keys(spec).items():
        for key in getattr(words, name):
            if key not in keys:
                yield (name, key), f"there is nothing called {key} in {name}", did_you_mean(key, keys)
    page_words = {key: text for key, text in words.page_words.items() if key in fields_of(PageWords)}
    for path, message, fix in PageWords(**page_words).misfits():
        yield ("page_words", *path), message, fix


def untranslated_keys(spec: GameSpec, lang: str) -> list[str]:
    """What the game has printed names for and no words in a language, such as `types.ship`."""
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


def _keys(spec: GameSpec) -> Mapping[str, Collection[str]]:
    """The keys for which a language may have words, by the names of their lists."""
    fields = spec.all_fields()
    return {
        **dict.fromkeys(("types", "plurals"), spec.types),
        "fields": fields,
        "values": [name for name, field in fields.items() if field.of],
        "sections": spec.sections,
        "formats": spec.formats,
        "components": spec.components,
        "sheet_words": fields_of(SheetWords),
        "page_words": fields_of(PageWords),
    }


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
    """Fields with their labels, and with those of their values."""
    labelled = _labelled(fields, words.fields)
    for name, labels in words.values.items():
        if name in labelled:
            labelled[name] = replaced(labelled[name], labels={**labelled[name].labels, **labels})
    return labelled


def _labelled(parts: Mapping[str, FrozenT], labels: Mapping[str, str], attribute: str = "label") -> dict[str, FrozenT]:
    """Parts of a game with other labels."""
    changes: dict[str, dict[str, Any]] = {key: {attribute: label} for key, label in labels.items()}
    return {key: replaced(part, **changes[key]) if key in changes else part for key, part in parts.items()}
