"""What a `rules.yaml` says: the game's rule ids with tag and text, and what its finding codes mean."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from carddb.errors import GameError
from carddb.findings import Finding
from carddb.game_parts import Part
from carddb.read import document
from carddb.read.schema_faults import pydantic_findings

RULES_FILE = "rules.yaml"


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


def read_book(path: Path) -> tuple[RuleBook | None, list[Finding]]:
    """A `rules.yaml`, empty where there is none, or every fault of it."""
    if not path.is_file():
        return RuleBook(), []
    parsed, findings = document.load(path)
    if parsed is None:
        return None, findings
    try:
        return RuleBook.model_validate(parsed.value, strict=False), findings
    except ValidationError as fault:
        return None, [*findings, *pydantic_findings(fault, parsed, RuleBook)]


def shared_codes() -> Mapping[str, CodeText]:
    """The finding codes that any game shares: cause and fix."""
    return RuleBook.model_validate({"codes": _mapping(Path(__file__).parent / "codes.yaml")}, strict=False).codes


def _mapping(path: Path) -> Mapping[str, Any]:
    if not path.is_file():
        return {}
    parsed, findings = document.load(path)
    if parsed is None or not isinstance(parsed.value, dict):
        raise GameError(f"{path} cannot be used", findings[0].message if findings else "It must be a mapping.")
    return parsed.value
