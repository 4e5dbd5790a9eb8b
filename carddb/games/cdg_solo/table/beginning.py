"""The beginning of a solo session: its module, the cards of the user's decks, and the findings about both (SD-7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from carddb.core.errors import InputError, UsageError
from carddb.core.files import read_file
from carddb.core.names import did_you_mean
from carddb.core.options import as_typed
from carddb.findings import Finding, Place, Severity, has_errors
from carddb.games.cdg_solo.module import Module, Patched, module_of, options_of, raw_module
from carddb.games.cdg_solo.table.game import new
from carddb.games.cdg_solo.table.session import SoloSession
from carddb.games.cdg_solo.validation import as_finding, card_at_fault, deck_card, deck_faults, in_order, module_faults
from carddb.play.question import BadInput, Refusal
from carddb.play.table.front import Host
from carddb.read.cards.file import CardReading, read_cards
from carddb.read.documents.located_document import json_value
from carddb.read.source import control_characters, texts_of

HARMLESS = ("exception_card_unknown",)
"""The codes of errors in a deck that do not prevent play."""

SHAPE = 'Write a JSON object with all keys of a module, or {"base": "germany", "patch": {"hand.default.PRU": 6}}.'

DECK_SUFFIXES = (".deck", ".txt")
"""The file extensions of deck lists; other files contain the cards themselves."""


def begin(
    host: Host,
    seed: int,
    module: str,
    decks: Sequence[Path] = (),
    more: Sequence[Path] = (),
    options: Mapping[str, Any] | None = None,
) -> SoloSession:
    """Returns a new session of `module`, with the cards of the user's files.

    Raises UsageError for an unknown module or option, and InputError, with all findings, for invalid files.
    """
    if not host.is_own and module not in host.spec.data["modules"]:
        raise UsageError(f"there is no module {module!r}", "Choose a module from the list.")
    paths = (*decks, *more)
    own = _options_here(host, module, options or {})
    every = host.spec.options
    if names := [name for name, value in own.items() if every[name].players and value != every[name].default]:
        host.notify("players_only", f"{', '.join(names)}: this is for people at a table, so the session ignores it")
    whole = _module_of_name(host, module, own)
    _check_options(host, whole)
    _check_module(host, whole, module)
    cards = _cards_for(host, whole, paths)
    # A missing card with an exception does not prevent play, because a scenario may leave it out.
    faults = deck_faults(module_of(host.spec, whole), [deck_card(card) for card in cards], host.spec)
    _report(host, faults, ", ".join(map(str, paths)), cards)
    try:
        return new(host.spec, whole, cards, seed)
    except BadInput as refusal:
        known = ", ".join(module_of(host.spec, whole).decks)
        raise UsageError(f"{refusal.path}: the module has no such deck", f"Name one of its decks: {known}.") from None
    except Refusal as refusal:
        raise UsageError(host.reason(refusal), f"See {', '.join(map(str, refusal.details.values()))}.") from None


def _module_of_name(host: Host, name: str, options: Mapping[str, Any]) -> Any:
    """Returns the module with the id or file `name`, patched by options. Raises InputError for an invalid file."""
    patch = {f"options.{option}": value for option, value in options.items()}
    path = Path(name)
    if not path.suffix:
        return Patched(base=name, patch=patch) if patch else name
    try:
        data = json_value(read_file(path))
        if not isinstance(data, dict):
            raise ValueError("it is not a JSON object")
        own: dict[str, Any] = data if "base" in data else {"base": host.spec.data["template"], "patch": data}
        return Patched.model_validate({**own, "patch": {**own.get("patch", {}), **patch}})
    except ValidationError as fault:
        place = ".".join(map(str, fault.errors()[0]["loc"]))
        raise InputError(f"{path} is not a module: {place} has a wrong value", SHAPE) from None
    except OSError as fault:
        raise InputError(f"{path} cannot be read: {fault.strerror}", "Name a file that you can read.") from None
    except (ValueError, TypeError, RecursionError) as fault:
        raise InputError(f"{path} is not a module: {fault}", SHAPE) from None


def _cards_for(host: Host, module: Any, files: tuple[Path, ...]) -> list[dict[str, Any]]:
    """Returns the cards in the user's files, else the cards for the module in the catalogue or the bundled set.

    The last resort is the demonstration deck, if the module has no exceptions and compares cards by ops values.
    """
    id_ = module if isinstance(module, str) else str(module.patch.get("id", module.base))
    whole = module_of(host.spec, module)
    if files:
        rows = [row for path in files for row in _from_file(host, path)]
    else:
        served = not whole.exceptions and whole.lowest.by == "ops"
        rows = _at_hand(host, id_) or (_demonstration(host, whole) if served else [])
    if not rows:
        columns = "`carddb export --game cdg-solo -o mine.csv` shows the columns."
        raise UsageError(
            f"there are no cards for {id_}",
            f"Name a file with your cards (--decks FILE), or load cards with references such as {id_}:1. {columns}",
        )
    return [{**row, "title": row.get("title") or row.get("name")} for row in rows]


def _at_hand(host: Host, module: str) -> list[dict[str, Any]]:
    """Returns the fields of a module's cards that are in the catalogue, else in the bundled set."""
    return [dict(card.values) for card in host.cards_at_hand() if card.ref.partition(":")[0] == module]


