"""The variables of the face templates of C.A.H.R.D., and the pictures of cards without art."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from carddb.cards.cards import Card
from carddb.core.names import fold_space, nearest
from carddb.findings import CardCount, Finding, Place, warning
from carddb.game.game import GameSpec
from carddb.games.cahrd.print import campaign, plans, requisition
from carddb.games.cahrd.print.campaign import Cloth, place_named, places_of
from carddb.games.cahrd.print.pen import Chance, Part, Pen, PictureWindow
from carddb.games.printed_words import first_match


def compose(
    card: Card,
    window: PictureWindow,
    data: Mapping[str, Any],
    palette: Mapping[str, str],
    width_of: Callable[[str], float],
) -> list[Part]:
    """Returns the parts of a card's picture; `palette` maps names to colours, `width_of` a title to its width in mm.

    What is clipped to the frame is left out in text ink; the figure, which is not, stays.
    """
    table = data["emblem"]
    pen, seed = Pen(palette), f"{card.type}:{fold_space(card.name)}"
    if card.type == "officer":
        region, gazetteer = region_of(card, table), data["gazetteer"]
        cloth = Cloth(region["cut"], region["colour"], charge_of(card, table), "poled" in region)
        if places := places_of(card.get("campaign") or (), str(card.get("realm") or ""), gazetteer):
            campaign.draw_real_land(pen, window, places, cloth, gazetteer, data["land"]["coasts"], width_of)
        else:
            campaign.draw_imaginary_land(pen, window, seed, cloth)
    elif card.type == "item":
        requisition.draw(pen, window, seed, charge_of(card, table), composition_of(card, table))
    elif card.type == "tactic":
        plans.draw_battle(pen, window, seed, table["manoeuvres"][plan_of(card, table)])
    else:
        around = first_match(table["surroundings"], card.name) or _any_of(table["surroundings_pool"], f"around:{seed}")
        plans.draw_fortress(pen, window, seed, around)
    return pen.parts


def unknown_places(card: Card, place: Place, spec: GameSpec) -> list[Finding]:
    """Returns a warning if a campaign has unknown places; the officer's map leaves them out."""
    places = spec.data["gazetteer"]["places"]
    unknown = [name for name in card.get("campaign") or () if not place_named(name, places)]
    if not unknown:
        return []
    near = " or ".join(nearest(unknown[0], places))
    written = "Correct the spelling, or write the place with its latitude and longitude, such as Dvin 40.0 44.6."
    return [
        warning(
            "campaign_place_unknown", f"{card.name}: the map has no place {' or '.join(map(repr, unknown))}", place,
            cards=(CardCount(card.ref, card.name),), data={"places": unknown},
            fix=f"Did you mean {near}? {written}" if near else written,
        )
    ]  # fmt: skip


def charge_of(card: Card, table: Mapping[str, Any]) -> str:
    """Returns the name of the drawing on a banner or seal: the emblem, else by an officer's age or an item's name."""
    emblem = str(card.get("emblem") or "").removeprefix("charge-")
    if emblem in charges(table):
        return emblem
    if card.type == "officer":
        age = " ".join(str(card.get(field) or "") for field in ("era", "realm", "date"))
        return first_match(table["ages"], age) or str(table["other_age"])
    return first_match(table["words"], card.name) or _any_of(table["pool"], f"charge:{fold_space(card.name)}")


def charges(table: Mapping[str, Any]) -> set[str]:
    """Returns the names of all drawings for banners and seals in the table."""
    return {charge for _, charge in (*table["words"], *table["ages"])} | {table["other_age"], *table["pool"]}


