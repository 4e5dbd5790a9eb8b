"""Files that help with an order: for mpc-autofill, and the plan of decks for The Game Crafter."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from typing import Any

from carddb.press.shops.order import order_files
from carddb.press.shops.shops import profile
from carddb.read.documents.manifest_parts import Ordered, OrderManifest


def picture(name: str, side: Any, copies: int, back: str = "") -> Ordered:
    return Ordered(file=f"{name}.png", side=side, name=name, copies=copies, pixels=(1, 1), sha256="0" * 64, back=back)


def manifest(*copies: int) -> OrderManifest:
    """Fronts a, b, c ...; the second has a back of its own."""
    pictures = [
        picture("abc"[at], "front", count, "two.png" if at == 1 else "one.png") for at, count in enumerate(copies)
    ]
    pictures += [picture("one", "back", sum(copies) - copies[1]), picture("two", "back", copies[1])]
    return OrderManifest(
        profile="mpc-poker", game="g", title="A & B", revision="0", dpi=300, trim=(1, 1), pictures=pictures
    )


def test_mpc_autofill_gets_every_copy_a_slot() -> None:
    """Quantity, bracket and stock are there; ids are file names; a back of its own is listed with its slots."""
    files = order_files(profile("mpc-poker"), manifest(3, 2, 15))
    assert list(files) == ["order.xml"]
    order = ET.fromstring(files["order.xml"])
    assert [(part.tag, part.text) for part in order[0]] == [
        ("quantity", "20"), ("bracket", "36"), ("stock", "(S30) Standard Smooth"), ("foil", "false"),
    ]  # fmt: skip
    cards = {(side.tag, card.findtext("id")): card.findtext("slots") for side in order[1:3] for card in side}
    assert cards == {
        ("fronts", "a.png"): "0,1,2",
        ("fronts", "b.png"): "3,4",
        ("fronts", "c.png"): ",".join(map(str, range(5, 20))),
        ("backs", "two.png"): "3,4",
    }
    assert order.findtext("cardback") == "one.png" and order.findtext("fronts/card/query") == "a"


def test_a_name_that_xml_cannot_hold_is_still_an_order() -> None:
    """Control characters become spaces; signs with a meaning in XML are kept."""
    odd = manifest(1, 1)
    odd.pictures[0].name = "A\x00 <b> & \ud800"
    order = ET.fromstring(order_files(profile("mpc-poker"), odd)["order.xml"])
    assert order.findtext("fronts/card/query") == "A  <b> &  "


def test_mpc_autofill_gets_no_order_that_it_cannot_fill() -> None:
    """It orders poker cards alone, and the shop takes at most 612 of them at once."""
    assert not order_files(profile("mpc-tarot"), manifest(1, 1))
    assert order_files(profile("mpc-poker"), manifest(600, 12))
    assert not order_files(profile("mpc-poker"), manifest(600, 13))


def test_the_game_crafter_gets_a_deck_for_each_back() -> None:
    """The plan has parts with sizes, counts and pictures, and no card is in two."""
    files = order_files(profile("tgc-poker"), manifest(3, 2, 15))
    plan = json.loads(files["plan.json"])
    assert (plan["schema"], plan["shop"], plan["title"]) == ("carddb.plan/1", "The Game Crafter", "A & B")
    assert [(part["part"], part["back"], part["count"], part["pixels"]) for part in plan["parts"]] == [
        ("poker deck", "one.png", 18, [825, 1125]),
        ("poker deck", "two.png", 2, [825, 1125]),
    ]
    assert plan["parts"][0]["cards"] == [
        {"name": "a", "face": "a.png", "count": 3},
        {"name": "c", "face": "c.png", "count": 15},
    ]
