"""The commands of a game table in the terminal, as the game's `Front` declares them."""

from __future__ import annotations

import shlex
import sys
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from getpass import getpass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click

from carddb.app.tables.file import TableFile, front_of
from carddb.app.tables.seat import YES, branches, input_of, takes
from carddb.cli import show
from carddb.cli.main import command_at
from carddb.cli.options import PATH, json_option
from carddb.cli.session import Session
from carddb.core.errors import CarddbError, UsageError
from carddb.core.names import did_you_mean
from carddb.core.options import pairs
from carddb.games import Game, GameFolder, folders
from carddb.games.opening.game import bundled_rules
from carddb.play.question import Refusal
from carddb.play.table import engine
from carddb.play.table.engine import Action, act, offered, public_log, public_view
from carddb.play.table.front import WIDTH, Front, Parameter, Shown, Verb
from carddb.play.table.session import TableSession

LISTED = 5
"""The greatest number of values of a field for which a usage line lists them."""


def parameter_of(declared: Parameter) -> click.Parameter:
    """Returns a declared parameter as a Click parameter."""
    names, metavar = declared.names.split(), declared.metavar or None
    type_: Any = (
        PATH if declared.kind in ("file", "deck", "cards", "save") else int if declared.kind == "whole" else None
    )
    if not names[0].startswith("-"):
        return click.Argument(names, required=declared.required, nargs=declared.count, type=type_, metavar=metavar)
    if declared.kind == "flag":
        return click.Option(names, is_flag=True, help=declared.help)
    return click.Option(
        names, required=declared.required, multiple=declared.count < 0, metavar=metavar, help=declared.help,
        type=click.Choice(declared.choices) if declared.choices else type_,
    )  # fmt: skip


def parameters(action: Action[Any, Any], helps: Mapping[str, str]) -> list[click.Parameter]:
    """Returns the Click parameters for the fields of an action, in order; `helps` as in `GameFolder.option_helps`.

    The required fields at the beginning, the field after them, and the first list are arguments, unless they are flags.
    All other fields are options.
    """
    needed = action.form.model_json_schema().get("required", ())
    options: list[click.Parameter] = []
    open_, closed = True, False
    for name, field in action.fields.items():
        many, is_flag, option = _is_many(field), takes(field, "boolean"), f"--{name.replace('_', '-')}"
        words = helps.get(f"{action.name}.{name}")
        if (open_ or (many and not closed)) and not is_flag:
            number = -1 if many else 1
            word = _metavar(name, field)
            shown = word if name in needed else f"[{word}]"
            options.append(click.Argument([name], required=name in needed, nargs=number, metavar=shown))
            open_ = name in needed and not many
            closed = many
        elif is_flag:
            options.append(click.Option([f"{option}/--no-{name.replace('_', '-')}"], default=None, help=words))
        else:
            options.append(click.Option([option], multiple=many, metavar=_metavar(name, field), help=words))
    return options


def _is_many(field: dict[str, Any]) -> bool:
    """Returns whether a field is a list, or a mapping of names to values (`CP=7`)."""
    return takes(field, "array", "object")


def _metavar(name: str, field: dict[str, Any]) -> str:
    part = branches(field)[0]
    if "enum" in part and len(part["enum"]) <= LISTED:
        return "|".join(map(str, part["enum"]))
    return "NAME=VALUE..." if part.get("type") == "object" else name.upper() + ("..." if _is_many(field) else "")


class ActionCommand(click.Command):
    """The command of an action; its values may also be typed as `name=value`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [word for arg in args for word in self._as_typed(arg)])

    def _as_typed(self, arg: str) -> list[str]:
        """Returns a typed word as command-line words: `name=value` becomes an option, or the value of an argument."""
        name, equals, value = arg.partition("=")
        param = next((param for param in self.params if param.name == name and param.nargs == 1), None)
        if not equals or param is None:
            return [arg]
        if not isinstance(param, click.Option):
            return [value]
        if param.is_flag:
            return [(param.opts if value.casefold() in YES else param.secondary_opts)[0]]
        return [param.opts[0], value]


def typed(command: click.Command, ctx: click.Context) -> list[str]:
    """Returns what can be typed after an action's name at the table, in order; optional parts are in brackets."""
    options = [param for param in command.params if isinstance(param, click.Option)]
    usages = [f"[{one.name}={'yes' if one.is_flag else one.metavar}]" for one in options]
    return [*(part for part in command.collect_usage_pieces(ctx) if part != "[OPTIONS]"), *usages]


