"""A user's own module, and the JSON Schemas of the files that users write and save."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from carddb.findings import Finding, has_errors
from carddb.game.frozen import replaced
from carddb.game.game import GameSpec
from carddb.game.parts import ComponentSpec
from carddb.games.cdg_solo.module import Module, Patched, module_of, raw_module
from carddb.games.cdg_solo.print.tweak_sheet import is_long
from carddb.games.cdg_solo.table.session import SessionState
from carddb.games.cdg_solo.validation import as_finding, in_order, module_faults
from carddb.play.question import BadInput, Many, Object, Record, read

Raw = Mapping[str, Any]


class OptionFields(Record):
    """The option fields of a module: the names of its own options, and the values of some options."""

    own_options: Many[str] = ()
    options: Object | None = None


class Chart(Record):
    """The places of the random selection chart: in the game's kit (`in_kit`), and on the game's sheet (`on_sheet`)."""

    in_kit: bool = False
    on_sheet: bool = False


class SheetFields(Record):
    """The fields of a module that only its sheet uses."""

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
    """Returns the game with the user's module `written` added, the module's id, and the findings about the module.

    `written` is a `patch` of a shipped `base`, or a full module, whose missing fields come from the template of its
    layout. Components that every game has, such as the die's conversion card, are added. If a finding is an error, the
    game is returned unchanged, with an empty id. Raises BadInput for a value of a wrong type.
    """
    if "base" in written:
        written = raw_module(spec, read(Patched, written, ""), "")
    template = _template(spec, written)
    raw = {**spec.data["modules"][template], "id": None, "publisher": "", **written}
    raw["publisher"] = raw["publisher"] or ""
    faults = in_order(module_faults(raw, spec))
    findings = [as_finding(fault, fault.where[0]._replace(file=file)) for fault in faults]
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
    """Returns the id of the template with the layout and deck mode of the module `written`, else of the default one."""
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
    """Yields a component's rows for the module `raw`: the template's, with its sides, or those that its rules need."""
    key, counted = raw["id"], raw["chit_mode"] != "none"
    if part.template == "selection.svg":
        yield from [{"module": key}] if raw["selection_chart"]["in_kit"] else []
    elif part.data.get("more"):
        yield from [{"module": key}] if is_long(raw) else []
    elif part.data.get("marker") == "hand":
        yield from [{"module": key, "side": at} for at in (0, 1)] if not counted else []
    elif part.template != "counters.svg" or counted:
        for row in part.rows:
            if row.get("module") == template:
                yield {**row, "module": key, **({"side": side_of[row["side"]]} if "side" in row else {})}


def schemas() -> Mapping[str, dict[str, Any]]:
    """Returns the JSON Schema of each kind of file that users write or save; its title describes the file."""
    # A module is a patch, or a full module, whose fields may all be missing because its template has them.
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
