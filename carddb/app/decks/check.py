"""Checking one deck: reading it, running the game's checks, and reporting the findings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeGuard

from carddb.app.workspace.clock import now, today
from carddb.app.workspace.day_cards import DayCards, day_cards, option_texts
from carddb.app.workspace.words import notebook
from carddb.app.workspace.workspace import Workspace
from carddb.bans.log import Log, local_day
from carddb.cards.cards import Deck, Pool
from carddb.core.errors import InputError, UsageError
from carddb.core.names import did_you_mean
from carddb.core.options import HouseReadings, Option
from carddb.core.plain_text import tally
from carddb.deck import check as check_by_data
from carddb.deck.check.bans import lists_of
from carddb.deck.check.forecast import DatedCheck, warned
from carddb.deck.check.formats import custom_faults, format_key
from carddb.deck.context import Check, Context
from carddb.findings import VERDICTS, Finding, Place, Severity, counts, exit_code, in_order, info, verdict
from carddb.game.game import GameSpec
from carddb.games import Game, folders
from carddb.press.documents.decklist_text import CheckedDeck
from carddb.read.decks import text as deck_text
from carddb.read.decks.text import OpenedDeck, header_of, open_deck
from carddb.read.documents.located_document import load
from carddb.read.source import standard_input

if TYPE_CHECKING:
    from carddb.catalog.store import Catalog


def rules_not_run(key: str, fix: str = "To run them, name its folder with --games or in CARDDB_GAMES.") -> Finding:
    """Returns the finding that says that the rules.py of a game was not run."""
    return Finding("rules_not_run", Severity.NOT_CHECKABLE, f"the checks in rules.py of {key} were not run", fix=fix)


def check(deck: Deck, spec: GameSpec, pool: Pool, context: Context, checks: Sequence[Check] = ()) -> list[Finding]:
    """Returns the sorted findings about a deck, from a game's sections, limits and formats, and from `checks`.

    `checks` are the checks in the game's rules.py (`game.checks`) and of its ban lists (`game.ban_check`). If the game
    has a rules.py and `checks` is empty, or if it has ban lists and `context.bans` is None, a finding says that the
    deck is not checkable. `carddb.open().check(deck)` passes both.
    """
    findings = check_by_data(deck, spec, pool, context, checks)
    folder = folders().get(spec.key)
    if not checks and (folder is None or (folder.path / "rules.py").is_file()):
        findings.append(rules_not_run(spec.key, "Use carddb.open(), or pass game.checks and game.ban_check."))
    if context.bans is None and (folder is None or folder.bans_file):
        message = f"the deck was not checked against the ban lists of {spec.key}, which were not given"
        fix = "Use carddb.open(), or pass them: Context(bans=catalog.ban_log(key, day=on))."
        findings.append(Finding("bans_not_given", Severity.NOT_CHECKABLE, message, fix=fix))
    return in_order(findings)


DeckSource = str | Path | Deck
"""A deck file (`-`: standard input), the text of a deck (with at least one newline), or a deck that was read before."""

_REFERENCE = re.compile(r"\[([^\]]+)\]")


@dataclass(frozen=True, slots=True)
class ReadDeck:
    """A deck with the findings from reading it, and the cards and ban lists of its game on the day of the check."""

    game: Game
    deck: Deck
    findings: list[Finding]
    pool: Pool
    bans: Log


def is_single(decks: object) -> TypeGuard[DeckSource]:
    """Returns whether `decks` is a single deck, that is, neither a folder nor a list of decks."""
    if isinstance(decks, Deck) or (isinstance(decks, str) and "\n" in decks):
        return True
    return isinstance(decks, str | Path) and not Path(decks).is_dir()


def read_deck(
    project: Workspace,
    deck: DeckSource | OpenedDeck,
    key: str | None,
    on: date,
    cards: DayCards | None = None,
    format_: str | None = None,
) -> ReadDeck:
    """Reads a deck, and looks up its cards as they are on the day `on`.

    `key` is the game; by default, the deck or the project names it, or its cards show it. `format_` is a format that
    the user chose in place of the deck's own. `cards` are the cards in a catalogue that is already open (None: it is
    opened for this deck). Raises InputError if the deck cannot be read, UsageError for an unknown game.
    """
    text, file, findings = (None, deck.file, []) if isinstance(deck, Deck) else _text_of(project, deck)
    if not key and isinstance(deck, Deck):
        key = deck.game
    is_named = bool(key or project.settings.game)
    if not key:
        name = header_of(text or "", file, "game")
        key = project.game_called(name) if name else None
        is_named = is_named or bool(name)
    if is_named or not text:
        project.only_game(key)  # raises an error before a catalogue is made
    with nullcontext(cards) if cards else day_cards(project) as cards:
        assumed: list[Finding] = []
        if not is_named and text:
            key = _game_of_cards(project, cards, deck_text.mentioned_words(text), on)
            if key:
                message = (
                    f"the deck names no game; by its cards, it was read as a deck of {project.game(key).spec.name}"
                )
                assumed = [info("game_assumed", message, Place(file), fix=f"Add this line to the deck: Game: {key}")]
        game = project.only_game(key)
        pool, bans = cards.pool(game, on), cards.bans(game, on)
        if isinstance(deck, Deck):
            return ReadDeck(game, deck, [], pool, bans)
        if text is None:
            return ReadDeck(game, Deck(game.key, (), file=file), findings, pool, bans)
        chosen = game.spec.format_named(format_) if format_ else None
        read, findings = deck_text.read_deck(text, game.spec, pool, file, chosen)
        findings = [*assumed, *findings]
        if any(finding.code == "card_unknown" for finding in findings):
            findings = _with_causes(cards.catalog, game, read, findings, on)
    return ReadDeck(game, read, findings, pool, bans)


def _game_of_cards(project: Workspace, cards: DayCards, words: Set[str], on: date) -> str | None:
    """Returns the key of the game with at least three times as many cards among `words` as any other, else None."""
    named = [(0, ""), (0, "")]
    named += sorted((len(cards.catalog.mentioned(game.spec, words, day=on)), game.key) for game in project.all_games())
    (second, _), (most, key) = named[-2], named[-1]
    return key if most and most >= 3 * second else None


def _text_of(project: Workspace, deck: str | Path | OpenedDeck) -> OpenedDeck:
    """Returns the text, the file and the findings of a deck. Raises InputError if the file cannot be read."""
    if isinstance(deck, OpenedDeck):
        return deck
    if isinstance(deck, str) and "\n" in deck:
        return OpenedDeck(deck, "", [])
    path = Path(deck)
    project.protect(path)
    return open_deck(path)


def _with_causes(catalog: Catalog, game: Game, deck: Deck, findings: list[Finding], on: date) -> list[Finding]:
    """Returns `findings`; if an unknown card is a sample card or was retired, its finding says so instead."""
    names = {entry.place.line: entry.name for entry in deck.entries if entry.card is None}
    refs = {line: match[1] for line, name in names.items() if (match := _REFERENCE.search(name))}
    samples = catalog.pool(game.spec, day=on, with_sample=True)
    last = {line: revisions[-1] for line, ref in refs.items() if (revisions := catalog.history(game.key, ref))}

    def with_cause(finding: Finding) -> Finding:
        line = finding.where[0].line if finding.where else 0
        if finding.code != "card_unknown" or line not in names:
            return finding
        name = _REFERENCE.sub("", names[line]).strip()
        if samples.get(refs.get(line, "")) or samples.folded(name):
            fix = "It is a sample card, and sample cards are left out once you have loaded cards of your own."
            fix += " To have both, load your cards with --keep-samples."
            return finding._replace(message=f"{name} is not among your cards", fix=fix)
        if line in last and last[line].kind == "retired":
            message = f"{name} has been retired since {last[line].in_force_from}"
            return finding._replace(message=message, fix="Take the card out of the deck.")
        return finding

    return [with_cause(finding) for finding in findings]


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """The game, format, day and options by which a deck is checked.

    `format` is a key, a file, or the filters of a custom format; None means the format that the deck names, or else the
    game's default. `on` is the day whose cards and ban lists apply (None: today in the ban list's time zone). `event`
    is a later day; ban list changes already announced that would forbid the deck by then give warnings. If `files` is
    False, a text in `format` is always a key, never the name of a file.
    """

    # fmt: off
    game: Annotated[str | None, Option("The game, if the deck does not name it.", metavar="G")] = None
    format: Annotated[str | Path | Mapping[str, Any] | None, Option(
        "A format of the game, or a file with your own format.", metavar="KEY")] = None
    on: Annotated[date | None, Option("The day whose cards and rules apply (default: today).")] = None
    event: Annotated[date | None, Option("Warn of announced ban list changes that forbid the deck by this day.")] = None
    editions: Annotated[tuple[str, ...], Option(
        "An edition that the players have chosen.", flag="--edition", metavar="NAME")] = ()
    options: HouseReadings = field(default_factory=dict)
    # fmt: on
    files: bool = True

    @property
    def default(self) -> bool:
        """True if format, editions and options all have their default values."""
        return not (self.format or self.editions or self.options)


@dataclass(frozen=True, slots=True)
class Report:
    """The result of checking a deck: its findings, and the context in which it was checked."""

    game: Game
    deck: Deck
    findings: tuple[Finding, ...]
    context: Context
    format: str
    """The name of the format."""

    @property
    def verdict(self) -> str:
        """`legal`, `illegal` or `not_checkable`."""
        return verdict(self.findings)

    @property
    def exit_code(self) -> int:
        """The exit code of `carddb check`: 0 legal, 1 illegal, 4 not checkable."""
        return exit_code(self.findings)

    @property
    def fingerprint(self) -> str:
        return self.deck.fingerprint()

    @property
    def sentence(self) -> str:
        """A summary such as `2 errors, 1 info. Not legal: Empires and Generals, Knights of Valor, on 2026-06-20.`"""
        word, day = VERDICTS[self.verdict], self.context.on.isoformat()
        return f"{tally(counts(self.findings)).capitalize()}. {word}: {self.game.spec.name}, {self.format}, on {day}."

    def checked_deck(self, catalogue: str = "") -> CheckedDeck:
        """Returns the deck as it is printed on a deck list; `catalogue` is the hash of the cards used for the check."""
        played = self.format if self.game.spec.formats or self.context.custom is not None else ""
        return CheckedDeck(self.deck, self.findings, played, self.context.on, catalogue)

    def to_json(self) -> dict[str, Any]:
        """Returns what `check --json` shows; options with default values are left out."""
        deck, context, spec = self.deck, self.context, self.game.spec
        options = {name: value for name, value in context.options.items() if value != spec.options[name].default}
        sections = [name for name, part in spec.sections.items() if part.counted or deck.size(name)]
        key = context.format or deck.headers.get("format") or None
        return {
            "schema": "carddb.check/1",
            "deck": {"name": deck.name, "file": deck.file, "fingerprint": self.fingerprint},
            "context": {
                "game": deck.game,
                "format": "custom" if context.custom is not None else key,
                "on": context.on.isoformat(),
                "options": options,
            },
            "verdict": self.verdict,
            "counts": counts(self.findings),
            "sections": [{"key": name, "cards": deck.size(name)} for name in sections],
            "findings": [finding.to_json() for finding in self.findings],
        }

    def _repr_html_(self) -> str:
        """Returns the verdict and a table with a row for each finding, as HTML."""
        rows = [
            (f.severity.value, f.code, str(f.where[0]) if f.where else "", f.message, f.fix, ", ".join(f.rules))
            for f in self.findings
        ]
        return notebook("checked_deck", self, VERDICTS[self.verdict], rows)


def check_deck(
    project: Workspace, deck: DeckSource | OpenedDeck, request: CheckRequest, cards: DayCards | None = None
) -> Report:
    """Checks one deck; `cards` are the cards in a catalogue that is already open (None: it is opened for this deck).

    Raises InputError if the deck cannot be read, UsageError if the request is invalid.
    """
    return report_of(*deck_and_context(project, deck, request, cards), request.event)


def report_of(read: ReadDeck, context: Context, event: date | None = None) -> Report:
    """Checks a deck that was read before; announced changes that forbid it by the day `event` give warnings."""
    on_day = DatedCheck(read.deck, read.game.spec, read.pool, context, read.game.ban_check) if event else None
    coming = on_day.ahead(event) if on_day and event else ()
    findings = in_order([*findings_of(read, context), *(warned(day, finding) for day, finding in coming)])
    if not read.game.folder.trusted and read.game.has_rules:
        findings.append(rules_not_run(read.game.key))
    return Report(read.game, read.deck, tuple(findings), context, _format_words(read.game, read.deck, context))


def findings_of(read: ReadDeck, context: Context) -> list[Finding]:
    """Returns every finding about a deck: from reading it, from the game's rules, and from the ban lists."""
    checks = [*read.game.checks, read.game.ban_check]
    return in_order([*read.findings, *check_by_data(read.deck, read.game.spec, read.pool, context, checks)])


