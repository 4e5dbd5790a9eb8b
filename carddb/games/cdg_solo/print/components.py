"""The variables of the templates of printed components (§10), and rows for decks that users fill in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from carddb.core.names import capital
from carddb.game.game import GameSpec
from carddb.game.parts import SIGN
from carddb.games.cdg_solo.module import CardException, Module, module_of
from carddb.games.cdg_solo.play import odds
from carddb.games.cdg_solo.play.cards import printed_number
from carddb.games.cdg_solo.play.deal import CHARTED, EXTRA_ORDER, SETUP_UP, extras_for, ranges, rerolled
from carddb.games.cdg_solo.play.display import LIMIT, SPACES, letters
from carddb.games.cdg_solo.print import faces, tweak_sheet
from carddb.games.cdg_solo.print.faces import millimetres, phase_name, sides, signed_words, title_of
from carddb.games.cdg_solo.print.tweak_sheet import exceptions
from carddb.games.cdg_solo.validation import least
from carddb.games.printed_words import imprint, sign_note
from carddb.play import chance

Data = dict[str, Any]


def component_data(name: str, spec: GameSpec, extra: Mapping[str, Any]) -> Data:
    """Returns the variables of the template `name` (without its suffix).

    All have `print` (sizes, colours and texts), `c` (the colours), `mm` (the sizes in millimetres), `sign_note` (the
    meaning of the sign of a ruling), `game`, `form` (the kind of game that a template module is for), and the values in
    the component's own data and row. Raises BadInput for a module that is not in the data.
    """
    key = str(extra.get("module", spec.data["template"]))
    words, raw = signed_words(spec, key), spec.data["modules"][key]
    return {
        "print": words,
        "c": words["palette"],
        "mm": millimetres(words["sizes"]),
        "sign_note": sign_note(SIGN, spec),
        "game": imprint(spec),
        "form": "" if raw["publisher"] else capital(raw["title"].rpartition(": ")[2]),
        **extra,
        **(_TABLES[name](spec, key, extra) if name in _TABLES else {}),
    }


def _mat(spec: GameSpec, key: str, extra: Mapping[str, Any]) -> Data:
    words = signed_words(spec, key)
    module = module_of(spec, key)
    instead = "".join(tweak_sheet.instead(spec, key))
    hands = [size for size in module.hand.default.values() if size is not None]
    first, last = words["mat"]["roll_step"], words["mat"]["turn"]
    if not module.counts_chits:
        first, last = words["mat"]["roll_freely"], words["mat"]["no_turn"]
    return {
        "title": title_of(spec, key)[0],
        "layout": module.layout,
        "side": next(side for side in sides(spec, key) if side["id"] == extra["side"]),
        "places": {space: _place(words, module.layout, space) for space in SPACES},
        "results": tweak_sheet.results(spec, key, "short"),
        "notes": tweak_sheet.notes(spec, key),
        "counted": module.counts_chits,
        "numbers": LIMIT,
        "hand": module.hand.max or max(hands, default=LIMIT),
        "steps": [[first[0], first[1].format(alternatives=instead)], *words["mat"]["steps"], last],
    }


def _place(words: Mapping[str, Any], layout: str, space: str) -> Mapping[str, Any]:
    """Returns the facing and the text of a space at the start (S-25 to S-30, S-60)."""
    places: Mapping[str, Any] = words["places"]
    facing = "up" if space in SETUP_UP else "down"
    place: Mapping[str, Any] = places["C"][layout] if space == "C" else places.get(f"{facing}_{layout}", places[facing])
    return place


def _counters(spec: GameSpec, key: str, extra: Mapping[str, Any]) -> Data:
    """Returns the rows of counters, each of one side and face, with numbers in reverse order on a back (K-4, K-5)."""
    both, across = sides(spec, key), spec.data["print"]["columns"]
    faces = {"both": (False, True), "front": (False,), "back": (True,)}[extra["faces"]]
    rows = []
    for side in both:
        for first in range(1, LIMIT + 1, across):
            numbers = list(range(first, first + across))
            rows += [
                {"side": side, "played": played, "numbers": numbers[::-1] if extra["faces"] == "back" else numbers}
                for played in faces
            ]
    return {"rows": rows, "title": title_of(spec, key)[0], "sides": both}


def _results(spec: GameSpec, key: str, extra: Mapping[str, Any]) -> Data:
    """Returns the results of the template module, because the letters are the same in every game."""
    return {"results": tweak_sheet.results(spec, spec.data["template"], "short")}


def _sheet(spec: GameSpec, key: str, extra: Mapping[str, Any]) -> Data:
    raw, module, words = spec.data["modules"][key], module_of(spec, key), spec.data["print"]["sheet"]
    title, imprint = title_of(spec, key)
    for_words = words["probably" if raw.get("probable_title") else "for_game" if imprint else "for_untold"]
    author = raw.get("sheet_author") or spec.by
    legend = "" if extra.get("more") else f" · {sign_note(SIGN, spec)}"  # no rulings on a second sheet
    basis = words["basis"].format(basis=raw["rules_basis"]) if raw.get("rules_basis") else ""
    return {
        "title": title,
        "layout": module.layout,
        "for": for_words.format(imprint=imprint, title=raw.get("probable_title")),
        "author": f"{words['author'].format(author=author)}{basis}{legend}",
        "sides": {side["id"]: side for side in sides(spec, key)},
    }


def _front(spec: GameSpec, key: str, extra: Mapping[str, Any]) -> Data:
    places = {space: _place(spec.data["print"], module_of(spec, key).layout, space) for space in SPACES}
    return {
        **_sheet(spec, key, extra),
        "results": tweak_sheet.results(spec, key),
        "places": places,
        "front": tweak_sheet.front(spec, key),
    }


def _back(spec: GameSpec, key: str, extra: Mapping[str, Any]) -> Data:
    on_sheet = spec.data["modules"][key]["selection_chart"]["on_sheet"]
    is_more = bool(extra.get("more"))
    has_cards = is_more or key not in {str(row["module"]) for row in spec.components["tweak-sheet-cards"].rows}
    return {
        **_sheet(spec, key, extra),
        "more": is_more,
        "paragraphs": [] if is_more else tweak_sheet.back(spec, key),
        "exceptions": tweak_sheet.exceptions(spec, key) if has_cards else [],
        "chances": _chances(spec.data["print"]["sheet"]["chance_lines"]),
        "chart": _chart(spec, key, extra)["chart"] if on_sheet and has_cards else [],
    }


def _chances(words: Mapping[str, str]) -> list[list[str]]:
    """Returns the chances of one roll for the sheet, as pairs of label and value (SD-28)."""
    values = {
        "wing": odds.letter_chance("A"),
        "c": odds.letter_chance("C"),
        "wing_down": odds.stays_down_all(["A"]),
        "c_down": odds.stays_down_all(["C"]),
        "jolly_roger": odds.chance_that(lambda result: result == "C_JR"),
        "up": odds.chance_that(lambda result: not letters(result)),
    }
    return [[words[name], chance.text(value)] for name, value in values.items()]


def _chart(spec: GameSpec, key: str, extra: Mapping[str, Any]) -> Data:
    """Returns the rows of the random selection chart: number of cards, faces for each, faces to re-roll."""
    return {
        "chart": [
            {
                "n": n,
                "faces": [f"{first}–{last}" if last > first else str(first) for first, last in ranges(n)],
                "again": rerolled(n),
            }
            for n in CHARTED
        ]
    }


def _quick(spec: GameSpec, key: str, extra: Mapping[str, Any]) -> Data:
    """Returns what the reference card says: a round, the extra cards of a larger hand (S-100), the end of a phase."""
    module, words = module_of(spec, key), signed_words(spec, key)["quick"]
    form = "counted" if module.counts_chits else "freely"
    begin, instead = words["begin"][form], "".join(tweak_sheet.instead(spec, key))
    end = [*words["discards"][module.end_discard], *words["end_lines"]] if module.counts_chits else words["endless"]
    return {
        "title": title_of(spec, key)[0],
        "layout": module.layout,
        "results": tweak_sheet.results(spec, key, "short"),
        "notes": tweak_sheet.notes(spec, key),
        "steps": [[begin[0], begin[1].format(alternatives=instead)], *words["round"], words["turn"][form]],
        "extras": [[n, ", ".join(extras_for((n, 0)).spaces)] for n in range(1, len(EXTRA_ORDER) + 1)],
        "end": words["end"].format(phase=phase_name(spec, key)),
        "end_lines": end,
    }


def _marker(spec: GameSpec, key: str, extra: Mapping[str, Any]) -> Data:
    return {"side": sides(spec, key)[extra["side"]] if "side" in extra else None}


def _figure_cards(spec: GameSpec, key: str, extra: Mapping[str, Any]) -> Data:
    """Returns the side whose cards a figure shows, and the plates of its face-up cards, by the names of the cards."""
    names = [str(part["name"]) for part in extra["parts"] if "name" in part]
    plates = {name: faces.plate_of(name, (), spec.data["plates"]) for name in names}
    return {**_marker(spec, key, extra), "plates": plates}


_TABLES: Mapping[str, Callable[[GameSpec, str, Mapping[str, Any]], Data]] = {
    "mat": _mat,
    "counters": _counters,
    "counters-back": lambda spec, key, extra: {"faces": "back", **_counters(spec, key, {**extra, "faces": "back"})},
    "stickers": _results,
    "die-card": _results,
    "figure-die": _results,
    "tweak-front": _front,
    "tweak-back": _back,
    "selection": _chart,
    "quick-front": _quick,
    "quick-back": _quick,
    "marker": _marker,
    "figure-chit": _marker,
    "figure-cards": _figure_cards,
    "record": lambda spec, key, extra: {"numbers": LIMIT},
}


CONDITIONS = "as the card says"
"""The text used instead of a card's conditions, because the wording on the card belongs to its publisher."""


