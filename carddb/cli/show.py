"""What verbs print: findings, tables, JSON; plain in a pipe, with colour and bars on a terminal."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from carddb.findings import Finding, Severity
from carddb.plain_text import escaped, escaped_line, json_text

BAR = 40
"""The characters of a whole bar."""

_NARROWEST = 16
"""The columns that a wrapped column of a table keeps."""

_COLOURS = {"error": "red", "not_checkable": "magenta", "warning": "yellow", "info": "cyan"}
_STYLES = {"reset": 0, "bold": 1, "dim": 2, "red": 31, "green": 32, "yellow": 33, "magenta": 35, "cyan": 36}
"""The numbers by which a terminal knows them (ECMA-48, SGR)."""
_MARKS = {style: chr(0xFDD0 + number) for number, style in enumerate(_STYLES)}
"""What stands for a style until a text is printed: no characters in Unicode, so that all that are can be escaped."""
_MARKED = re.compile(f"[{''.join(_MARKS.values())}]")
_SEQUENCES = {_MARKS[style]: f"\x1b[{number}m" for style, number in _STYLES.items()}
_WORDS = {"error": "error", "not_checkable": "not checkable", "warning": "warning", "info": "info"}


def output_option(what: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """`-o FILE`, required; `what` says which kinds."""
    path = click.Path(path_type=Path, allow_dash=True, readable=False)
    return click.option("-o", "--output", required=True, type=path, metavar="FILE", help=what)


def echo(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """The one door by which text leaves: on standard output or error, nothing in it but text and our own styles.

    What could steer a terminal is escaped, whoever wrote it (`carddb.plain_text`).
    """
    click.echo(_MARKED.sub(lambda match: _SEQUENCES[match[0]], escaped(text)), err=err, nl=nl)


def stream(data: bytes) -> None:
    """Bytes on standard output, as they are but on a terminal, where they are text as any other."""
    if sys.stdout.isatty():
        echo(data.decode("utf-8", "backslashreplace"), nl=False)
    else:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def style(text: str, *, fg: str = "", bold: bool = False, dim: bool = False) -> str:
    """A text that `echo` shows in bold, dim or in a colour where the terminal can."""
    names = [name for name, used in ((fg, fg), ("bold", bold), ("dim", dim)) if used]
    return "".join(_MARKS[name] for name in names) + text + _MARKS["reset"]


def findings(findings: Iterable[Finding], err: bool = False, least: Severity = Severity.INFO) -> None:
    """One paragraph a finding: place, severity, code, message; then the fix and the rules."""
    order = list(Severity)
    for finding in findings:
        if order.index(finding.severity) > order.index(least):
            continue
        severity = style(_WORDS[finding.severity], fg=_COLOURS[finding.severity], bold=True)
        place = f"{escaped_line(str(finding.where[0]))}: " if finding.where and str(finding.where[0]) else ""
        echo(f"{place}{severity} {finding.code}: {escaped_line(finding.message)}", err=err)
        further = [escaped_line(str(where)) for where in finding.where[1:4]]
        if further:
            more = f" and {len(finding.where) - 4} more" if len(finding.where) > 4 else ""
            echo(f"    also: {', '.join(further)}{more}", err=err)
        notes = [
            f"fix: {escaped_line(finding.fix)}" if finding.fix else "",
            f"rules: {', '.join(finding.rules)}" if finding.rules else "",
        ]
        if any(notes):
            echo("    " + "   ".join(note for note in notes if note), err=err)


def as_json(value: Any) -> None:
    """JSON on standard output, readable, in the order given."""
    echo(json_text(value))


def plain(value: Any) -> str:
    """A value of a card as it is shown to people."""
    if isinstance(value, bool):
        return str(value).lower()
    return "(absent)" if value is None else str(value)


def joined(value: Any) -> Any:
    """A list as its values with commas between them; any other value as it is."""
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else value


def one_line(value: Any, longest: int | None = None) -> str:
    """A value on one line, cut after `longest` characters."""
    text = plain(value).replace("\n", " / ")
    return text if longest is None or len(text) <= longest else text[: longest - 1] + "…"


def table(header: Sequence[str], rows: Iterable[Sequence[object]], *, width: int = 0) -> None:
    """Columns padded to their widest cell; the last one is left as it is. Wide characters count double.

    With a `width` the widest column is wrapped, so that lines have no more columns than that where it can be done.
    """
    lines = [[escaped_line(str(cell)) for cell in row] for row in rows]
    if not lines:
        return
    every = [list(header), *lines]
    widths = [max(_width(line[i]) for line in every) for i in range(len(header))]
    surplus = sum(widths) + 2 * (len(widths) - 1) - width
    if width and surplus > 0:
        widest = widths.index(max(widths))
        widths[widest] = max(_NARROWEST, widths[widest] - surplus)
        every = [part for line in every for part in _wrapped(line, widest, widths[widest])]
    for number, line in enumerate(every):
        cells = [cell + " " * (width - _width(cell)) for cell, width in zip(line, widths, strict=True)]
        text = "  ".join(cells).rstrip()
        echo(style(text, bold=True) if number == 0 else text)


def _wrapped(line: Sequence[str], at: int, width: int) -> Iterator[list[str]]:
    """A line of a table as several, one of its cells wrapped."""
    for number, part in enumerate(textwrap.wrap(line[at], width) or [""]):
        rest = ["" for _ in line] if number else line
        yield [*rest[:at], part, *rest[at + 1 :]]


def _width(text: str) -> int:
    """The columns of a terminal that a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def bar(part: float, width: int = BAR) -> str:
    """A bar of eighths of a character; of whole ones where the terminal has no such signs."""
    eighths = round(part * width * 8)
    bar = "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8]
    return bar.strip().ljust(width)
