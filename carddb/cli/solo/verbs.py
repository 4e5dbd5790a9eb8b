"""A solo session of a card-driven wargame: solo new, roll, play, status, table and all the other actions."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from carddb.cli import show
from carddb.cli.solo.sitting import Sitting
from carddb.cli.solo.words import ALIASES, help_of, parameters, said, with_cards
from carddb.errors import UsageError
from carddb.names import did_you_mean

if TYPE_CHECKING:
    from carddb.games.cdg_solo.session import Session as Solo
    from carddb.games.cdg_solo.session.action import Action

_FILE = click.Path(path_type=Path, readable=False)


class Actions(click.Group):
    """A group whose further commands are the actions of a session."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        from carddb.games.cdg_solo.session import ACTIONS

        return [*super().list_commands(ctx), *(name.replace("_", "-") for name in ACTIONS)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return super().get_command(ctx, cmd_name) or command_of(cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            raise UsageError(f"there is no action {args[0]!r}", did_you_mean(args[0], self.list_commands(ctx)))
        return super().resolve_command(ctx, args)


def command_of(name: str) -> click.Command | None:
    """The command of an action, made from what the action wants to be told."""
    from carddb.games.cdg_solo.session import ACTIONS

    action = ACTIONS.get(ALIASES.get(name, name).replace("-", "_"))
    if action is None:
        return None

    @click.pass_obj
    def run(sitting: Sitting, /, **words: Any) -> int:
        return _act(sitting, action, said(action, words))

    return click.Command(name, params=parameters(action), callback=run, help=help_of(action))


def _act(sitting: Sitting, action: Action[Any], words: dict[str, Any]) -> int:
    """An action taken, saved and told; a refusal changes nothing and is exit 1."""
    from carddb.cli.solo.screen import STEPS
    from carddb.games.cdg_solo.session import act
    from carddb.play.question import Refusal

    solo = sitting.load()
    try:
        solo = act(solo, action.name, with_cards(solo.table, words))
    except Refusal as refusal:
        click.echo(f"refused, {sitting.reason(refusal.reason, refusal.details.get('path', ''))}", err=True)
        if waiting := refusal.details.get("waiting"):
            click.echo(f"First: {waiting.replace('_', '-')}", err=True)
        if hint := refusal.details.get("hint"):
            click.echo(hint, err=True)
        if refusal.reason == "wrong_step":
            click.echo(f"Now: {STEPS[solo.table.step]}", err=True)
        return 1
    sitting.save(solo)
    click.echo(solo.message)
    if not sitting.session.quiet:
        _show(solo)
    return 0


@click.group(cls=Actions)
@click.option("--session", "path", type=_FILE, default=Path("solo.json"), show_default=True, help="The session's file.")
@click.pass_context
def solo(ctx: click.Context, path: Path) -> None:
    """Play a card-driven wargame alone: a session that knows what the die allows, and why something is refused.

    Begin with `solo new`, then `solo start-phase`, `solo roll`, `solo play CARD`, `solo next`; or sit down at
    `solo table`. The file is written after every action; it holds the hidden cards, so do not look into it.
    """
    ctx.obj = Sitting(ctx.obj, path)


@solo.command()
@click.option("--module", required=True, metavar="MODULE", help="A game's module (`solo modules`), or a file with one.")
@click.option(
    "--decks", multiple=True, type=_FILE, metavar="FILE", help="Your cards: tables, or deck lists of loaded cards."
)
@click.option("--seed", type=int, help="The seed of shuffles and dice (default: by chance).")
@click.option("--option", "options", multiple=True, metavar="K=V", help="A reading of a rule, for this session.")
@click.option("--force", is_flag=True, help="Write over a session that is there already.")
@click.argument("more", nargs=-1, type=_FILE, metavar="[FILE]...")
@click.pass_obj
def new(
    sitting: Sitting,
    module: str,
    decks: tuple[Path, ...],
    more: tuple[Path, ...],
    seed: int | None,
    options: tuple[str, ...],
    force: bool,
) -> int:
    """Begin a session: the module, the cards of your decks; then lay cards up, or start the first phase."""
    from secrets import randbelow

    from carddb.cli.solo.beginning import cards_for, module_named
    from carddb.cli.solo.checks import check_cards, check_module, check_options
    from carddb.games.cdg_solo.module import module_of
    from carddb.games.cdg_solo.session import new as begin
    from carddb.play.question import BadInput, Refusal

    if sitting.path.exists() and not force:
        raise UsageError(
            f"there is a session in {sitting.path} already", "Name another file with --session, or --force."
        )
    named = module_named(module, options)
    check_options(sitting, named)
    check_module(sitting, named, module)
    files = (*decks, *more)
    cards = cards_for(sitting, named, files)
    check_cards(sitting, named, cards, files)
    try:
        made = begin(sitting.game.spec, named, cards, randbelow(1 << 62) if seed is None else seed)
    except BadInput as refusal:
        decks_ = ", ".join(module_of(sitting.game.spec, named).decks)
        raise UsageError(f"the cards do not fit the module ({refusal.path})", f"Its decks: {decks_}.") from None
    except Refusal as refusal:
        raise UsageError(sitting.reason(refusal.reason), f"Look at {refusal.details}.") from None
    sitting.save(made)
    click.echo(f"{sitting.path}: {made.module.title}, {len(made.table.cards)} cards. Now: carddb solo start-phase")
    return 0


@solo.command()
@click.argument("id_", metavar="[MODULE]", required=False)
@click.option("--json", "json_", is_flag=True, help="As JSON.")
@click.pass_obj
def modules(sitting: Sitting, id_: str | None, json_: bool) -> int:
    """List the modules that are bundled; or show one whole, to begin a module of your own with.

    `carddb solo modules germany > mine.json`: give it another id, change what your game does otherwise, and name the
    file: `carddb solo new --module mine.json`.
    """
    shipped = sitting.game.spec.data["modules"]
    if id_ is not None:
        if id_ not in shipped:
            raise UsageError(f"there is no module {id_}", did_you_mean(id_, shipped))
        show.as_json(shipped[id_])
        return 0
    known = shipped.values()
    if json_:
        listed = [{key: module[key] for key in ("id", "title", "layout", "deck_mode")} for module in known]
        show.as_json({"schema": "carddb.solo-modules/1", "modules": listed})
    else:
        show.table(("module", "game", "layout"), [(m["id"], m["title"], m["layout"]) for m in known])
    return 0


@solo.command()
@click.option("--json", "json_", is_flag=True, help="As JSON, without the hidden cards.")
@click.pass_obj
def status(sitting: Sitting, json_: bool) -> int:
    """Show the table as a player sees it: no hidden card."""
    from carddb.games.cdg_solo.session import public_view

    found = sitting.load()
    if json_:
        show.as_json(public_view(found))
    else:
        _show(found)
    return 0


@solo.command()
@click.option("--json", "json_", is_flag=True, help="As JSON.")
@click.pass_obj
def log(sitting: Sitting, json_: bool) -> int:
    """Show what has happened, in words that give no hidden card away."""
    from carddb.games.cdg_solo.session import public_log

    entries = public_log(sitting.load())
    if json_:
        show.as_json({"schema": "carddb.solo-log/1", "entries": entries})
    else:
        for number, entry in enumerate(entries, 1):
            click.echo(f"{number:4}  {entry['told']}")
    return 0


@solo.command()
@click.argument("count", type=click.IntRange(1), default=1)
@click.pass_obj
def undo(sitting: Sitting, count: int) -> int:
    """Take the last actions back; the dice fall again as they fell."""
    from carddb.games.cdg_solo.session import undo
    from carddb.play.question import Refusal

    found = sitting.load()
    try:
        before = undo(found, count)
    except Refusal as refusal:
        click.echo(f"refused, {sitting.reason(refusal.reason)}", err=True)
        return 1
    sitting.save(before)
    for entry in reversed(found.table.log[-count:]):
        click.echo(f"taken back: {entry.action.replace('_', '-')}. {entry.told}".strip())
    _show(before)
    return 0


@solo.command()
@click.pass_context
def table(ctx: click.Context) -> int:
    """Sit down at the table: see both displays, type what you do, take it back; saved after every action.

    Enter rolls the die or goes on; a number is a die of your own; a place or a card's number plays it.
    """
    from carddb.cli.solo.table import typed

    sitting: Sitting = ctx.obj
    at_terminal = sys.stdin.isatty()
    _show(sitting.load())
    while True:
        if at_terminal:
            click.echo("> ", nl=False)
        line = sys.stdin.readline()
        if not line or line.strip() in ("quit", "q", "exit"):
            return 0
        typed(ctx, sitting, line.strip())


def _show(found: Solo) -> None:
    """The table on the terminal."""
    from carddb.cli.solo.screen import screen

    click.echo(screen(found))
