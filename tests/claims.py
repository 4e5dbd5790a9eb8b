"""What the tests claim: their docstrings."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from pathlib import Path


@cache
def docstrings() -> Mapping[str, str]:
    """The docstring of every function in the files of tests, empty where it has none, by `path:line:function`."""
    return {
        f"{path.relative_to(Path(__file__).parent)}:{node.lineno}:{node.name}": ast.get_docstring(node) or ""
        for path in sorted(Path(__file__).parent.rglob("test_*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef)
    }
