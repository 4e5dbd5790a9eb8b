"""Reading card files (CSV, TSV, XLSX, ODS, JSON, YAML) to records and findings, and files of printings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO, NamedTuple

from carddb.cards.cards import Printing, ReadCard, ReadPrinting, ReadTranslation
from carddb.core.dates import day
from carddb.core.errors import DataFault, UsageError
from carddb.core.files import NamedBytes
from carddb.core.groups import grouped
from carddb.core.names import did_you_mean, fold_word
from carddb.core.plain_text import amount, control_at
from carddb.findings import Finding, Place, error, info, warning
from carddb.game.game import GameSpec
from carddb.game.parts import FieldSpec
from carddb.read import source
from carddb.read.cards.joined import JoinedFiles, is_patch, patch_lines
from carddb.read.cards.lines import (
    TABLE_FORMATS,
    Headings,
    Join,
    RawCard,
    from_document,
    from_sheets,
    only_sheet,
    sheets_of,
)
from carddb.read.cards.record import CardDraft, Drafter, StoredValues, made_reference, nothing_stored
from carddb.read.cards.translations import TranslatedHeadings, Translator, TypeOfCard, po_lines
from carddb.read.cards.values import HtmlTexts
from carddb.read.documents import located_document
from carddb.read.pictures import PictureFolders
from carddb.read.source import control_characters, texts_of

FORMATS = (*TABLE_FORMATS, "json", "yaml")
PATCH = "patch"
"""The format of a patch file, recognised by its name."""
PO = "po"
"""The format of the files of translation programs, which contain only translations."""
MAX_BYTES = 64 << 20
MAX_FINDINGS = 10_000
_FEW = 4
"""The number of cards in a document below which each keeps its own finding even if all have the same."""
_MOST_PLACES, _MOST_PICTURES = 20, 5
_LABEL = re.compile(r"card \d+: ")
"""The beginning of a message if several cards are on one line."""


@dataclass(frozen=True, slots=True)
class CardFile:
    """The cards of a file that have no errors, in file order, and all findings. `fmt` is the format of the file.

    `kept` is, by field, how many cards keep a stored value because the file has no such column or key. `sources` are
    the lines by reference, also of faulty cards, if they were read `with_sources`. `translations` are translations of
    these cards in the same file.
    """

    file: str
    records: list[ReadCard]
    findings: list[Finding]
    fmt: str = ""
    kept: Mapping[str, int] = field(default_factory=dict)
    sources: Mapping[str, RawCard] = field(default_factory=dict)
    translations: Sequence[ReadTranslation] = ()


def format_of(path: Path) -> str:
    """Returns the format of a file by its name. Raises UsageError for an unknown suffix."""
    if is_patch(path):
        return PATCH
    suffix = path.suffix.lower().removeprefix(".")
    suffix = {"yml": "yaml", "txt": "csv"}.get(suffix, suffix)
    if suffix == PO:
        return PO
    if suffix not in FORMATS:
        raise UsageError(f"cards cannot be read from {path}", f"Use one of these kinds of file: {', '.join(FORMATS)}.")
    return suffix


class CardReading(NamedTuple):
    """The options for reading the cards of a file.

    `default_set` is the set of cards that name none. Pictures are looked for in `images_root`. `columns` maps headings,
    besides the game's own, to fields. `stored` returns the values that a card has so far, which it keeps where the file
    has no column or key. `with_sources` keeps the line of each card. `sheet` is the only sheet of a workbook to read;
    if it is empty, all sheets with cards are read. With `html`, texts contain the basic HTML of other databases.
    `replace` maps symbols in texts to replacements. `joins` are second files with further values.
    """

    spec: GameSpec
    default_set: str
    images_root: PictureFolders
    columns: Mapping[str, str] = MappingProxyType({})
    stored: StoredValues = nothing_stored
    with_sources: bool = False
    sheet: str = ""
    html: bool = False
    replace: Mapping[str, str] = MappingProxyType({})
    joins: Sequence[Join] = ()


def read_cards(path: Path | BinaryIO, reading: CardReading, fmt: str | None = None) -> CardFile:
    """Returns the cards in a card file, with a finding for every fault; a line with an error gives no card.

    `fmt` is one of FORMATS; if None, it follows from the file's name, or for a stream from its first bytes. Raises
    InputError if the file cannot be read or is a broken archive, and UsageError for an unknown format, field or sheet.
    """
    file = source.name_of(path)
    data, findings = source.read_bytes(path, MAX_BYTES)
    if findings:
        return CardFile(file, [], findings)
    fmt = fmt or format_of_bytes(path, data)
    return _in_own_files(read_card_bytes(data, file, fmt, reading), path)


def _in_own_files(file: CardFile, source: Path | BinaryIO) -> CardFile:
    """Returns the file; if it was joined from several (`source`), each place is replaced by that in its own file."""
    if not isinstance(source, JoinedFiles):
        return file
    records = [row._replace(place=source.place(row.place)) for row in file.records]
    findings = [finding._replace(where=tuple(map(source.place, finding.where))) for finding in file.findings]
    translations = [row._replace(place=source.place(row.place)) for row in file.translations]
    return replace(file, records=records, findings=findings, translations=translations)


def read_card_bytes(data: bytes, file: str, fmt: str, reading: CardReading) -> CardFile:
    """Returns the cards in a file's bytes; `file` is its name in findings. Raises the same errors as `read_cards`."""
    findings: list[Finding] = []
    if fmt not in (*FORMATS, PATCH):
        raise UsageError(f"cards cannot be read as {fmt}", did_you_mean(fmt, FORMATS))
    headings = Headings(reading.spec, reading.columns, reading.joins)
    html = HtmlTexts(in_all_fields=reading.html, replace=reading.replace)
    drafter = Drafter(reading.spec, reading.images_root, findings, reading.stored, headings.in_languages, html)
    translator = Translator(reading.spec, reading.images_root, findings, html)
    drafts: list[CardDraft] = []
    lines: list[RawCard] = []
    translated: list[tuple[int, ReadTranslation]] = []
    try:
        for line in _lines(data, file, fmt, headings, reading, findings):
            number = len(drafts)
            drafts.append(draft := drafter.draft(line))
            if headings.in_languages and draft.sound:
                fields = [name for name in line.fields if name in headings.in_languages]
                rows = translator.rows(line, fields, "", draft.values.get("type", ""))
                translated.extend((number, row) for row in rows)
            if reading.with_sources:
                lines.append(line)
            if len(findings) >= MAX_FINDINGS:
                last = line.place().line
                message = f"the file has at least {MAX_FINDINGS:,} faults; the lines after line {last} were not checked"
                findings.append(warning("faults_too_many", message, Place(file, last), fix="Fix these faults first."))
                break
    except DataFault as end:
        findings.append(end.finding)
    findings[:] = _one_of_pictures(findings)
    if fmt not in TABLE_FORMATS:
        findings[:] = _of_every_card(findings, len(drafts))
    claimed = grouped((draft.ref, draft) for draft in drafts if draft.ref)
    repeated = {ref: claims for ref, claims in claimed.items() if len(claims) > 1}
    for ref, claims in repeated.items():
        listed = ", ".join(draft.label or f"line {draft.place.line}" for draft in claims[:10])
        message = f"the reference {ref} is given to {len(claims)} cards: {listed}"
        about, fix = {"ref": ref, "count": len(claims)}, "Give each card a reference of its own."
        findings.append(error("duplicate_reference", message, *(each.place for each in claims), data=about, fix=fix))
    counts: Counter[str] = Counter()
    refs = _references(drafts)
    records = list(_records(drafts, refs, repeated.keys(), reading.default_set, counts))
    sources = {ref: line for ref, line in zip(refs, lines, strict=False) if ref not in repeated}
    for join in reading.joins:
        findings.extend(join.unmatched(file))
    translations = [row._replace(ref=refs[number]) for number, row in translated if refs[number] not in repeated]
    findings += control_characters(
        (text, row.place._replace(column_name=name))
        for row in records
        for name, value in row.values.items()
        for _, text in texts_of(value)
        if control_at(text)
    )
    findings.extend(html.findings(file, reading.spec.all_fields(), (row.values for row in records)))
    return CardFile(file, records, findings, fmt, counts, sources, translations)


