"""The screen of a table on a terminal: the public view, filled into the `table/screen.txt` of the game's folder."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined, Template

from carddb.core.plain_text import styled
from carddb.play.table.front import WIDTH

_NO_BREAK = "\u00a0"


def wrapped(
    text: str | Iterable[str], lead: str, hang: str | None = None, between: str = ", ", width: int = WIDTH
) -> str:
    """Returns a text in lines of a width, the first after `lead`, the others after `hang` or as much space.

    Instead of a text, items may be given; then lines break only between items.
    """
    items = not isinstance(text, str)
    whole = between.join(item.replace(" ", _NO_BREAK) for item in text) if items else str(text)
    indent = " " * len(lead) if hang is None else hang
    lines = textwrap.wrap(whole, width, initial_indent=lead, subsequent_indent=indent, break_on_hyphens=False)
    return "\n".join(lines).replace(_NO_BREAK, " ") if items else "\n".join(lines)


def text_screen(path: Path, **filters: Callable[..., Any]) -> Callable[[dict[str, Any]], list[str]]:
    """Returns the function that fills a view into the text template `path`, as lines for a terminal.

    In the template, a line that begins with `%` is a statement. `filters` are those that only this game has.
    """

    @cache
    def template() -> Template:
        environment = Environment(line_statement_prefix="%", undefined=StrictUndefined)
        environment.filters |= {"styled": styled, "wrapped": wrapped, **filters}
        return environment.from_string(path.read_text("utf-8"))

    return lambda view: template().render(view=view).split("\n")
