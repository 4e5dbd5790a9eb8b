"""Loading files of cards, translations, printings and ban lists into the catalogue: all of a file, or nothing of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypeVar

from carddb.app.cards.samples import Samples, keep_samples, samples_in_use
from carddb.app.workspace.ban_file import in_sums, put
from carddb.app.workspace.clock import now, to_start, today
from carddb.app.workspace.day_cards import with_options
from carddb.app.workspace.words import user
from carddb.app.workspace.workspace import Notice, Workspace
from carddb.cards.cards import DOCUMENTS, SAMPLE, ReadCard
from carddb.catalog.announcements import AnnounceResult
from carddb.catalog.load import TranslationResult
from carddb.catalog.printings import PrintingResult
from carddb.catalog.search import LoadResult
from carddb.catalog.store import Catalog, UnfiledEdits
from carddb.core.dates import ALWAYS
from carddb.core.errors import InputError, UsageError
from carddb.core.files import MOST_BYTES, NamedBytes, file_inside, folder_of, read_file
from carddb.core.groups import grouped
from carddb.core.names import Vocabulary, fold, natural
from carddb.core.options import Option
from carddb.core.plain_text import amount, language_of_stem, language_tag, read_tag, tally
from carddb.findings import Finding, counts, has_errors, warning
from carddb.game.game import GameSpec
from carddb.games import Game
from carddb.read.cards.export import value_text
from carddb.read.cards.file import (
    MAX_BYTES,
    PATCH,
    PRINTINGS,
    CardFile,
    CardReading,
    format_of,
    is_printing_file,
    near_words,
    read_cards,
    read_printings,
    read_translations,
    with_patch,
)
from carddb.read.cards.joined import JoinedFiles, is_patch, object_text, patch_path, read_join
from carddb.read.cards.lines import Join
from carddb.read.cards.record import StoredValues, nothing_stored
from carddb.read.cards.translations import po_language
from carddb.read.documents.bans import read_bans
from carddb.read.source import is_address, name_of, read_bytes, size_in_words, standard_input

LoadSource = Path | NamedBytes

_ENDINGS = (".csv", ".tsv", ".xlsx", ".ods", ".json", ".yaml", ".yml", ".po")
_NO_CARDS = ("game", "rules", "labels")
"""The names of files in a game's folder that are not card files."""


class LoadRequest(NamedTuple):
    """The options for loading files.

    `columns` maps headings of card files to the fields that they mean. `joins` are second files with further columns.
    `beside` is the folder with patch files for files in memory; patch files for a file on disk are beside it.
    """

    # fmt: off
    game: Annotated[str | None, Option(
        "The game of the cards; required if the project names none.", metavar="G")] = None
    set_name: Annotated[str | None, Option(
        "The set of cards for which the file names none (default: its file name without ending).",
        flag="--set", metavar="S")] = None
    day: Annotated[date | None, Option(
        "The day from which changes are in force (default: today); `always`: new fields are in force on all days.",
        flag="--from", read=to_start, metavar="DAY")] = None
    columns: Mapping[str, str] = MappingProxyType({})
    prune: Annotated[bool, Option("Retire cards of the file's sets that are not in the file.")] = False
    dry_run: Annotated[bool, Option("Show what would change, without changing it.")] = False
    force: Annotated[bool, Option("Replace values that were edited in the studio by those in the file.")] = False
    sheet: Annotated[str, Option("The sheet of a workbook (default: all with cards).", "", metavar="NAME")] = ""
    lang: Annotated[str, Option(
        "Load the files as translations into this language, such as ja.", "", read=read_tag)] = ""
    beside: Path | None = None
    html: Annotated[bool, Option(
        "Convert basic HTML in texts, such as <b>, <br> and lists, to carddb's markup.")] = False
    reviewed: Annotated[bool, Option(
        "Confirm that the translations in the files fit the present texts of the cards.")] = False
    keep_samples: Annotated[bool, Option(
        "Keep using the sample cards of this game beside your own cards, now and later.")] = False
    joins: Sequence[Join] = ()
    # fmt: on


