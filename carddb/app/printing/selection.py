"""Selecting the cards to print by deck files, references and a query, and finding earlier prints."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from carddb.app.cards.search import by_reference, search
from carddb.app.cards.translations import cards_in_language
from carddb.app.decks.check import CheckRequest, DeckSource, check_deck
from carddb.app.workspace.clock import today
from carddb.app.workspace.day_cards import with_options
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Card, Printing
from carddb.cards.print_history import PrintJob, Pull
from carddb.cards.query import folded
from carddb.core.errors import InputError, UsageError
from carddb.core.options import as_typed
from carddb.core.plain_text import amount, escaped
from carddb.findings import Finding, Severity
from carddb.game.game import GameSpec
from carddb.games import Game
from carddb.read.cards.file import PRINTINGS


def since_words(since: str) -> str:
    """Returns the words by which messages name the earlier print `since`, such as `the last print`."""
    return "the last print" if since == "last" else since


def previous_job(project: Workspace, since: str, game: Game, title: str, size: str) -> PrintJob | None:
    """Returns an earlier print: the last one (`last`), the last one up to a day, or the one in a manifest file.

    Returns None if none is recorded. Raises UsageError for another text, or a manifest of another game or card size.
    """
    until = date.max
    if since != "last":
        try:
            until = date.fromisoformat(since)
        except ValueError:
            return _from_manifest(Path(since), game, size)
    with project.catalog() as catalog:
        return catalog.last_print_job(game.key, title, size, until=until)


def manifest(project: Workspace, job: PrintJob, on: date) -> bytes:
    """Returns the manifest of a print: a file that lists what was printed, to compare a later print with it."""
    with project.catalog() as catalog:
        revision = catalog.revision_hash(job.game, on)
    return job.manifest(on, revision)


def pull_list(pulls: Sequence[Pull], title: str) -> str:
    """Returns the list of cards to throw away as text, with a line for each."""
    count = sum(pull.copies for pull in pulls)
    lines = [f"Throw away {amount(count, 'card')} of {title}:" if count else f"Throw away nothing of {title}."]
    lines += [f"{pull.copies} {pull.name} [{pull.ref}]  # {pull.why}" for pull in pulls]
    return escaped("\n".join(lines))


def _from_manifest(path: Path, game: Game, size: str) -> PrintJob:
    if not path.is_file():
        problem = f"--since {path} is neither `last`, nor a day such as 2026-06-20, nor a file"
        raise UsageError(problem, "To compare with the last print, write --since last.")
    from carddb.read.documents.manifest_parts import read_manifest  # Pydantic, 40 ms, only for a file of another print

    job = read_manifest(path)
    if job.game != game.key:
        raise UsageError(f"{path} lists a print of {job.game}, not of {game.key}", f"Name a manifest of {game.key}.")
    if job.size != size:
        problem = f"{path} lists cards of {job.size}, and the cards to print measure {size}"
        raise UsageError(problem, "Choose the same card size with --card-size, or another manifest.")
    return job


_MOST_CARDS = 200_000
_SUFFIX = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}")


class Selection(NamedTuple):
    """Cards to print with their numbers of copies, a title, and the findings about the decks that they come from.

    `sections` maps references of cards to the labels of their deck sections.
    """

    game: Game
    copies: list[tuple[Card, int]]
    title: str
    findings: list[Finding]
    sections: dict[str, str]


def select(project: Workspace, arguments: Sequence[str], request: CheckRequest, playsets: bool = False) -> Selection:
    """Returns the cards that `arguments` select: deck files, references, and a query made of all other words.

    With `playsets`, there are as many copies of the query's cards as a playset has. Raises UsageError if the selection
    or the request is invalid, InputError if a deck cannot be read, QueryError if the query cannot be read.
    """
    on = request.on or today()
    request, of_deck = replace(request, on=on), any(map(is_deck_file, arguments))
    only_decks = UsageError(
        "only a deck can be checked", "Leave --format, --edition and --option out, or name a deck file."
    )
    if not of_deck and (request.format or request.editions):
        raise only_decks
    parts: list[Selection] = []
    words: list[str] = []
    for argument in arguments:
        if is_deck_file(argument):
            path = Path(argument)
            if argument != "-" and not path.is_file():
                remedy = "Check its name. If a query is meant, write it without / and without an ending such as .deck."
                raise InputError(f"there is no deck file {argument}", remedy)
            parts.append(select_deck(project, path, request))
        elif part := _of_reference(project, argument, request.game, on):
            parts.append(part)
        else:
            words.append(argument)
    hits = _of_query(project, " ".join(words), request.game, on) if words else []
    if request.options and not of_deck and not any(part.game.hook("in_print") for part in hits):
        raise only_decks
    hits = [_as_played(project, part, request.options) for part in hits]
    for part in hits:
        # Each card has the picture of its printing in a set that the query names, in full or in part.
        texts = part.game.spec.query(" ".join(words)).texts()
        sets = [folded(text).strip() for field, text in texts if field == "set"]
        cards = [_as_printed(part.game.spec, card, _of_sets(card, sets)) for card, _ in part.copies]
        copies = [(card, _quantity(card, sets) if playsets else own_count(part.game, card)) for card in cards]
        parts.append(part._replace(copies=copies))
    if playsets and not hits:
        project.notify("playset_unused", "playset changes nothing here, because no cards are chosen by a query")
    return _joined(project, parts)


def select_cards(project: Workspace, query: str, key: str | None, on: date) -> Selection:
    """Returns the card with the reference `query`, or else those that the query finds.

    Raises QueryError if the query cannot be read, UsageError for cards of several games.
    """
    part = _of_reference(project, query, key, on)
    parts = [part] if part else [_as_played(project, hits, {}) for hits in _of_query(project, query, key, on)]
    return _joined(project, parts)


def select_deck(project: Workspace, source: DeckSource, request: CheckRequest) -> Selection:
    """Returns the cards of a deck, with the findings about it. Raises what `check_deck` raises."""
    report = check_deck(project, source, request)
    deck, spec = report.deck, report.game.spec
    copies = [(_of_code(spec, entry.card, entry.printing), entry.count) for entry in deck.entries if entry.card]
    sections = {entry.ref: spec.section_label(entry.section) for entry in reversed(deck.entries)}
    findings = [finding for finding in report.findings if finding.severity is not Severity.INFO]
    return Selection(report.game, copies, deck.name or Path(deck.file).stem or "deck", findings, sections)


def selection_in_language(project: Workspace, selection: Selection, lang: str, on: date) -> Selection:
    """Returns a selection with its texts in the language `lang`; a notice says what is not translated."""
    game = selection.game.in_language(lang)
    cards = cards_in_language(project, game, [card for card, _ in selection.copies], lang, on)
    labels = {selection.game.spec.section_label(key): game.spec.section_label(key) for key in game.spec.sections}
    return selection._replace(
        game=game,
        copies=[(card, count) for card, (_, count) in zip(cards, selection.copies, strict=True)],
        sections={ref: labels.get(label, label) for ref, label in selection.sections.items()},
    )


def _as_played(project: Workspace, part: Selection, options: Mapping[str, Any]) -> Selection:
    """Returns a selection without cards that are not used under house readings. Raises UsageError for invalid ones."""
    if not part.game.hook("in_print"):
        return part
    game, changed = with_options(project, part.game, options)
    cards = game.in_print([card for card, _ in part.copies]) if changed else [card for card, _ in part.copies]
    out = len(part.copies) - len(cards)
    if out:
        values = as_typed(game.spec.readings)
        readings = ", ".join(f"{name} {values[name]}" for name in changed)
        project.notify("cards_left_out", f"{amount(out, 'card')} left out, because they are not played with {readings}")
    return part._replace(copies=[(card, 1) for card in cards])


def stamp_of(findings: Sequence[Finding], on: date) -> str:
    """Returns the stamp that is printed on every page of an illegal deck; empty if there is no error.

    For example `NOT LEGAL on 2026-06-20: Maharbal: 6 copies, at most 5 of a common card (E-21), and 2 more`.
    """
    faults = [finding for finding in findings if finding.severity is Severity.ERROR]
    if not faults:
        return ""
    first, more = faults[0], len(faults) - 1
    rules = f" ({', '.join(first.rules)})" if first.rules else ""
    return f"NOT LEGAL on {on.isoformat()}: {first.message}{rules}" + (f", and {more} more" if more else "")


def is_deck_file(argument: str) -> bool:
    """Returns whether an argument names a file: it exists, is `-`, or has a path separator or a suffix."""
    path = Path(argument)
    if argument == "-" or "/" in argument or "\\" in argument or _SUFFIX.fullmatch(path.suffix):
        return True
    try:
        return path.is_file()
    except OSError:
        return False


def _of_reference(project: Workspace, ref: str, key: str | None, on: date) -> Selection | None:
    hit = by_reference(project, ref, key, on)
    return Selection(hit[0], [(_of_code(hit[0].spec, hit[1], ref), 1)], hit[1].name, [], {}) if hit else None


def _of_query(project: Workspace, query: str, key: str | None, on: date) -> list[Selection]:
    """Returns the cards that a query finds, as one selection for each game, with the query as its title."""
    hits = search(project, query, key, on)
    games = [project.game(name) for name in dict.fromkeys(card.game for card in hits)]
    parts = [Selection(game, [(card, 1) for card in hits if card.game == game.key], query, [], {}) for game in games]
    return parts or [Selection(project.searched_games(key)[0], [], query, [], {})]


def _joined(project: Workspace, parts: Sequence[Selection]) -> Selection:
    """Returns several selections as one. Raises UsageError if they have cards of several games, or too many cards."""
    copies = [copy for part in parts for copy in part.copies]
    total = sum(count for _, count in copies)
    if total > _MOST_CARDS:
        problem = f"{total:,} cards were chosen, and at most {_MOST_CARDS:,} can be printed at once"
        raise UsageError(problem, "Print them in parts.")
    games = {part.game.key: part.game for part in parts if part.copies or part.findings}
    if len(games) > 1:
        remedy = f"Choose one game with --game: {', '.join(sorted(games))}."
        raise UsageError("the selection has cards of several games", remedy)
    game = next(iter(games.values()), parts[0].game if parts else project.all_games()[0])
    title = ", ".join(part.title for part in parts)
    findings = [finding for part in parts for finding in part.findings]
    sections = {ref: section for part in parts for ref, section in part.sections.items()}
    return Selection(game, copies, title, findings, sections)


# A printing chosen by its code or its set decides with which picture, flavour text and artist the card is drawn.


def _of_sets(card: Card, sets: Iterable[str]) -> list[Printing]:
    """Returns the printings of a card in sets whose folded names contain one of `sets`."""
    return [each for each in card.printings if any(part in folded(each.set) for part in sets)]


def _of_code(spec: GameSpec, card: Card, code: str) -> Card:
    """Returns a card with the picture and texts of its printing with the code `code`, if there is one."""
    return _as_printed(spec, card, (each for each in card.printings if each.code.casefold() == code.casefold()))


def _as_printed(spec: GameSpec, card: Card, printings: Iterable[Printing]) -> Card:
    """Returns a card with the picture, flavour text and artist of the first printing that has any of these.

    The game's fields for these texts are found by the headings that files of printings use for them.
    """
    own = next((each for each in printings if each.art or each.flavor or each.artist), None)
    if own is None:
        return card
    values = {"art": own.art} if own.art else {}
    for name, text in (("flavor", own.flavor), ("artist", own.artist)):
        fields = filter(None, map(spec.field_words.find, PRINTINGS.field_words.words_of(name)))
        field = next((each for each in fields if each in spec.fields_of(card.type)), None)
        values |= {field: text} if field and text else {}
    return card._replace(values={**card.values, **values})


def own_count(game: Game, card: Card) -> int:
    """Returns how many copies of a card its game has, by the card's field `count`; 1 if it has none."""
    return int(card.get("count", 1)) if game.spec.counts_copies else 1


def _quantity(card: Card, sets: Sequence[str]) -> int:
    """Returns the largest number of copies in a playset of a card's printings in `sets`, or else of all printings."""
    printings = [each for each in card.printings if each.quantity]
    in_sets = [each for each in _of_sets(card, sets) if each.quantity]
    return max((each.quantity or 1 for each in in_sets or printings), default=1)
