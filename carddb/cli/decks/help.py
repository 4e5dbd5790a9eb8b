"""The commands about a deck besides checking it: `decklist`, and those of `decks`."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import click

from carddb.app.decks import help as deck_help
from carddb.app.decks.check import CheckRequest, check_deck
from carddb.app.decks.check_many import check_decks
from carddb.app.decks.lists import (
    DECK_KINDS,
    KINDS,
    TABLETOP,
    convert_deck,
    deck_list,
    deck_list_book,
    kind_of,
    written,
)
from carddb.app.decks.odds import DeckOdds, HandRequest, OpeningHand, deck_odds, deck_statistics
from carddb.cli import show
from carddb.cli.decks.check import BY, check_request, deck_options
from carddb.cli.options import (
    FILE,
    LANG,
    declared_options,
    executor_options,
    executor_request,
    json_option,
    paper_option,
    taken,
    verb,
)
from carddb.cli.session import Session
from carddb.core.errors import UsageError, check_kind
from carddb.core.options import pairs
from carddb.core.plain_text import amount
from carddb.findings import exit_code
from carddb.play.chance import text

_write = click.option("--write", is_flag=True, help="Write the deck back; the old file is kept as FILE~.")


def _request(options: dict[str, Any]) -> deck_help.HelpRequest:
    return deck_help.HelpRequest(check_request(options), **taken(deck_help.HelpRequest, options))


def _checked(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds to a command the options that say how decks are checked, and which cards the user owns."""
    owned = declared_options(deck_help.HelpRequest, ["owned"])
    return declared_options(CheckRequest, ("game", *BY, "on"))(owned(command))


@verb()
@click.argument("deck", type=FILE)
@_write
@_checked
@json_option
def fix(session: Session, /, deck: Path, write: bool, json_: bool, **options: Any) -> int:
    """Show the smallest change that makes a deck legal, and make it with --write.

    Each step says which rule requires it and why no smaller step is enough. A card that the deck is built on, such as
    its only officer, is never taken out.
    """
    proposal = deck_help.fix_deck(session.project, deck, _request(options))
    lines = []
    for number, step in enumerate(getattr(proposal.result, "steps", ()), 1):
        rules = f"   rules: {', '.join(step.rules)}" if step.rules else ""
        lines += [show.style(f"{number}. {step.words}", bold=True), f"    {step.reason}\n    {step.why}{rules}"]
    return _propose(session, deck, proposal, lines, write, json_)


@verb()
@click.argument("deck", type=FILE)
@_write
@_checked
@declared_options(deck_help.HelpRequest, ["seed"])
@json_option
def fill(session: Session, /, deck: Path, write: bool, json_: bool, **options: Any) -> int:
    """Add cards until a deck is legal; its own cards stay."""
    proposal = deck_help.fill_deck(session.project, deck, _request(options))
    lines = [
        f"Add {each.after - each.before} {each.name} [{each.ref}] to {proposal.spec.section_label(each.section)}"
        for each in proposal.result.difference.changes
    ]
    return _propose(session, deck, proposal, lines, write, json_)


@verb()
@_checked
@declared_options(deck_help.HelpRequest, ["seed"])
@click.option(
    "--balanced", is_flag=True, help="Use the numbers of each type that the game recommends, or that its example has."
)
@click.option("--header", "headers", multiple=True, metavar="K=V", help="A header of the deck, such as name=Mine.")
@show.output_option("The file for the deck; its suffix chooses the format.")
def new(session: Session, /, balanced: bool, headers: tuple[str, ...], output: Path, **options: Any) -> int:
    """Make a legal deck from nothing."""
    proposal = deck_help.new_deck(session.project, _request(options), pairs(headers, "--header"), balanced=balanced)
    if proposal.legal:
        session.write(output, written(proposal.deck, proposal.spec, kind_of(output))[0])
        session.say(f"{output}: {proposal.result.sentence}")
    else:
        _show_end(proposal)
    return proposal.exit_code


@verb()
@click.argument("first", type=FILE, metavar="A")
@click.argument("second", type=FILE, metavar="B")
@declared_options(CheckRequest, ("game", "on"))
@json_option
def diff(session: Session, /, first: Path, second: Path, game: str | None, on: date | None, json_: bool) -> None:
    """Show the cards that only one of two decks has, and the cards with different counts, by section."""
    result = deck_help.diff_decks(session.project, first, second, game, on)
    if json_:
        return show.as_json(result.to_json())
    if not result.changes:
        show.echo("The decks have the same cards.")
    for title, changes in (
        (f"Only in {first}", result.only_before),
        (f"Only in {second}", result.only_after),
        ("In both, with different counts", result.counts),
    ):
        if changes:
            show.echo(show.style(title, bold=True))
        for change in changes:
            counts = f"{change.before} → {change.after}" if change in result.counts else change.before or change.after
            ref = "" if change.ref.startswith("?") else f" [{change.ref}]"
            show.echo(f"  {change.section}: {counts} {show.style(change.name, bold=True)}{ref}")