def load_sources(names: Iterable[str | Path]) -> list[LoadSource]:
    """Returns the files that `names` mean: paths, all card files of a folder in order of name, and web addresses.

    Raises InputError if a folder has no card file, or if a file or an address cannot be read.
    """
    sources: list[LoadSource] = []
    for name in names:
        if isinstance(name, str) and is_address(name):
            from carddb.read.source import fetch  # HTTP and TLS, 30 ms, only for an address

            sources.append(fetch(name))
        else:
            path = Path(name)
            if not path.is_dir() and str(path) != "-":
                read_bytes(path, 0)  # raises InputError for a misspelled name before anything else is read
            sources += _card_files(path) if path.is_dir() else [path]
    return _with_objects_joined(sources)


def _with_objects_joined(sources: Sequence[LoadSource]) -> list[LoadSource]:
    """Returns the sources; if several JSON or YAML files in a folder have one object each, they become one source."""
    objects: dict[Path, dict[str, str]] = {}
    for source in sources:
        folder, path = folder_of(source), path_of(source)
        has_own_name = str(path) == "-" or is_printing_file(path) or language_of_stem(path.stem)
        if folder and not (has_own_name or _holds_bans(source)) and (text := object_text(source)):
            objects.setdefault(folder, {})[name_of(source)] = text
    joined: dict[str, JoinedFiles] = {}
    for folder, texts in objects.items():
        if len(texts) > 1:
            files = JoinedFiles(folder, [(Path(name), text) for name, text in texts.items()])
            joined |= dict.fromkeys(texts, files)
    sources = [joined.get(name_of(source), source) for source in sources]
    return list({name_of(source): source for source in sources}.values())


def _card_files(folder: Path) -> list[NamedBytes]:
    """Returns the files of cards, printings and ban lists in a folder, in the order of their names.

    No file may be a link to another folder, because the user did not name it. Raises InputError if they are too large.
    """
    files = (path for path in folder.iterdir() if path.is_file() and path.suffix.lower() in _ENDINGS)
    files = (path for path in files if not path.name.startswith(".") and not is_patch(path))
    card_files = [path for path in files if path.stem.partition(".")[0] not in _NO_CARDS]
    if not card_files:
        raise InputError(f"{folder} has no card files", f"Name a folder with files that end in {', '.join(_ENDINGS)}.")
    contents, room = list[NamedBytes](), MOST_BYTES
    for path in sorted(card_files, key=lambda path: natural(path.name)):
        contents.append(file_inside(folder, path, room))
        room -= len(contents[-1].getvalue())
        if room < 0:
            problem = f"the card files in {folder} have more than {size_in_words(MOST_BYTES)} together"
            raise InputError(problem, "Load the files one at a time: carddb load FILE.")
    return contents


def path_of(source: LoadSource) -> Path:
    """Returns the path of a file; for a file in memory, its name as a path."""
    return source.path if isinstance(source, NamedBytes) else source


def keep_edits(file: CardFile, edits: UnfiledEdits) -> Iterator[Finding]:
    """Replaces values in the records of `file` by those edited in the studio, if the file still has the old value.

    `edits` has the values before and after the edit, by field. Yields the warning `edit_kept` for each changed record.
    """
    for number, row in enumerate(file.records):
        edited = {name: new for name, (old, new) in edits.get(row.ref, {}).items() if row.values.get(name) == old}
        if edited:
            values = {name: value for name, value in {**row.values, **edited}.items() if value is not None}
            file.records[number] = row._replace(values=values)
            fields = ", ".join(edited)
            message = f"{row.ref} keeps {fields} as edited in the studio; {file.file} has what was there before"
            fix = "Write the edit into the file; or to undo the edit, load the file with --force."
            yield warning("edit_kept", message, row.place, data={"ref": row.ref, "fields": list(edited)}, fix=fix)


def language_of(source: LoadSource, lang: str) -> str:
    """Returns the language of a file of translations: `lang`, or else the one in its name, such as `cards.ja.csv`.

    A PO file may also be called `ja.po`, or name its language in its header. The result is empty for a card file.
    Raises UsageError for a PO file without a language.
    """
    path = path_of(source)
    tag = language_tag(lang) or language_of_stem(path.stem)
    if tag or path.suffix.lower() != ".po":
        return tag
    tag = language_tag(path.stem)
    tag = tag or language_tag(po_language(read_bytes(source, MOST_BYTES)[0].decode("utf-8", "replace")))
    if not tag:
        raise UsageError(f"the language of {path} is unknown", "Add it, as in --lang ja, or name the file ja.po.")
    return tag