@dataclass(frozen=True)
class Terminal:
    """A table in the terminal: its session file, and how the session is shown.

    If `quiet`, the table is not shown after an action; if `open`, input that is normally hidden is shown.
    """

    file: TableFile[Any]
    quiet: bool = False
    open: bool = False

    def change(self, work: Callable[[TableSession[Any]], TableSession[Any]], quiet: bool = False) -> int:
        """Changes the session by `work`, saves it, and prints its message and, unless `quiet`, the table.

        Returns 0, or 1 if the change is refused; then it prints the reason and what can be done instead.
        """
        try:
            with self.file.locked():
                session = work(self.file.load())
                self.file.save(session)
        except Refusal as refusal:
            self.say(f"refused, {self.file.reason(refusal)}", err=True)
            if now := refusal.details.get("now"):
                self.say(f"Now: {now}", err=True)
            return 1
        self.say(session.message)
        if not quiet:
            self.show(session)
        return 0

    def say(self, text: str, err: bool = False, indent: str = "") -> None:
        """Prints a text, wrapped at the width that the game's `Front` sets. Continued lines begin with `indent`."""
        width = self.file.front.width or (WIDTH if sys.stdin.isatty() else 0)
        lines = text.split("\n")
        if width:
            lines = [textwrap.fill(line, width, subsequent_indent=indent, break_on_hyphens=False) for line in lines]
        show.echo("\n".join(lines), err=err)

    def show(self, session: TableSession[Any]) -> None:
        """Prints the table."""
        show.echo("\n".join(self.file.front.screen(public_view(self.file.table, session))))


ALWAYS = ("status", "log", "undo", "quit")
"""The commands that can be typed at any step."""
INDENT = " " * 6
_REPORT = "report"


def read_line(terminal: Terminal) -> str:
    """Returns the next line; on a terminal, prompts, and hides what must stay secret. Raises EOFError at the end."""
    if not sys.stdin.isatty():
        return _line()
    session = terminal.file.load()
    usual = terminal.file.table.usual(session)
    prompt = f"[Enter: {usual}] > " if usual else "> "
    if not terminal.open and terminal.file.front.unseen(session):
        return getpass(f"[unseen] {prompt}").strip()
    show.echo(prompt, nl=False)
    return _line()


def _line() -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.strip()


def run_line(ctx: click.Context, terminal: Terminal, line: str) -> None:
    """Runs a line typed at the table. Errors are printed; they do not end the session."""
    assert ctx.parent is not None and isinstance(ctx.parent.command, click.Group)
    group = ctx.parent.command
    try:
        session = terminal.file.load()
        words = _words(line) or _words(terminal.file.table.usual(session)) or ["status"]
        if words[0] in ("?", "help"):
            _help(terminal, session, group, ctx)
            return
        both = "-".join(words[:2]).lower()
        if len(words) > 1 and terminal.file.front.action(both) is not None:
            words = [both, *words[2:]]  # `end phase` is `end-phase`
        words = terminal.file.front.line(session, words)
        command = group.get_command(ctx, words[0])
        at_table = terminal.file.front.action(words[0]) is not None or words[0] in _always(terminal)
        if command is None or not at_table:
            raise UsageError(f"there is no action {words[0]!r} at this table", _right_ones(terminal, session, words[0]))
        with command.make_context(words[0], words[1:], parent=ctx) as inner:
            command.invoke(inner)
    except click.exceptions.Exit:
        return
    except click.ClickException as error:
        terminal.say(error.format_message(), err=True)
    except (CarddbError, ValueError) as error:
        terminal.say(str(error), err=True)


def _words(line: str) -> list[str]:
    """Returns a line's words; text in double quotation marks is one word. Raises UsageError if a mark is not closed."""
    reader = shlex.shlex(line, posix=True)
    reader.whitespace_split, reader.quotes, reader.commenters, reader.escape = True, '"', "", ""
    try:
        return list(reader)
    except ValueError:
        raise UsageError("a quotation mark is not closed", 'Add the closing ".') from None


def _always(terminal: Terminal) -> tuple[str, ...]:
    return (*terminal.file.front.always, *ALWAYS)


def _right_ones(terminal: Terminal, session: TableSession[Any], word: str) -> str:
    """Returns a hint for an unknown word: the action that was probably meant, and the actions possible now."""
    names = [action.name.replace("_", "-") for action in offered(terminal.file.table, session)]
    words = [*names, *_always(terminal)]
    return f"{did_you_mean(word, words, '')} Possible now: {', '.join(words)}; type ? for help.".lstrip()


