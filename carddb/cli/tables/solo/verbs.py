"""A solo session of a card-driven wargame: solo new, roll, play, status, table and all the other actions.

What knows the session is imported when there is one: the list of modules and the template of a deck need none, and are
there in three quarters of the time.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import click

from carddb.app.tables.solo.beginning import begin, solo_file
from carddb.app.tables.solo.template import deck_template
from carddb.cli import show
from carddb.cli.options.arguments import pairs, reading_option
from carddb.cli.session import Session
from carddb.cli.tables.group import TableGroup
from carddb.cli.tables.terminal import Front, Terminal
from carddb.core.errors import UsageError
from carddb.core.names import did_you_mean
from carddb.games.cdg_solo.module.module import whole_module
from carddb.games.lazy import LazyPackage

if TYPE_CHECKING:
    from carddb.games.cdg_solo.session import Session as SoloSession

    Solo: TypeAlias = Terminal[SoloSession]

ALIASES = {"next": "next_round", "flip": "choose_flip", "flag": "set_flag", "hold": "hold_as_fo", "fo": "play_fo"}

_solo = LazyPackage("carddb.cli.tables.solo")

FRONT: Front[SoloSession] = Front(
    verb="solo",
    schema="carddb.solo",
    table=_solo.function("session_words", "table"),
    screen=_solo.function("screen", "screen"),
    line=_solo.function("session_words", "words_of"),
    fields=_solo.function("session_words", "with_cards"),
    aliases=ALIASES,
    usages=_solo.function("session_words", "usages"),
)


_FILE = click.Path(path_type=Path, readable=False)


@click.group(cls=TableGroup, front=FRONT)
@click.option("--session", "path", type=_FILE, default=Path("solo.json"), show_default=True, help="The session's file.")
@click.pass_context
def solo(ctx: click.Context, path: Path) -> None:
    """Play a card-driven wargame alone: a session that knows what the die allows, and why something is refused.

    Begin with `solo new`, then `solo start-phase`, `solo roll`, `solo play CARD`, `solo next`; or sit down at
    `solo table`. The file is written after every action; it holds the hidden cards, so do not look into it.
    """
    session: Session = ctx.obj
    ctx.obj = Terminal(solo_file(session.project, path), FRONT, session.quiet)


@solo.command()
@click.option("--module", required=True, metavar="MODULE", help="A game's module (`solo modules`), or a file with one.")
@click.option(
    "--decks", multiple=True, type=_FILE, metavar="FILE", help="Your cards: tables, or deck lists of loaded cards."
)
@click.option("--seed", type=int, help="The seed of shuffles and dice (default: by chance).")
@reading_option
@click.option("--force", is_flag=True, help="Write over a session that is there already.")
@click.argument("more", nargs=-1, type=_FILE, metavar="[FILE]...")
@click.pass_obj
def new(
    terminal: Solo,
    module: str,
    decks: tuple[Path, ...],
    more: tuple[Path, ...],
    seed: int | None,
    options: tuple[str, ...],
    force: bool,
) -> int:
    """Begin a session: the module, the cards of your decks; then lay cards up, or start the first phase."""
    session = begin(terminal.file, module, (*decks, *more), pairs(options, "--option"), seed, force)
    cards = len(session.table.cards)
    show.echo(f"{terminal.file.path}: {session.module.title}, {cards} cards. Now: carddb solo start-phase")
    return 0


@solo.command()
@click.argument("id_", metavar="[MODULE]", required=False)
@click.option("--json", "json_", is_flag=True, help="As JSON.")
@click.pass_obj
def modules(terminal: Solo, id_: str | None, json_: bool) -> int:
    """List the modules that are bundled; or show one whole, to begin a module of your own with.

    `carddb solo modules germany > mine.json`: give it another id, change what your game does otherwise, and name the
    file: `carddb solo new --module mine.json`.
    """
    shipped = terminal.file.game.spec.data["modules"]
    if id_ is not None:
        if id_ not in shipped:
            raise UsageError(f"there is no module {id_}", did_you_mean(id_, shipped))
        show.as_json(whole_module(terminal.file.game.spec, shipped[id_]))
        return 0
    if json_:
        listed = [{key: module[key] for key in ("id", "title", "layout", "deck_mode")} for module in shipped.values()]
        show.as_json({"schema": "carddb.solo-modules/1", "modules": listed})
    else:
        show.table(("module", "game", "layout"), [(m["id"], m["title"], m["layout"]) for m in shipped.values()])
    return 0


@solo.command()
@click.argument("module", metavar="MODULE")
@click.option("--cards", "sizes", multiple=True, metavar="[DECK=]N", help="How many cards a deck has; without it few.")
@click.option("-o", "--output", type=_FILE, required=True, help="The file: CSV, TSV, XLSX, JSON or YAML; - for CSV.")
@click.pass_obj
def template(terminal: Solo, module: str, sizes: tuple[str, ...], output: Path) -> int:
    """Write a file for the cards of a module's decks, in which only the operations values are to be typed.

    Cards with a rule of their own are filled in, with number, title and what is different; the others have numbers.
    """
    kind = output.suffix.removeprefix(".").lower() if str(output) != "-" else "csv"
    filled = deck_template(terminal.file, module, _sizes(sizes), kind)
    session = click.get_current_context().find_object(Session)
    assert session is not None
    session.write(output, filled.data)
    session.say(f"{output}: {filled.cards} cards, {filled.own} of them with a rule of their own. Type the values in.")
    if not sizes:
        session.say("Each deck has the fewest cards that serve; --cards says how many yours has.")
    if filled.unnumbered:
        session.say(f"By their names the rules know these too, name your cards so: {', '.join(filled.unnumbered)}.")
    return 0


def _sizes(texts: tuple[str, ...]) -> dict[str, int]:
    """How many cards the decks have: `CP=65` one of them, `65`, under an empty name, all others."""
    sizes: dict[str, int] = {}
    for text in texts:
        deck, _, number = text.rpartition("=")
        if not number.isdecimal():
            raise UsageError(f"{text!r} is no number of cards", "Write it as 65 or CP=65.")
        sizes[deck] = int(number)
    return sizes
