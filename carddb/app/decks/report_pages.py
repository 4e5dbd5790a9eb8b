"""The pages of reports on decks, by templates in which every word of a deck is text."""

from __future__ import annotations

from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from carddb.core import assets
from carddb.core.plain_text import amount

if TYPE_CHECKING:
    from jinja2 import Template

_FOLDER = "_reports"


@cache
def template(name: str) -> Template:
    """Returns a template of the reports."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # 30 ms, for a page alone

    environment = Environment(
        loader=FileSystemLoader(assets.templates() / _FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        finalize=None if name.startswith("check") else _escaped,
    )
    environment.globals["amount"] = amount
    return environment.get_template(name)


def _escaped(value: Any) -> Markup:
    """Returns a value as text of a page; quotes are `&quot;` and `&#x27;`, as in pages that are published already."""
    return value if isinstance(value, Markup) else Markup(escape(str(value)))


def report_style() -> str:
    """Returns the style of charts and tables within any page that defines the colours."""
    return (assets.templates() / _FOLDER / "report.css").read_text("utf-8")
