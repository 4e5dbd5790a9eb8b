"""A user's own module beside the shipped ones, and the JSON Schemas of what a player writes and keeps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from carddb.findings import Finding, Place, has_errors
from carddb.game.frozen import replaced
from carddb.game.game import GameSpec
from carddb.game.parts import ComponentSpec
from carddb.games.cdg_solo.module.module import Module, Patched, module_of, raw_module
from carddb.games.cdg_solo.module.validation import as_finding, module_faults
from carddb.games.cdg_solo.session.session import SessionState
from carddb.play.question import BadInput, Many, Object, Record, read

Raw = Mapping[str, Any]


class OptionFields(Record):
    """The fields of a module that are about house readings: those of its own, and the values of some."""

    own_options: Many[str] = ()
    options: Object | None = None


class Chart(Record):
    """Whether the random selection chart belongs to the game."""

    in_kit: bool = False
    on_sheet: bool = False


class SheetFields(Record):
    """The fields of a module that are for its sheet only."""

    title: str
    publisher: str | None = None
    imprint: str = ""
    probable_title: str | None = None
    sheet_author: str | None = None
    rules_basis: str | None = None
    round_name: str = ""
    phase_name: str | None = None
    sheet_back: Many[str | Object] = ()
    selection_chart: Chart = Chart()


def own_module(spec: GameSpec, written: Raw, file: str = "") -> tuple[GameSpec, str, list[Finding]]:
    """Returns the game with a module that somebody wrote, the module's id, and every fault of it.

    It is written whole, and what it leaves out is as in the template of its layout; or as a `patch` of a shipped
    `base`. What all games have, such as the die's conversion card, follows it. With an error the game is as it was.
    Raises BadInput for a value of a wrong shape.
    """
    if "base" in written:
        written = raw_module(spec, read(Patched, written, ""), "")
    template = _template(spec, written)
    raw = {**spec.data["modules"][template], "id": None, "publisher": "", **written}
    raw["publisher"] = raw["publisher"] or ""
    findings = [
        as_finding(fault, Place(file, column_name=fault.where)) for fault in sorted(set(module_faults(raw, spec)))
    ]
    if has_errors(findings):
        return spec, "", findings
    raw["selection_chart"] = read(SheetFields, raw, "").selection_chart.model_dump()
    key = str(raw["id"])
    others = {name: module for name, module in spec.data["modules"].items() if name != key}
    readings = read(OptionFields, raw, "")
    own = {name: value for name, value in (readings.options or {}).items() if value is not None}
    raw.pop("options", None)
    raw["own_options"] = [*readings.own_options, *own]
    data = {**spec.data, "modules": {**others, key: raw}, "template": key}
    module_of(replaced(spec, data=data), Patched(base=key, patch={"options": own}), "")
    spec = spec.with_defaults({name: spec.options[name].value_of(value) for name, value in own.items()})
    side_of = dict(zip(_sides(spec.data["modules"][template]), _sides(raw), strict=True))
    parts = dict(spec.components)
    for name, part in parts.items():
        if part.rows:
            kept = (row for row in part.rows if row.get("module") != key)
            parts[name] = replaced(part, rows=(*kept, *_rows(part, template, raw, side_of)))
    return replaced(spec, data=data, components=parts), key, findings


def _template(spec: GameSpec, written: Raw) -> str:
    """Returns the template that a module fills in: that of its layout and use of decks, else the usual one."""
    form = (written.get("layout"), written.get("deck_mode"))
    for key, module in spec.data["modules"].items():
        if module["publisher"] is None and (module["layout"], module["deck_mode"]) == form:
            return str(key)
    return str(spec.data["template"])


def _sides(raw: Raw) -> list[str]:
    if not all(isinstance(side, Mapping) and isinstance(side.get("id"), str) for side in raw["sides"]):
        raise BadInput("sides")
    return [side["id"] for side in raw["sides"]]


def _rows(part: ComponentSpec, template: str, raw: Raw, side_of: Mapping[str, str]) -> Iterator[Raw]:
    """Yields the rows of a component for a module: those of the template, and those that its own rules ask for."""
    key, counted = raw["id"], raw["chit_mode"] != "none"
    if part.template == "selection.svg":
        yield from [{"module": key}] if raw["selection_chart"]["in_kit"] else []
    elif part.data.get("marker") == "hand":
        yield from [{"module": key, "side": at} for at in (0, 1)] if not counted else []
    elif part.template != "counters.svg" or counted:
        for row in part.rows:
            if row.get("module") == template:
                yield {**row, "module": key, **({"side": side_of[row["side"]]} if "side" in row else {})}


def schemas() -> Mapping[str, dict[str, Any]]:
    """Returns the schemas by the kind of file, each with what it is of as its title."""
    # Whole, where what it leaves out is as in the template of its layout, or as a patch.
    whole, *others = (part.model_json_schema() for part in (Module, SheetFields, OptionFields, Patched))
    for other in others:
        whole["properties"] = {**whole["properties"], **other.get("properties", {})}
        whole["$defs"] = {**whole["$defs"], **other.get("$defs", {})}
    del whole["required"]
    written = {"anyOf": [{"required": ["base"]}, {"required": ["id"]}], "title": "a module of the method"}
    return {
        "module": {**whole, **written},
        "solo-save": {**SessionState.model_json_schema(), "title": "a solo session as it is saved"},
    }
