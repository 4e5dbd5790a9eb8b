"""A solo session of a card-driven wargame: solo new, roll, play, status, table and all the other actions."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from carddb.app.solo_file import SoloFile
from carddb.cli import show
from carddb.cli.session import Session
from carddb.cli.solo.words import ALIASES, help_of, input_of, pair, parameters, with_cards
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
    def run(file: SoloFile, /, **words: Any) -> int:
        return _act(file, action, input_of(action, words))

    return click.Command(name, params=parameters(action), callback=run, help=help_of(action))


def _act(file: SoloFile, action: Action[Any], words: dict[str, Any]) -> int:
    """An action taken, saved and told; a refusal changes nothing and is exit 1."""
    from carddb.cli.solo.screen import STEPS
    from carddb.games.cdg_solo.session import act
    from carddb.play.question import Refusal

    with file.locked():
        solo = file.load()
        try:
            solo = act(solo, action.name, with_cards(solo.table, words))
        except Refusal as refusal:
            show.echo(f"refused, {file.reason(refusal.reason, refusal.details.get('path', ''))}", err=True)
            if waiting := refusal.details.get("waiting"):
                show.echo(f"First: {waiting.replace('_', '-')}", err=True)
            if hint := refusal.details.get("hint"):
                show.echo(hint, err=True)
            if refusal.reason == "wrong_step":
                show.echo(f"Now: {STEPS[solo.table.step]}", err=True)
            return 1
        file.save(solo)
    show.echo(solo.message)
    session = click.get_current_context().find_object(Session)
    if session and not session.quiet:
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
    session: Session = ctx.obj
    ctx.obj = SoloFile(session.project, path)


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
    file: SoloFile,
    module: str,
    decks: tuple[Path, ...],
    more: tuple[Path, ...],
    seed: int | None,
    options: tuple[str, ...],
    force: bool,
) -> int:
    """Begin a session: the module, the cards of your decks; then lay cards up, or start the first phase."""
    from carddb.app.solo_beginning import begin

    session = begin(file, module, (*decks, *more), dict(map(pair, options)), seed, force)
    cards = len(session.table.cards)
    show.echo(f"{file.path}: {session.module.title}, {cards} cards. Now: carddb solo start-phase")
    return 0


@solo.command()
@click.argument("id_", metavar="[MODULE]", required=False)
@click.option("--json", "json_", is_flag=True, help="As JSON.")
@click.pass_obj
def modules(file: SoloFile, id_: str | None, json_: bool) -> int:
    """List the modules that are bundled; or show one whole, to begin a module of your own with.

    `carddb solo modules germany > mine.json`: give it another id, change what your game does otherwise, and name the
    file: `carddb solo new --module mine.json`.
    """
    shipped = file.game.spec.data["modules"]
    if id_ is not None:
        if id_ not in shipped:
            raise UsageError(f"there is no module {id_}", did_you_mean(id_, shipped))
        show.as_json(shipped[id_])
        return 0
    if json_:
        listed = [{key: module[key] for key in ("id", "title", "layout", "deck_mode")} for module in shipped.values()]
        show.as_json({"schema": "carddb.solo-modules/1", "modules": listed})
    else:
        show.table(("module", "game", "layout"), [(m["id"], m["title"], m["layout"]) for m in shipped.values()])
    return 0


@solo.command()
@click.option("--json", "json_", is_flag=True, help="As JSON, without the hidden cards.")
@click.pass_obj
def status(file: SoloFile, json_: bool) -> int:
    """Show the table as a player sees it: no hidden card."""
    from carddb.games.cdg_solo.session import public_view

    session = file.load()
    if json_:
        show.as_json(public_view(session))
    else:
        _show(session)
    return 0


@solo.command()
@click.option("--json", "json_", is_flag=True, help="As JSON.")
@click.pass_obj
def log(file: SoloFile, json_: bool) -> int:
    """Show what has happened, in words that give no hidden card away."""
    from carddb.games.cdg_solo.session import public_log

    entries = public_log(file.load())
    if json_:
        show.as_json({"schema": "carddb.solo-log/1", "entries": entries})
    else:
        for number, entry in enumerate(entries, 1):
            show.echo(f"{number:4}  {entry['told']}")
    return 0


@solo.command()
@click.argument("count", type=click.IntRange(1), default=1)
@click.pass_obj
def undo(file: SoloFile, count: int) -> int:
    """Take the last actions back; the dice fall again as they fell."""
    from carddb.games.cdg_solo.session import undo
    from carddb.play.question import Refusal

    with file.locked():
        session = file.load()
        try:
            before = undo(session, count)
        except Refusal as refusal:
            show.echo(f"refused, {file.reason(refusal.reason)}", err=True)
            return 1
        file.save(before)
    for entry in reversed(session.table.log[-count:]):
        show.echo(f"taken back: {entry.action.replace('_', '-')}. {entry.told}".strip())
    _show(before)
    return 0


@solo.command()
@click.pass_context
def table(ctx: click.Context) -> int:
    """Sit down at the table: see both displays, type what you do, take it back; saved after every action.

    Enter rolls the die or goes on; a number is a die of your own; a place or a card's number plays it.
    """
    from carddb.cli.solo.table import run_line

    file: SoloFile = ctx.obj
    at_terminal = sys.stdin.isatty()
    _show(file.load())
    while True:
        if at_terminal:
            show.echo("> ", nl=False)
        line = sys.stdin.readline()
        if not line or line.strip() in ("quit", "q", "exit"):
            return 0
        run_line(ctx, file, line.strip())


def _show(session: Solo) -> None:
    """The table on the terminal."""
    from carddb.cli.solo.screen import screen

    show.echo(screen(session))