def deck_and_context(
    project: Workspace, deck: DeckSource | OpenedDeck, request: CheckRequest, cards: DayCards | None = None
) -> tuple[ReadDeck, Context]:
    """Returns a deck as read, and the context of its check: its day, format, options and ban lists.

    Raises InputError if the deck cannot be read, UsageError if the request is invalid.
    """
    on = request.on or today()
    chosen = request.format if isinstance(request.format, str) else None
    read = read_deck(project, deck, request.game, on, cards, chosen)
    spec = read.game.spec
    format_key, custom = _format(read.game, request.format, request.files)
    context = Context(
        on=on,
        format=format_key,
        custom=custom,
        options=spec.readings_with(option_texts(project, spec.key, request.options)),
        chosen={"editions": request.editions} if request.editions else {},
        bans=read.bans,
    )
    if request.on is None and (keys := lists_of(read.deck, spec, context)):
        context = replace(context, on=local_day(now(), read.bans.lists[keys[0]].zone))
    if request.editions and "editions" not in spec.header.values():
        raise UsageError(f"{spec.name} has no editions to choose", "Leave --edition out.")
    if request.event and request.event < context.on:
        problem = f"the event on {request.event} is before {context.on}, the day of the check"
        raise UsageError(problem, f"Check the deck as of that day: --on {request.event}.")
    return read, context


