"""The commands `decks fix`, `decks fill`, `decks new` and `decks diff`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import click

from carddb.app.decks.check import CheckRequest
from carddb.app.decks.help import (
    DeckProposal,
    HelpRequest,
    deck_file,
    diff_decks,
    fill_deck,
    fix_deck,
    new_deck,
    write_back,
)
from carddb.app.decks.lists import kind_of
from carddb.cli import show
from carddb.cli.decks.check import BY, check_request
from carddb.cli.options import FILE, declared_options, json_option, pairs, taken
from carddb.cli.session import Session

_write = click.option("--write", is_flag=True, help="Write the deck back; the old file is kept as FILE~.")


def _request(options: dict[str, Any]) -> HelpRequest:
    return HelpRequest(check_request(options), **taken(HelpRequest, options))


def _checked(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options by which proposals are checked."""
    owned = declared_options(HelpRequest, ["owned"])
    return declared_options(CheckRequest, ("game", *BY, "on"))(owned(command))


@click.command()
@click.argument("deck", type=FILE)
@_write
@_checked
@json_option
@click.pass_obj
def fix(session: Session, /, deck: Path, write: bool, json_: bool, **options: Any) -> int:
    """Show the smallest change that makes a deck legal, and make it with --write.

    Each step says which rule requires it and why no smaller step is enough. A card that the deck is built on, such as
    its only officer, is never taken out.
    """
    proposal = fix_deck(session.project, deck, _request(options))
    steps = getattr(proposal.result, "steps", ())
    if json_:
        show.as_json(proposal.to_json())
    else:
        _show_readings(proposal)
        for number, step in enumerate(steps, 1):
            rules = f"   rules: {', '.join(step.rules)}" if step.rules else ""
            show.echo(show.style(f"{number}. {step.words}", bold=True))
            show.echo(f"    {step.reason}\n    {step.why}{rules}")
        _show_end(proposal)
    if write and (steps or proposal.respelled):
        _write_back(session, deck, proposal)
    return proposal.exit_code


@click.command()
@click.argument("deck", type=FILE)
@_write
@_checked
@declared_options(HelpRequest, ["seed"])
@json_option
@click.pass_obj
def fill(session: Session, /, deck: Path, write: bool, json_: bool, **options: Any) -> int:
    """Add cards until a deck is legal; its own cards stay."""
    proposal = fill_deck(session.project, deck, _request(options))
    if json_:
        show.as_json(proposal.to_json())
    else:
        _show_readings(proposal)
        for change in proposal.result.difference.changes:
            section = proposal.spec.section_label(change.section)
            show.echo(f"Add {change.after - change.before} {change.name} [{change.ref}] to {section}")
        _show_end(proposal)
    if write and (proposal.result.difference.changes or proposal.respelled):
        _write_back(session, deck, proposal)
    return proposal.exit_code


@click.command()
@_checked
@declared_options(HelpRequest, ["seed"])
@click.option(
    "--balanced", is_flag=True, help="Use the numbers by type that the game advises, or those of its example."
)
@click.option("--header", "headers", multiple=True, metavar="K=V", help="A header of the deck, such as name=Mine.")
@show.output_option("The file for the deck; its suffix chooses the format.")
@click.pass_obj
def new(session: Session, /, balanced: bool, headers: tuple[str, ...], output: Path, **options: Any) -> int:
    """Make a legal deck from nothing."""
    proposal = new_deck(session.project, _request(options), pairs(headers, "--header"), balanced=balanced)
    if proposal.legal:
        session.write(output, deck_file(proposal, kind_of(output)))
        session.say(f"{output}: {proposal.result.sentence}")
    else:
        _show_end(proposal)
    return proposal.exit_code


@click.command()
@click.argument("first", type=FILE, metavar="A")
@click.argument("second", type=FILE, metavar="B")
@declared_options(CheckRequest, ("game", "on"))
@json_option
@click.pass_obj
def diff(session: Session, /, first: Path, second: Path, game: str | None, on: date | None, json_: bool) -> int:
    """Show the cards that only one of two decks has, and those with other counts, by section."""
    result = diff_decks(session.project, first, second, game, on)
    if json_:
        return show.as_json(result.to_json())
    if not result.changes:
        show.echo("The decks have the same cards.")
    for title, changes in (
        (f"Only in {first}", result.only_before),
        (f"Only in {second}", result.only_after),
        ("In both, with other counts", result.counts),
    ):
        if changes:
            show.echo(show.style(title, bold=True))
        for change in changes:
            counts = f"{change.before} → {change.after}" if change in result.counts else change.before or change.after
            ref = "" if change.ref.startswith("?") else f" [{change.ref}]"
            show.echo(f"  {change.section}: {counts} {show.style(change.name, bold=True)}{ref}")
    return 0


def _show_readings(proposal: DeckProposal) -> None:
    """Prints which names were read as another card, and what could not be read."""
    show.findings(proposal.unread)
    for text, card in proposal.respelled:
        show.echo(f"{text} is read as {card.name} [{card.ref}].")


def _show_end(proposal: DeckProposal) -> None:
    """Prints the faults that remain, and the summary of the proposal."""
    show.findings((*proposal.result.faults, *proposal.result.header_faults))
    for card in getattr(proposal.result, "cornerstones", ()) if proposal.result.faults else ():
        show.echo(f"{card.name} stays: the deck is built on it.")
    show.echo(proposal.result.sentence)


def _write_back(session: Session, deck: Path, proposal: DeckProposal) -> None:
    backup = write_back(deck, proposal)
    session.say(f"{deck}: written; as it was: {backup}")