def _one_of_pictures(findings: Sequence[Finding]) -> list[Finding]:
    """Returns the findings, in which those about missing pictures are merged into the first of these."""
    missing = [finding for finding in findings if finding.code == "image_missing"]
    if len(missing) < 2:
        return [*findings]
    messages = list(dict.fromkeys(finding.message for finding in missing))
    more = f"; and {len(messages) - _MOST_PICTURES} more" if len(messages) > _MOST_PICTURES else ""
    places = tuple(place for finding in missing[:_MOST_PLACES] for place in finding.where)
    together = missing[0]._replace(message="; ".join(messages[:_MOST_PICTURES]) + more, where=places)
    others = (together if finding is missing[0] else finding for finding in findings)
    return [finding for finding in others if finding is together or finding.code != "image_missing"]


def read_translations(path: Path | BinaryIO, lang: str, card_of: TypeOfCard, reading: CardReading) -> CardFile:
    """Returns the translations into `lang` in a file; every fault is a finding. Raises the errors of `read_cards`."""
    file = source.name_of(path)
    data, findings = source.read_bytes(path, MAX_BYTES)
    if findings:
        return CardFile(file, [], findings)
    fmt = format_of_bytes(path, data)
    rows: list[ReadTranslation] = []
    html = HtmlTexts(in_all_fields=reading.html, replace=reading.replace)
    try:
        lines = _lines(data, file, fmt, TranslatedHeadings(reading.spec, lang, reading.columns), reading, findings)
        translator = Translator(reading.spec, reading.images_root, findings, html)
        rows.extend(translator.rows_of_file(lines, card_of))
    except DataFault as end:
        findings.append(end.finding)
    findings[:] = _one_of_pictures(findings)
    findings.extend(html.findings(file, reading.spec.all_fields(), (row.values for row in rows)))
    return _in_own_files(CardFile(file, [], findings, fmt, translations=rows), path)