def _format(
    game: Game, format_: str | Path | Mapping[str, Any] | None, files: bool
) -> tuple[str | None, Mapping[str, Any] | None]:
    """Returns the key of the chosen format, or the filters of a custom format; both are None if none was chosen.

    Raises UsageError for an unknown key, InputError for a file that cannot be used.
    """
    if format_ is None:
        return None, None
    if isinstance(format_, Mapping):
        return None, _custom_format(game, "the format", format_, [])
    path = Path(format_)
    if not files or str(format_) in game.spec.formats or not (str(format_) == "-" or path.suffix or path.exists()):
        return format_key(game.spec, str(format_)), None
    if str(format_) != "-" and not path.is_file():
        raise InputError(f"there is no file {path}", did_you_mean(str(format_), game.spec.formats) or "Check its name.")
    document, findings = load(standard_input() if str(format_) == "-" else path)
    faults = [f"{f.where[0]}: {f.message}" if f.where else f.message for f in findings]
    return None, _custom_format(game, f"the format {path}", document.value if document else None, faults)


def _custom_format(game: Game, title: str, value: Any, faults: list[str]) -> Mapping[str, Any]:
    """Returns the filters of a custom format. Raises InputError with every fault in `value`, and those in `faults`."""
    if isinstance(value, Mapping):
        faults += custom_faults(game.spec, value)
    elif value is not None:
        faults.append("a format must be a mapping of filters to values")
    if faults or value is None:
        filters = f"Correct the format. It can have these filters: {', '.join(game.spec.filters)}."
        raise InputError(f"{title} cannot be used:\n  " + "\n  ".join(faults), filters)
    return dict(value)


def _format_words(game: Game, deck: Deck, context: Context) -> str:
    if context.custom is not None:
        return str(context.custom.get("name", "a format of your own"))
    key = context.format or deck.headers.get("format") or game.spec.default_format
    if not key:
        return "no format"
    spec = game.spec.formats.get(key)
    return spec.name if spec and spec.name else key
