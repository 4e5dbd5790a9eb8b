"""The components of C.A.H.R.D.: the variables of their templates, and a spreadsheet to fill in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from carddb.game.game import GameSpec
from carddb.games.cahrd.print import campaign
from carddb.games.cahrd.print.faces import colours, marked_up, stats_of
from carddb.games.cahrd.print.pen import Pen, PictureWindow
from carddb.games.printed_words import fill, imprint, sign_note, sign_of, with_signs

Extra = Mapping[str, Any]
Table = Callable[[GameSpec, Extra], dict[str, Any]]
"""A function that returns the variables of one component's template, beyond those of all templates."""
_MAT_MARGIN = 3
_ROW = 10
"""The number of boxes in a row of the grain track."""


def component_data(name: str, spec: GameSpec, extra: Extra) -> dict[str, Any]:
    """Returns the variables of the template `name` (without its suffix).

    All templates have `faces`, `palette`, `game`, `colours` of the types, `foot`, `sign_note` and `words` (the texts of
    the component, with numbers filled in), then the variables of their own. `extra` is the component's row in
    `game.yaml`, or the values of a figure in the rules.
    """
    reference, faces = spec.data["reference"], spec.data["faces"]
    figures = figures_of(spec)
    tables = with_signs(_TABLES[name](spec, extra) if name in _TABLES else {}, spec)
    words = with_signs(reference["components"].get(_SHOWN.get(name, name), {}), spec)
    note = sign_note((words, tables), spec)
    return {
        "faces": faces,
        "palette": faces["palette"],
        "colours": colours(spec),
        "game": {**imprint(spec), "full_name": reference["full_name"]},
        "foot": fill(reference["foot"], {**figures, "game": spec.name, "by": note or spec.by}),
        "sign_note": note,
        "words": {"name": reference["name"], **fill(words, {**figures, **tables.get("figures", {})})},
        **tables,
    }


def figures_of(spec: GameSpec) -> dict[str, object]:
    """Returns the numbers that are filled into the texts of components, by placeholder."""
    data = spec.data
    zones = {zone["key"]: zone for zone in data["mat"]["zones"]}
    fighters = [zones[key] for key in ("commander", "lieutenant")]
    losses = {loss["key"]: loss for loss in data["victory"]["losses"]}
    return {
        "rulebook": data["rulebook"],
        "grain": f"{data['setup']['grain']:,}",
        "grain_per_war": data["grain_per_war"],
        "men_per_chm": f"{data['men_per_chm']:,}",
        "deck": _span(spec.sections["main"].size),
        "strategy": _span(spec.sections["strategy"].size),
        "active": zones["strategy_deck"]["active"],
        "zone_least": zones["commander"]["at_start"],
        "zone_start": sum(zone["at_start"] for zone in fighters),
        "zone_most": sum(zone["most"] for zone in fighters),
        "lieutenants_first": zones["lieutenant"]["at_start"],
        "lieutenants": zones["lieutenant"]["most"],
        "tokens": losses["lieutenants"]["tokens"],
        "wins": data["war"]["wins"],
        "battles": data["war"]["battles"],
        **data["imd"]["notice"],
    }


def _span(size: tuple[int, int | None]) -> str:
    return f"{size[0]}–{size[1]}"


def _back(spec: GameSpec, kind: str) -> dict[str, Any]:
    """Returns the variables of the card back of a type, in the colour that `looks` give the type (C-9, C-10)."""
    colour, faces = spec.data["sheets"]["looks"][kind]["back"], spec.data["faces"]
    star = spec.data["reference"]["star"]
    return {"back": faces["backs"][colour], "lattice": faces["lattices"][colour], "star": star}


def _turn_card(spec: GameSpec, extra: Extra) -> dict[str, Any]:
    """Returns the steps of a turn as one list; a step with parts is replaced by its parts, with the step's name."""
    figures = figures_of(spec)
    rows = [
        {**row, "part": step["name"] if row is not step else ""}
        for step in spec.data["turn"]["steps"]
        for row in step.get("parts", (step,))
    ]
    return {"rows": [{**row, "does": marked_up(fill(row["does"], figures), spec)} for row in rows]}


