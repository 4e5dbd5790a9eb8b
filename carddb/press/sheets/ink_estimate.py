"""How much ink a job takes, and how little it could take: estimated from a few of its faces."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from carddb.core.units import Size
from carddb.layout.display_list import Face
from carddb.layout.ink.coverage import coverage
from carddb.layout.ink.saving import InkSaver
from carddb.press.faces.bank import FaceBank

_SAMPLE = 4
"""How many faces of a job are measured for all of them."""


class Ink(NamedTuple):
    """The share of a page that is ink, on the whole; `light` what `--ink light` would make it, where that is less."""

    page: Fraction
    light: Fraction | None = None

    def __str__(self) -> str:
        light = f", {percent(self.light)} with --ink light" if self.light is not None else ""
        return f"ink: about {percent(self.page)} of the page{light}"


def estimate(bank: FaceBank, numbers: Sequence[int], paper: Size, pages: int) -> Ink:
    """The ink of a job that prints these faces, copies and backs included, on so many pages."""
    faces = [bank[number] for number in _sample(numbers)]
    whole = pages * paper.width * paper.height
    page = _ink_area(faces, len(numbers)) / whole
    if bank.ink != "full":
        return Ink(page)
    saver = InkSaver("light")
    light = _ink_area([saver.face(face) for face in faces], len(numbers)) / whole
    return Ink(page, light if light < page else None)


def ink_area(bank: FaceBank, numbers: Sequence[int]) -> Fraction:
    """The square micrometres of ink that these faces take, copies and backs included; estimated as by `estimate`."""
    return _ink_area([bank[number] for number in _sample(numbers)], len(numbers))


def _sample(numbers: Sequence[int]) -> list[int]:
    return [numbers[i * len(numbers) // _SAMPLE] for i in range(min(_SAMPLE, len(numbers)))]


def _ink_area(faces: Sequence[Face], count: int) -> Fraction:
    """The ink of `count` faces, of which these are some."""
    areas = (face.size.width * face.size.height * coverage(face) for face in faces)
    return sum(areas, Fraction(0)) * Fraction(count, max(1, len(faces)))


def percent(share: Fraction) -> str:
    """A share as it is told: `11 %`, `6.2 %`."""
    return f"{float(share * 100):.{0 if share >= Fraction(95, 1000) else 1}f} %"
