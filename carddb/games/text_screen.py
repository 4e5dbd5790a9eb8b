"""The screen of a table on a terminal: the public view, filled into a text template in the game's folder."""

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
    """Returns a text broken into lines of at most `width` characters, with `lead` before the first line.

    The other lines begin with `hang`, by default with as many spaces as `lead` has characters. If `text` is a list of
    items, they are joined by `between`, and lines break only between items.
    """
    items = not isinstance(text, str)
    whole = between.join(item.replace(" ", _NO_BREAK) for item in text) if items else str(text)
    indent = " " * len(lead) if hang is None else hang
    lines = textwrap.wrap(whole, width, initial_indent=lead, subsequent_indent=indent, break_on_hyphens=False)
    return "\n".join(lines).replace(_NO_BREAK, " ") if items else "\n".join(lines)


def text_screen(path: Path, **filters: Callable[..., Any]) -> Callable[[dict[str, Any]], list[str]]:
    """Returns a function that fills a view into the text template at `path`, and returns the lines for a terminal.

    In the template, a line that begins with `%` is a statement. `filters` are the game's own filters.
    """

    @cache
    def template() -> Template:
        environment = Environment(line_statement_prefix="%", undefined=StrictUndefined)
        environment.filters |= {"styled": styled, "wrapped": wrapped, **filters}
        return environment.from_string(path.read_text("utf-8"))

    return lambda view: template().render(view=view).split("\n")
