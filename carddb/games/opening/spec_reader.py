"""The reader of a game's files, which reports every fault, and the parts of a `rules.yaml`."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

from carddb.core.dates import day
from carddb.core.errors import GameError
from carddb.core.groups import grouped
from carddb.core.names import did_you_mean
from carddb.core.plain_text import language_of_stem
from carddb.findings import Finding, error, warning
from carddb.game.frozen import Frozen, Misfit, Path_, fields_of, replaced
from carddb.game.game import GameSpec, language_misfits
from carddb.game.parts import DECIDED, LanguageSpec
from carddb.game.rule_parts import FormatSpec, LegalPool, PoolSnapshots
from carddb.games.opening.folder import GAME_FILE, GameFolder
from carddb.read.documents import located_document
from carddb.read.documents.strict_models import checked, checked_part

RULES_FILE = "rules.yaml"


class Ruling(Frozen):
    """A decision for this printing on a point that the game's author left open."""

    reading: str
    """The interpretation of the rule."""
    why: str
    """The reason for the interpretation."""
    option: str = ""
    """The option of the game that changes the interpretation."""


class RuleText(Frozen):
    """One rule: it has a text, a ruling, or both."""

    tag: Literal["S", "P", "H"] = "S"
    """The one who applies the rule: S the program, P the printed parts, H people at the table."""
    also: tuple[Literal["S", "P", "H"], ...] = ()
    """The others who apply the rule, by the same letters."""
    section: str = ""
    """The section of the source that has the rule."""
    text: str = ""
    """The text in the source."""
    ruling: Ruling | None = None
    """The decision on a point that the text leaves open."""
    asked: str = ""
    """Questions that the rule answers, in the words of players, by which `ask` finds the rule."""

    @property
    def words(self) -> str:
        """The text of the rule, followed by the reading that was decided."""
        return f"{self.text} {self.ruling.reading if self.ruling else ''}".strip()

    def misfits(self) -> Iterator[Misfit]:
        """Yields (keys, message, fix) if the rule has neither a text nor a ruling."""
        if not self.text and self.ruling is None:
            yield ("text",), "the rule has neither a text nor a ruling", "Write its text, or a ruling."


class CodeText(Frozen):
    """The explanation of a finding code."""

    cause: str
    """The cause of the finding."""
    fix: str = ""
    """The remedy."""
    rules: tuple[str, ...] = ()
    """The ids of the rules on which the finding is based."""
    example: str = ""
    """A file in `examples` that causes the finding."""


class QuestionText(Frozen):
    """The title of a question to the referee, and the sentences of its answer."""

    title: str
    """The question in a few words."""
    says: Mapping[str, str] = {}
    """The sentences of its answer, by their conditions.

    A condition is `always`, or has parts separated by commas: `field=value`, `field` (neither empty nor no), `-field`
    (the opposite). `{field}` in a sentence is replaced by that value of the answer, or else of the question.
    """


class RuleBook(Frozen):
    """The whole of a `rules.yaml`."""

    rules: Mapping[str, RuleText] = {}
    """The rules of the game, by id."""
    codes: Mapping[str, CodeText] = {}
    """The explanations of the game's finding codes, by code."""
    questions: Mapping[str, QuestionText] = {}
    """The titles and answers of the questions to the referee, by their names without the game's prefix."""
    terms: Mapping[str, tuple[str, ...]] = {}
    """The ids of the rules about a word, a heading or a name in the game's document, by that text."""
    synonyms: Mapping[str, tuple[str, ...]] = {}
    """Other words that players use for a word of the rules, by the word of the rules."""
    implements: Mapping[str, tuple[str, ...]] = {}
    """The ids of the rules that the game's program implements, by its parts.

    A part is a question to the referee (`guarda.covers`), a question about chances (`odds cover`), or an action at the
    table (`solo roll`).
    """
    data_sections: tuple[str, ...] = ()
    """The sections about the data of questions and cards, whose rules do not concern players."""

    def is_for_programs(self, rule: str) -> bool:
        """Returns whether the rule with this id is in one of the `data_sections`."""
        return self.rules[rule].section in self.data_sections


def read_book(folder: GameFolder) -> tuple[RuleBook | None, list[Finding]]:
    """Returns a game's rule book (empty without a `rules.yaml`, None if it is invalid) and the faults of the file."""
    path = folder.path / RULES_FILE
    if not path.is_file():
        return RuleBook(), []
    parsed, findings = located_document.load(folder.source(path))
    if parsed is None:
        return None, findings
    book, faults = checked_part(RuleBook, parsed.value, parsed)
    return book, [*findings, *faults]


