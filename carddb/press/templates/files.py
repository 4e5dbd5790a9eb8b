"""Templates and rule sheets as they lie in a game's folder."""

from __future__ import annotations

from pathlib import Path

from carddb.core.errors import InputError, TemplateError
from carddb.read import source

_MAX_BYTES = 512 << 10
"""Of one template: three times the largest that the bundled games have. A larger one takes seconds to compile."""


def template_source(path: Path) -> str:
    """The text of a template. Raises InputError where it cannot be read, TemplateError where it is no UTF-8 text."""
    data, findings = source.read_bytes(path, _MAX_BYTES)
    text, faults = source.decode(data, str(path))
    for fault in (*findings, *faults):
        raise TemplateError(fault.message, str(path), fault.where[0].line, fault.fix)
    if text is None:
        raise InputError(f"{path} cannot be read")
    return text.replace("\r\n", "\n").replace("\r", "\n")
