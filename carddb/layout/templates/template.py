"""Face templates: SVG files with Jinja, which is sandboxed, autoescaping, and strict about undefined names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from carddb.core.plain_text import FORBIDDEN

if TYPE_CHECKING:
    import jinja2

    from carddb.layout.templates.renderer import TemplateRenderer

BASE = "_base"
PARTS = "_parts"
"""The folders of templates that every game can use: carddb's own pages, and parts of faces."""


class Templates:
    """The sources of templates by name (`empires_and_generals/unit.svg`); each is compiled once.

    `compiled` returns a cache of code compiled in earlier runs.
    """

    def __init__(self, sources: Mapping[str, str], compiled: Callable[[], jinja2.BytecodeCache] | None = None) -> None:
        self.sources = dict(sources)
        self._compiled = compiled

    def __contains__(self, name: str) -> bool:
        return name in self.sources

    def render(self, name: str, context: Mapping[str, Any], marked: bool = False) -> str:
        """Returns a template rendered to SVG text; `marked` adds `data-at="file:line"` to every tag, for messages.

        A template without braces, such as a file of symbols, is returned unchanged. Raises TemplateError with file and
        line if the template is missing or faulty.
        """
        if not marked and "{" not in self.sources.get(name, "{"):
            return FORBIDDEN.sub("\ufffd", self.sources[name])
        return FORBIDDEN.sub("\ufffd", self._renderer.render(name, context, marked))

    @cached_property
    def _renderer(self) -> TemplateRenderer:
        from carddb.layout.templates.renderer import TemplateRenderer  # not needed by a run that draws nothing

        return TemplateRenderer(self.sources, self._compiled and self._compiled())
