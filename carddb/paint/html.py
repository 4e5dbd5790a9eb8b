"""Templates of HTML pages: one environment for all of them, with a frame that every page shares."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path

from jinja2 import BaseLoader, ChoiceLoader, Environment, FileSystemLoader, StrictUndefined

from carddb.core.plain_text import is_right_to_left

_PAGES = Path(__file__).with_name("pages")


def page_templates(*folders: Path, further: Sequence[BaseLoader] = ()) -> Environment:
    """Returns the environment of the templates in `folders`, which extend `frame.html`; all values are escaped.

    `further` loaders find templates that are not in these folders.
    """
    environment = Environment(
        loader=ChoiceLoader([FileSystemLoader([*folders, _PAGES]), *further]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.tests["right_to_left"] = is_right_to_left
    environment.filters |= {"css_name": _css_name, "base64": lambda data: b64encode(data).decode()}
    return environment


def _css_name(family: str) -> str:
    """Returns a font family's name without characters that are not allowed in a style sheet."""
    return re.sub(r"[^\w -]", "", family)