def format_of_bytes(file: Path | BinaryIO, data: bytes) -> str:
    """Returns the format of a file by its suffix or, without one, by its first bytes. Raises UsageError for others."""
    if isinstance(file, Path):
        return format_of(file)
    if isinstance(file, NamedBytes) and file.path.suffix:
        return format_of(file.path)
    if data.startswith(b"PK"):
        return "ods" if b"opendocument.spreadsheet" in data[:200] else "xlsx"
    head = data[:1000].lstrip(b"\xef\xbb\xbf \t\r\n")
    if head[:1] in (b"[", b"{"):
        return "json"
    if head.startswith((b"- ", b"cards:", b"---")):
        return "yaml"
    return "csv"


def _lines(
    data: bytes, file: str, fmt: str, headings: Headings, reading: CardReading, findings: list[Finding]
) -> Iterator[RawCard]:
    if fmt == PATCH:
        yield from patch_lines(data, file, headings, lambda ref: bool(reading.stored(ref)), findings)
        return
    if fmt in TABLE_FORMATS:
        sheets = sheets_of(data, file, fmt, findings)
        if sheets is not None and reading.sheet:
            sheets = only_sheet(sheets, reading.sheet, file)
        if sheets is not None:
            yield from from_sheets(sheets, file, headings, findings)
        return
    if reading.sheet:
        raise UsageError(f"{file} is not a workbook and has no sheet {reading.sheet!r}", "Leave out --sheet.")
    if fmt == PO:
        text, faults = source.decode(data, file)
        findings.extend(faults)
        yield from po_lines(text or "", file, headings, findings)
        return
    limit = MAX_BYTES if fmt == "json" else located_document.MAX_BYTES
    document, faults = located_document.parse_bytes(data, file, fmt, limit)
    findings.extend(faults)
    if document is not None:
        yield from from_document(document, fmt, headings, findings)


