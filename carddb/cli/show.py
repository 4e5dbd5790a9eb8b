"""The output of commands: findings, tables, JSON; plain in a pipe, with colours and bars on a terminal."""

from __future__ import annotations

import json
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

import click

from carddb.cli.terminal import broken, columns, narrowed, wrapped
from carddb.core.groups import grouped
from carddb.core.plain_text import MARKED, SEQUENCES, escaped, escaped_line, json_text, styled
from carddb.findings import VERDICTS, Finding, Place, Severity
from carddb.game.frozen import as_plain

BAR = 40
"""The width of a full bar, in characters."""

_NARROWEST, _WIDEST_PLACE = 16, 24
"""The least width of a wrapped column, and the greatest width to which places of findings are padded, in characters."""

style = styled
_COLOURS = {"error": "red", "not_checkable": "magenta", "warning": "yellow", "info": "cyan"}


def output_option(
    what: str, required: bool = True, folder: bool = False
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Returns a decorator that adds the option `-o FILE`, or `-o DIR` for a folder; `what` is its help text."""
    path = click.Path(path_type=Path, file_okay=not folder, allow_dash=not folder, readable=False)
    return click.option("-o", "--output", required=required, type=path, metavar="DIR" if folder else "FILE", help=what)


VERDICT_COLOURS = {"legal": "green", "illegal": "red", "not_checkable": "magenta"}


def terminal_width(err: bool = False) -> int:
    """Returns the width of the terminal in columns; 0 if the output is a pipe or a file."""
    stream = sys.stderr if err else sys.stdout
    return shutil.get_terminal_size().columns if stream.isatty() else 0


def echo(text: str = "", *, err: bool = False, nl: bool = True, wrap: bool = True, lead: int = 0) -> None:
    """Prints text on standard output or error, in its styles, with all other control characters escaped.

    All text of the program is printed here, so that no data can control the terminal (`carddb.core.plain_text`). On a
    terminal, lines are wrapped at its width, unless `wrap` is false, and continued beside a label of the width `lead`.
    """
    if wrap and nl and (width := terminal_width(err)):
        text = wrapped(text, width, MARKED, lead)
    click.echo(MARKED.sub(lambda match: SEQUENCES[match[0]], escaped(text)), err=err, nl=nl)


def stream(data: bytes) -> None:
    """Writes bytes to standard output: to a terminal as escaped text, elsewhere unchanged."""
    if sys.stdout.isatty():
        echo(data.decode("utf-8", "backslashreplace"), nl=False)
    else:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def verdict(text: str, answer: str) -> str:
    """Returns a sentence in which the words for the verdict `answer` are bold and coloured."""
    words = VERDICTS[answer]
    return text.replace(words, style(words, fg=VERDICT_COLOURS[answer], bold=True))


def findings(findings: Iterable[Finding], err: bool = False, least: Severity = Severity.INFO) -> None:
    """Prints the findings at least as serious as `least`: on a terminal in columns by file, elsewhere as paragraphs."""
    order = list(Severity)
    shown = [finding for finding in findings if order.index(finding.severity) <= order.index(least)]
    if not terminal_width(err):
        for finding in shown:
            _paragraph(finding, err)
        return
    for file, group in grouped((_file(finding), finding) for finding in shown).items():
        if file:
            echo(style(escaped_line(file), bold=True), err=err)
        places = [_within(finding.where[0]) if finding.where else "" for finding in group]
        wide, most = max(len(finding.severity) for finding in group), min(_WIDEST_PLACE, max(map(columns, places)))
        for finding, place in zip(group, places, strict=True):
            head = _padded(_severity(finding), wide) + (f" {_padded(place, most)}" if most else "")
            _under_heading(finding, head, "  " if file else "", err)


def _file(finding: Finding) -> str:
    return finding.where[0].file if finding.where else ""


def _paragraph(finding: Finding, err: bool) -> None:
    """Prints place, severity, code and message of a finding, then the fix and the rules."""
    place = f"{escaped_line(str(finding.where[0]))}: " if finding.where and str(finding.where[0]) else ""
    echo(f"{place}{_severity(finding)} {finding.code}: {escaped_line(finding.message)}", err=err)
    if further := _further(finding.where, ""):
        echo(f"    {further}", err=err)
    notes = [f"fix: {escaped_line(finding.fix)}"] if finding.fix else []
    notes += [f"rules: {', '.join(finding.rules)}"] if finding.rules else []
    if notes:
        echo("    " + "   ".join(notes), err=err)


def _under_heading(finding: Finding, head: str, indent: str, err: bool) -> None:
    """Prints a finding: `head` and the message with card names in bold, its fix, its code and rules, a blank line."""
    labelled([(head, _with_names(finding))], indent, err)
    if further := _further(finding.where, _file(finding)):
        echo(f"{indent}  {further}", err=err)
    if finding.fix:
        echo(f"{indent}  fix: {escaped_line(finding.fix)}", err=err)
    sources = f"{finding.code}   rules: {', '.join(finding.rules)}" if finding.rules else finding.code
    echo(f"{indent}  {style(sources, dim=True)}\n", err=err)


def _severity(finding: Finding) -> str:
    return style(finding.severity.replace("_", " "), fg=_COLOURS[finding.severity], bold=True)


def _within(place: Place) -> str:
    """Returns a place without its file."""
    return escaped_line(str(place._replace(file="")))


def _further(where: Sequence[Place], file: str) -> str:
    """Returns a note on up to three places of a finding after the first, without the file's name if it is `file`."""
    places = [_within(place) if place.file == file else escaped_line(str(place)) for place in where[1:4]]
    more = f" and {len(where) - 4} more" if len(where) > 4 else ""
    return f"also: {', '.join(places)}{more}" if places else ""


def _with_names(finding: Finding) -> str:
    """Returns the message of a finding with the names of its cards in bold."""
    message = escaped_line(finding.message)
    names = sorted({escaped_line(card.name) for card in finding.cards if card.name}, key=len, reverse=True)
    if not names:
        return message
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)")
    return pattern.sub(lambda match: style(match[0], bold=True), message)


