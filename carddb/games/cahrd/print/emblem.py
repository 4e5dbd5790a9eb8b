"""The picture of a card without art: which one, with which marks on it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from carddb.cards.cards import Card
from carddb.core.names import fold_space, nearest
from carddb.findings import CardCount, Finding, Place, warning
from carddb.game.game import GameSpec
from carddb.games.cahrd.print.emblems import atlas, fortress, plan, realm_map, requisition
from carddb.games.cahrd.print.emblems.banner import Cloth
from carddb.games.cahrd.print.emblems.campaign import place_named, places_of
from carddb.games.cahrd.print.emblems.chance import Chance
from carddb.games.cahrd.print.emblems.geometry import Window
from carddb.games.cahrd.print.emblems.pen import Part, Pen
from carddb.games.printed_words import first_match


def compose(card: Card, window: Window, data: Mapping[str, Any], palette: Mapping[str, str]) -> list[Part]:
    """What is painted in the window of a card; `data` is the game's, `palette` colours by name."""
    table = data["emblem"]
    pen, seed = Pen(palette), f"{card.type}:{fold_space(card.name)}"
    if card.type == "officer":
        region, gazetteer = region_of(card, table), data["gazetteer"]
        cloth = Cloth(region["cut"], region["colour"], charge_of(card, table))
        if places := places_of(card.get("campaign") or (), str(card.get("realm") or ""), gazetteer):
            realm_map.draw(pen, window, places, cloth, gazetteer, data["land"]["coasts"])
        else:
            atlas.draw(pen, window, seed, cloth)
    elif card.type == "item":
        requisition.draw(pen, window, seed, charge_of(card, table), composition_of(card, table))
    elif card.type == "tactic":
        plan.draw(pen, window, seed, table["manoeuvres"][plan_of(card, table)])
    else:
        around = first_match(table["surroundings"], card.name) or _any_of(table["surroundings_pool"], f"around:{seed}")
        fortress.draw(pen, window, seed, around)
    return pen.parts


def unknown_places(card: Card, place: Place, spec: GameSpec) -> list[Finding]:
    """The places of a campaign that nobody knows, in one warning: the map of the officer is drawn without them."""
    places = spec.data["gazetteer"]["places"]
    unknown = [name for name in card.get("campaign") or () if not place_named(name, places)]
    if not unknown:
        return []
    near = ", ".join(nearest(unknown[0], places))
    written = "Another place is written with its latitude and longitude: Dvin 40.0 44.6."
    return [
        warning(
            "campaign_place_unknown", f"{card.name}: no place is called {', '.join(map(repr, unknown))}", place,
            cards=(CardCount(card.ref, card.name),), data={"places": unknown},
            fix=f"Nearest: {near}. {written}" if near else written,
        )
    ]  # fmt: skip


def charge_of(card: Card, table: Mapping[str, Any]) -> str:
    """The drawing on a banner or a seal: the one that the card names, else by its age or its name."""
    emblem = str(card.get("emblem") or "").removeprefix("charge-")
    if emblem in charges(table):
        return emblem
    if card.type == "officer":
        age = " ".join(str(card.get(field) or "") for field in ("era", "realm", "date"))
        return first_match(table["ages"], age) or str(table["other_age"])
    return first_match(table["words"], card.name) or _any_of(table["pool"], f"charge:{fold_space(card.name)}")


def charges(table: Mapping[str, Any]) -> set[str]:
    """Every drawing in the table."""
    return {charge for _, charge in (*table["words"], *table["ages"])} | {table["other_age"], *table["pool"]}


def region_of(card: Card, table: Mapping[str, Any]) -> Mapping[str, str]:
    """Cut and colour of an officer's banner: by region, else one for all officers of a realm."""
    regions: Mapping[str, Mapping[str, str]] = table["regions"]
    region = str(card.get("region") or "")
    realm = str(card.get("realm") or card.get("era") or card.name)
    return regions[region if region in regions else _any_of(list(regions), f"region:{fold_space(realm)}")]


def composition_of(card: Card, table: Mapping[str, Any]) -> str:
    """How an item's picture is composed: by what its effect does."""
    effect = str(card.get("effect") or "").replace("-", "\u2212")
    compositions = ((pattern, name) for pattern, name in table["compositions"] if re.search(pattern, effect))
    return str(next(compositions, ("", table["other_composition"]))[1])


def plan_of(card: Card, table: Mapping[str, Any]) -> str:
    """The manoeuvre on a tactic's plan."""
    words, pool = ("disregarding", "disregarding_pool") if card.get("disregards") else ("plans", "plan_pool")
    return first_match(table[words], card.name) or _any_of(table[pool], f"plan:{fold_space(card.name)}")


def _any_of(choices: list[str], seed: str) -> str:
    return choices[Chance(seed).below(len(choices))]
