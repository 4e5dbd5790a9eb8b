"""Empires and Generals: the thirteen Predestinations and those of the players' own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.empires_and_generals.samples import SPEC, ask, inline, violations
from tests.rows import every

# The table is written out here once more, apart from the game's own.

FILTERS: dict[str, dict[str, Any]] = {
    "standard": {"act": True, "edition": True},
    "ancient_rumble": {"eras": ["antiquity"]},
    "peaceful_past": {"eras": ["antiquity"], "act": True},
    "knights_of_valor": {"eras": ["medieval"]},
    "alone_in_the_dark": {"eras": ["medieval"], "act": True},
    "classic": {"eras": ["antiquity", "medieval"], "mystery": True},
    "classic_peaceful": {"eras": ["antiquity", "medieval"], "act": True},
    "dynasty_variant": {"eras": ["antiquity", "medieval"], "act": True, "unaffiliated": True},
    "days_gone_by": {"before": 1910},
    "is_this_real_life": {"before": 1910, "mystery": True},
    "up_to_date": {"before": 1910, "act": True},
    "free_for_all": {},
    "no_holds_barred": {"all_franchises": True, "released": True},
}
DATES = st.sampled_from(
    [
        *[(None, None), ("antiquity", -216), ("antiquity", None), ("medieval", 1066)],
        *[("modern", 1909), ("modern", 1910), ("modern", None)],
    ]
)
GRID = st.fixed_dictionaries(
    {
        "date": DATES,
        "act_of_god": st.booleans(),
        "great_mystery": st.booleans(),
        "unaffiliated": st.booleans(),
        "franchise": st.sampled_from(["historical", "spin_off", "joke"]),
        "released": st.booleans(),
        "edition": st.sampled_from(["Antiquity", "Medieval", None]),
    }
)


def expected(key: str, card: Mapping[str, Any], chosen: list[str], timeless: bool) -> list[str]:
    """The format codes of a card by the table above."""
    asked, (era, year) = FILTERS[key], card["date"]
    free = timeless and (card["act_of_god"] or card["great_mystery"] or card["unaffiliated"])
    out = set()
    if "eras" in asked and not (free if era is None else era in asked["eras"]):
        out.add("format_era")
    if "before" in asked and not (free or era in ("antiquity", "medieval") if year is None else year < asked["before"]):
        out.add("format_year")
    out |= {"format_act_of_god"} if asked.get("act") and card["act_of_god"] else set()
    out |= {"format_great_mystery"} if asked.get("mystery") and card["great_mystery"] else set()
    out |= {"format_unaffiliated"} if asked.get("unaffiliated") and card["unaffiliated"] else set()
    out |= {"format_franchise"} if not asked.get("all_franchises") and card["franchise"] != "historical" else set()
    out |= {"format_unreleased"} if asked.get("released") and not card["released"] else set()
    out |= {"format_edition"} if asked.get("edition") and chosen and card["edition"] not in chosen else set()
    return sorted(out)


@settings(max_examples=100)
@given(GRID, st.sampled_from([[], ["Antiquity"], ["Antiquity", "Medieval"]]), st.booleans())
def test_every_format(values: dict[str, Any], chosen: list[str], timeless: bool) -> None:
    """E-31 to E-45: all thirteen formats allow exactly the cards that the table allows."""
    era, year = values["date"]
    rest = {key: value for key, value in values.items() if key != "date"}
    card = inline("A", era=era, year=year, **rest)
    for key in FILTERS:
        wanted = expected(key, values, chosen, timeless)
        given_options = {"timeless_cards_pass": timeless}
        found = ask("format_check", card=card, predestination=key, chosen_editions=chosen, options=given_options)
        assert found == {"ok": True, "allowed": not wanted, "violations": wanted}, key


def test_the_thirteen() -> None:
    """E-44: thirteen keys in the order of the source, labelled 1 to 9, 10a, 10b, 11 and 12."""
    assert list(SPEC.formats) == list(FILTERS)
    labels = [found.label for found in SPEC.formats.values()]
    assert labels == [*"123456789", "10a", "10b", "11", "12"]


def test_standard_without_chosen_edition() -> None:
    """E-31: with no edition chosen all cards share one; the option lifts it; reference cards are left out."""
    knight = inline("K", edition="Medieval")
    assert violations([[knight, 1]], predestination="standard") == ["format_edition"]
    assert violations([[knight, 1]], predestination="standard", chosen_editions=["Antiquity", "Medieval"]) == []
    assert violations([[knight, 1]], predestination="standard", chosen_editions=["antiquity"]) == ["format_edition"]
    assert violations([[knight, 1]], predestination="standard", options={"standard_mixed": True}) == []
    chart = inline("C", "reference", edition="Other")
    assert violations([], reference=[[chart, 1]], predestination="standard") == []


@every("wrong", ["4", "10", "10a", "", 4, 10, 10.5])
def test_a_label_or_a_number_is_no_format(wrong: Any) -> None:
    """E-44: a label or a number is an unknown format, and no other format code is given."""
    assert violations([[inline("A", franchise="joke"), 1]], predestination=wrong) == ["format_unknown"]
    assert ask("format_check", card=inline("A"), predestination=wrong) == {"ok": False, "reason": "format_unknown"}


def test_custom_predestination() -> None:
    """E-46: the same filters as data; missing keys filter nothing, franchises are historical unless named."""
    odd = inline("A", era="modern", year=1999, unaffiliated=True, franchise="joke", edition="X", released=False)
    assert violations([[odd, 1]], predestination={}) == ["format_franchise"]
    everything = {
        "eras": ["antiquity"],
        "before_year": 1500,
        "no_act_of_god": True,
        "no_great_mystery": True,
        "no_unaffiliated": True,
        "franchises": ["spin_off"],
        "released_only": True,
        "editions": ["Antiquity"],
    }
    found = ask("format_check", card=odd, predestination=everything)
    assert found["violations"] == [
        *("format_edition", "format_era", "format_franchise"),
        *("format_unaffiliated", "format_unreleased", "format_year"),
    ]
    nothing = {"eras": None, "editions": None, "franchises": ["joke"], "name": "Anything"}
    assert ask("format_check", card=odd, predestination=nothing)["allowed"] is True
    unknown = ask("format_check", card=odd, predestination={"no_unafiliated": True})
    assert (unknown["path"], unknown["did_you_mean"]) == ("predestination.no_unafiliated", "no_unaffiliated")


def test_formats_look_at_playing_and_resource_cards() -> None:
    """Reference cards and cards of unknown type pass every format."""
    strange = {"ref": "S", "name": "Strange", "type": "sorcerer", "era": "modern"}
    assert violations([[strange, 1]], predestination="ancient_rumble") == ["unknown_card_type"]
    assert ask("format_check", card=inline("C", "reference", era="modern"), predestination="classic")["allowed"] is True