def _of_every_card(findings: Sequence[Finding], cards: int) -> list[Finding]:
    """Returns the findings; a finding that all cards of a document have is reported only once."""
    if cards < _FEW:
        return list(findings)
    same = grouped(((finding.code, _LABEL.sub("", finding.message)), finding) for finding in findings)
    out = []
    for (_, message), of_cards in same.items():
        if len(of_cards) == cards:
            where = tuple(finding.where[0] for finding in of_cards[:_MOST_PLACES])
            out.append(of_cards[0]._replace(message=f"{message} ({cards} times)", where=where))
        else:
            out += of_cards
    return out


def _references(drafts: list[CardDraft]) -> list[str]:
    """Returns the reference of each draft. A missing one is made from type and name, with a number if it is in use."""
    refs = [draft.ref for draft in drafts]
    used, numbers = set(refs), Counter[str]()
    for at, draft in enumerate(drafts):
        while not refs[at]:
            stem = made_reference(draft.values, 1)
            numbers[stem] += 1
            ref = made_reference(draft.values, numbers[stem])
            refs[at] = ref if ref not in used else ""
        used.add(refs[at])
    return refs


def _records(
    drafts: list[CardDraft], refs: list[str], refused: Collection[str], default_set: str, kept: Counter[str]
) -> Iterator[ReadCard]:
    """Yields the records of sound drafts that are not `refused`; counts in `kept` their stored values, by field."""
    for draft, ref in zip(drafts, refs, strict=True):
        if draft.sound and ref not in refused:
            values = draft.values
            if draft.stored_values and ref == draft.stored_as:
                kept.update(
                    name for name, value in draft.stored_values.items() if (name, value) != ("set", default_set)
                )
                values = {**draft.stored_values, **values}
            values.setdefault("set", default_set)
            yield ReadCard(ref, values, draft.place)


def with_patch(base: CardFile, data: bytes, file: str, reading: CardReading) -> CardFile:
    """Returns the card file `base` with its patch file applied, and findings; one has the number of replaced values."""
    rows = {row.ref: row for row in base.records}

    def stored(ref: str) -> Mapping[str, Any]:
        return rows[ref].values if ref in rows else reading.stored(ref)

    patch = read_card_bytes(data, file, PATCH, reading._replace(stored=stored, with_sources=True))
    over = {row.ref: row for row in patch.records}
    records = [over.pop(row.ref, row) for row in base.records]
    findings = [*base.findings, *patch.findings]
    if patch.sources:
        count = sum(len(line.fields) for line in patch.sources.values())
        message = f"{file} replaces {amount(count, 'value')} of {base.file}"
        findings.append(info("patch_applied", message, Place(file), data={"values": count}))
    words = {(row.ref, row.lang): row for row in base.translations}
    for row in patch.translations:
        words[row.ref, row.lang] = row.over(words[row.ref, row.lang]) if (row.ref, row.lang) in words else row
    translations = list(words.values())
    return replace(base, records=[*records, *over.values()], findings=findings, translations=translations)


_SHORTEST = 5
"""The fewest letters of a word that is compared; shorter words are often one letter apart and both right."""


def near_words(spec: GameSpec, rows: Iterable[ReadCard], stored: Mapping[str, Set[str]]) -> Iterator[Finding]:
    """Yields a warning, once per field and value, for each value in `rows` that is one letter away from a known value.

    `stored` has the values in the catalogue, by field; they get no warning, because they are intended.
    """
    fields = {name: each for name, each in spec.all_fields().items() if each.of and not each.closed}
    seen: set[tuple[str, str]] = set()
    for row in rows if fields else ():
        for name in sorted(fields.keys() & row.values.keys()):
            value = row.values[name]
            for word in value if isinstance(value, list) else [value]:
                if (name, word) in seen or word in stored.get(name, ()):
                    continue
                seen.add((name, word))
                folded, field = fold_word(word), fields[name]
                if len(folded) < _SHORTEST or any(char.isdigit() for char in folded) or word in field.words:
                    continue
                if near := next((value for value in field.of if one_letter_apart(folded, fold_word(value))), None):
                    message = f"{name} is {word!r}, one letter away from {near!r}, a value that the rules look for"
                    place = row.place._replace(text=word, column_name=name)
                    data = {"value": word, "near": near}
                    yield warning("value_near_known", message, place, data=data, fix=f"Write {near}.")


