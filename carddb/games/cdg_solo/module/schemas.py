"""JSON Schemas of what a player writes and keeps: modules of one's own, and the saves of sessions (S-24, SD-13)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carddb.games.cdg_solo.module.module import Module, Patched
from carddb.games.cdg_solo.module.own_module import OptionFields, SheetFields
from carddb.games.cdg_solo.session.state import SessionState


def schemas() -> Mapping[str, dict[str, Any]]:
    """The schemas by the kind of file, each with what it is of as its title."""
    return {
        "module": {**_module(), "title": "a module of the method"},
        "solo-save": {**SessionState.model_json_schema(), "title": "a solo session as it is saved"},
    }


def _module() -> dict[str, Any]:
    """A module as it is written: whole, where what it leaves out is as in the template of its layout, or as a patch."""
    whole, *others = (part.model_json_schema() for part in (Module, SheetFields, OptionFields, Patched))
    for other in others:
        whole["properties"] = {**whole["properties"], **other.get("properties", {})}
        whole["$defs"] = {**whole["$defs"], **other.get("$defs", {})}
    del whole["required"]
    return {**whole, "anyOf": [{"required": ["base"]}, {"required": ["id"]}]}
