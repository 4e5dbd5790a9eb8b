"""A deck file from the command line to its findings."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from carddb.cards import Deck, Pool
from carddb.cli import show
from carddb.cli.arguments import pairs
from carddb.cli.clock import now, today
from carddb.cli.session import Session
from carddb.errors import InputError, UsageError
from carddb.findings import VERDICTS, Finding, Severity, counts, in_order, verdict
from carddb.names import did_you_mean

if TYPE_CHECKING:
    from carddb.bans.log import Log
    from carddb.deck.context import Context
    from carddb.games import Game
    from carddb.press.decklist_text import CheckedDeck

_REFERENCE = re.compile(r"\[([^\]]+)\]")


def judge(
    session: Session,
    path: Path,
    key: str | None,
    format_: str | None,
    day: date | None,
    editions: tuple[str, ...],
    options: tuple[str, ...],
    event: date | None = None,
) -> tuple[Game, CheckedDeck, Context]:
    """A deck file read and checked, with what ban lists bring until an event. Raises InputError, UsageError."""
    from carddb.press.decklist_text import CheckedDeck

    read, context = circumstances(session, path, key, format_, day, editions, options)
    game, deck = read.game, read.deck
    findings = in_order([*checked(read, context), *_until(read, context, event)])
    if game.has_rules and not game.folder.trusted:
        findings.append(_left_out(game))
    name = _format_name(game, deck, context)
    return game, CheckedDeck(deck, tuple(findings), name, context.on, read.catalogue), context


def checked(read: ReadDeck, context: Context) -> list[Finding]:
    """Everything that is found in a deck, by reader, rules and ban lists."""
    from carddb import deck as room

    checks = [*read.game.checks, read.game.ban_check]
    return in_order([*read.findings, *room.check(read.deck, read.game.spec, read.pool, context, checks)])


def circumstances(
    session: Session,
    path: Path,
    key: str | None,
    format_: str | None,
    day: date | None,
    editions: tuple[str, ...],
    options: tuple[str, ...],
) -> tuple[ReadDeck, Context]:
    """A deck file, and what it is to be judged by: where no day is named, by today where its ban list is.

    Raises InputError, UsageError.
    """
    from carddb import deck as room
    from carddb.bans.log import local_day
    from carddb.deck.bans import lists_of
    from carddb.deck.context import Context

    on = day or today()
    read = read_deck(session, path, key, on)
    game, spec = read.game, read.game.spec
    format_key, custom = _format(game, format_)
    context = Context(
        on=on,
        format=format_key,
        custom=custom,
        options=room.options(spec, {**_project_options(session, spec.key), **pairs(options, "--option")}),
        chosen={"editions": editions} if editions else {},
        bans=read.bans,
    )
    if day is None and (keys := lists_of(read.deck, spec, context)):
        context = replace(context, on=local_day(now(), read.bans.lists[keys[0]].zone))
    if editions and "editions" not in spec.header.values():
        raise UsageError(f"{spec.name} has no editions to choose", "Leave --edition out.")
    return read, context


def _until(read: ReadDeck, context: Context, event: date | None) -> list[Finding]:
    """What ban lists bring until an event, as warnings. Raises UsageError for an event in the past."""
    from carddb.deck.forecast import ahead, warned

    if event is None:
        return []
    if event < context.on:
        raise UsageError(f"the event on {event} is before {context.on}", "Judge by that day: --on.")
    told = ahead(read.deck, read.game.spec, read.pool, context, read.game.ban_check, event)
    return [warned(day, finding) for day, finding in told]


@dataclass(frozen=True, slots=True)
class ReadDeck:
    """A deck file read against the cards of a day, what its reader found, the catalogue's hash, and the ban lists."""

    game: Game
    deck: Deck
    findings: list[Finding]
    pool: Pool
    catalogue: str
    bans: Log


def read_deck(session: Session, path: Path, key: str | None, on: date) -> ReadDeck:
    """A deck file against the cards of a day. Raises InputError, UsageError."""
    from carddb.read.deck_file import game_of_deck, open_deck
    from carddb.read.deck_text import read_deck as read_text

    session.keep(path)
    text, file, found = open_deck(path)
    named = game_of_deck(text, file, {name: name for name in session.folders}) if text and not key else None
    game = session.only_game(key or named)
    with session.catalog() as catalog:
        pool = catalog.pool(game.spec, day=on)
        catalogue = catalog.revision_hash(game.key, on)
        lists = catalog.ban_log(game.key, day=on)
    if text is None:
        return ReadDeck(game, Deck(game.key, (), file=file), found, pool, catalogue, lists)
    deck, found = read_text(text, game.spec, pool, file)
    if any(finding.code == "card_unknown" for finding in found):
        found = _explained(session, game, deck, found, on)
    return ReadDeck(game, deck, found, pool, catalogue, lists)