def paragraph(text: str, width: int, first: str = "", rest: str = "") -> None:
    """Prints a paragraph of text on lines of at most `width` columns, or of the terminal's width if that is smaller.

    `first` and `rest` are the indents of the first line and of the others.
    """
    room = max(_NARROWEST, min(width, terminal_width() or width))
    echo(textwrap.fill(text, room, initial_indent=first, subsequent_indent=rest), wrap=False)


def as_json(value: Any) -> None:
    """Prints JSON on standard output, indented, with keys in the given order."""
    echo(json_text(value), wrap=False)


def plain(value: Any) -> str:
    """Returns a value of a card as text for people."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return "(absent)" if value is None else str(value)


def setting(value: Any) -> str:
    """Returns a value as it is written in an option: a text unchanged, any other value as JSON."""
    return value if isinstance(value, str) else json.dumps(as_plain(value))


def one_line(value: Any, longest: int | None = None) -> str:
    """Returns a value as text on one line, cut to `longest` characters (None: not cut)."""
    text = plain(value).replace("\n", " / ")
    return text if longest is None or len(text) <= longest else text[: longest - 1] + "…"


def table(
    header: Sequence[str], rows: Iterable[Sequence[object]], *, width: int = 0, colours: Mapping[str, str] | None = None
) -> None:
    """Prints a table, each column but the last as wide as its widest cell. Wide characters count as two.

    On a terminal, or if `width` is given, the widest columns are wrapped so that lines fit, if possible; words are
    broken only if nothing else helps. `colours` maps the text of a cell to its colour.
    """
    again = [*rows] if isinstance(rows, Iterator) else rows  # rows are read twice: to measure and to print

    def lines() -> Iterator[list[str]]:
        yield [*header]
        for row in again:
            yield [escaped_line(str(cell)) for cell in row]

    if next(iter(again), None) is None:
        return
    widths = _widest(lines(), columns)
    width = terminal_width() or width
    surplus = sum(widths) + 2 * (len(widths) - 1) - width
    if width and surplus > 0:
        words = _widest(lines(), lambda cell: max(map(columns, cell.split(" "))))
        widths = narrowed(widths, width, [max(_NARROWEST, word) for word in words])
        widths = narrowed(widths, width, [_NARROWEST for _ in widths])
    for number, line in enumerate(lines()):
        wrapped_cells = [
            broken(cell, wide) if columns(cell) > wide else [cell] for cell, wide in zip(line, widths, strict=True)
        ]
        for part in zip_longest(*wrapped_cells, fillvalue=""):
            cells = [
                _padded(style(text, fg=colours[text], bold=True) if colours and text in colours else text, wide)
                for text, wide in zip(part, widths, strict=True)
            ]
            text = "  ".join(cells).rstrip()
            echo(style(text, bold=True) if number == 0 else text)


def _widest(lines: Iterable[Sequence[str]], measure: Callable[[str], int]) -> list[int]:
    """Returns for each column the largest value of `measure` for its cells."""
    widest: list[int] = []
    for line in lines:
        widths = map(measure, line)
        widest = [max(pair) for pair in zip(widest, widths, strict=True)] if widest else [*widths]
    return widest


def bar(part: float, width: int = BAR) -> str:
    """Returns a bar of `width` characters, drawn in eighths of a character; `part` is from 0 to 1."""
    eighths = round(part * width * 8)
    bar = "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8]
    return bar.strip().ljust(width)


def interval(part: float, low: float, high: float) -> str:
    """Returns a share and its interval in per cent, as ` 12.5 %  [10.1 to 15.0]`."""
    return f"{part * 100:5.1f} %  [{low * 100:.1f} to {high * 100:.1f}]"


def bars(rows: Sequence[tuple[str, float, str]], width: int = BAR) -> None:
    """Prints a bar for each row, which is a label, a part from 0 to 1, and a text; labels are padded to one width."""
    labelled([(label, f"{bar(part, width)}  {text}") for label, part, text in rows])


def labelled(rows: Sequence[tuple[str, str]], indent: str = "  ", err: bool = False) -> None:
    """Prints a label and a text for each row; all lines of all texts begin in the same column."""
    widest = max((_width(label) for label, _ in rows), default=0)
    for label, text in rows:
        for number, line in enumerate(text.split("\n")):
            head = f"{indent}{_padded('' if number else label, widest)}  "
            echo((head + line).rstrip(), err=err, lead=_width(head))


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _width(text))


def _width(text: str) -> int:
    """Returns the width of a text with styles, in columns."""
    return columns(MARKED.sub("", text))