def _victory(spec: GameSpec, extra: Extra) -> dict[str, Any]:
    table = spec.data["victory"]
    bring = spec.data["sheets"]["bring"]
    return {
        "losses": table["losses"],
        **{part: table[part] + sign_of(rules, spec) for part, rules in table["rules"].items()},
        "bring": f"{', '.join(bring[:-1])} and {bring[-1]}",
        "signs": spec.data["reference"]["components"]["victory"]["signs"],
    }


def _timing(spec: GameSpec, extra: Extra) -> dict[str, Any]:
    """Returns the speeds, fastest first, with a sign on texts that depend on a ruling."""
    return {
        "speeds": [
            {**speed, **{part: speed[part] + sign_of(rules, spec) for part, rules in speed["readings"].items()}}
            for speed in reversed(spec.data["chain"]["speeds"])
        ]
    }


def terms(spec: GameSpec) -> list[Mapping[str, Any]]:
    """Returns the terms on the glossary card."""
    return [term for term in spec.data["keywords"]["terms"] if term.get("glossary")]


def _glossary(spec: GameSpec, extra: Extra, back: int) -> dict[str, Any]:
    """Returns the terms on the front (0) or back (1) of a card; the sides share the terms evenly."""
    entries = [
        f"**{term['label']}.**{sign_of(term.get('readings', term['rules']), spec)} {marked_up(term['means'], spec)}"
        for term in terms(spec)
    ]
    each = -(-len(entries) // (2 * len(spec.components["glossary"].rows)))
    side = 2 * (extra["card"] - 1) + back
    return {"terms": entries[side * each : (side + 1) * each]}


def _grain(spec: GameSpec, extra: Extra) -> dict[str, Any]:
    """Returns the boxes from the full store of grain down to 0, in rows of ten."""
    top, step = spec.data["setup"]["grain"], spec.data["grain_per_war"]
    boxes = [{"value": value, "shown": f"{value:,}"} for value in range(top, -1, -step)]
    rows = [boxes[n : n + _ROW] for n in range(0, len(boxes) - 1, _ROW)]
    return {"rows": rows, "last": boxes[-1], "half": _ROW // 2 * step}


def _conversion(spec: GameSpec, extra: Extra) -> dict[str, Any]:
    spans = spec.data["sheets"]["conversion"]
    each = {"chm": spec.data["men_per_chm"], "war": spec.data["grain_per_war"]}
    return {key: [(n, f"{n * each[key]:,}") for n in range(low, high + 1)] for key, (low, high) in spans.items()}


def _mat(spec: GameSpec, extra: Extra) -> dict[str, Any]:
    places, pen = spec.data["reference"]["mat"], Pen(spec.data["faces"]["palette"])
    says = spec.data["sheets"]["counters"]
    width, height = places["size"]
    sheet = PictureWindow(0, 0, width, height).inset(_MAT_MARGIN)
    campaign.draw_ground(pen, sheet, places["seed"])
    zones = [{**zone, **places["zones"][zone["key"]]} for zone in spec.data["mat"]["zones"]]
    return {
        "places": places,
        "zones": zones,
        "ground": pen.parts,
        "values": [
            row["value"] for part in spec.components.values() if part.template == "reserve.svg" for row in part.rows
        ],
        "counters": [
            (icon, says[key] if isinstance(says[key], str) else ", ".join(says[key]))
            for key, icon in places["counters"].items()
        ],
        "tokens": figures_of(spec)["tokens"],
        **extra,
    }


def _stat(spec: GameSpec, extra: Extra, down: int) -> dict[str, Any]:
    """Returns the variables of a side of a stat counter; `down` is 0 for the front (stat raised), 1 for the back."""
    signs = spec.data["sheets"]["counters"]["stat"]
    key = extra["stat"]
    return {
        "sign": signs[down],
        "up": not down,
        "word": spec.types["officer"].fields[key].label,
        "corner": list(spec.data["sheets"]["looks"]["officer"]["order"]).index(key),
    }


def _counter(key: str) -> Table:
    """Returns a function for the variables of a counter whose text is under `key` in the game's data."""
    return lambda spec, extra: {"says": spec.data["sheets"]["counters"][key]}


def _tracking(spec: GameSpec, extra: Extra) -> dict[str, Any]:
    sheet, words = spec.data["sheets"]["tracking"], spec.data["reference"]["components"]["tracking"]
    tables = {
        part: {
            "rows": sheet[part]["rows"],
            "columns": list(zip(sheet[part]["columns"], words["widths"][part], strict=True)),
        }
        for part in ("officers", "turns")
    }
    return {"heading": sheet["heading"], **tables}


def _imd(spec: GameSpec, extra: Extra) -> dict[str, Any]:
    words = spec.data["reference"]["components"]["imd"]
    limits = spec.options["imd_level_limits"].default
    levels = []
    for level, copies in limits.items():
        limit = fill(words["at_most"], {"copies": copies}) + " " + words["copy" if copies == 1 else "copies"]
        levels.append((level, limit if copies else words["none"]))
    status = ", ".join(dict.fromkeys(spec.data["imd"]["status"].values()))
    return {
        "columns": list(zip(spec.data["sheets"]["imd"], words["widths"], strict=True)),
        "lists": [words["lists"][key] for key in spec.data["imd"]["lists"].values()],
        "levels": levels,
        "figures": {"status": status},
    }


_SHOWN = {"figure-table": "mat"}
"""The component whose words are drawn on a figure, by the name of the figure's template."""
_TABLES: Mapping[str, Table] = {
    "cover": lambda spec, extra: dict(extra),
    "back-main": lambda spec, extra: _back(spec, "officer"),
    "back-strategy": lambda spec, extra: _back(spec, "strategy"),
    "turn": _turn_card,
    "timing": _timing,
    "victory": _victory,
    "zones": lambda spec, extra: {"zones": spec.data["mat"]["zones"]},
    "glossary": lambda spec, extra: _glossary(spec, extra, 0),
    "glossary-back": lambda spec, extra: _glossary(spec, extra, 1),
    "grain": _grain,
    "conversion": _conversion,
    "mat": _mat,
    "figure-table": _mat,
    "figure-fighter": lambda spec, extra: {**extra, "stats": stats_of(extra.get, spec)},
    "damage": _counter("damage"),
    "attacked": _counter("attacked"),
    "token": _counter("token"),
    "stat": lambda spec, extra: _stat(spec, extra, 0),
    "stat-back": lambda spec, extra: _stat(spec, extra, 1),
    "reserve": lambda spec, extra: {"value": extra["value"], "outline": extra["outline"]},
    "reserve-back": lambda spec, extra: extra["turned"],
    "tracking": _tracking,
    "war-score": lambda spec, extra: {"sheet": spec.data["sheets"]["war_score"], **_victory(spec, extra)},
    "imd": _imd,
}
_NAMED = re.compile(r"\{([^}:]+)(:?)\}")


def component_form(name: str, spec: GameSpec) -> list[Sequence[Any]] | None:
    """Returns the lines of a component as a spreadsheet; None if the component has no spreadsheet (PC-13).

    A list is a heading. A tuple is a line to fill in: it has empty texts, and formulas, which begin with `=`.
    """
    if name != "tracking":
        return None
    table = spec.data["sheets"]["tracking"]
    officers, turns = table["officers"], table["turns"]
    before = turns["spreadsheet"]["before"]
    columns = [column for label in turns["columns"] for column in (*before.get(label, ()), label)]
    lines: list[Sequence[Any]] = [[spec.components[name].label], (), *[[label, ""] for label in table["heading"]]]
    lines += [(), list(officers["columns"]), *[("",) * len(officers["columns"])] * officers["rows"], (), columns]
    first = len(lines) + 1
    formulas = turns["spreadsheet"]["formulas"]
    lines += [tuple(_turn_cells(number, first, columns, formulas, spec)) for number in range(1, turns["rows"] + 1)]
    return lines


def _turn_cells(
    number: int, first: int, columns: list[str], formulas: Mapping[str, str], spec: GameSpec
) -> Iterator[Any]:
    """Yields the cells of a turn: its number, empty cells, formulas blank until use; turn 1 is in row `first`."""
    row = first + number - 1
    figures = {**spec.data, **spec.data["setup"]}

    def reckoned(part: re.Match[str]) -> str:
        if part[1] not in columns:
            return str(figures[part[1]])
        letter = chr(65 + columns.index(part[1]))
        return f"{letter}${first}:{letter}{row}" if part[2] else f"{letter}{row}"

    yield number
    for label in columns[1:]:
        formula = formulas.get(label)
        yield f'=IF(B{row}="","",{_NAMED.sub(reckoned, formula)})' if formula else ""
