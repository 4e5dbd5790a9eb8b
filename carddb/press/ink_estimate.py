"""How much ink a job takes, and how little it could take: estimated from a few of its faces."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from carddb.layout.ink_coverage import coverage
from carddb.layout.ink_saving import InkSaver
from carddb.press.face_bank import FaceBank
from carddb.units import Size

_SAMPLE = 4
"""How many faces of a job are measured for all of them."""


class Ink(NamedTuple):
    """The share of a page that is ink, on the whole; `light` what `--ink light` would make it, where that is less."""

    page: Fraction
    light: Fraction | None = None

    def __str__(self) -> str:
        light = f", {_percent(self.light)} with --ink light" if self.light is not None else ""
        return f"ink: about {_percent(self.page)} of the page{light}"


def estimate(bank: FaceBank, numbers: Sequence[int], paper: Size, pages: int) -> Ink:
    """The ink of a job that prints these faces, copies and backs included, on so many pages."""
    some = [numbers[i * len(numbers) // _SAMPLE] for i in range(min(_SAMPLE, len(numbers)))]
    lighter = InkSaver("light") if bank.ink == "full" else None
    page = light = Fraction(0)
    for number in some:
        face = bank[number]
        area = Fraction(face.size.width * face.size.height * len(numbers), len(some) * pages)
        part = area / (paper.width * paper.height)
        page += part * coverage(face)
        if lighter:
            light += part * coverage(lighter.face(face))
    return Ink(page, light if lighter and light < page else None)


def _percent(share: Fraction) -> str:
    return f"{float(share * 100):.{0 if share >= Fraction(95, 1000) else 1}f} %"
