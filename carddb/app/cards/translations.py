"""Words of cards in other languages: loaded, and as a table for translators to fill in."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from carddb.app.cards.load_sources import LoadRequest, LoadSource, path_of
from carddb.app.cards.words import Words, lacking
from carddb.app.workspace.clock import now, today
from carddb.app.workspace.words import user
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Card
from carddb.catalog.translations import TranslationResult
from carddb.core.errors import UsageError
from carddb.core.plain_text import first_of, language_of_stem, language_tag
from carddb.findings import CardCount, Finding, warning
from carddb.game.game import GameSpec, untranslated_keys
from carddb.game.parts import PICTURES
from carddb.games import Game
from carddb.read.cards.export import value_text, write_translations
from carddb.read.cards.file import CardFile, CardReading, CardRow, read_translations
from carddb.read.cards.translations import PoEntry, po_bytes, po_language
from carddb.read.source import read_bytes

_MOST_BYTES = 64 << 20
NewCards = Mapping[str, "CardRow"]
"""The cards of files that were loaded before, by reference: a dry run does not store them."""


class LoadedTranslations(NamedTuple):
    """A file with words in other languages, and what they changed."""

    file: CardFile
    result: TranslationResult

    def to_json(self) -> dict[str, Any]:
        """The file within `load --json`."""
        changes = [change.to_json() for change in self.result.changes]
        return {"file": self.file.file, "changes": changes, "unchanged": self.result.unchanged}


def language_of(source: LoadSource, lang: str) -> str:
    """The language that a whole file is in, by `lang` or by its name, as in `cards.ja.csv`; empty for a card file.

    A PO file may be called `ja.po`, or have its language in its head. Raises UsageError for one without any.
    """
    path = path_of(source)
    tag = language_tag(lang) or language_of_stem(path.stem)
    if tag or path.suffix.lower() != ".po":
        return tag
    tag = language_tag(path.stem)
    tag = tag or language_tag(po_language(read_bytes(source, _MOST_BYTES)[0].decode("utf-8", "replace")))
    if not tag:
        raise UsageError(f"{path} does not say which language it is in", "Name it with --lang, or ja.po.")
    return tag


def read_translation_file(
    source: LoadSource, lang: str, reading: CardReading, codes: Mapping[str, str], new: NewCards
) -> CardFile:
    """A file of translations; `codes` are those of printings with the references of their cards."""

    def card_of(code: str) -> tuple[str, str] | None:
        ref = codes.get(code, code)
        values = new[ref].values if ref in new else reading.stored(ref)
        return (ref, str(values.get("type", ""))) if values else None

    return read_translations(source, language_of(source, lang), card_of, reading)


def store_translations(
    project: Workspace, game: Game, file: CardFile, request: LoadRequest, new: NewCards
) -> LoadedTranslations:
    """The words in other languages that a file holds, of which `new` are its cards."""
    with project.catalog(create=True, temporary=request.dry_run) as catalog:
        stored = catalog.stored_values(game.key, day=request.day or today(), to_change=not request.dry_run)
        rows = []
        for row in file.translations:
            # The fields that were looked at: all by request, in a PO file those that show the words of today.
            values = stored(row.ref) if row.originals and not request.reviewed else {}
            shown = frozenset(name for name, text in row.originals.items() if text == value_text(values.get(name)))
            rows.append(row._replace(reviewed=row.fields if request.reviewed else shown))
        file = replace(file, translations=rows)
        result = catalog.load_translations(
            game.key, file.translations, day=request.day or today(), author=user(), source=file.file,
            recorded_at=now(), new_cards=new, dry_run=request.dry_run,
        )  # fmt: skip
    return LoadedTranslations(file, result)


def translation_sums(loaded: LoadedTranslations, dry_run: bool) -> str:
    """`cards.ja.csv: ja: 3 translations added, 1 changed, 20 unchanged`, a part for each language with a change."""
    changes: Sequence[Any] = loaded.result.changes
    languages = list(dict.fromkeys(row.lang for row in loaded.file.translations))
    rows = Counter(row.lang for row in loaded.file.translations)
    added = Counter(change.lang for change in changes if change.is_new)
    changed = Counter(change.lang for change in changes if not change.is_new)
    parts = [
        f"{lang}: {added[lang]} added, {changed[lang]} changed, {rows[lang] - added[lang] - changed[lang]} unchanged"
        for lang in languages
    ]
    words = f"translations {'would be ' if dry_run else ''}{'; '.join(parts)}" if parts else "no translations"
    return f"{loaded.file.file}: {words}"


_MOST_KEYS = 12
"""Labels that are named in one finding."""


class CardToTranslate(NamedTuple):
    """The words of a card by field, those in the other language, the fields that have none in it, and older ones.

    Words are `older` where those of the game have changed since they were written.
    """

    card: Card
    own: Mapping[str, Any]
    translated: Mapping[str, Any]
    lacking: Sequence[str]
    older: Sequence[str] = ()


def cards_to_translate(
    spec: GameSpec, cards: Iterable[Card], words: Words, older: Mapping[str, Collection[str]]
) -> list[CardToTranslate]:
    """The cards that have words, with what there is of them in another language; `older` by reference the fields."""
    rows = []
    for card in {card.ref: card for card in cards}.values():
        missing, translated = list(lacking(spec, card, words)), words.get(card.ref, {})
        fields = [name for name in spec.translatable_of(card.type) if name in translated or name in missing]
        own = {name: card.get(name) for name in fields}
        if fields:
            changed = [name for name in fields if name in translated and name in older.get(card.ref, ())]
            rows.append(CardToTranslate(card, own, translated, missing, changed))
    return rows


def lacking_findings(spec: GameSpec, rows: Iterable[CardToTranslate], lang: str) -> Iterator[Finding]:
    """For each field the cards that have no words in a language, then the labels of the game that have none.

    Then those whose words in it are older than those of the game.
    """
    rows = list(rows)
    fix = f"Fill in what --translations FILE writes, and load it; {spec.language} is printed in its place."
    for name, cards in _by_field(spec, ((row.card, row.lacking) for row in rows)):
        message = f"{name} is not translated into {lang}: {first_of([card.ref for card in cards], _MOST_KEYS)}"
        yield warning("translation_missing", message, cards=_subjects(cards), fix=fix)
    fix = "Change what --translations FILE writes, and load it; with --reviewed where the words are right as they are."
    for name, cards in _by_field(spec, ((row.card, row.older) for row in rows)):
        refs = first_of([card.ref for card in cards], _MOST_KEYS)
        message = f"{name} has changed since it was translated into {lang}: {refs}"
        yield warning("translation_older", message, cards=_subjects(cards), fix=fix)
    if keys := untranslated_keys(spec, lang):
        message = f"the game has no words in {lang} for {first_of(keys, _MOST_KEYS)}"
        yield warning("label_missing", message, fix=f"Write them into labels.{lang}.yaml beside game.yaml.")


def translation_bytes(spec: GameSpec, rows: Sequence[CardToTranslate], lang: str, fmt: str) -> bytes:
    """A file to fill in and to load: a column for each field in both languages, or a PO file.

    Raises OutputError where a cell is too long for XLSX.
    """
    if fmt == "po":
        entries = (
            PoEntry(f"{row.card.ref}/{name}", value_text(own), value_text(row.translated.get(name)), name in row.older)
            for row in rows for name, own in row.own.items() if name not in PICTURES
        )  # fmt: skip
        return po_bytes(entries, lang)
    fields = [name for name in spec.all_fields() if any(name in row.own for row in rows)]
    cards = [(row.card.ref, row.own, row.translated, row.older) for row in rows]
    return write_translations(cards, fields, (spec.language, lang), fmt)


def _by_field(spec: GameSpec, fields_of: Iterable[tuple[Card, Iterable[str]]]) -> Iterator[tuple[str, Sequence[Card]]]:
    """Each field with the cards of which it is one."""
    by_field: dict[str, list[Card]] = defaultdict(list)
    for card, fields in fields_of:
        for name in fields:
            by_field[name].append(card)
    return ((name, by_field[name]) for name in spec.all_fields() if name in by_field)


def _subjects(cards: Iterable[Card]) -> tuple[CardCount, ...]:
    return tuple(CardCount(card.ref, card.name, 1) for card in cards)
