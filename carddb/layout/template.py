"""Face templates: SVG files with Jinja in them, sandboxed, strict about undefined names, autoescaping."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment

from carddb.errors import TemplateError

_TAG = re.compile(r"({%.*?%}|{{.*?}}|{#.*?#}|<!--.*?-->)|<([a-zA-Z]+)", re.S)
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_MAX_RENDERED = 4_000_000


class Templates:
    """Templates by name (`empires_and_generals/unit.svg`) and their source, compiled once each."""

    def __init__(self, sources: Mapping[str, str], filters: Mapping[str, Any] | None = None) -> None:
        self.sources = dict(sources)
        self._filters = dict(filters or {})
        self._plain = self._environment(self.sources)
        self._marked: jinja2.Environment | None = None

    def _environment(self, sources: Mapping[str, str]) -> jinja2.Environment:
        environment = ImmutableSandboxedEnvironment(
            loader=jinja2.DictLoader(dict(sources)),
            undefined=jinja2.StrictUndefined,
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        environment.filters.update(self._filters)
        return environment

    def __contains__(self, name: str) -> bool:
        return name in self.sources

    def render(self, name: str, context: Mapping[str, Any], marked: bool = False) -> str:
        """The SVG text of a template. `marked` adds `data-at="file:line"` to every tag, for messages.

        Raises TemplateError with file and line.
        """
        if marked and self._marked is None:
            self._marked = self._environment({name: _mark(name, source) for name, source in self.sources.items()})
        environment = self._marked if marked and self._marked else self._plain
        try:
            text = environment.get_template(name).render(context)
        except jinja2.TemplateNotFound as error:
            raise TemplateError(f"there is no template {error.name!r}", name) from error
        except jinja2.TemplateSyntaxError as error:
            raise TemplateError(error.message or "a syntax error", error.name or name, error.lineno) from error
        except (
            jinja2.TemplateError,
            TypeError,
            ValueError,
            ArithmeticError,
            LookupError,
            AttributeError,
            RecursionError,
        ) as error:
            raise TemplateError(str(error) or type(error).__name__, name, _line_of(error)) from error
        if len(text) > _MAX_RENDERED:
            raise TemplateError(f"the drawing has {len(text):,} characters; at most {_MAX_RENDERED:,} are read", name)
        return _FORBIDDEN.sub("\ufffd", text)


def _mark(name: str, source: str) -> str:
    def mark(match: re.Match[str]) -> str:
        if match[1]:
            return match[1]
        return f'<{match[2]} data-at="{name}:{source.count(chr(10), 0, match.start()) + 1}"'

    return _TAG.sub(mark, source)


def _line_of(error: BaseException) -> int:
    """The line of the innermost template frame; Jinja rewrites tracebacks so that they carry template lines."""
    line, trace = 0, error.__traceback__
    while trace:
        if (
            trace.tb_frame.f_code.co_filename in ("<template>", "<unknown>")
            or "__jinja_template__" in trace.tb_frame.f_globals
        ):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