def store_translations(
    project: Workspace, game: Game, file: CardFile, request: LoadRequest, new: Mapping[str, ReadCard]
) -> Loaded[TranslationResult]:
    """Stores the translations in `file`, and returns what this changed; `new` are cards that are not stored yet."""
    with project.catalog(create=True, temporary=request.dry_run) as catalog:
        stored = catalog.stored_values(game.key, day=request.day or today(), to_change=not request.dry_run)
        rows = []
        for row in file.translations:
            # With `--reviewed`, all fields were reviewed; in a PO file, those with the present original text.
            values = stored(row.ref) if row.originals and not request.reviewed else {}
            shown = frozenset(name for name, text in row.originals.items() if text == value_text(values.get(name)))
            rows.append(row._replace(reviewed=row.fields if request.reviewed else shown))
        file = replace(file, translations=rows)
        result = catalog.load_translations(
            game.key, file.translations, day=request.day or today(), author=user(), source=file.file,
            recorded_at=now(), new_cards=new, dry_run=request.dry_run,
        )  # fmt: skip
    return Loaded(file, result)


_HEAD = 4096
_KEYS = "note|lists|levels|groups|window|announcements|snapshots"
_BANS = re.compile(rf"""(?:\s|#[^\n]*\n|---)*(?:\{{\s*)?["']?(?:{_KEYS})["']?\s*:""")
"""The beginning of a file of ban lists in YAML or JSON; a file of cards begins with a list instead."""
R = TypeVar("R")


class Loaded(NamedTuple, Generic[R]):
    """A file that was read, and what loading it changed."""

    file: CardFile
    result: R


def _card_sums(result: LoadResult) -> str:
    kinds = ("added", "changed", "unchanged", "restored", "retired")
    counts = {kind: len(getattr(result, kind)) for kind in kinds}
    return ", ".join(f"{count} {kind}" for kind, count in counts.items() if count or kind in kinds[:3])


def _translation_sums(file: CardFile, result: TranslationResult, dry_run: bool) -> str:
    """Returns a summary such as `translations ja: 3 added, 1 changed, 20 unchanged`, with a part for each language."""
    rows = Counter(row.lang for row in file.translations)
    added = Counter(change.lang for change in result.changes if change.is_new)
    changed = Counter(change.lang for change in result.changes if not change.is_new)
    parts = [
        f"{lang}: {added[lang]} added, {changed[lang]} changed, {count - added[lang] - changed[lang]} unchanged"
        for lang, count in rows.items()
    ]
    return f"translations {'would be ' if dry_run else ''}{'; '.join(parts)}" if parts else "no translations"


def _printing_sums(result: PrintingResult) -> str:
    changes = result.changes
    added, removed = sum(each.old is None for each in changes), sum(each.new is None for each in changes)
    sums = [f"{amount(added, 'printing')} added", f"{len(changes) - added - removed} changed"]
    return ", ".join([*sums, f"{result.unchanged} unchanged", *([f"{removed} removed"] if removed else [])])


@dataclass(frozen=True, slots=True)
class LoadReport:
    """The result of loading files: what each file changed, every finding, and the names of files that were refused."""

    cards: tuple[Loaded[LoadResult], ...]
    translations: tuple[Loaded[TranslationResult], ...]
    printings: tuple[Loaded[PrintingResult], ...]
    bans: tuple[Loaded[AnnounceResult], ...]
    findings: tuple[Finding, ...]
    refused: tuple[str, ...]
    dry_run: bool
    notices: tuple[Notice, ...] = ()
    samples: Samples = field(default_factory=Samples)
    """The samples that are no longer used; after a dry run, those that would no longer be used."""

    @property
    def loaded(self) -> tuple[Loaded[Any], ...]:
        """All files that were read, sorted by their kind, without card files that have errors."""
        return (*self.cards, *self.translations, *self.printings, *self.bans)

    @property
    def refusal(self) -> str:
        """A message such as `nothing was stored of cards.csv: 2 errors`."""
        return f"nothing was stored of {', '.join(self.refused)}: {tally(counts(self.findings))}"

    @property
    def ok(self) -> bool:
        """True if every file was stored; after a dry run, if every file would be stored."""
        return not self.refused

    def to_json(self) -> dict[str, Any]:
        """Returns what `load --json` shows."""
        return {
            "schema": "carddb.load/1",
            "dry_run": self.dry_run,
            "files": [
                {"file": file.file, **result.to_json(), "kept": dict(file.kept), "findings": []}
                for file, result in self.cards
            ],
            "translations": [
                {"file": file.file, "changes": [each.to_json() for each in r.changes], "unchanged": r.unchanged}
                for file, r in self.translations
            ],
            "printings": [
                {
                    "file": file.file,
                    "changes": [[each and each._asdict() for each in change] for change in result.changes],
                    "unchanged": result.unchanged,
                }
                for file, result in self.printings
            ],
            "bans": [
                {"file": file.file, "added": list(r.added), "unchanged": list(r.unchanged), "terms": r.terms}
                for file, r in self.bans
            ],
            "findings": [finding.to_json() for finding in self.findings],
            "notices": [{"code": notice.code, "message": notice.message} for notice in self.notices],
        }