def _propose(
    session: Session, deck: Path, proposal: deck_help.DeckProposal, changes: Sequence[str], write: bool, json_: bool
) -> int:
    """Prints a proposal with its `changes` as lines, and writes the deck back if `write`. Returns the exit code."""
    if json_:
        show.as_json(proposal.to_json())
    else:
        show.findings(proposal.unread)
        for name, card in proposal.respelled:
            show.echo(f"{name} is read as {card.name} [{card.ref}].")
        for line in changes:
            show.echo(line)
        _show_end(proposal)
    if write and (changes or proposal.respelled):
        session.say(f"{deck}: written; the old file is {deck_help.write_back(deck, proposal)}")
    return proposal.exit_code


def _show_end(proposal: deck_help.DeckProposal) -> None:
    """Prints the faults that remain, and the summary of the proposal."""
    show.findings((*proposal.result.faults, *proposal.result.header_faults))
    for card in getattr(proposal.result, "cornerstones", ()) if proposal.result.faults else ():
        show.echo(f"{card.name} stays: the deck is built on it.")
    show.echo(proposal.result.sentence)


MOST_BARS = 16
"""The most bars of a curve. If there are more values, each bar stands for a range of values."""
_SHORT = show.BAR // 2
"""The width of a bar beside an exact probability, in characters."""


@verb()
@click.argument("deck", type=FILE)
@declared_options(CheckRequest, ("game", "on"))
@click.option("--hand", type=int, metavar="N", help="Number of cards in an opening hand (default: the game's rule).")
@json_option
def stats(session: Session, /, deck: Path, game: str | None, on: date | None, hand: int | None, json_: bool) -> None:
    """Show how many cards a deck has by section, type and other fields, and the exact odds of an opening hand."""
    result = deck_statistics(session.project, deck, game, on, hand)
    if json_:
        return show.as_json(result.to_json())
    show.findings(result.findings, err=True)
    numbers = result.numbers
    _bars("Sections", numbers.sections)
    _bars("Types", numbers.types)
    for name, counts in numbers.choices.items():
        if len(counts) > 1:
            _bars(result.labels[name], {label.replace("_", " "): count for label, count in counts.items()})
    for name, curve in numbers.curves.items():
        if len(curve) > 1:
            average = sum(value * count for value, count in curve.items()) / sum(curve.values())
            mean = f"{average:,.0f}" if average >= 1000 else f"{round(average, 2):g}"
            _bars(f"{result.labels[name]}: {mean} on average", in_steps(curve))
    for opening in result.hands:
        _show_hand(opening)
    for note in result.notes:
        show.echo(note)