def _help(terminal: Terminal, session: TableSession[Any], group: click.Group, ctx: click.Context) -> None:
    """Prints what can be done now, and how to type it."""
    game = terminal.file.table
    show.echo(f"Now: {game.choices(session)}")
    if usual := game.usual(session):
        show.echo(f"  {show.style('Enter', bold=True)}\n      {usual}")
    for action in offered(game, session):
        command = group.get_command(ctx, action.name)
        assert command is not None
        line = " ".join([action.name.replace("_", "-"), *typed(command, ctx)])
        filled = textwrap.fill(line, WIDTH, initial_indent="  ", subsequent_indent=INDENT, break_long_words=False)
        show.echo(show.style(filled, bold=True))
        for text in (action.about, *terminal.file.front.usages(action, session)):
            show.echo(textwrap.fill(text, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT))
    show.echo(f"  {', '.join((*terminal.file.front.always, 'status', 'log', 'undo [COUNT]', 'quit'))}")


class TableGroup(click.Group):
    """The commands of a table and the actions of its game, as a Click group whose `obj` is a Terminal.

    If the game is begun with decks, a deck in place of a command begins a new table.
    """

    def __init__(self, front: Front[Any], helps: Mapping[str, str], **attributes: Any) -> None:
        super().__init__(front.verb, **attributes)
        self.front, self._helps = front, helps
        for command in (status, log, undo, table, _new(front), *map(_verb, front.verbs)):
            self.add_command(command)

    def list_commands(self, ctx: click.Context) -> list[str]:
        own = sorted([*self.commands, *([_REPORT] if self.front.sheets else [])])
        return [*own, *(name.replace("_", "-") for name in self.front.table().actions)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        own = super().get_command(ctx, "new" if self._is_deck(cmd_name) else cmd_name)
        if own is not None:
            return own
        if cmd_name == _REPORT and self.front.sheets:
            return command_at("carddb.cli.printing.components", "score_sheets", self.front)
        action = self.front.action(cmd_name)
        return None if action is None else command_of(cmd_name, action, self.front, self._helps)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and self._is_deck(args[0]):
            return "new", self.get_command(ctx, "new"), args
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            raise UsageError(f"there is no action {args[0]!r}", did_you_mean(args[0], self.list_commands(ctx)))
        return super().resolve_command(ctx, args)

    def _is_deck(self, word: str) -> bool:
        return bool(self.front.by_decks) and (
            word == "-" or "/" in word or bool(Path(word).suffix) or Path(word).is_file()
        )


def bundled_table(verb: str) -> TableGroup:
    """Returns the command `verb`, the table of a bundled game."""
    folder = next(folder for folder in folders().values() if folder.table_verb and folder.table_verb[0] == verb)
    return _group(bundled_rules(folder).TABLE(), folder)


def table_of(game: Game) -> TableGroup | None:
    """Returns the command of the table of an external game; None if its rules define no table."""
    front = front_of(game)
    return None if front is None else _group(front, game.folder)


def _group(front: Front[Any], folder: GameFolder) -> TableGroup:
    path = click.Option(
        ["--session", "path"], type=PATH, default=Path(front.usual_file), show_default=True, help=front.file_help
    )
    unseen = [parameter_of(each) for each in front.begin.parameters if each.key == "open"]

    @click.pass_context
    def sit(ctx: click.Context, /, path: Path, open: bool = False) -> None:
        session: Session = ctx.obj
        ctx.obj = Terminal(
            TableFile(session.project, path, session.project.game(folder.key), front), session.quiet, open
        )

    usage = {"subcommand_metavar": f"{front.by_decks} | COMMAND [ARGS]..."} if front.by_decks else {}
    return TableGroup(front, folder.option_helps, params=[path, *unseen], callback=sit, help=front.help, **usage)


def _new(front: Front[Any]) -> click.Command:
    """Returns the command that begins a table. If the game is begun with decks, the player then sits down at it."""

    @click.pass_context
    def new(
        ctx: click.Context, /, force: bool = False, session: Path | None = None, open: bool = False, **values: Any
    ) -> None:
        terminal: Terminal = ctx.obj
        file = terminal.file
        if session is not None:
            file = TableFile(file.project, session, file.game, front)
        ctx.obj = terminal = Terminal(file, terminal.quiet, open or terminal.open)
        begun = file.begin(_read(front.begin, values), force)
        terminal.say(f"{file.path}: {front.begun(begun)}")
        if front.by_decks:
            assert ctx.parent is not None
            ctx.parent.obj = terminal
            with table.make_context("table", [], parent=ctx.parent) as inner:
                table.invoke(inner)

    declared = [parameter_of(each) for each in front.begin.parameters]
    return click.Command("new", params=declared, callback=new, help=front.begin.help)


def _read(verb: Verb, values: dict[str, Any]) -> dict[str, Any]:
    """Returns the values of a command's parameters in the form that the game needs, without those that are None."""
    read = {each.key: partial(pairs, option=each.names.split()[0])
            for each in verb.parameters if each.kind == "readings"}  # fmt: skip
    return {name: read[name](value) if name in read else value for name, value in values.items() if value is not None}


def _verb(verb: Verb) -> click.Command:
    """Returns the command for an additional verb of a game, which prints its answer."""

    @click.pass_context
    def run(ctx: click.Context, /, **values: Any) -> None:
        terminal: Terminal = ctx.obj
        shown: Shown = verb.run(terminal.file, **_read(verb, values))
        if shown.json is not None:
            show.as_json(shown.json)
        elif shown.file is not None:
            session = ctx.find_object(Session)
            assert session is not None
            session.write(values["output"], shown.file)
            for line in shown.about:
                session.say(line)
        else:
            show.table(shown.head, shown.rows)
        if shown.private and sys.stdin.isatty() and sys.stdout.isatty():
            click.prompt("[Enter hides the hand]", default="", show_default=False, prompt_suffix=" > ")
            click.clear()

    declared = [parameter_of(each) for each in verb.parameters]
    return click.Command(verb.name, params=declared, callback=run, help=verb.help)


def command_of(
    name: str, action: Action[Any, Any], front: Front[Any], helps: Mapping[str, str] = MappingProxyType({})
) -> click.Command:
    """Returns the command of an action, made from the fields that the action needs, with `helps` for its options."""

    @click.pass_obj
    def run(terminal: Terminal, /, **words: Any) -> int:
        game, entered = terminal.file.table, input_of(action, words)
        return terminal.change(lambda now: act(game, now, action.name, front.fields(now, entered)), terminal.quiet)

    # The help lists the game's further usage lines, and values that are too many for the usage line but not in those.
    further = front.usages(action, None)
    in_usages = {line.partition(" ")[0] for line in further}
    listed = {name: part["enum"] for name, field in action.fields.items() for part in branches(field) if "enum" in part}
    long = {
        name: ", ".join(values) for name, values in listed.items() if len(values) > LISTED and {*values} - in_usages
    }
    words = [action.about, *(f"{name.upper()} is one of: {values}." for name, values in long.items())]
    if further:
        words.append("\n".join(["\b", *further]))
    return ActionCommand(name, params=parameters(action, helps), callback=run, help="\n\n".join(words))


@click.command()
@click.option("--json", "json_", is_flag=True, help="As JSON, without the hidden cards.")
@click.pass_obj
def status(terminal: Terminal, json_: bool) -> None:
    """Show the table as a player sees it, without hidden cards."""
    session = terminal.file.load()
    if json_:
        return show.as_json(public_view(terminal.file.table, session))
    terminal.show(session)


@click.command()
@json_option
@click.pass_obj
def log(terminal: Terminal, json_: bool) -> None:
    """Show what has happened, without revealing hidden cards."""
    entries = public_log(terminal.file.load())
    if json_:
        return show.as_json({"schema": f"carddb.{terminal.file.front.verb}-log/1", "entries": entries})
    for number, entry in enumerate(entries, 1):
        terminal.say(f"{number:4}  {entry['told']}", indent=" " * 6)


@click.command()
@click.argument("count", type=click.IntRange(1), default=1)
@click.pass_obj
def undo(terminal: Terminal, count: int) -> int:
    """Undo the last COUNT actions. If they are repeated, the dice give the same results."""
    return terminal.change(lambda session: engine.undo(terminal.file.table, session, count))


@click.command()
@click.pass_context
def table(ctx: click.Context) -> None:
    """Sit down at the table: see the cards, type your actions, undo them. Each action is saved.

    Enter does the usual next step, `?` lists what you may do now and how to type it, `quit` leaves the table.
    """
    terminal: Terminal = ctx.obj
    terminal.show(terminal.file.load())
    while True:
        try:
            line = read_line(terminal)
        except EOFError:
            if sys.stdin.isatty():
                show.echo()
            return
        if terminal.file.is_changed():
            terminal.say("The game was continued in another window; your line was ignored. The table now:", err=True)
            terminal.show(terminal.file.load())
            continue
        if line.split()[:1] in (["quit"], ["q"], ["exit"]):
            return
        run_line(ctx, terminal, line)