def _demonstration(host: Host, module: Module) -> list[dict[str, Any]]:
    """Returns the demonstration deck with the sides of `module`, and with one series of numbers in a common deck."""
    sides = dict(zip(module_of(host.spec, host.spec.data["template"]).side_ids, module.side_ids, strict=True))
    cards = [{**card, "side": sides[card["side"]]} for card in _at_hand(host, host.spec.data["template"])]
    if len(module.decks) > 1:
        return [{**card, "deck": card["side"]} for card in cards]
    return [{**card, "deck": module.decks[0], "number": number} for number, card in enumerate(cards, 1)]


def _from_file(host: Host, path: Path) -> list[dict[str, Any]]:
    """Returns the cards in a table file, or the catalogue's cards in a deck list. Raises InputError with findings."""
    if path.suffix in DECK_SUFFIXES:
        deck, found = host.read_deck(path)
        rows, findings = [dict(entry.card.values) for entry in deck.entries if entry.card], [*found]
    else:
        host.protect(path)
        cards = read_cards(path, CardReading(host.spec, path.stem, path.parent))
        rows = [dict(record.values) for record in cards.records]
        findings = cards.findings
    if has_errors(findings):
        raise InputError(f"{path} cannot be used as it is", "Correct what is listed above.", findings)
    return rows


def _check_options(host: Host, module: Any) -> None:
    """Raises UsageError for an option that the module lacks; a patch of `options` as a whole may set any option."""
    spec = host.spec
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


def _options_here(host: Host, module: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the option values for a module: those in the project file, for options that it has, and `options`.

    Raises UsageError for an option that the method does not have, and for a value that an option does not allow.
    """
    spec = host.spec
    table = spec.option_values(as_typed(host.house_readings))
    here = options_of(spec, spec.data["modules"].get(module, {}))
    return {name: value for name, value in table.items() if name in here} | spec.option_values(as_typed(options))


def _check_module(host: Host, module: Any, file: str) -> None:
    """Reports every fault of a user's own module. Raises InputError if it cannot be played, UsageError if not found."""
    spec = host.spec
    texts = () if isinstance(module, str) else texts_of(module.patch)
    places = ((text, Place(file, column_name=".".join(map(str, path)))) for path, text in texts)
    if remarks := control_characters(places):
        host.notify("module_remarks", "", remarks)
    try:
        if not isinstance(module, str):
            _report(host, in_order(module_faults(raw_module(spec, module, ""), spec)), file)
        module_of(spec, module, "")
    except BadInput as refusal:
        modules = spec.data["modules"]
        if refusal.path in ("", "base"):
            raise UsageError(f"there is no module {file}", did_you_mean(file, modules)) from None
        field = refusal.details.get("field") or refusal.path.removeprefix("patch.")
        fix = f"`carddb solo modules {next(iter(modules))}` prints a module with correct values."
        raise InputError(f"the module {file} cannot be used: {field} has a wrong value", fix) from None


def _report(host: Host, faults: Iterable[Finding], file: str, rows: Sequence[Mapping[str, Any]] = ()) -> None:
    """Reports faults as findings, with the fix and rules of their codes. Raises InputError if one prevents play."""
    codes = host.codes
    findings = []
    for fault in faults:
        card, text = card_at_fault(fault), codes[fault.code]
        name = "" if card is None else str(rows[card].get("title") or "")
        finding = as_finding(fault, Place(file) if rows else fault.where[0]._replace(file=file), name=name)
        finding = finding._replace(fix=finding.fix or text.fix, rules=finding.rules or text.rules)
        findings.append(finding._replace(severity=Severity.WARNING) if fault.code in HARMLESS else finding)
    if has_errors(findings):
        raise InputError(f"{file or 'the deck'} cannot be used as it is", "Correct what is listed above.", findings)
    if findings:
        host.notify("cards_remarks", "", findings)
