"""What a `rules.yaml` says: the game's rule ids with tag and text, and what its finding codes mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from carddb.game_parts import Part


class RuleText(Part):
    """One rule: who acts on it (S software, P printed, H people at the table), who else, where it stands, its words."""

    tag: Literal["S", "P", "H"] = "S"
    also: tuple[Literal["S", "P", "H"], ...] = ()
    section: str = ""
    text: str


class CodeText(Part):
    """One finding code: why it is raised, what mends it, the rules behind it, a file that shows it."""

    cause: str
    fix: str = ""
    rules: tuple[str, ...] = ()
    example: str = ""


class RuleBook(Part):
    """The whole of a `rules.yaml`."""

    rules: Mapping[str, RuleText] = {}
    codes: Mapping[str, CodeText] = {}
