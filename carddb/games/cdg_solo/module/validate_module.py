"""Whether a module can be played: every fault of its data (§9)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

from carddb.findings import Finding, Place
from carddb.game.game import GameSpec
from carddb.games.cdg_solo.module.decks import as_finding
from carddb.games.cdg_solo.module.faults import Fault, answer
from carddb.games.cdg_solo.module.module import Module, Patched, raw_module
from carddb.games.cdg_solo.play.chits import LIMIT
from carddb.games.cdg_solo.play.deal import deck_mode_fits
from carddb.games.cdg_solo.play.die import FACES, RESULTS, has_c, result_of
from carddb.play.fields import Object
from carddb.play.question import Answer, BadInput, operation

KEBAB = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
CHOSEN = {
    "layout": "layout_unknown",
    "deck_mode": "deck_mode_unknown",
    "chit_mode": "chit_mode_unknown",
    "jolly_roger": "jolly_roger_unknown",
    "hand_adjustment": "hand_adjustment_unknown",
    "end_discard": "end_discard_unknown",
}
"""The keys that hold one of a few words, and the code of any other."""

Raw = Mapping[str, Any]


@operation("SD-1", "SD-7", "SR-9")
def validate_module(base: str, patch: Object = {}, *, spec: GameSpec) -> Answer:  # noqa: B006
    """What is wrong with a module: a shipped one with some of its values replaced."""
    return answer(faults(raw_module(spec, Patched(base=base, patch=patch), ""), spec))


def faults(raw: Raw, spec: GameSpec) -> Iterator[Fault]:
    """Every fault of a module's data."""
    yield from _identity(raw)
    yield from _words(raw)
    yield from _hands(raw)
    yield from _die(raw, spec)
    yield from _cards(raw, spec.data["mechanics"])


def _identity(raw: Raw) -> Iterator[Fault]:
    id_ = raw.get("id")
    if not isinstance(id_, str) or not KEBAB.fullmatch(id_):
        yield Fault("module_id_missing", "id", "the module has no id in small letters, digits and hyphens")
    sides = side_ids(raw)
    if len(sides) != 2:
        yield Fault("module_sides_not_two", "sides", f"a module has two sides, this one has {len(sides)}")
    elif sides[0] == sides[1]:
        yield Fault("module_side_duplicate", "sides", f"both sides are called {sides[0]}")


def side_ids(raw: Raw) -> list[Any]:
    """The ids of the sides as they are written."""
    sides = raw.get("sides")
    listed = sides if isinstance(sides, list) else []
    return [side.get("id") if isinstance(side, dict) else None for side in listed]


def _words(raw: Raw) -> Iterator[Fault]:
    for key, code in CHOSEN.items():
        if raw.get(key) not in words(key):
            yield Fault(code, key, f"{key} is {raw.get(key)!r}, but must be one of {', '.join(words(key))}")
    layout, deck_mode = raw.get("layout"), raw.get("deck_mode")
    valid = layout in words("layout") and deck_mode in words("deck_mode")
    if valid and not deck_mode_fits(str(layout), str(deck_mode)):
        yield Fault("deck_mode_layout_mismatch", "deck_mode", f"the deck mode {deck_mode} does not go with {layout}")
    if raw.get("jolly_roger") == "play_special" and not raw.get("special_kinds"):
        yield Fault("special_kind_missing", "special_kinds", "the Jolly Roger plays a Special card, and no kind is one")


def words(key: str) -> tuple[str, ...]:
    """The words that a key of a module may hold."""
    return get_args(Module.model_fields[key].annotation)


def _hands(raw: Raw) -> Iterator[Fault]:
    hand = raw.get("hand")
    if not isinstance(hand, dict):
        hand = {}
    default = hand.get("default")
    sizes: Raw = default if isinstance(default, dict) else {}
    least, most = _number(hand.get("min")), _number(hand.get("max"))
    low, high = max(1, least or 1), min(LIMIT, LIMIT if most is None else most)
    for side in dict.fromkeys(map(str, side_ids(raw))):
        size, where = sizes.get(side), f"hand.default.{side}"
        if size is None:
            if raw.get("chit_mode") == "fixed":
                yield Fault("hand_size_missing", where, f"{side} has no hand size although hands are fixed")
        elif _number(size) is None or not low <= size <= high:
            yield Fault("hand_size_out_of_range", where, f"the hand of {side}, {size!r}, is not from {low} to {high}")
    for key, bound in (("min", least), ("max", most)):
        if bound is not None and not 1 <= bound <= LIMIT:
            message = f"the {key} of a hand is {bound}, but must be from 1 to {LIMIT}"
            yield Fault("hand_size_out_of_range", f"hand.{key}", message)
    if least is not None and most is not None and least > most:
        yield Fault("hand_range_inverted", "hand", f"the least hand, {least}, is above the greatest, {most}")


def _number(value: Any) -> int | None:
    return value if type(value) is int else None


def _die(raw: Raw, spec: GameSpec) -> Iterator[Fault]:
    yield from table_faults("die_table", raw.get("die_table"), spec)
    options = raw.get("options")
    chosen = options.get("die_table") if isinstance(options, dict) else None
    if chosen is not None:
        yield from table_faults("options.die_table", chosen, spec)
    overrides = raw.get("results")
    for code in overrides if isinstance(overrides, dict) else {}:
        if code not in RESULTS:
            yield Fault("die_result_unknown", f"results.{code}", f"{code!r} is no result of the die")


def table_faults(where: str, table: Any, spec: GameSpec) -> Iterator[Fault]:
    """What is wrong with the results of the faces (SR-9)."""
    template = spec.data["modules"][spec.data["template"]]["die_table"]
    usual = {face for face, result in template.items() if has_c(result)}
    results = {face: result_of(spec, word) for face, word in table.items()} if isinstance(table, Mapping) else {}
    texts = [result if isinstance(result, str) else "" for result in results.values()]
    if sorted(results) != list(FACES) or Counter(texts) != Counter(RESULTS):
        yield Fault("die_table_invalid", where, "faces 1 to 6 and the six results do not correspond one to one")
    elif {face for face, result in results.items() if has_c(result)} != usual:
        message = "the results with a C are not on " + ", ".join(sorted(usual))
        yield Fault("die_table_c_results_changed", where, message)


def option_values(spec: GameSpec, values: Raw) -> tuple[Raw, list[Finding]]:
    """The options of a table with the results of the faces by their codes, and what is wrong with these (SR-9)."""
    table = values["die_table"]
    if table is None:
        return values, []
    faults = table_faults("die_table", table, spec)
    results = {face: result_of(spec, word) for face, word in table.items()}
    return {**values, "die_table": results}, [as_finding(fault, Place(column_name=fault.where)) for fault in faults]


def _cards(raw: Raw, mechanics: Sequence[str]) -> Iterator[Fault]:
    listed = raw.get("mechanics")
    for code in listed if isinstance(listed, list) else []:
        if code not in mechanics:
            yield Fault("mechanic_unknown", "mechanics", f"{code!r} is no mechanic of the method")
    entries = raw.get("exceptions")
    seen: set[tuple[str, ...]] = set()
    for at, entry in enumerate(entries if isinstance(entries, list) else []):
        if not isinstance(entry, dict):
            raise BadInput(f"patch.exceptions.{at}")
        number = entry.get("number")
        card = entry.get("title") if number is None else number
        key = (str(entry.get("deck")), str(card), str(entry.get("hook")))
        if key in seen:
            yield Fault("exception_duplicate", f"exceptions.{at}", f"{key[0]} {key[1]} has {key[2]} twice")
        seen.add(key)