def sums_of(report: LoadReport) -> list[tuple[Loaded[Any], str]]:
    """Returns the files that were stored, each with a summary such as `cards.csv: 3 added, 1 changed, 20 unchanged`."""
    would = "would be: " if report.dry_run else ""
    words = [
        *(f"{would}{_card_sums(each.result)}" for each in report.cards),
        *(_translation_sums(*each, report.dry_run) for each in report.translations),
        *(f"{would}{_printing_sums(each.result)}" for each in report.printings),
        *(f"{would}{in_sums(each.result)}" for each in report.bans),
    ]
    pairs = zip(report.loaded, words, strict=True)
    return [(each, f"{each.file.file}: {sums}") for each, sums in pairs if not each.result.refused]


def load_files(project: Workspace, sources: Sequence[LoadSource], request: LoadRequest) -> LoadReport:
    """Loads card files, then translations, then files of printings, then ban lists; see `Project.load`."""
    always, dry_run = request.day == ALWAYS, request.dry_run
    request = request._replace(day=None) if always else request
    day = request.day
    with project.recording() as notices:
        game = project.only_game(request.game)
        in_use = samples_in_use(project, game)
        of_kind = grouped((kind_of(source, request.lang), source) for source in sources)
        files, cards, refused = list[CardFile](), list[Loaded[LoadResult]](), list[str]()
        with ExitStack() as stack:
            exists = Catalog.exists(project.catalog_path)
            catalog = stack.enter_context(project.catalog()) if exists else None
            for source in of_kind["cards"]:
                file = _read(project, game, source, request, catalog)
                files.append(file)
                if has_errors(file.findings):
                    refused.append(file.file)
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
                        new_always=always,
                    )  # fmt: skip
                cards.append(Loaded(file, result))
        new = {row.ref: row for loaded in cards for row in loaded.file.records}
        translations = [
            store_translations(project, game, file, request, new)
            for file, result in cards
            if file.translations and not result.refused
        ]
        translations += [_load_translations(project, game, source, request, new) for source in of_kind["translations"]]
        printings = [_load_printings(project, game, source, request, new) for source in of_kind["printings"]]
        for file, result in cards:
            if file.kept and not result.refused:
                fields = ", ".join(f"{name} of {amount(count, 'card')}" for name, count in sorted(file.kept.items()))
                missing = "key" if file.fmt in ("json", "yaml") else "column"
                project.notify(
                    "fields_kept", f"{file.file} has no {missing} for these values, so they are kept: {fields}"
                )
            if day is None and (fresh := _new_fields(result)):
                fields = ", ".join(f"{name} of {amount(count, 'card')}" for name, count in sorted(fresh.items()))
                since = "in force on all days" if always else f"in force from {today()}, not before"
                way = "" if always else " (if the cards had it all along, load with --from always, or with --from DAY)"
                project.notify("fields_new", f"{file.file}: new: {fields}; {since}{way}")
        bans, own_lists = [], False
        for source in of_kind["bans"]:
            table, _ = with_options(project, game, {})
            with project.catalog(create=True, temporary=dry_run) as catalog:
                read = read_bans(source)
                added = put(catalog, table, read, name_of(source), user(), day=day, dry_run=dry_run)
            own_lists = own_lists or (bool(read.log.lists) and not added.refused)
            bans.append(Loaded(CardFile(str(path_of(source)), [], []), added))
        loaded: list[Loaded[Any]] = [*cards, *translations, *printings, *bans]
        findings_of = [*(file.findings for file in files), *(each.result.findings for each in loaded)]
        findings = game.with_rules(list(chain.from_iterable(findings_of)))
        refused += [each.file.file for each in loaded if each.result.refused]
        own = {fold(str(row.values["name"])) for row in new.values() if row.values["set"] not in (SAMPLE, DOCUMENTS)}
        if request.keep_samples and not (dry_run or refused):
            keep_samples(project, game)
        samples = in_use.unused_beside(() if request.keep_samples else own, own_lists)
        if samples.words and not refused:
            way_back = "; to keep them, load with --keep-samples" if samples.cards else ""
            project.notify("samples_step_back", f"{samples.words}{way_back}")
    return LoadReport(
        tuple(cards), tuple(translations), tuple(printings), tuple(bans), tuple(findings), tuple(refused), dry_run,
        tuple(notices), samples,
    )  # fmt: skip


