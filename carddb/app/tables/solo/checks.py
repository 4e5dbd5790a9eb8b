"""Whether a solo session can be begun: every fault of the module and of the cards is told as a finding (SD-7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from carddb.app.workspace.own_readings import as_typed
from carddb.core.errors import InputError, UsageError
from carddb.core.names import did_you_mean
from carddb.deck.options import option_values
from carddb.findings import Place, Severity, has_errors
from carddb.games.cdg_solo.module import validate_deck
from carddb.games.cdg_solo.module.decks import as_finding, deck_card
from carddb.games.cdg_solo.module.faults import Fault
from carddb.games.cdg_solo.module.module import module_of, raw_module
from carddb.games.cdg_solo.module.readings import options_of
from carddb.games.cdg_solo.module.validate_module import faults
from carddb.play.question import BadInput
from carddb.read.control_characters import control_characters, texts_of

if TYPE_CHECKING:
    from carddb.app.tables.file import TableFile
    from carddb.games.cdg_solo.session import Session

HARMLESS = ("exception_card_unknown",)
"""What is an error of a deck, and does not hinder play."""


def check_options(solo: TableFile[Session], module: Any) -> None:
    """Raises UsageError for an option that the module, or where it is one's own the method, does not have."""
    spec = solo.game.spec
    modules = spec.data["modules"]
    if isinstance(module, str) or module.base not in modules:
        return
    whole = module.patch.get("options")
    own = whole if isinstance(whole, dict) else {}
    options = options_of(spec, {**modules[module.base], "options": own})
    patched = [path.removeprefix("options.") for path in module.patch if path.startswith("options.")]
    for name, allowed in [*((name, options) for name in patched), *((name, spec.options) for name in own)]:
        if name not in allowed:
            raise UsageError(f"{module.base} has no option {name!r}", did_you_mean(name, allowed))


def options_here(solo: TableFile[Session], module: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a table for a module: those of the project file that it has, and over them those of the caller.

    Raises UsageError for an option that the method does not have, and for a value that it cannot have.
    """
    spec = solo.game.spec
    table = option_values(spec, as_typed(solo.project.settings.options.get(spec.key, {})))
    here = options_of(spec, spec.data["modules"].get(module, {}))
    return {name: value for name, value in table.items() if name in here} | option_values(spec, as_typed(options))


def check_module(solo: TableFile[Session], module: Any, file: str) -> None:
    """Reports every fault of a module of one's own. Raises InputError where it cannot be played."""
    spec = solo.game.spec
    if not isinstance(module, str):
        _report_control_characters(solo, module.patch, file)
    try:
        findings = [] if isinstance(module, str) else sorted(set(faults(raw_module(spec, module, ""), spec)))
        _report(solo, findings, file)
        module_of(spec, module, "")
    except BadInput as refusal:
        modules = spec.data["modules"]
        if refusal.path in ("", "base"):
            raise UsageError(f"there is no module {file}", did_you_mean(file, modules)) from None
        field = refusal.details.get("field") or refusal.path.removeprefix("patch.")
        raise InputError(f"the module {file} cannot be used: {field} is not what it must be") from None


def check_cards(solo: TableFile[Session], module: Any, rows: list[dict[str, Any]], files: tuple[Path, ...]) -> None:
    """Reports every fault of the cards. Raises InputError where they cannot be played.

    That a card with a rule of its own is missing does not hinder play: a scenario may leave it out.
    """
    spec = solo.game.spec
    findings = validate_deck.faults(module_of(spec, module), [deck_card(row) for row in rows], spec)
    _report(solo, findings, ", ".join(map(str, files)), rows)


def _report_control_characters(solo: TableFile[Session], patch: Mapping[str, Any], file: str) -> None:
    texts = texts_of(patch)
    findings = control_characters((text, Place(file, column_name=".".join(map(str, path)))) for path, text in texts)
    if findings:
        solo.project.notify("module_remarks", "", findings)


def _report(
    solo: TableFile[Session], faults: Iterable[Fault], file: str, rows: Sequence[Mapping[str, Any]] = ()
) -> None:
    """Every finding, with fix and rules as `explain` has them. Raises InputError for one that hinders play."""
    codes = solo.game.rule_book.codes
    findings = []
    for fault in faults:
        name = "" if fault.card is None else str(rows[fault.card].get("title") or "")
        finding, text = as_finding(fault, Place(file, column_name="" if rows else fault.where), name), codes[fault.code]
        finding = finding._replace(fix=finding.fix or text.fix, rules=finding.rules or text.rules)
        findings.append(finding._replace(severity=Severity.WARNING) if fault.code in HARMLESS else finding)
    if has_errors(findings):
        raise InputError(f"{file or 'the deck'} cannot be used as it is", "Mend what is listed above.", findings)
    if findings:
        solo.project.notify("cards_remarks", "", findings)