def rows(spec: GameSpec, key: str, sizes: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    """Yields the fields of all cards of a module's decks; a deck has its size in `sizes`, else the least allowed."""
    module = module_of(spec, key)
    whats = {card.tag: card.what for card in exceptions(spec, key)}
    fewest = least(module, spec)
    for deck in module.decks:
        own: dict[int, list[CardException]] = {}
        for entry in module.exceptions:
            if entry.number is not None and entry.deck == deck:
                own.setdefault(entry.number, []).append(entry)
        last = sizes.get(deck, max(fewest[deck], *own, 1))
        for number in range(1, last + 1):
            yield _row(module, deck, number, own.get(number, []), whats.get(printed_number(deck, number), ""))


def _row(module: Module, deck: str, number: int, own: list[CardException], what: str) -> dict[str, Any]:
    """Returns a card's fields (`own` exceptions, note `what`): empty if to be filled in, None if not in the game."""
    common = deck == "main"
    by_ops = module.lowest.by == "ops"
    return {
        "ref": f"{module.id}:{number}" if common else f"{module.id}:{deck}-{number}",
        "name": own[0].title if own else f"{'Card' if common else deck} {number}",
        "type": "card",
        "deck": deck,
        "number": number,
        "side": "both" if common else deck,
        "ops": "" if by_ops else None,
        "kinds": _kinds(module, bool(own)),
        "conditions": CONDITIONS if any(entry.params.get("conditional") for entry in own) else None,
        "remove_after": next((entry.params["remove_after"] for entry in own if "remove_after" in entry.params), None),
        "order_max": None if by_ops else "",
        "note": what or None,
    }


def _kinds(module: Module, exceptional: bool) -> list[str]:
    """Returns the kinds that a card of the game probably has: both Ops and event, or a single kind."""
    if module.lowest.kinds is None:
        return ["ops", "event"]
    return ["event"] if exceptional else list(module.lowest.kinds[:1])
