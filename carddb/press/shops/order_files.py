"""Files beside the pictures of an order: order.xml for mpc-autofill, plan.json for a shop whose decks have one back."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping
from typing import Any

from carddb.core.plain_text import for_xml, json_bytes
from carddb.press.shops.shops import Autofill, Profile
from carddb.read.documents.manifest_parts import Ordered, OrderManifest

XML_FILE, PLAN_FILE = "order.xml", "plan.json"


def order_files(profile: Profile, manifest: OrderManifest) -> Mapping[str, bytes]:
    """Returns the files that help with an order of these pictures at a shop, by name; empty if there are none."""
    autofill = profile.shop.autofill
    files = {}
    if autofill and autofill.product == profile.key and _quantity(manifest) <= autofill.brackets[-1]:
        files[XML_FILE] = autofill_order(autofill, manifest)
    if profile.shop.one_back:
        files[PLAN_FILE] = json_bytes(deck_plan(profile, manifest))
    return files


def autofill_order(autofill: Autofill, manifest: OrderManifest) -> bytes:
    """Returns an order of mpc-autofill, in which the id of a picture is its file name.

    Every copy has a slot, counted from 0. The back that most copies have is the common one; others are listed.
    """
    fronts = _fronts(manifest)
    quantity = 0
    slots: dict[str, range] = {}
    for front in fronts:
        slots[front.file] = range(quantity, quantity + front.copies)
        quantity += front.copies
    order = ET.Element("order")
    details = ET.SubElement(order, "details")
    bracket = next(bracket for bracket in autofill.brackets if bracket >= quantity)
    for key, text in {
        "quantity": str(quantity),
        "bracket": str(bracket),
        "stock": autofill.stock,
        "foil": "false",
    }.items():
        ET.SubElement(details, key).text = text
    _cards(order, "fronts", ((front, slots[front.file]) for front in fronts))
    backs = [picture for picture in manifest.pictures if picture.side == "back"]
    if backs:
        common = max(backs, key=lambda back: back.copies)
        others = [
            (back, [slot for front in fronts if front.back == back.file for slot in slots[front.file]])
            for back in backs
            if back is not common
        ]
        if others:
            _cards(order, "backs", others)
        ET.SubElement(order, "cardback").text = common.file
    ET.indent(order)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(order, encoding="unicode")}\n'.encode()


def deck_plan(profile: Profile, manifest: OrderManifest) -> dict[str, Any]:
    """Returns the decks to make at a shop: for each back its cards, with pictures and copies. Nothing is sent."""
    fronts = _fronts(manifest)
    decks = {back: [front for front in fronts if front.back == back] for back in dict.fromkeys(f.back for f in fronts)}
    return {
        "schema": "carddb.plan/1",
        "shop": profile.shop.name,
        "game": manifest.game,
        "title": manifest.title,
        "revision": manifest.revision,
        "parts": [
            {
                "part": f"{profile.key} deck",
                "trim_mm": [profile.trim.width / 1000, profile.trim.height / 1000],
                "pixels": list(profile.pixels),
                "back": back,
                "count": sum(front.copies for front in cards),
                "cards": [{"name": front.name, "face": front.file, "count": front.copies} for front in cards],
            }
            for back, cards in decks.items()
        ],
    }


def _fronts(manifest: OrderManifest) -> list[Ordered]:
    return [picture for picture in manifest.pictures if picture.side == "front"]


def _quantity(manifest: OrderManifest) -> int:
    return sum(front.copies for front in _fronts(manifest))


def _cards(order: ET.Element, name: str, pictures: Iterable[tuple[Ordered, Iterable[int]]]) -> None:
    """Adds a list of pictures with their slots to an order."""
    listed = ET.SubElement(order, name)
    for picture, slots in pictures:
        card = ET.SubElement(listed, "card")
        ET.SubElement(card, "id").text = picture.file
        ET.SubElement(card, "slots").text = ",".join(map(str, slots))
        ET.SubElement(card, "name").text = picture.file
        ET.SubElement(card, "query").text = for_xml(picture.name)
