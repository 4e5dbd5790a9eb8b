"""Face templates: SVG files with Jinja in them, sandboxed, strict about undefined names, autoescaping."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import jinja2

from carddb.errors import TemplateError
from carddb.layout.sandbox import ERRORS, Sandbox

_TAG = re.compile(r"({%.*?%}|{{.*?}}|{#.*?#}|<!--.*?-->)|<([a-zA-Z]+)", re.S)
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")

_COMMON = "_"
"""What the folders of templates begin with that every game can use."""


class Templates:
    """Templates by name (`empires_and_generals/unit.svg`) and their source, compiled once each.

    `compiled` may know the code of some from an earlier run.
    """

    renders_together = False
    """Whether several templates are had sooner by `pieces_together`."""

    def __init__(self, sources: Mapping[str, str], compiled: jinja2.BytecodeCache | None = None) -> None:
        self.sources = dict(sources)
        self._plain = Sandbox(self.sources, compiled)
        self._marked: Sandbox | None = None

    def __contains__(self, name: str) -> bool:
        return name in self.sources

    def render(self, name: str, context: Mapping[str, Any], marked: bool = False) -> str:
        """The SVG text of a template. `marked` adds `data-at="file:line"` to every tag, for messages.

        Raises TemplateError with file and line.
        """
        return drawable("".join(self._drawn(name, context, marked)))

    def pieces(self, name: str, context: Mapping[str, Any]) -> list[str]:
        """The same text as it comes: constant texts of the template, and values as `Markup`. Raises TemplateError."""
        return self._drawn(name, context, marked=False)

    def pieces_together(self, jobs: Sequence[tuple[str, Mapping[str, Any]]]) -> list[list[str] | None]:
        """The pieces of several templates, each with its context; None for one that has to be rendered alone."""
        return [None] * len(jobs)

    def _place(self, error: BaseException, name: str) -> tuple[str, int]:
        """The innermost template and its line; Jinja rewrites tracebacks so that they carry template lines.

        Parts that every game has are right: it is the template that uses them which has to be mended.
        """
        places, trace = [(name, 0)], error.__traceback__
        while trace:
            places.append((trace.tb_frame.f_code.co_filename, trace.tb_lineno))
            trace = trace.tb_next
        known = [place for place in places if place[0] in self.sources]
        own = [place for place in known if not place[0].startswith(_COMMON)]
        return (own or known or places)[-1]

    def _drawn(self, name: str, context: Mapping[str, Any], marked: bool) -> list[str]:
        if marked and self._marked is None:
            self._marked = Sandbox({name: _mark(name, source) for name, source in self.sources.items()})
        environment = self._marked if marked and self._marked else self._plain
        try:
            return environment.draw(name, context)
        except jinja2.TemplateNotFound as error:
            raise TemplateError(
                "there is no such template", str(error.name), remedy="Templates lie in the game's templates folder."
            ) from error
        except jinja2.TemplateSyntaxError as error:
            raise TemplateError(error.message or "a syntax error", error.name or name, error.lineno) from error
        except ERRORS as error:
            message, _, remedy = _message(error).partition("\n")
            raise TemplateError(message, *self._place(error, name), remedy) from error


def _message(error: Exception) -> str:
    if isinstance(error, MemoryError):
        return "it needs more memory than there is"
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error) or type(error).__name__


def drawable(text: str) -> str:
    """A text without characters that XML cannot hold."""
    return _FORBIDDEN.sub("\ufffd", text)


def _mark(name: str, source: str) -> str:
    def mark(match: re.Match[str]) -> str:
        if match[1]:
            return match[1]
        return f'<{match[2]} data-at="{name}:{source.count(chr(10), 0, match.start()) + 1}"'

    return _TAG.sub(mark, source)
