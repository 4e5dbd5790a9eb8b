"""The reader of a game's files, which reports every fault in them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from carddb.core.errors import GameError
from carddb.core.names import did_you_mean
from carddb.core.plain_text import language_of_stem
from carddb.findings import Finding, Place, error, has_errors, warning
from carddb.game.frozen import Path_, replaced
from carddb.game.game import GameSpec, language_misfits
from carddb.game.parts import DECIDED, LanguageSpec
from carddb.games.opening.folder import GAME_FILE, GameFolder
from carddb.games.opening.rulebook import RULES_FILE, RuleBook, read_book, rule_ids
from carddb.read.documents import located_document
from carddb.read.documents.strict_models import checked_part

_OWN_FILES = {GAME_FILE, RULES_FILE, "bans.yaml"}


def read_spec(folder: GameFolder) -> tuple[GameSpec | None, list[Finding]]:
    """Returns the content of a game's files, with its tables in its data, or None and every fault.

    Raises InputError if a file cannot be read, GameError if the game's key differs from the name of the folder.
    """
    parsed, findings = located_document.load(folder.source(folder.path / GAME_FILE))
    if parsed is None or has_errors(findings):
        return None, findings
    tables, table_findings = _tables(folder)
    findings = [*findings, *table_findings]
    spec, faults = checked_part(GameSpec, parsed.value if isinstance(parsed.value, dict) else {}, parsed)
    if spec is None:
        return None, [*findings, *faults]
    if spec.key != folder.key:
        raise GameError(
            f"{folder.path / GAME_FILE}: the key is {spec.key!r}, the folder is {folder.key!r}", "Give both one name."
        )
    words, word_findings = _languages(folder, spec, parsed)
    path = folder.path / RULES_FILE
    book, book_findings = read_book(folder)
    decided = [rule for rule, text in book.rules.items() if text.ruling] if book else []
    spec = replaced(spec, data={**spec.data, **tables, DECIDED: decided}, languages={**spec.languages, **words})
    findings = [*findings, *word_findings, *book_findings]
    if book and path.is_file():
        findings += _unknown_rules(book, spec, parsed)
    if spec.lists:
        message, fix = f"the key lists of {GAME_FILE} has no effect", "Write ban lists into bans.yaml."
        findings.append(warning("key_without_effect", message, parsed.place(("lists",)), fix=fix))
    return spec, findings


def _languages(
    folder: GameFolder, spec: GameSpec, parsed: located_document.Document
) -> tuple[dict[str, LanguageSpec], list[Finding]]:
    """Returns the game's texts in other languages, from files such as `labels.ja.yaml`, and the findings about them.

    The texts in the game file itself, `parsed`, are checked too.
    """
    languages: dict[str, LanguageSpec] = {}
    findings: list[Finding] = []
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
    return languages, findings


def _misfits(
    spec: GameSpec, words: LanguageSpec, document: located_document.Document, path: Path_
) -> Iterator[Finding]:
    for keys, message, fix in language_misfits(spec, words):
        yield error("document_invalid", message, document.place((*path, *keys)), fix=fix)


def _language_of(file: Path) -> str:
    """Returns the language of a file of texts; empty for any other file."""
    return language_of_stem(file.stem) if file.name.startswith("labels.") else ""


def _tables(folder: GameFolder) -> tuple[dict[str, Any], list[Finding]]:
    """Returns the content of every other YAML or JSON file in the folder, by its stem, for rules and templates.

    The files in a subfolder form one table, under the name of the subfolder.
    """
    out: dict[str, Any] = {}
    findings: list[Finding] = []
    for file in folder.data_files:
        beside = file.parent == folder.path
        if beside and (file.name in _OWN_FILES or _language_of(file)):
            continue
        parsed, faults = located_document.load(folder.source(file))
        findings.extend(faults)
        if parsed is not None:
            (out if beside else out.setdefault(file.parent.name, {}))[file.stem] = parsed.value
    return out, findings


def _unknown_rules(book: RuleBook, spec: GameSpec, parsed: located_document.Document) -> list[Finding]:
    """Returns a warning for each rule that the game names but its rule book lacks."""
    unknown: dict[str, list[Place]] = defaultdict(list)
    for where, rule in rule_ids(spec):
        if rule not in book.rules:
            unknown[rule].append(parsed.place(where))
    return [
        warning("rule_unknown", f"{RULES_FILE} has no rule {rule}", *places, fix=did_you_mean(rule, book.rules))
        for rule, places in unknown.items()
    ]
