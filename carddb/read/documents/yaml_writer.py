"""Plain data as YAML that reads back the same."""

from __future__ import annotations

from typing import Any

import yaml

from carddb.read.documents.scalars import resolve

# Made by a call, because its base class depends on the installed PyYAML.
_Dumper: Any = type("_Dumper", (getattr(yaml, "CSafeDumper", yaml.SafeDumper),), {"ignore_aliases": lambda *_: True})


def _quoted(dumper: Any, text: str) -> Any:
    """A text in quotes where it would be read as something else."""
    style = None if resolve(text) == text else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _quoted)


def yaml_text(value: Any) -> str:
    """Plain data as YAML, in the order given."""
    text: str = yaml.dump(value, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=1000)
    return text
