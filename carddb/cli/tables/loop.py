"""The lines typed at a table: what each means, and what is said of a wrong one."""

from __future__ import annotations

import shlex
import sys
import textwrap
from getpass import getpass
from typing import Any

import click

from carddb.cli import show
from carddb.cli.tables.terminal import WIDTH, Terminal
from carddb.cli.tables.words import typed
from carddb.core.errors import CarddbError, UsageError
from carddb.core.names import nearest
from carddb.play.table.engine import offered
from carddb.play.table.session import TableSession

ALWAYS = ("status", "log", "undo", "quit")
"""What may be typed at any step."""

_HELP = ("?", "help")

INDENT = " " * 6


def read_line(terminal: Terminal[Any]) -> str:
    """The next line without its end, at a terminal after a prompt; what others may not know is not shown.

    Raises EOFError at the end of the input.
    """
    if not sys.stdin.isatty():
        return _line()
    session = terminal.file.load()
    usual = terminal.file.table.usual(session)
    prompt = f"[Enter: {usual}] > " if usual else "> "
    if terminal.front.unseen(session) and not terminal.open:
        return getpass(f"[unseen] {prompt}").strip()
    show.echo(prompt, nl=False)
    return _line()


def _line() -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.strip()


def run_line(ctx: click.Context, terminal: Terminal[Any], line: str) -> None:
    """One line typed at the table; whatever is wrong with it is shown, and the table stays."""
    assert ctx.parent is not None and isinstance(ctx.parent.command, click.Group)
    group = ctx.parent.command
    try:
        session = terminal.file.load()
        words = _words(line) or _words(terminal.file.table.usual(session)) or ["status"]
        if words[0] in _HELP:
            _help(terminal, session, group, ctx)
            return
        words = terminal.front.line(session, _joined(terminal, words))
        command = group.get_command(ctx, words[0])
        at_table = terminal.front.action(words[0]) is not None or words[0] in _always(terminal)
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
    """The words of a line; those between double quotation marks are one. An apostrophe is a letter of a name.

    Raises UsageError where a quotation mark is not closed.
    """
    reader = shlex.shlex(line, posix=True)
    reader.whitespace_split, reader.quotes, reader.commenters, reader.escape = True, '"', "", ""
    try:
        return list(reader)
    except ValueError:
        raise UsageError("a quotation mark is not closed") from None


def _always(terminal: Terminal[Any]) -> tuple[str, ...]:
    return (*terminal.front.always, *ALWAYS)


def _joined(terminal: Terminal[Any], words: list[str]) -> list[str]:
    """The words with the name of an action as one: `end phase` is `end-phase`."""
    both = "-".join(words[:2]).lower()
    return [both, *words[2:]] if len(words) > 1 and terminal.front.action(both) is not None else words


def _right_ones(terminal: Terminal[Any], session: TableSession[Any], word: str) -> str:
    """What was probably meant, and what may be typed now."""
    names = [action.name.replace("_", "-") for action in offered(terminal.file.table, session)]
    always = _always(terminal)
    near = nearest(word, [*names, *always], 1)
    meant = f"Did you mean {near[0]}? " if near else ""
    return f"{meant}Now: {', '.join([*names, *always])}; ? explains them."


def _help(terminal: Terminal[Any], session: TableSession[Any], group: click.Group, ctx: click.Context) -> None:
    """What may be done now, and how it is typed."""
    game = terminal.file.table
    show.echo(f"Now: {game.steps[session.step]}")
    if usual := game.usual(session):
        show.echo(f"  {show.style('Enter', bold=True)}\n      {usual}")
    for action in offered(game, session):
        command = group.get_command(ctx, action.name)
        assert command is not None
        line = " ".join([action.name.replace("_", "-"), *typed(command, ctx)])
        filled = textwrap.fill(line, WIDTH, initial_indent="  ", subsequent_indent=INDENT, break_long_words=False)
        show.echo(show.style(filled, bold=True))
        for text in (action.about, *terminal.front.usages(action, session)):
            show.echo(textwrap.fill(text, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT))
    show.echo(f"  {', '.join((*terminal.front.always, 'status', 'log', 'undo [COUNT]', 'quit'))}")
