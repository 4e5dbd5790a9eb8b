"""Words of cards in other languages into the catalogue: files of their own, and columns of card files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from carddb.app.cards.load_sources import LoadRequest, LoadSource, path_of
from carddb.app.workspace.clock import now, today
from carddb.app.workspace.words import user
from carddb.app.workspace.workspace import Workspace
from carddb.catalog.translations import TranslationResult
from carddb.core.errors import UsageError
from carddb.core.languages import language_of_stem, language_tag
from carddb.games import Game
from carddb.read.cards.export import value_text
from carddb.read.cards.file import CardFile, CardReading, CardRow, read_translations
from carddb.read.cards.po_file import po_language
from carddb.read.cards.record import StoredValues
from carddb.read.cards.translations import TranslationRow
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
    tag = language_tag(path.stem) or language_tag(_language_in_head(source))
    if not tag:
        raise UsageError(f"{path} does not say which language it is in", "Name it with --lang, or ja.po.")
    return tag


def _language_in_head(source: LoadSource) -> str:
    """The language that the head of a PO file names."""
    data, _ = read_bytes(source, _MOST_BYTES)
    return po_language(data.decode("utf-8", "replace"))


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
        rows = [row._replace(reviewed=_reviewed(row, request, stored)) for row in file.translations]
        file = replace(file, translations=rows)
        result = catalog.load_translations(
            game.key, file.translations, day=request.day or today(), author=user(), source=file.file,
            recorded_at=now(), new_cards=new, dry_run=request.dry_run,
        )  # fmt: skip
    return LoadedTranslations(file, result)


def _reviewed(row: TranslationRow, request: LoadRequest, stored: StoredValues) -> frozenset[str]:
    """The fields of a row that were looked at: all by request, in a PO file those that show the words of today."""
    if request.reviewed:
        return row.fields
    if not row.originals:
        return frozenset()

    values = stored(row.ref)
    return frozenset(name for name, text in row.originals.items() if text == value_text(values.get(name)))


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
