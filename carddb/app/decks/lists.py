"""Deck lists with the result of the check as PDF, text or JSON, and decks in the file formats of other programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from carddb.app.cards.translations import cards_in_language
from carddb.app.decks.check import CheckRequest, DeckSource, ReadDeck, Report, check_deck, is_single, read_deck
from carddb.app.decks.check_many import Reports, check_decks
from carddb.app.workspace.clock import creation, today
from carddb.app.workspace.published_folder import PrintedFile
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Deck
from carddb.core.errors import InputError, UsageError, check_kind
from carddb.core.plain_text import amount, escaped, json_bytes
from carddb.findings import Finding, gravest_first
from carddb.game.game import GameSpec
from carddb.games import Game
from carddb.press.documents.decklist_text import deck_list_json, finding_words, totals
from carddb.read.decks.programs import WRITERS, export_deck
from carddb.read.decks.text import OpenedDeck
from carddb.read.decks.writer import write_deck

if TYPE_CHECKING:
    from carddb.press.faces.workshop import Workshop

KINDS = ("pdf", "txt", "deck", "json")


def print_deck_lists(
    project: Workspace, decks: DeckSource | Sequence[DeckSource], request: CheckRequest, kind: str, paper: str,
    only_illegal: bool = False,
) -> PrintedFile:  # fmt: skip
    """Returns the deck list of one deck, or a PDF with the lists of many decks (`only_illegal`: of the illegal ones).

    Raises InputError if there is no list to print, UsageError for an unknown kind or an invalid request.
    """
    check_kind("a deck list is", kind, KINDS)
    if is_single(decks):
        return deck_list(project, check_deck(project, decks, request), kind, paper)
    return deck_list_book(project, check_decks(project, decks, request), kind, paper, only_illegal)


def deck_list(project: Workspace, report: Report, kind: str, paper: str, lang: str = "") -> PrintedFile:
    """Returns the deck list of a checked deck as `pdf`, `json` or else text, with the cards in the language `lang`."""
    report = _report_in_language(project, report, lang)
    pages: list[Finding] = []
    if kind == "pdf":
        from carddb.press.documents.decklist import deck_lists_pdf  # typesetting, which a text does not need

        checked = report.checked_deck(_catalogue_hash(project, report))
        lists = [(_workshop(report.game, lang), checked)]
        data, _, pages = deck_lists_pdf(lists, paper, creation(report.context.on))
    elif kind == "json":
        data = json_bytes(deck_list_json(report.checked_deck(), report.game, report.to_json()))
    else:
        data = _deck_text(report)
    findings = (*report.findings, *pages)
    return PrintedFile(data, cards=1, findings=findings, summary=report.sentence, project=project)


def deck_list_book(
    project: Workspace, reports: Reports, kind: str, paper: str, only_illegal: bool, code_prefix: str | None = None,
    lang: str = "",
) -> PrintedFile:  # fmt: skip
    """Returns the deck lists of many checked decks in one PDF, with the names of cards in the language `lang`.

    If `code_prefix` is given, each list has a QR code with this prefix followed by the deck's fingerprint. Raises
    InputError if there is no list to print, UsageError if `kind` is not `pdf`.
    """
    from carddb.press.documents.decklist import deck_lists_pdf  # as above

    if kind != "pdf":
        raise UsageError("the lists of several decks can only be written as one PDF", "Write them with -o FILE.pdf.")
    printed = [r for r in reports if isinstance(r, Report) and (r.verdict == "illegal" or not only_illegal)]
    if not printed:
        remedy = "If decks cannot be read, correct them; if all decks are legal, leave out --only illegal."
        raise InputError("there is no deck list to print", remedy)
    unreadable = [report.to_json()["deck"]["file"] for report in reports if not isinstance(report, Report)]
    if unreadable:
        project.notify("decks_unreadable", f"cannot be read, and left out: {', '.join(unreadable)}")
    printed = [_report_in_language(project, report, lang) for report in printed]
    with project.working("setting the lists", len(printed)) as step:
        workshops = {key: _workshop(game, lang) for key, game in {r.game.key: r.game for r in printed}.items()}
        lists = []
        for report in printed:
            step(report.deck.name)
            checked = report.checked_deck(_catalogue_hash(project, report))
            code = "" if code_prefix is None else f"{code_prefix}{report.fingerprint}"
            lists.append((workshops[report.game.key], replace(checked, code=code)))
        data, pages, findings = deck_lists_pdf(lists, paper, creation(printed[0].context.on))
    summary = f"{amount(len(printed), 'deck list')} of {reports.sentence}"
    return PrintedFile(data, pages, pages, len(printed), tuple(findings), summary=summary, project=project)


def _workshop(game: Game, lang: str) -> Workshop:
    from carddb.press.faces.workshop import open_workshop  # as above

    return open_workshop(game, lang=lang)


def _catalogue_hash(project: Workspace, report: Report) -> str:
    with project.catalog() as catalog:
        return catalog.revision_hash(report.game.key, report.context.on)


def _deck_text(report: Report) -> bytes:
    """Returns a checked deck as a deck file, with the verdict, the findings and the totals as comments at its end."""
    # The headers get the format and the editions by which the deck was checked.
    context, deck = report.context, report.deck
    format_ = {"format": context.format} if context.format else {}
    chosen = {name: "; ".join(values) for name, values in context.chosen.items()}
    text = write_deck(replace(deck, headers={**deck.headers, **format_, **chosen}), report.game.spec)
    head, mark, tail = text.rpartition("# fingerprint")
    remarks = [f"verdict: {report.sentence}"]
    for number, finding in enumerate(gravest_first(report.findings), start=1):
        words = finding_words(finding)
        source = ", ".join(filter(None, (words["code"], words["rules"])))
        remarks.append(" ".join(filter(None, (f"{number}.", words["message"], words["fix"], f"({source})"))))
    remarks += [f"{label}: {figure} ({note})" for figure, label, note in totals(report.deck, report.game)]
    lines = "".join(f"# {remark}\n" for remark in remarks)
    return escaped(f"{head}{lines}{mark}{tail}").encode()


def _report_in_language(project: Workspace, report: Report, lang: str) -> Report:
    """Returns a report with the names of its game and cards in the language `lang`; findings are not translated."""
    if not report.game.spec.is_foreign(lang):
        return report
    entries = report.deck.entries
    cards = cards_in_language(
        project, report.game, [e.card for e in entries if e.card], lang, report.context.on, names_only=True
    )
    by_ref = {card.ref: card for card in cards}
    in_language = tuple(replace(entry, card=by_ref.get(entry.ref)) for entry in entries)
    return replace(report, game=report.game.in_language(lang), deck=replace(report.deck, entries=in_language))


DECK_KINDS = tuple(WRITERS)
TABLETOP = "tts.json"
"""The ending of files with a saved object of Tabletop Simulator."""


@dataclass(frozen=True, slots=True)
class ConvertedDeck:
    """A converted deck: the file, the findings from reading and writing it, and the names of pictures for the file."""

    data: bytes
    findings: tuple[Finding, ...]
    summary: str
    pictures: tuple[str, ...] = ()


def kind_of(path: Path) -> str:
    """Returns the kind of deck file that the ending of a path means; `deck` if it has no ending."""
    if path.name.lower().endswith(f".{TABLETOP}"):
        return TABLETOP
    return path.suffix.lower().removeprefix(".") or "deck"


def convert_deck(
    project: Workspace, deck: DeckSource | OpenedDeck, kind: str, game: str | None = None, on: date | None = None
) -> ConvertedDeck:
    """Reads a deck, and returns it as a file; `kind` is a file ending. Raises what `read_deck` and `written` raise."""
    read = read_deck(project, deck, game, on or today())
    data, remarks = written(read.deck, read.game.spec, kind)
    return ConvertedDeck(data, (*read.findings, *remarks), summary_of(read))


def written(deck: Deck, spec: GameSpec, kind: str) -> tuple[bytes, list[Finding]]:
    """Returns a deck as a file of a `kind`, and findings on what it lacks. Raises UsageError for an unknown kind."""
    if kind not in DECK_KINDS:
        remedy = f"Choose one of: {', '.join(DECK_KINDS)}. Only carddb decks convert also writes {TABLETOP}."
        raise UsageError(f"a deck cannot be written as {kind!r}", remedy)
    text, remarks = export_deck(deck, spec, kind)
    return text.encode("utf-8", "replace"), remarks


def summary_of(read: ReadDeck) -> str:
    """Returns a summary such as `40 cards, carddb1:7f3a9c21d0`."""
    cards = sum(entry.count for entry in read.deck.entries)
    return f"{amount(cards, 'card')}, {read.deck.fingerprint()}"
