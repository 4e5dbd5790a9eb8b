"""Files into the catalogue: cards and ban lists, all of a file or nothing of it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from carddb.app.cards.load_sources import LoadRequest, LoadSource, path_of
from carddb.app.cards.translations import (
    LoadedTranslations,
    NewCards,
    language_of,
    read_translation_file,
    store_translations,
)
from carddb.app.workspace.ban_file import in_sums, put
from carddb.app.workspace.clock import now, today
from carddb.app.workspace.notices import Notice
from carddb.app.workspace.words import tally, user
from carddb.app.workspace.workspace import Workspace
from carddb.catalog.announcements import AnnounceResult
from carddb.catalog.printings import PrintingResult
from carddb.catalog.search import LoadResult
from carddb.catalog.store import Catalog, UnfiledEdits
from carddb.catalog.translations import TranslationResult
from carddb.core.files import NamedBytes
from carddb.core.plain_text import amount
from carddb.findings import Finding, has_errors, warning
from carddb.games import Game
from carddb.read.cards.file import (
    MAX_BYTES,
    PATCH,
    CardFile,
    CardReading,
    is_printing_file,
    near_words,
    read_cards,
    read_printings,
    with_patch,
)
from carddb.read.cards.patch_file import is_patch, patch_path
from carddb.read.cards.record import StoredValues, nothing_stored
from carddb.read.documents.bans import read_bans
from carddb.read.source import name_of, read_bytes, standard_input


def keep_edits(file: CardFile, edits: UnfiledEdits) -> Iterator[Finding]:
    """Puts edits over the values that a file still has from before them; each such card is the finding `edit_kept`.

    A value that differs from both was changed in the file since, and counts.
    """
    for number, row in enumerate(file.records):
        edited = {name: new for name, (old, new) in edits.get(row.ref, {}).items() if row.values.get(name) == old}
        if edited:
            values = {name: value for name, value in {**row.values, **edited}.items() if value is not None}
            file.records[number] = row._replace(values=values)
            message = (
                f"{row.ref} keeps {', '.join(edited)} as edited in the studio; {file.file} has the value before that"
            )
            fix = "Write the edit into the file, or load it with --force to undo the edit."
            yield warning("edit_kept", message, row.place, data={"ref": row.ref, "fields": list(edited)}, fix=fix)


_HEAD = 4096
_KEYS = "note|lists|levels|groups|window|announcements"
_BANS = re.compile(rf"""(?:\s|#[^\n]*\n|---)*(?:\{{\s*)?["']?(?:{_KEYS})["']?\s*:""")
"""How a file of ban lists begins; one of cards begins with a list."""


class LoadedCards(NamedTuple):
    """A file of cards, and what it changed."""

    file: CardFile
    result: LoadResult


class LoadedPrintings(NamedTuple):
    """A file of printings, and what it changed."""

    file: CardFile
    result: PrintingResult


class LoadedBans(NamedTuple):
    """A file of ban lists, and what it added."""

    path: Path
    result: AnnounceResult


@dataclass(frozen=True, slots=True)
class LoadReport:
    """The result of loading files: the changes of each, every finding, and the files of which nothing was stored."""

    cards: tuple[LoadedCards, ...]
    translations: tuple[LoadedTranslations, ...]
    printings: tuple[LoadedPrintings, ...]
    bans: tuple[LoadedBans, ...]
    findings: tuple[Finding, ...]
    refused: tuple[str, ...]
    dry_run: bool
    notices: tuple[Notice, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether every file was stored, or would be stored."""
        return not self.refused

    def to_json(self) -> dict[str, Any]:
        """The shape of `load --json`."""
        return {
            "schema": "carddb.load/1",
            "dry_run": self.dry_run,
            "files": [
                {"file": file.file, **result.to_json(), "kept": dict(file.kept), "findings": []}
                for file, result in self.cards
            ],
            "translations": [loaded.to_json() for loaded in self.translations],
            "printings": [
                {
                    "file": file.file,
                    "changes": [[each and each._asdict() for each in change] for change in result.changes],
                    "unchanged": result.unchanged,
                }
                for file, result in self.printings
            ],
            "bans": [
                {"file": str(path), "added": list(r.added), "unchanged": list(r.unchanged), "terms": r.terms}
                for path, r in self.bans
            ],
            "findings": [finding.to_json() for finding in self.findings],
            "notices": [{"code": notice.code, "message": notice.message} for notice in self.notices],
        }


def load_files(project: Workspace, sources: Sequence[LoadSource], request: LoadRequest) -> LoadReport:
    """Card files, then translations, then files of printings, then ban lists.

    Raises InputError, CatalogError, UsageError for an unknown field.
    """
    day, dry_run = request.day, request.dry_run
    with project.recording() as notices:
        game = project.only_game(request.game)
        ban_files = [source for source in sources if _holds_bans(source)]
        printing_files = [source for source in sources if is_printing_file(path_of(source))]
        others = [*ban_files, *printing_files]
        translation_files = [s for s in sources if s not in others and language_of(s, request.lang)]
        others += translation_files
        files: list[CardFile] = []
        cards: list[LoadedCards] = []
        with ExitStack() as stack:
            # Without a catalogue no card is known yet.
            exists = Catalog.exists(project.catalog_path)
            catalog = stack.enter_context(project.catalog()) if exists else None
            for source in sources:
                if source in others:
                    continue
                file = _read(project, game, source, request, catalog)
                files.append(file)
                if has_errors(file.findings):
                    continue
                catalog = catalog or stack.enter_context(project.catalog(create=True, temporary=dry_run))
                if not request.force:
                    file.findings.extend(keep_edits(file, catalog.unfiled_edits(game.key)))
                file.findings.extend(_slips(catalog, game, file))
                sets = {str(record.values["set"]) for record in file.records}
                sets |= {request.set_name} if request.set_name else set()
                with project.working(f"loading {file.file}"):
                    result = catalog.load(
                        game.spec, file.records, day=day or today(), sets=frozenset(sets), author=user(),
                        source=file.file, recorded_at=now(), prune=request.prune and file.fmt != PATCH, dry_run=dry_run,
                    )  # fmt: skip
                cards.append(LoadedCards(file, result))
        sound = [loaded.file for loaded in cards]
        new = {row.ref: row for loaded in cards for row in loaded.file.records}
        translations = [
            store_translations(project, game, file, request, new)
            for file, result in cards
            if file.translations and not result.refused
        ]
        translations += [_load_translations(project, game, source, request, new) for source in translation_files]
        printings = [_load_printings(project, game, source, request, new) for source in printing_files]
        for file, result in cards:
            if file.kept and not result.refused:
                fields = ", ".join(f"{name} of {amount(count, 'card')}" for name, count in sorted(file.kept.items()))
                missing = "key" if file.fmt in ("json", "yaml") else "column"
                project.notify("fields_kept", f"{file.file}: kept: {fields} (no such {missing})")
        bans = []
        for source in ban_files:
            with project.catalog(create=True, temporary=dry_run) as catalog:
                added = put(catalog, game, read_bans(source), name_of(source), user(), day=day, dry_run=dry_run)
            bans.append(LoadedBans(path_of(source), added))
        findings = [f for file in files for f in file.findings] + [f for _, r in cards for f in r.findings]
        findings += [f for _, result in translations for f in result.findings]
        findings += [f for _, result in printings for f in result.findings]
        findings = game.with_rules([*findings, *(f for _, r in bans for f in r.findings)])
        refused = [file.file for file in files if file not in sound] + [file.file for file, r in cards if r.refused]
        refused += [file.file for file, result in translations if result.refused]
        refused += [file.file for file, result in printings if result.refused]
        refused += [str(path) for path, r in bans if r.refused]
    return LoadReport(
        tuple(cards), tuple(translations), tuple(printings), tuple(bans), tuple(findings), tuple(refused), dry_run,
        tuple(notices),
    )  # fmt: skip


def card_sums(loaded: LoadedCards, dry_run: bool) -> str:
    """`cards.csv: 3 added, 1 changed, 20 unchanged`."""
    result = loaded.result
    sums = [f"{len(result.added)} added", f"{len(result.changed)} changed", f"{len(result.unchanged)} unchanged"]
    sums += [f"{len(result.restored)} restored"] if result.restored else []
    sums += [f"{len(result.retired)} retired"] if result.retired else []
    return f"{loaded.file.file}: {'would be: ' if dry_run else ''}{', '.join(sums)}"


def printing_sums(loaded: LoadedPrintings, dry_run: bool) -> str:
    """`core.printings.csv: 3 printings added, 1 changed, 20 unchanged`."""
    changes = loaded.result.changes
    added, removed = sum(each.old is None for each in changes), sum(each.new is None for each in changes)
    sums = [f"{amount(added, 'printing')} added", f"{len(changes) - added - removed} changed"]
    sums += [f"{loaded.result.unchanged} unchanged", *([f"{removed} removed"] if removed else [])]
    return f"{loaded.file.file}: {'would be: ' if dry_run else ''}{', '.join(sums)}"


def ban_sums(loaded: LoadedBans, dry_run: bool) -> str:
    """`bans.yaml: 2 announcements added, 1 known already`."""
    return f"{loaded.path}: {'would be: ' if dry_run else ''}{in_sums(loaded.result)}"


def refusal(report: LoadReport) -> str:
    """`nothing was stored of cards.csv: 2 errors`."""
    return f"nothing was stored of {', '.join(report.refused)}: {tally(report.findings)}"


def _read(
    project: Workspace, game: Game, source: LoadSource, request: LoadRequest, catalog: Catalog | None
) -> CardFile:
    """A card file, with the patch file beside it where there is one."""
    path = path_of(source)
    is_stream = str(path) == "-"
    reading = card_reading(project, game, "stdin" if is_stream else path.stem, request, catalog)
    file = read_cards(
        standard_input() if is_stream else source,
        game.spec,
        default_set=reading.default_set,
        images_root=reading.images_root,
        columns=reading.columns,
        stored=reading.stored,
        sheet=reading.sheet,
        html=reading.html,
        replace=reading.replace,
    )
    base = path if isinstance(source, Path) else request.beside and request.beside / path.name
    if base and not is_stream and not is_patch(base) and (patch := patch_path(base)).is_file():
        data, findings = read_bytes(patch, MAX_BYTES)
        file.findings.extend(findings)
        file = file if findings else with_patch(file, data, str(patch), reading)
    file.findings.extend(game.faults_of((game.spec.card(row.ref, row.values), row.place) for row in file.records))
    return file


def card_reading(
    project: Workspace, game: Game, stem: str, request: LoadRequest, catalog: Catalog | None
) -> CardReading:
    """Returns how a card file is read: by the project's settings and the request, over the values in the catalogue."""
    columns = {**project.settings.columns_of(game.key, game.spec.all_fields()), **request.columns}
    stored: StoredValues = nothing_stored
    if catalog is not None:
        stored = catalog.stored_values(game.key, day=request.day or today(), to_change=not request.dry_run)
    # Where another set is named for the file, the cards do not keep theirs.
    known = (lambda ref: {k: v for k, v in stored(ref).items() if k != "set"}) if request.set_name else stored
    set_name = request.set_name or stem
    html = request.html or project.settings.reads_html(game.key)
    pictures, replaced = project.picture_folders(game), project.settings.replaced_in(game.key)
    return CardReading(game.spec, set_name, pictures, columns, known, sheet=request.sheet, html=html, replace=replaced)


def _slips(catalog: Catalog, game: Game, file: CardFile) -> list[Finding]:
    """Values of a file that are one letter away from what rules compare with, unless they are stored already."""
    slips = list(near_words(game.spec, file.records, {}))
    if not slips:
        return []
    cards = list(catalog.pool(game.spec, day=today(), with_sample=True))
    stored = {str(name): {card.get(name) for card in cards} for name in {slip.where[0].column_name for slip in slips}}
    return list(near_words(game.spec, file.records, stored))


def _load_printings(
    project: Workspace, game: Game, source: LoadSource, request: LoadRequest, new: Collection[str]
) -> LoadedPrintings:
    """A file of printings; `new` are the cards of the files before it, which a dry run does not store."""
    file, rows = read_printings(source, path_of(source), images_root=project.picture_folders(game))
    if has_errors(file.findings):
        return LoadedPrintings(file, PrintingResult(findings=file.findings))
    with project.catalog(create=True, temporary=request.dry_run) as catalog:
        result = catalog.load_printings(
            game.key, rows, new_cards=new, author=user(), source=file.file, recorded_at=now(), prune=request.prune,
            dry_run=request.dry_run,
        )  # fmt: skip
    return LoadedPrintings(file, replace(result, findings=[*file.findings, *result.findings]))


def _load_translations(
    project: Workspace, game: Game, source: LoadSource, request: LoadRequest, new: NewCards
) -> LoadedTranslations:
    """A file of translations; `new` are the cards of the files before it, which a dry run does not store."""
    with project.catalog(create=True, temporary=request.dry_run) as catalog:
        reading = card_reading(project, game, "", request, catalog)
        file = read_translation_file(source, request.lang, reading, catalog.printing_codes(game.key), new)
    if has_errors(file.findings):
        return LoadedTranslations(file, TranslationResult(findings=file.findings))
    loaded = store_translations(project, game, file, request, new)
    return loaded._replace(result=replace(loaded.result, findings=[*file.findings, *loaded.result.findings]))


def is_card_file(source: LoadSource) -> bool:
    """Returns whether a file has cards, by name and beginning. Raises UsageError for a PO file without a language."""
    return not (_holds_bans(source) or is_printing_file(path_of(source)) or language_of(source, ""))


def _holds_bans(source: LoadSource) -> bool:
    """Returns whether a file has ban lists, by its name or its beginning."""
    path = path_of(source)
    if path.suffix.lower() not in (".yaml", ".yml", ".json"):
        return False
    if path.stem == "bans":
        return True
    try:
        with source.open("rb") if isinstance(source, Path) else NamedBytes(source.getvalue(), source.name) as file:
            return bool(_BANS.match(file.read(_HEAD).decode("utf-8", "replace").removeprefix("\ufeff")))
    except OSError:
        return False