def region_of(card: Card, table: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns `cut` and `colour` of an officer's banner, by region, or by realm if the region is not known."""
    regions: Mapping[str, Mapping[str, Any]] = table["regions"]
    region = str(card.get("region") or "")
    realm = str(card.get("realm") or card.get("era") or card.name)
    return regions[region if region in regions else _any_of(list(regions), f"region:{fold_space(realm)}")]


def composition_of(card: Card, table: Mapping[str, Any]) -> str:
    """Returns the name of the composition of an item's picture, which depends on the item's effect."""
    effect = str(card.get("effect") or "").replace("-", "\u2212")
    compositions = ((pattern, name) for pattern, name in table["compositions"] if re.search(pattern, effect))
    return str(next(compositions, ("", table["other_composition"]))[1])


def plan_of(card: Card, table: Mapping[str, Any]) -> str:
    """Returns the name of the manoeuvre in a tactic's picture."""
    words, pool = ("disregarding", "disregarding_pool") if card.get("disregards") else ("plans", "plan_pool")
    return first_match(table[words], card.name) or _any_of(table[pool], f"plan:{fold_space(card.name)}")


def _any_of(choices: list[str], seed: str) -> str:
    return choices[Chance(seed).below(len(choices))]


_MARKED = ("trait", "effect", "requirement", "extra_cost")


def face_data(card: Card, spec: GameSpec) -> dict[str, Any]:
    """Returns the variables of a face template: the card, its texts as markup, and a function for its picture.

    `picture` takes the window (left, top, width and height in millimetres), a function that returns the width of a
    title in mm, and the arguments for the title's font that this function needs.
    """
    faces = spec.data["faces"]
    colour = colours(spec)[card.type]
    how = faces["words"]["how"].get(card.type, "")
    palette = {**faces["palette"], **colour}
    return {
        "card": {"ref": card.ref, **card.values},
        "faces": faces,
        "colour": colour,
        "head": {"type": spec.label_of(card.type), "lines": lines_of(card), "how": how},
        "text": {field: marked_up(str(card.get(field) or ""), spec) for field in _MARKED},
        "flavour": flavour_of(card),
        "chips": [chip for chip in faces["chips"] if card.get(chip["field"])],
        "picture": lambda window, width_of, *font: compose(
            card, PictureWindow(*window), spec.data, palette, lambda words: width_of(words, *font)
        ),
        "stats": stats_of(card.get, spec) if card.type == "officer" else [],
        "posts": posts_of(card, spec),
        "charge": charge_of(card, spec.data["emblem"]),
        "cost": cost_of(card),
    }


def colours(spec: GameSpec) -> dict[str, Mapping[str, str]]:
    """Returns the line, tint and middle tone of faces, by type of card (C-6, C-7, C-8, C-9)."""
    faces = spec.data["faces"]["colours"]
    return {key: faces[look["face"]] for key, look in spec.data["sheets"]["looks"].items()}


def lines_of(card: Card) -> list[str]:
    """Returns the line with realm and date, then shorter forms with one of them; the era if the card has neither."""
    words = [str(card.get(field)) for field in ("realm", "date") if card.get(field)]
    return [", ".join(words), *words] if words else [str(card.get("era"))] if card.get("era") else []


def flavour_of(card: Card) -> str:
    """Returns the flavour text and its source in one text; empty if the card has no flavour text."""
    parts = [str(card.get(field)).strip() for field in ("flavor", "source") if card.get(field)]
    return " \u2014 ".join(parts) if card.get("flavor") else ""


def stats_of(rank_of: Callable[[str], Any], spec: GameSpec) -> list[dict[str, str]]:
    """Returns `key`, `word`, `rank` (`rank_of(key)`) of the stats in the order of the Stat Diamond (C-11, C-12)."""
    order, labels = spec.data["sheets"]["looks"]["officer"]["order"], spec.fields_of("officer")
    return [{"key": key, "word": labels[key].label, "rank": str(rank_of(key))} for key in order]


def posts_of(card: Card, spec: GameSpec) -> list[dict[str, str]]:
    """Returns `key` and `word` of each position in which the trait works; all if the card lists none (C-16)."""
    words: Mapping[str, str] = spec.data["faces"]["positions"]
    positions = card.get("trait_positions") or words
    return [{"key": key, "word": word} for key, word in words.items() if key in positions]


def cost_of(card: Card) -> dict[str, str]:
    """Returns a card's cost in men: `figure` 25, `unit` k, or all digits, no unit; empty without one (C-18, C-19)."""
    cost = card.get("recruitment_cost") if card.type == "officer" else card.get("reserve_cost")
    if cost is None:
        return {}
    if cost and cost % 1000 == 0:
        return {"figure": str(cost // 1000), "unit": "k"}
    return {"figure": f"{cost:,}", "unit": ""}


_BOLD_FIRST = re.compile(r"(^|(?<=[.:;!?)] ))((?:If|When)\b|Heads:|Tails:)", re.M)
_COUNTED = re.compile(r"(?<![\w*,])(\d[\d,]*) (grain|men)\b")
_COUNTED_ICONS = {"grain": "grain", "men": "reserve"}
_SIGNED = re.compile(r"(?<![\w*])([+\u2212-])(\d+|X)\b ?")


def marked_up(text: str, spec: GameSpec) -> str:
    """Returns card text as markup: bold stats and numbers, icons, bold If or Heads before a clause (C-120, C-122)."""
    text = _BOLD_FIRST.sub(r"\1**\2**", text)
    text = _COUNTED.sub(lambda match: f"**{match[1]}**\u00a0{{icon:{_COUNTED_ICONS[match[2]]}}}", text)
    text = text.replace("\u00d7 ", "\u00d7\u00a0")
    text = _SIGNED.sub(lambda match: f"**{match[1].replace('-', chr(0x2212))}{match[2]}**\u00a0", text)
    labels = {spec.types["officer"].fields[key].label: key for key in spec.data["stats"]}
    words = re.compile(rf"(?<![\w*}}])({'|'.join(labels)})\b")
    return words.sub(lambda match: f"{{icon:{labels[match[1]]}}} **{match[1]}**", text)
