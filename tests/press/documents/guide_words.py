"""The words of a rule sheet without its composed pictures, which have figures and measures of their own."""

from __future__ import annotations

import re


def without_figures(source: str) -> str:
    """A rule sheet as it is written, without its blocks called `figure` and the figure of a turn that it includes."""
    pattern = r'^```figure.*?^```\n|^(?:{% set brief = \w+ %}\n)?{% include "_turn[^\n]*\n'
    return re.sub(pattern, "", source, flags=re.MULTILINE | re.DOTALL)