@cache
def shared_codes() -> Mapping[str, CodeText]:
    """Returns the finding codes shared by all games, each with its cause and fix."""
    path = Path(__file__).parent / "codes.yaml"
    parsed, findings = located_document.load(path)
    if parsed is None:
        raise GameError(f"{path} cannot be used", findings[0].message)
    return checked(RuleBook, {"codes": parsed.value}).codes


def finding_codes(part: Any) -> Iterator[str]:
    """Yields every finding code in a part of a game, including default codes."""
    for path, value in _fields(part):
        name = str(path[-1])
        if name == "code" or name.endswith("_code"):
            yield value
        elif name == "codes":
            yield from value.values()


def rule_ids(part: Any) -> Iterator[tuple[Path_, str]]:
    """Yields (path, id) for every rule id in a part of a game; the path has the keys and indexes that lead to it."""
    for path, value in _fields(part):
        if path[-1] in ("rules", "format_rules", "face_rules"):
            yield from (((*path, at), rule) for at, rule in enumerate(value))


def _fields(part: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Yields (path, value) for every field of a part of a game and of the parts inside; the path has the keys to it."""
    is_part = isinstance(part, Frozen)
    items: Iterable[tuple[str | int, Any]] = ()
    if is_part:
        items = ((name, getattr(part, name)) for name in fields_of(type(part)))
    elif isinstance(part, Mapping):
        items = part.items()
    elif isinstance(part, tuple):
        items = enumerate(part)
    for key, value in items:
        if is_part:
            yield (*path, key), value
        yield from _fields(value, (*path, key))


_MOST_LEGAL = 100_000
"""The most legal values that the snapshots of a format may have in total."""
_OWN_FILES = {GAME_FILE, RULES_FILE, "bans.yaml"}


def read_spec(folder: GameFolder) -> tuple[GameSpec | None, list[Finding]]:
    """Returns a game's content, with its tables in `data`, and every fault; the content is None if it cannot be used.

    Raises InputError if a file cannot be read, GameError if the game's key differs from the name of the folder.
    """
    parsed, faults = located_document.load(folder.source(folder.path / GAME_FILE))
    if parsed is None:
        return None, faults
    findings = [*faults]
    tables = _tables(folder, findings)
    spec, faults = checked_part(GameSpec, parsed.value if isinstance(parsed.value, dict) else {}, parsed)
    if spec is None:
        return None, [*findings, *faults]
    if spec.key != folder.key:
        raise GameError(
            f"{folder.path / GAME_FILE}: the key is {spec.key!r}, but the folder is {folder.key!r}",
            "Give both the same name.",
        )
    words = _languages(folder, spec, parsed, findings)
    book, faults = read_book(folder)
    findings += faults
    decided = [rule for rule, text in book.rules.items() if text.ruling] if book else []
    formats = _with_pools(spec, tables, parsed, findings)
    data = {**spec.data, **tables, DECIDED: decided}
    spec = replaced(spec, data=data, languages={**spec.languages, **words}, formats=formats)
    if book and (folder.path / RULES_FILE).is_file():
        findings += _unknown_rules(book, spec, parsed)
    if spec.lists:
        message, fix = f"the key lists in {GAME_FILE} has no effect", "Remove it, and write ban lists into bans.yaml."
        findings.append(warning("key_without_effect", message, parsed.place(("lists",)), fix=fix))
    return spec, findings


def _languages(
    folder: GameFolder, spec: GameSpec, parsed: located_document.LocatedDocument, findings: list[Finding]
) -> dict[str, LanguageSpec]:
    """Returns the texts in files such as `labels.ja.yaml`, by language; adds all faults to `findings`."""
    languages: dict[str, LanguageSpec] = {}
    for lang, words in spec.languages.items():
        findings += _misfits(spec, words, parsed, ("languages", lang))
    for file in folder.data_files:
        lang = _language_of(file) if file.parent == folder.path else ""
        document, faults = located_document.load(folder.source(file)) if lang else (None, [])
        findings += faults
        if document is None:
            continue
        own, faults = checked_part(LanguageSpec, document.value, document)
        findings += faults
        if own is not None:
            languages[lang] = own
            findings += _misfits(spec, own, document, ())
    return languages


def _misfits(
    spec: GameSpec, words: LanguageSpec, document: located_document.LocatedDocument, path: Path_
) -> Iterator[Finding]:
    for keys, message, fix in language_misfits(spec, words):
        yield error("document_invalid", message, document.place((*path, *keys)), fix=fix)


def _language_of(file: Path) -> str:
    """Returns the language of a file of labels (`ja` for `labels.ja.yaml`); empty for any other file."""
    return language_of_stem(file.stem) if file.name.startswith("labels.") else ""


def _tables(folder: GameFolder, findings: list[Finding]) -> dict[str, Any]:
    """Returns the content of the game's other data files by file name without extension; adds faults to `findings`.

    The files in a subfolder form one table, under the name of the subfolder.
    """
    out: dict[str, Any] = {}
    for file in folder.data_files:
        beside = file.parent == folder.path
        if beside and (file.name in _OWN_FILES or _language_of(file)):
            continue
        parsed, faults = located_document.load(folder.source(file))
        findings += faults
        if parsed is not None:
            (out if beside else out.setdefault(file.parent.name, {}))[file.stem] = parsed.value
    return out


def _with_pools(
    spec: GameSpec, tables: Mapping[str, Any], parsed: located_document.LocatedDocument, findings: list[Finding]
) -> Mapping[str, FormatSpec]:
    """Returns the formats by key, with the snapshots of rotations added as legal pools; adds faults to `findings`."""
    formats = dict(spec.formats)
    for key, played in spec.formats.items():
        rotation = played.rotation
        if not (rotation and rotation.snapshots):
            continue
        place = parsed.place(("formats", key, "rotation", "snapshots"))
        try:
            pools = list(_pools(rotation.snapshots, tables))
        except ValueError as fault:
            fix = "Correct the rows, or their path in snapshots: formats.standard means formats/standard.json."
            findings.append(error("document_invalid", str(fault), place, fix=fix))
            continue
        formats[key] = replaced(played, rotation=replaced(rotation, pools=(*rotation.pools, *pools)))
    return formats


def _pools(snapshots: PoolSnapshots, tables: Mapping[str, Any]) -> Iterator[LegalPool]:
    """Yields the legal pool of each row of snapshots. Raises ValueError for invalid rows, or if there are none."""
    steps: list[dict[str, list[str]]] = []
    for step in snapshots.names:
        meant: dict[str, list[str]] = defaultdict(list)
        for row in _rows(step.rows, tables):
            for name in _values(row, step.id):
                meant[name] += _values(row, step.value)
        steps.append(meant)
    left = _MOST_LEGAL
    for row in _rows(snapshots.rows, tables):
        since = str(located_document.dotted_value(row, snapshots.effective))
        try:
            day(since)
        except ValueError:
            raise ValueError(
                f"{snapshots.effective} in a row of {snapshots.rows} is {since!r:.60}, not a day"
            ) from None
        legal = _values(row, (snapshots.legal,))
        for meant in steps:
            legal = list(dict.fromkeys(value for name in legal for value in meant.get(name, [name])))
        left -= len(legal)
        if left < 0:
            raise ValueError(f"the rows under {snapshots.rows} have more than {_MOST_LEGAL:,} legal values")
        yield LegalPool(since=since, legal=tuple(legal))


def _rows(path: str, tables: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Returns all rows (mappings), at any depth, under a dotted path of `tables`. Raises ValueError without any."""

    def inside(value: Any) -> Iterator[Mapping[str, Any]]:
        for item in value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ():
            if isinstance(item, Mapping):
                yield item
            else:
                yield from inside(item)

    rows = list(inside(located_document.dotted_value(tables, path)))
    if not rows:
        raise ValueError(f"there are no rows under {path}; the tables of the game are: {', '.join(tables) or 'none'}")
    return rows


def _values(row: Mapping[str, Any], paths: Iterable[str]) -> list[str]:
    """Returns, as texts, the values that a row has under each dotted path in `paths`; a list counts as its items."""
    values = (located_document.dotted_value(row, path) for path in paths)
    lists = (value if isinstance(value, list) else [value] for value in values)
    return [str(item) for items in lists for item in items if item is not None]


def _unknown_rules(book: RuleBook, spec: GameSpec, parsed: located_document.LocatedDocument) -> list[Finding]:
    """Returns a warning for each rule that the game names but its rule book lacks."""
    unknown = grouped((rule, parsed.place(where)) for where, rule in rule_ids(spec) if rule not in book.rules)
    return [
        warning("rule_unknown", f"{RULES_FILE} has no rule {rule}", *places, fix=did_you_mean(rule, book.rules))
        for rule, places in unknown.items()
    ]
