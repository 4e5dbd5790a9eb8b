"""Decks: check, decklist."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from carddb.cards import Deck
from carddb.cli import show
from carddb.cli.arguments import judging_options
from carddb.cli.clock import DAY, creation
from carddb.cli.judging import judge, report, sentence
from carddb.cli.session import Session
from carddb.errors import UsageError
from carddb.findings import Finding, Severity, exit_code

if TYPE_CHECKING:
    from collections.abc import Callable

    from carddb.deck.context import Context
    from carddb.games import Game
    from carddb.press.decklist_text import CheckedDeck


def _deck_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every verb that judges a deck."""
    day = click.option("--on", "day", type=DAY, help="The day to judge by (default: today).")
    event = click.option("--event", type=DAY, help="Warn of what announced ban lists will forbid by this day.")
    game = click.option("--game", "key", metavar="G", help="The game, where the deck does not say.")
    return game(judging_options(event(day(command))))


@click.command()
@click.argument("deck", type=click.Path(path_type=Path, allow_dash=True, readable=False))
@_deck_options
@click.option("--json", "json_", is_flag=True, help="The report as JSON.")
@click.pass_obj
def check(session: Session, /, deck: Path, json_: bool, **given: Any) -> int:
    """Check a deck: every finding at once, with line, rule and the smallest fix."""
    game, judged, context = judge(session, deck, **given)
    if json_:
        show.as_json(report(game, judged, context))
    else:
        least = Severity.WARNING if session.quiet else Severity.INFO
        show.findings(judged.findings, least=least)
        if not session.quiet or judged.findings:
            click.echo(sentence(game, judged))
    return exit_code(judged.findings)


@click.command()
@click.argument("deck", type=click.Path(path_type=Path, allow_dash=True, readable=False))
@show.output_option("PDF, text or JSON by its ending.")
@click.option("--paper", default="letter", show_default=True, help="letter, a4, ...")
@_deck_options
@click.pass_obj
def decklist(session: Session, /, deck: Path, output: Path, paper: str, **given: Any) -> int:
    """Write the validated deck list: verdict, findings, tick boxes, fingerprint."""
    kind = output.suffix.lower().removeprefix(".") or "txt"
    known = ("pdf", "txt", "deck", "json")
    if kind not in known:
        raise UsageError(f"a deck list is not written as {kind!r}", f"Known: {', '.join(known)}.")
    game, judged, context = judge(session, deck, **given)
    data, faults = list_bytes(game, judged, context, kind, paper)
    session.write(output, data)
    session.say(f"{output}: {sentence(game, judged)}")
    show.findings(faults, err=True)
    return exit_code([*judged.findings, *faults])


def list_bytes(game: Game, judged: CheckedDeck, context: Context, kind: str, paper: str) -> tuple[bytes, list[Finding]]:
    """The deck list in one of its forms, and what is wrong with its pages."""
    if kind == "json":
        from carddb.press.decklist import deck_list_json

        value = deck_list_json(judged, report(game, judged, context))
        return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode(), []
    if kind == "pdf":
        from carddb.press.decklist import deck_list_pdf
        from carddb.press.workshop import open_workshop

        return deck_list_pdf(open_workshop(game), judged, paper, creation=creation(judged.on))
    from carddb.read.deck_writer import write_deck

    text = write_deck(_as_judged(judged.deck, context), game.spec)
    head, mark, tail = text.rpartition("# fingerprint")
    return f"{head}# verdict: {sentence(game, judged)}\n{mark}{tail}".encode(), []


def _as_judged(deck: Deck, context: Context) -> Deck:
    """The deck with the format and the lists it was judged by in its header."""
    given = {"format": context.format} if context.format else {}
    chosen = {name: "; ".join(values) for name, values in context.chosen.items()}
    return replace(deck, headers={**deck.headers, **given, **chosen})
