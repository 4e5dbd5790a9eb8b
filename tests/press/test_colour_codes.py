"""Colours as eyes see them, and the codes that games make of them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carddb.findings import Finding, Severity
from carddb.game.frozen import replaced
from carddb.game.parts import ColourCodeSpec
from carddb.games import folders, load
from carddb.layout.colours import VISIONS, contrast, difference, lightness, mixed, shades
from carddb.press.conform import APART, GREYS_APART, colour_findings
from carddb.press.faces.workshop import open_workshop
from tests.conftest import OUTSIDE
from tests.rows import every

COLOURS = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")


def of_code(colours: dict[str, Any], **code: Any) -> list[Finding]:
    """What is found of one colour code of a game."""
    game, _ = load(folders([(OUTSIDE / "lanterns", True)])["lanterns"])
    assert game
    spec = replaced(game.spec, data={"kinds": colours}, colour_codes=(ColourCodeSpec(colours="kinds", **code),))
    return colour_findings(spec, {"leaf"})


def test_figures_are_those_of_the_standards() -> None:
    """Black on white is 21, mid grey is half way to white, red and green are far from each other."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)
    assert lightness("#777777") == pytest.approx(50.03, abs=0.05)
    assert difference("#ff0000", "#00ff00") == pytest.approx(170.6, abs=0.5)
    assert mixed("#000000", "#ffffff", 200) == "#cccccc"


@given(st.integers(0, 255), st.sampled_from(list(VISIONS)))
def test_grey_is_grey_to_everybody(level: int, vision: str) -> None:
    """Whoever lacks a cone sees greys as they are."""
    grey = f"#{level:02x}{level:02x}{level:02x}"
    assert difference(grey, "#000000", vision) == pytest.approx(difference(grey, "#000000"), abs=0.01)


@given(COLOURS, COLOURS, st.sampled_from(["", *VISIONS]))
def test_a_difference_is_a_distance(one: str, other: str, vision: str) -> None:
    """It is the same both ways, and nothing to the colour itself."""
    assert difference(one, other, vision) == difference(other, one, vision) >= difference(one, one, vision) == 0


def test_what_the_colour_blind_confuse_is_near() -> None:
    """Pure red and a dark yellow are the same to those without green cones, not to those without blue ones."""
    assert difference("#d04030", "#8c8c10", "deuteranopia") < difference("#d04030", "#8c8c10") / 2
    assert difference("#0d6b75", "#33692b", "tritanopia") < APART < difference("#0d6b75", "#33692b", "protanopia")


def test_shades_are_the_nearest_first() -> None:
    """From the colour on both ways, to black and to white."""
    every = shades("#808080")
    assert every[:2] == ["#7a7a7a", "#868686"] and every[-2:] == ["#000000", "#ffffff"]


def test_colours_that_look_alike_are_found_with_a_better_one() -> None:
    """Both figures are told for each eye that confuses them, and the colour that is offered would do."""
    colours = {"steel": "#44566a", "mind": "#0d6b75"}
    by_eye = {str(finding.data["vision"]): finding for finding in of_code(colours)}
    assert set(by_eye) == {"protanopia", "deuteranopia", "grey"}
    deutan = by_eye["deuteranopia"]
    assert (deutan.code, deutan.severity, deutan.data["least"]) == ("colours_alike", Severity.WARNING, APART)
    assert deutan.data["pairs"] == [["steel", "mind", pytest.approx(4.3, abs=0.1)]]
    _, better, _, key = deutan.fix.rstrip(".").split()
    assert not {"protanopia", "deuteranopia"} & {f.data["vision"] for f in of_code({**colours, key: better})}


def test_greys_that_look_alike_are_found() -> None:
    """Two colours of one lightness are the same in a grey print, however different they are."""
    (finding,) = (each for each in of_code({"a": "#2b5c92", "b": "#8e2b2b"}) if each.data["vision"] == "grey")
    assert finding.data["least"] == GREYS_APART and "grey print" in finding.message


def test_a_sign_makes_it_a_remark() -> None:
    """With signs that differ nothing has to change; a sign that is missing, unknown or the same does not count."""
    same = {"a": {"line": "#777777", "cut": "x"}, "b": {"line": "#777777", "cut": "y"}}
    assert {finding.severity for finding in of_code(same, shade="line", sign="cut")} == {Severity.INFO}
    alike = {key: {**value, "cut": "x"} for key, value in same.items()}
    assert Severity.WARNING in {finding.severity for finding in of_code(alike, shade="line", sign="cut")}
    colours = {"a": "#777777", "b": "#777777"}
    assert {finding.severity for finding in of_code(colours, signs=("#leaf", "star"))} == {Severity.INFO}
    assert "colour_code_wrong" in {finding.code for finding in of_code(colours, signs=("#moon", "star"))}
    assert "colour_code_wrong" in {finding.code for finding in of_code(colours, signs=("star",))}


def test_a_code_without_colours_is_an_error() -> None:
    """A path that leads nowhere, or to something else, is named."""
    assert [finding.code for finding in of_code({})] == ["colour_code_wrong"]
    assert [finding.code for finding in of_code({"a": 3})] == ["colour_code_wrong"]


@every("key", ["cahrd", "cdg-solo", "empires-and-generals", "guarda", "rishar"])
def test_the_colours_of_the_games_are_told_apart(key: str) -> None:
    """No colour of a bundled game that means something needs eyes or ink that not everybody has."""
    game, _ = load(folders()[key])
    assert game
    found = colour_findings(game.spec, open_workshop(game).kit.library.by_id)
    assert [finding.message for finding in found if finding.severity is not Severity.INFO] == []
    if key == "rishar":
        assert {finding.data["vision"] for finding in found} <= {"grey"}
