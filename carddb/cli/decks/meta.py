"""The command `meta`, which shows statistics of many decks."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from carddb.app.decks.check import CheckRequest
from carddb.app.decks.meta import Meta, MetaDeck
from carddb.app.decks.meta import meta as deck_meta
from carddb.cli import show
from carddb.cli.decks.check import BY, check_request
from carddb.cli.options import FILE, declared_options, executor_options, executor_request, json_option, verb
from carddb.cli.session import Session
from carddb.core.plain_text import amount, escaped_line
from carddb.findings import Finding

_BAR = 16
_NAME = 28
"""The width of a name beside a bar, in characters."""


@verb()
@click.argument("decks", nargs=-1, required=True, type=FILE, metavar="FOLDER...")
@declared_options(CheckRequest, ("game", *BY, "on"), {"game": "The game (default: that of most decks)."})
@click.option(
    "--draft", type=click.Path(path_type=Path, readable=False), metavar="FILE",
    help="A file of drafted announcements: report which decks they would make illegal.",
)  # fmt: skip
@click.option(
    "--top", type=click.IntRange(1), default=20, show_default=True, help="Number of entries of each kind to show."
)
@show.output_option("Write a page with charts, and every table as CSV, into a folder.", required=False, folder=True)
@json_option
@executor_options("check the decks", trust=True)
def meta(
    session: Session, /, decks: tuple[Path, ...], draft: Path | None, top: int, output: Path | None, json_: bool,
    **options: Any,
) -> int:  # fmt: skip
    """Summarise many decks: the most common cards, pairs, archetypes, faults and their smallest fixes.

    A file that is not a deck of the game is listed but not counted; the exit code is then 3.
    """
    executor = executor_request(options)
    result = deck_meta(session.project, decks, check_request(options), draft, executor)
    if output:
        result.write(session.project, output)
        session.say(f"{output / 'index.html'}: {result.sentence}")
    elif json_:
        show.as_json(result.to_json())
    if not (json_ or output):
        show_meta(result, top)
    return result.exit_code


def show_meta(result: Meta, top: int) -> None:
    """Prints the summary with up to `top` entries of each kind; only sentences may be wider than 80 characters."""
    show.echo(result.sentence)
    _title("Cards that most decks hold")
    for card in result.cards[:top]:
        words = f"{card.decks} {'deck' if card.decks == 1 else 'decks'}, {card.average:.1f} copies"
        _line(result.names[card.ref], card.share, words)
    if result.pairs:
        _title("Pairs beyond chance: share of decks with both, and lift")
    for pair in result.pairs[:top]:
        names = f"{result.names[pair.first]} + {result.names[pair.second]}"
        show.echo(f"  {show.one_line(names, 58).ljust(58)} {pair.share * 100:3.0f} %  x {pair.lift:.1f}")
    if result.archetypes:
        _title("Archetypes")
    for each in result.archetypes[:top]:
        words = f"{amount(len(each.decks), 'deck')}, {result.legal_in(each)} legal"
        _line(result.archetype_name(each), len(each.decks) / len(result.decks), words)
    lone = sum(not deck.archetype for deck in result.decks)
    if lone and result.archetypes:
        _line("(no archetype)", lone / len(result.decks), amount(lone, "deck"))
    if result.not_legal:
        _title(f"Not legal: {amount(len(result.not_legal), 'deck')}")
        _show_decks((deck, [(None, finding) for finding in deck.faults]) for deck in result.not_legal[:top])
        _show_mends(result.mends(), top)
    if result.draft:
        affected = result.affected
        _title(f"The draft would forbid {len(affected)} of {amount(len(result.decks), 'deck')}")
        _show_decks((deck, [(day.isoformat(), finding) for day, finding in deck.coming]) for deck in affected[:top])
        _show_mends(result.mends_by_draft(), top)
    if result.unread:
        _title("Not counted")
    for file, reason in result.unread:
        show.echo(f"  {escaped_line(file)}: {escaped_line(reason)}")


def _title(words: str) -> None:
    show.echo()
    show.echo(show.style(words, bold=True))


def _line(name: str, share: float, words: str) -> None:
    bar = show.bar(share, _BAR)
    show.echo(f"  {show.one_line(name, _NAME).ljust(_NAME)} {bar} {share * 100:3.0f} %  {words}".rstrip())


def _show_decks(decks: Iterable[tuple[MetaDeck, list[tuple[str | None, Finding]]]]) -> None:
    for deck, findings in decks:
        player = f", {escaped_line(deck.player)}" if deck.player else ""
        show.echo(f"  {escaped_line(deck.name)}{player} ({escaped_line(deck.file)})")
        for day, finding in findings:
            show.echo(f"    {f'from {day}: ' if day else ''}{escaped_line(finding.message)}")
            if finding.fix:
                show.echo(f"      fix: {escaped_line(finding.fix)}")


def _show_mends(mends: list[tuple[str, int]], top: int) -> None:
    if mends:
        show.echo("  The smallest fixes:")
    for fix, decks in mends[:top]:
        show.echo(f"    {amount(decks, 'deck')}: {escaped_line(fix)}")
