"""Face templates filled in by Jinja, and what is wrong with them told with file and line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import jinja2

from carddb.core.errors import TemplateError
from carddb.layout.templates.sandbox import ERRORS, Sandbox

_TAG = re.compile(r"({%.*?%}|{{.*?}}|{#.*?#}|<!--.*?-->)|<([a-zA-Z]+)", re.S)
_ADDRESS = re.compile(" at 0x[0-9a-fA-F]+(?:>|&gt;)")
"""The end of the text of an object that has none of its own; the number is another in each run."""
_COMMON = "_"
"""What the folders of templates begin with that every game can use."""


class TemplateRenderer:
    """Fills in templates by name; `compiled` may know the code of some from an earlier run."""

    def __init__(self, sources: Mapping[str, str], compiled: jinja2.BytecodeCache | None = None) -> None:
        self._sources = sources
        self._plain = Sandbox(sources, compiled)
        self._marked: Sandbox | None = None

    def render(self, name: str, context: Mapping[str, Any], marked: bool) -> str:
        """Renders a template; `marked` says where each tag stands. Raises TemplateError with file and line."""
        if marked and self._marked is None:
            self._marked = Sandbox({name: _mark(name, source) for name, source in self._sources.items()})
        environment = self._marked if marked and self._marked else self._plain
        try:
            text = environment.draw(name, context)
        except jinja2.TemplateNotFound as error:
            raise TemplateError(
                "there is no such template", str(error.name), remedy="Templates lie in the game's templates folder."
            ) from error
        except jinja2.TemplateSyntaxError as error:
            raise TemplateError(error.message or "a syntax error", error.name or name, error.lineno) from error
        except ERRORS as error:
            message, _, remedy = _message(error).partition("\n")
            raise TemplateError(message, *self._place(error, name), remedy) from error
        if _ADDRESS.search(text):
            raise TemplateError("it shows a function or another object without a text", name)
        return text

    def template_line(self, name: str, code_line: int) -> int:
        """Returns the line of a template that a line of its compiled code was made from."""
        return self._plain.get_template(name).get_corresponding_lineno(code_line)

    def _place(self, error: BaseException, name: str) -> tuple[str, int]:
        """Returns the innermost template and its line; Jinja rewrites tracebacks so that they carry template lines.

        Parts that every game has are right: it is the template that uses them which has to be mended.
        """
        places, trace = [(name, 0)], error.__traceback__
        while trace:
            places.append((trace.tb_frame.f_code.co_filename, trace.tb_lineno))
            trace = trace.tb_next
        templates = [place for place in places if place[0] in self._sources]
        own = [place for place in templates if not place[0].startswith(_COMMON)]
        return (own or templates or places)[-1]


def _message(error: Exception) -> str:
    if isinstance(error, MemoryError):
        return "it needs more memory than there is"
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error) or type(error).__name__


def _mark(name: str, source: str) -> str:
    def mark(match: re.Match[str]) -> str:
        if match[1]:
            return match[1]
        return f'<{match[2]} data-at="{name}:{source.count(chr(10), 0, match.start()) + 1}"'

    return _TAG.sub(mark, source)