def in_steps(curve: Mapping[int | float, int]) -> dict[str, int]:
    """Returns the copies for each bar by its label: a value of `curve` or, if there are many, a range of values."""
    least, most = min(curve), max(curve)
    if most - least < MOST_BARS and all(value == int(value) for value in curve):
        return {str(value): curve.get(value, 0) for value in range(int(least), int(most) + 1)}
    if len(curve) <= MOST_BARS:
        return {f"{value:g}": count for value, count in curve.items()}
    # The smallest round step (1, 2 or 5 times a power of ten) that needs no more bars than allowed.
    steps = (round_ * 10**power for power in itertools.count() for round_ in (1, 2, 5))
    step = next(step for step in steps if (most - least) / step < MOST_BARS - 1)
    first = int(least // step)
    counts = [0] * (int(most // step) - first + 1)
    for value, count in curve.items():
        counts[int(value // step) - first] += count
    return {f"from {(first + at) * step:,}": count for at, count in enumerate(counts)}


def _bars(title: str, counts: Mapping[str, int]) -> None:
    """Prints a title and a bar for each count. The longest bar is as wide as allowed."""
    if not counts:
        return
    show.echo(show.style(title, bold=True))
    longest, width = max(counts.values()), max(map(len, counts))
    labels = (label.rjust(width) if label.lstrip("-")[:1].isdigit() else label for label in counts)
    show.bars([(label, count / longest, str(count)) for label, count in zip(labels, counts.values(), strict=True)])


def _show_hand(hand: OpeningHand) -> None:
    """Prints the probability of drawing at least one card of each type, and of drawing one particular copy."""
    show.echo(show.style(f"An opening hand of {hand.drawn} from the {hand.total} cards of {hand.section}", bold=True))
    chances = {f"one {kind} or more": 1 - counts[0] for kind, counts in hand.chances.items() if len(hand.chances) > 1}
    chances["one particular copy of a card"] = hand.of_one_copy
    parts = ((label, float(chance), text(chance)) for label, chance in chances.items())
    show.bars([(label, part, f"{part * 100:5.1f} %  {exact}") for label, part, exact in parts], _SHORT)


@verb()
@click.argument("deck", type=FILE)
@click.option(
    "--holds",
    multiple=True,
    required=True,
    metavar="CONDITION",
    help='The number of cards in a hand that match a query: "2 type:event", "0-1 cost>4"; can be repeated.',
)
@declared_options(HandRequest)
@declared_options(CheckRequest, ("game", "on"), {"on": "The day whose cards apply (default: today)."})
@executor_options("deal")
@json_option
def odds(session: Session, /, deck: Path, game: str | None, on: date | None, json_: bool, **options: Any) -> None:
    """Deal sample hands of a deck, and count how often they meet each condition, and all conditions together.

    `carddb decks odds my.deck --holds "2 type:officer" --holds "1 type:tactic" --draws 3`. Shares are estimates with 95
    % intervals; `decks stats` has the exact chances of one type of card.
    """
    executor = executor_request(options)
    result = deck_odds(session.project, deck, HandRequest(**options), game, on, executor)
    if json_:
        return show.as_json(result.to_json())
    show.findings(result.findings, err=True)
    _show(result)


def _show(odds: DeckOdds) -> None:
    """Prints a title, the conditions for keeping a hand, and the share of hands that meet each condition, by stage."""
    deal, games = odds.deal, odds.tally.games
    show.echo(show.style(f"Hands of {deal.hand} from the {len(deal.cards)} cards of {odds.section}", bold=True))
    show.echo(f"{amount(games, 'game')}, seeds {odds.seed} to {odds.seed + games - 1}")
    if odds.keep and deal.redraws != 0:
        conditions = ", ".join(map(str, odds.keep))
        show.echo(f"hands with {conditions} are kept; {odds.hands_a_game:.2f} hands are drawn on average")
    labels = [*map(str, odds.holds), *(["all conditions"] if len(odds.holds) > 1 else [])]
    for stage in odds.stages:
        title = f"After {amount(stage.draws, 'further card')}" if stage.draws else "Opening hand"
        show.echo(show.style(title, bold=True))
        shares = zip(labels, (*stage.held, stage.all), strict=False)
        rows = [(label, part, show.interval(part, low, high)) for label, (part, low, high) in shares]
        show.bars(rows, _SHORT)


@verb()
@click.argument("decks", nargs=-1, required=True, type=FILE, metavar="DECK...")
@show.output_option("The file: .pdf, .txt or .json.")
@paper_option
@click.option("--only", type=click.Choice(["illegal"]), help="With many decks: write only the lists of illegal ones.")
@LANG
@deck_options
def decklist(
    session: Session, /, decks: tuple[Path, ...], output: Path, paper: str, only: str | None, lang: str, **options: Any
) -> int:
    """Write the checked deck list: verdict, findings, tick boxes, fingerprint; for a folder of decks, one PDF."""
    kind = output.suffix.lower().removeprefix(".") or "txt"
    check_kind("a deck list is", kind, KINDS)
    request = check_request(options)
    if len(decks) > 1 or decks[0].is_dir():
        reports = check_decks(session.project, decks, request)
        book = deck_list_book(session.project, reports, kind, paper, only == "illegal", lang=lang)
        return max(reports.exit_code, session.write_printed(output, book))
    if only:
        remedy = "Name a folder or several deck files, or leave --only out."
        raise UsageError("--only chooses among many decks, but only one deck was named", remedy)
    report = check_deck(session.project, decks[0], request)
    printed = deck_list(session.project, report, kind, paper, lang)
    session.write(output, printed.data)
    session.say(f"{output}: {show.verdict(printed.summary, report.verdict)}")
    show.findings(printed.findings[len(report.findings) :], err=True)  # the findings about the pages
    return exit_code(printed.findings)


@verb()
@click.argument("deck", type=FILE)
@show.output_option("The file for the deck; its suffix chooses the format.")
@click.option("--to", "kind", type=click.Choice([*DECK_KINDS, TABLETOP]), help="The format (default: by the suffix).")
@declared_options(CheckRequest, ("game", "on"), {"on": "The day whose cards apply (default: today)."})
@click.option(
    "--url", default="", metavar="PREFIX", help="The address at which Tabletop Simulator will find the pictures."
)
def convert(
    session: Session, /, deck: Path, output: Path, kind: str | None, game: str | None, on: date | None, url: str
) -> int:
    """Write a deck in another format, with all its cards, and say what that format cannot express.

    NAME.tts.json is for Tabletop Simulator; the pictures of the cards are written beside it.
    """
    kind = kind or kind_of(output)
    if kind == TABLETOP:
        from carddb.app.printing.card_images import tabletop_deck_file  # imports drawing, only for these decks

        converted = tabletop_deck_file(session.project, deck, output, game, on, url)
    else:
        converted = convert_deck(session.project, deck, kind, game, on)
    session.write(output, converted.data)
    session.say(f"{output}: {converted.summary}")
    if converted.pictures:
        session.say(f"beside it: {', '.join(converted.pictures)}")
    show.findings(converted.findings, err=True)
    return exit_code(converted.findings)