def one_letter_apart(one: str, other: str) -> bool:
    """Returns whether two words differ by one letter changed, missing or added, or by two letters swapped."""
    if abs(len(one) - len(other)) > 1 or one == other:
        return False
    start = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    rest, others = one[start:], other[start:]
    swapped = rest[:2] == others[1::-1] if len(others) > 1 else False
    return rest[1:] == others[1:] or rest[1:] == others or rest == others[1:] or (swapped and rest[2:] == others[2:])


_NAME = re.compile(r"(?:.+\.)?printings", re.IGNORECASE)
PRINTINGS = GameSpec(
    key="printings",
    prefix="printings",
    name="a file of printings",
    columns={
        "card": "name",
        "set code": "set",
        "number": "position",
        "release": "released",
        "flavour": "flavor",
        "illustrator": "artist",
    },
    fields={
        "code": FieldSpec(label="Code"),
        "position": FieldSpec(label="Position"),
        "released": FieldSpec(label="Released"),
        "quantity": FieldSpec(type="integer", min=1, label="Quantity"),
        "flavor": FieldSpec(label="Flavour text"),
        "artist": FieldSpec(label="Artist"),
    },
    name_code="printing_without_card",
)
"""The fields of a file of printings. It is read like a file of cards whose names are references."""


def is_printing_file(path: Path) -> bool:
    """Returns whether a file is one of printings, judged by its name: `printings.csv` or `core.printings.csv`."""
    return bool(_NAME.fullmatch(path.stem))


def read_printings(
    source: Path | BinaryIO,
    path: Path,
    *,
    images_root: PictureFolders,
    columns: Mapping[str, str] = MappingProxyType({}),
    joins: Sequence[Join] = (),
) -> tuple[CardFile, list[ReadPrinting]]:
    """Returns the findings and the printings of a file with the fields of `Printing`; every fault is a finding.

    `path` names the set of printings without one (`core.printings.csv`: `core`). `columns` and `joins` are as in
    CardReading. A missing code is made from set and position, `core-12`. Raises the errors of `read_cards`.
    """
    default_set = path.stem.rpartition(".")[0] or path.stem  # `core` for `core.printings.csv`
    file = read_cards(source, CardReading(PRINTINGS, default_set, images_root, columns, joins=joins))
    rows = []
    for values, place in ((row.values, row.place) for row in file.records):
        card, set_, position = str(values["name"]), str(values["set"]), str(values.get("position", ""))
        code = str(values.get("code", "")) or (f"{set_}-{position}" if position else "")
        released, art, flavor, artist = (str(values.get(key) or "") for key in ("released", "art", "flavor", "artist"))
        printing = Printing(code, card, set_, position, released, art, values.get("quantity"), flavor, artist)
        rows.append(ReadPrinting(printing, place))
    findings = [*map(_of_card, file.findings), *_faults(rows)]
    return replace(file, findings=findings), rows


def _of_card(finding: Finding) -> Finding:
    """Returns a finding of the reader of cards with words that fit printings."""
    if finding.code == PRINTINGS.name_code:
        return finding._replace(message="the printing names no card", fix="Write the reference of its card.")
    message, fix = (text.replace('"name"', '"card"') for text in (finding.message, finding.fix))
    return finding._replace(message=message, fix=fix)


def _faults(rows: list[ReadPrinting]) -> Iterator[Finding]:
    """Yields findings for codes that are missing or repeated, and for invalid dates of release."""
    first: dict[str, Place] = {}
    for printing, place in rows:
        if not printing.code:
            message = f"this printing of {printing.card} has neither code nor position"
            yield error("printing_code_missing", message, place, fix="Fill in its code or its position.")
        elif (other := first.setdefault(printing.code.casefold(), place)) is not place:
            message = f"two printings have the code {printing.code}"
            yield error("printing_code_repeated", message, place, other, fix="Give each printing a code of its own.")
        try:
            _ = printing.released and day(printing.released)
        except ValueError:
            message = f"the release {printing.released!r} is not a date"
            where = place._replace(text=printing.released, column_name="released")
            yield error("release_invalid", message, where, fix="Write the date as 2026-06-20.")
