"""A face that cannot be drawn stops no other: a job names every fault, and prints the rest where it may."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pypdfium2
import pytest

from tests.conftest import OUTSIDE, Told

Call = Callable[..., Told]


@pytest.fixture
def lanterns(folder: Path) -> Path:
    """A copy of the small game outside, in the working folder, its cards loaded."""
    return Path(copytree(OUTSIDE / "lanterns", folder / "lanterns"))


def spoil(game: Path, words: str) -> None:
    """Puts words of a template before the end of the face."""
    path = game / "templates" / "card.svg"
    path.write_text(path.read_text("utf-8").replace("</svg>", f"{words}</svg>"), "utf-8")


def words_of(path: str) -> str:
    """All words of a PDF."""
    with pypdfium2.PdfDocument(path) as document:
        return " ".join(" ".join(page.get_textpage().get_text_bounded().split()) for page in document)


def test_one_broken_face_stops_no_other(call: Call, lanterns: Path) -> None:
    """Its card, line, the fields there are and the nearest are named; the others are printed when faults may be."""
    spoil(lanterns, "{% if card.light == 4 %}{{ card.lihgt }}{% endif %}")
    games = ("--games", "lanterns")
    assert call(*games, "load", "lanterns/cards.csv", "--game", "lanterns").code == 0
    refused = call(*games, "sheets", "game:lanterns", "-o", "a.pdf")
    said = " ".join(refused.err.split())
    assert refused.code == 1 and "error face_broken: Blue Lamp [L-02]: the face cannot be drawn" in said
    assert (
        "card.svg:8:" in said
        and "there is no field 'lihgt'" in said
        and "fix: Did you mean light? Fields: art, colours," in said
    )
    assert not Path("a.pdf").exists()
    printed = call(*games, "sheets", "game:lanterns", "-o", "a.pdf", "--allow-faults")
    assert printed.code == 1
    words = words_of("a.pdf")
    assert all(name in words for name in ("Red Lamp", "Harbour Light", "Night Wind", "Blue Lamp [L-02]", "Not drawn:"))
    assert call(*games, "sheets", "game:lanterns", "--png", "pictures", "--allow-faults").code == 1
    assert len(list(Path("pictures").glob("*.png"))) == 4
    assert "face_broken" in call(*games, "preflight", "game:lanterns").out


@pytest.mark.full
def test_a_tag_that_is_not_closed_is_told_with_its_line(call: Call, lanterns: Path) -> None:
    """What is no XML is told with the line of the template, not with that of the drawing made from it."""
    card = lanterns / "templates" / "card.svg"
    spoil(lanterns, "\n<g>\n</txt>\n")
    line = card.read_text("utf-8").splitlines().index("<g>") + 1
    assert call("--games", "lanterns", "load", "lanterns/cards.csv", "--game", "lanterns").code == 0
    said = call("--games", "lanterns", "preflight", "game:lanterns").out
    assert f"lanterns/card.svg:{line}: not well-formed SVG: mismatched tag; the same" in said


@pytest.mark.full
def test_a_fault_of_the_template_is_one_finding(call: Call, lanterns: Path) -> None:
    """A line that spoils every face is told once, with the number of faces."""
    spoil(lanterns, "{{ nothing }}")
    games = ("--games", "lanterns")
    assert call(*games, "load", "lanterns/cards.csv", "--game", "lanterns").code == 0
    told = call(*games, "sheets", "game:lanterns", "-o", "a.pdf")
    assert told.code == 1 and told.err.count("face_broken") == 1 and "the same on 3 more faces" in told.err


@pytest.mark.full
def test_one_broken_face_among_two_thousand(call: Call, lanterns: Path) -> None:
    """Of two thousand cards the one that is broken is named, and the others are printed."""
    lines = ["ref,name,type,light", *(f"M-{n},Lamp {n},lamp,{n % 9}" for n in range(1, 2001))]
    (lanterns / "cards.csv").write_text("\n".join(lines), "utf-8")
    spoil(lanterns, "{% if card.ref == 'M-1234' %}{{ card.lihgt }}{% endif %}")
    games = ("--games", "lanterns")
    assert call(*games, "load", "lanterns/cards.csv", "--game", "lanterns").code == 0
    told = call(*games, "sheets", "game:lanterns", "-o", "a.pdf", "--allow-faults")
    assert told.code == 1 and told.err.count("face_broken") == 1 and "2,000 cards" in told.err.replace("2000", "2,000")