def _explained(session: Session, game: Game, deck: Deck, found: list[Finding], on: date) -> list[Finding]:
    """The same findings; those of cards that are only out of sight say why."""
    named = {entry.place.line: entry.name for entry in deck.entries if entry.card is None}
    refs = {line: match[1] for line, name in named.items() if (match := _REFERENCE.search(name))}
    with session.catalog() as catalog:
        samples = catalog.pool(game.spec, day=on, with_sample=True)
        last = {line: revisions[-1] for line, ref in refs.items() if (revisions := catalog.history(game.key, ref))}

    def told(finding: Finding) -> Finding:
        line = finding.where[0].line if finding.where else 0
        if finding.code != "card_unknown" or line not in named:
            return finding
        bare = _REFERENCE.sub("", named[line]).strip()
        if samples.get(refs.get(line, "")) or samples.folded(bare):
            fix = "It is a sample card, and the samples stand back since you loaded cards of your own."
            return finding._replace(message=f"{bare} is not among your cards", fix=fix)
        if line in last and last[line].kind == "retired":
            return finding._replace(message=f"{bare} is retired since {last[line].in_force_from}", fix="Take it out.")
        return finding

    return [told(finding) for finding in found]


def _project_options(session: Session, key: str) -> dict[str, str]:
    return {
        name: value if isinstance(value, str) else json.dumps(value)
        for name, value in session.project.options.get(key, {}).items()
    }


def _format(game: Game, given: str | None) -> tuple[str | None, Any]:
    """A format key, or the mapping of a custom format's file. Raises UsageError, InputError."""
    if given is None:
        return None, None
    path = Path(given)
    if given in game.spec.formats or not (given == "-" or path.suffix or path.exists()):
        from carddb.deck.formats import format_key

        return format_key(game.spec, given), None
    from carddb.deck.formats import custom_faults
    from carddb.read.located_document import load
    from carddb.read.source import standard_input

    if given != "-" and not path.is_file():
        raise InputError(f"there is no file {path}", did_you_mean(given, game.spec.formats))
    document, findings = load(standard_input() if given == "-" else path)
    value = document.value if document else None
    faults = [f"{f.where[0]}: {f.message}" if f.where else f.message for f in findings]
    if document and not isinstance(value, dict):
        faults.append("it must be a mapping of filters to values")
    if isinstance(value, dict):
        faults += custom_faults(game.spec, value)
    if faults:
        known = f"Filters: {', '.join(game.spec.filters)}."
        raise InputError(f"the format {path} cannot be used:\n  " + "\n  ".join(faults), known)
    return None, value


def _left_out(game: Game) -> Finding:
    return Finding(
        "rules_not_run",
        Severity.NOT_CHECKABLE,
        f"the checks in the rules.py of {game.key} were left out",
        fix="Name its folder with --games, or in CARDDB_GAMES, to run them.",
    )


def _format_name(game: Game, deck: Deck, context: Context) -> str:
    if context.custom is not None:
        return str(context.custom.get("name", "a format of your own"))
    key = context.format or deck.headers.get("format") or game.spec.default_format
    if not key:
        return "no format"
    known = game.spec.formats.get(key)
    return known.name if known and known.name else key


def sentence(game: Game, judged: CheckedDeck) -> str:
    """`2 errors, 1 info. Not legal: Empires and Generals, Knights of Valor, on 2026-06-20.`"""
    word = VERDICTS[verdict(judged.findings)]
    tally = show.tally(judged.findings).capitalize()
    return f"{tally}. {word}: {game.spec.name}, {judged.format}, on {judged.on.isoformat()}."


def report(game: Game, judged: CheckedDeck, context: Context) -> dict[str, Any]:
    """The shape of `check --json` in the contract; options are those that differ from the game's own."""
    deck = judged.deck
    given = {name: value for name, value in context.options.items() if value != game.spec.options[name].default}
    sections = [name for name, part in game.spec.sections.items() if part.counted or deck.size(name)]
    key = context.format or deck.headers.get("format") or None
    return {
        "schema": "carddb.check/1",
        "deck": {"name": deck.name, "file": deck.file, "fingerprint": deck.fingerprint()},
        "context": {
            "game": deck.game,
            "format": "custom" if context.custom is not None else key,
            "on": judged.on.isoformat(),
            "options": dict(given),
        },
        "verdict": verdict(judged.findings),
        "counts": counts(judged.findings),
        "sections": [{"key": name, "cards": deck.size(name)} for name in sections],
        "findings": [finding.to_json() for finding in judged.findings],
    }
