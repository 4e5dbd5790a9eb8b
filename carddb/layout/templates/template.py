"""Face templates: SVG files with Jinja in them, sandboxed, strict about undefined names, autoescaping."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import jinja2

    from carddb.layout.templates.renderer import TemplateRenderer

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


class Templates:
    """Templates by name (`empires_and_generals/unit.svg`) and their source, compiled once each.

    `compiled` gives what may have the code of some from an earlier run.
    """

    def __init__(self, sources: Mapping[str, str], compiled: Callable[[], jinja2.BytecodeCache] | None = None) -> None:
        self.sources = dict(sources)
        self._compiled = compiled

    def __contains__(self, name: str) -> bool:
        return name in self.sources

    def render(self, name: str, context: Mapping[str, Any], marked: bool = False) -> str:
        """Renders a template to SVG text. `marked` adds `data-at="file:line"` to every tag, for messages.

        One without a brace, such as a file of symbols, is its own text. Raises TemplateError with file and line.
        """
        if not marked and "{" not in self.sources.get(name, "{"):
            return drawable(self.sources[name])
        return drawable(self._renderer.render(name, context, marked))

    @cached_property
    def _renderer(self) -> TemplateRenderer:
        from carddb.layout.templates.renderer import TemplateRenderer  # a run that draws nothing needs no Jinja

        return TemplateRenderer(self.sources, self._compiled and self._compiled())


def drawable(text: str) -> str:
    """Replaces the characters of a text that XML cannot hold."""
    return _FORBIDDEN.sub("\ufffd", text)