def _new_fields(result: LoadResult) -> Counter[str]:
    """Returns, for each field that no changed card had before, how many of the changed cards have it now."""
    changes = [(name, old) for change in result.changed for name, (old, _) in change.fields.items()]
    fresh = Counter(name for name, old in changes if old is None)
    had = {name for name, old in changes if old is not None}
    return Counter({name: count for name, count in fresh.items() if name not in had})


def _read(
    project: Workspace, game: Game, source: LoadSource, request: LoadRequest, catalog: Catalog | None
) -> CardFile:
    """Reads a card file, and applies the patch file beside it if there is one."""
    path = path_of(source)
    is_stream = str(path) == "-"
    reading = card_reading(project, game, "stdin" if is_stream else path.stem, request, catalog)
    file = read_cards(standard_input() if is_stream else source, reading)
    beside = folder_of(source) or request.beside
    if beside and not is_stream and not is_patch(path) and (patch := patch_path(beside / path.name)).is_file():
        data, findings = read_bytes(file_inside(beside, patch, MAX_BYTES), MAX_BYTES)
        file.findings.extend(findings)
        file = file if findings else with_patch(file, data, str(patch), reading)
    file.findings.extend(game.faults_of((game.spec.card(row.ref, row.values), row.place) for row in file.records))
    return file


def card_reading(
    project: Workspace, game: Game, stem: str, request: LoadRequest, catalog: Catalog | None
) -> CardReading:
    """Returns the settings for reading a card file called `stem`: the project's, `request`'s, `catalog`'s values."""
    columns = {**project.settings.columns_of(game.key, game.spec.all_fields()), **request.columns}
    columns = _without_fields_of(PRINTINGS, columns, game.spec)
    stored: StoredValues = nothing_stored
    if catalog is not None:
        stored = catalog.stored_values(game.key, day=request.day or today(), to_change=not request.dry_run)
    # If the request names a set for the cards, they do not keep the set in which they are stored.
    known = (lambda ref: {k: v for k, v in stored(ref).items() if k != "set"}) if request.set_name else stored
    set_name = request.set_name or stem
    html = request.html or project.settings.reads_html(game.key)
    pictures, replaced = project.picture_folders(game), project.settings.replaced_in(game.key)
    return CardReading(
        game.spec, set_name, pictures, columns, known, sheet=request.sheet, html=html, replace=replaced,
        joins=request.joins,
    )  # fmt: skip


def _without_fields_of(other: GameSpec, columns: Mapping[str, str], spec: GameSpec) -> dict[str, str]:
    """Returns the columns without those that mean no field of `spec`, but a field of the other kind of file (`other`).

    Cards and printings may be loaded together, and `--map` then has the columns of both.
    """

    def is_of(words: Vocabulary, header: str, name: str) -> bool:
        return bool(words.find(name) or ("." in name and words.find(header)))

    return {
        header: name
        for header, name in columns.items()
        if is_of(spec.field_words, header, name) or not is_of(other.field_words, header, name)
    }


def read_joins(texts: Iterable[str], local: Callable[[str], str | Path] = str) -> list[Join]:
    """Returns the second files that texts such as `packs.json:code=pack_code` name; `local` makes a path of a name.

    Raises UsageError for a text of another form, InputError for a file that cannot be read.
    """
    joins = []
    for text in texts:
        file, _, keys = text.rpartition(":")
        if not file:
            remedy = "Write the second file, its key, and the key in the card file: --join packs.json:code=pack_code."
            raise UsageError(f"{text!r} does not have the form FILE:KEY=KEY", remedy)
        first, *others = load_sources([local(file)])
        if others:
            raise UsageError(f"{file} is a folder of several files", f"Name one of them, such as {name_of(first)}.")
        joins.append(join_of(first, keys))
    return joins


def join_of(source: LoadSource, keys: str) -> Join:
    """Returns a second file; `keys` has its key and the card file's: `code=pack_code`. Raises as `read_joins` does."""
    key, _, own_key = (part.strip() for part in keys.partition("="))
    if not (key and own_key):
        raise UsageError(f"{keys!r} is not KEY=KEY", "Write the second file's key first, as in code=pack_code.")
    return read_join(source, format_of(path_of(source)), path_of(source).stem, key, own_key)


def _slips(catalog: Catalog, game: Game, file: CardFile) -> list[Finding]:
    """Returns warnings about values that no stored card has but that are one letter away from a value in the rules."""
    slips = list(near_words(game.spec, file.records, {}))
    if not slips:
        return []
    cards = list(catalog.pool(game.spec, day=today(), with_sample=True))
    stored = {str(name): {card.get(name) for card in cards} for name in {slip.where[0].column_name for slip in slips}}
    return list(near_words(game.spec, file.records, stored))


def _load_printings(
    project: Workspace, game: Game, source: LoadSource, request: LoadRequest, new: Collection[str]
) -> Loaded[PrintingResult]:
    """Loads a file of printings; `new` are the cards in files loaded before, which a dry run does not store."""
    saved = project.settings.columns.get(PRINTINGS.key, {})
    columns = {**(saved if isinstance(saved, Mapping) else {}), **request.columns}
    columns = _without_fields_of(game.spec, columns, PRINTINGS)
    file, rows = read_printings(
        source, path_of(source), images_root=project.picture_folders(game), columns=columns, joins=request.joins
    )
    if has_errors(file.findings):
        return Loaded(file, PrintingResult(findings=file.findings))
    with project.catalog(create=True, temporary=request.dry_run) as catalog:
        result = catalog.load_printings(
            game.key, rows, new_cards=new, author=user(), source=file.file, recorded_at=now(), prune=request.prune,
            dry_run=request.dry_run,
        )  # fmt: skip
    return Loaded(file, replace(result, findings=[*file.findings, *result.findings]))


def _load_translations(
    project: Workspace, game: Game, source: LoadSource, request: LoadRequest, new: Mapping[str, ReadCard]
) -> Loaded[TranslationResult]:
    """Loads a file of translations; `new` are the cards in files loaded before, which a dry run does not store."""
    with project.catalog(create=True, temporary=request.dry_run) as catalog:
        reading, codes = card_reading(project, game, "", request, catalog), catalog.printing_codes(game.key)

        def card_of(code: str) -> tuple[str, str] | None:
            ref = codes.get(code, code)
            values = new[ref].values if ref in new else reading.stored(ref)
            return (ref, str(values.get("type", ""))) if values else None

        file = read_translations(source, language_of(source, request.lang), card_of, reading)
    if has_errors(file.findings):
        return Loaded(file, TranslationResult(findings=file.findings))
    loaded = store_translations(project, game, file, request, new)
    return loaded._replace(result=replace(loaded.result, findings=[*file.findings, *loaded.result.findings]))


def kind_of(source: LoadSource, lang: str = "") -> Literal["cards", "translations", "printings", "bans"]:
    """Returns the kind of a file by its name and beginning; with `lang`, a card file counts as one of translations.

    Raises UsageError for a PO file without a language.
    """
    if _holds_bans(source):
        return "bans"
    if is_printing_file(path_of(source)):
        return "printings"
    return "translations" if language_of(source, lang) else "cards"


def _holds_bans(source: LoadSource) -> bool:
    """Returns whether a file contains ban lists, by its name or its beginning."""
    path = path_of(source)
    if path.suffix.lower() not in (".yaml", ".yml", ".json"):
        return False
    if path.stem == "bans":
        return True
    try:
        head = source.getvalue()[:_HEAD] if isinstance(source, NamedBytes) else read_file(source, _HEAD)
    except OSError:
        return False
    return bool(_BANS.match(head.decode("utf-8", "replace").removeprefix("\ufeff")))
