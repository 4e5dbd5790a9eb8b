"""What a print of components begins with: each of them with pieces, size and sheets, and what else to bring."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import Any, NamedTuple

from carddb.game_parts import ComponentSpec
from carddb.layout.stock import describe, paper_label
from carddb.press.workshop import Workshop
from carddb.units import Size, mm, to_mm

CONTENTS = "contents.svg"

LEAST_PAPER = Size(mm(140), mm(180))
# Measures of the page in millimetres; the rest stands in the template.
_TOP, _LATER_TOP, _FOOT = 42.0, 28.0, 22.0
_HEADING = 13.0
_ROWS = (6.4, 5.8, 5.2)
"""Heights of a line, the best first; a lower one where it saves a page."""


class Line(NamedTuple):
    """A component that is printed: the size of its pieces, how many, and the sheets that they are on."""

    key: str
    component: ComponentSpec
    size: Size
    pieces: int
    sheets: Collection[int]


class _Item(NamedTuple):
    """A line of the page, its top and height in millimetres."""

    kind: str
    value: Any
    y: float
    height: float


def contents_pages(
    workshop: Workshop,
    lines: Sequence[Line],
    sheets: int,
    wanted: str,
    paper: Size,
    more: Mapping[str, ComponentSpec] = MappingProxyType({}),
    modules: Mapping[str, str] = MappingProxyType({}),
) -> list[dict[str, Any]]:
    """What each page is told; `wanted` says for whom, `more` are components and `modules` games to be had by name.

    Sheets are counted without these pages.

    There are none on paper that is too small for them.
    """
    if paper.width < LEAST_PAPER.width or paper.height < LEAST_PAPER.height:
        return []
    spec = workshop.game.spec
    parts = (
        ("Printed here", "part", lines),
        ("To bring", "bring", spec.brought),
        ("Printed when named", "more", [(key, part.label or key, part.id) for key, part in more.items()]),
        ("For one of these alone", "more", [(f"--module {key}", name, "") for key, name in modules.items()]),
    )
    pages = min((_placed(parts, row, to_mm(paper.height)) for row in _ROWS), key=len)
    shift = len(pages)
    common = {
        "game": {"name": spec.name, "key": spec.key},
        "label": workshop.family("label"),
        "aside": workshop.family("aside"),
        "wanted": wanted,
        "pieces": sum(line.pieces for line in lines),
        "sheets": sheets + shift,
    }
    page = {"width": to_mm(paper.width), "height": to_mm(paper.height), "total": shift, "paper": paper_label(paper)}
    return [
        {**common, "page": {**page, "number": number}, "items": [_said(item, shift) for item in items]}
        for number, items in enumerate(pages, start=1)
    ]


def _placed(parts: Iterable[tuple[str, str, Sequence[Any]]], row: float, height: float) -> list[list[_Item]]:
    """Headings and lines by page; a heading stands over one of its lines at least."""
    pages: list[list[_Item]] = [[]]
    y = _TOP
    for heading, kind, values in parts:
        for number, value in enumerate(values):
            above = _HEADING if number == 0 else 0
            if y + above + row > height - _FOOT:
                pages.append([])
                y = _LATER_TOP
            if above:
                pages[-1].append(_Item("heading", heading, y, above))
            pages[-1].append(_Item(kind, value, y + above, row))
            y += above + row
    return pages


def _said(item: _Item, shift: int) -> dict[str, Any]:
    """An item as the template reads it."""
    told: dict[str, Any] = {"kind": item.kind, "y": item.y, "height": item.height}
    if item.kind == "heading":
        return {**told, "text": item.value}
    if item.kind == "bring":
        what, count = item.value.what, item.value.count
        words = f"{count} × {what}" if count else what[:1].upper() + what[1:]
        return {**told, "text": words, "per": item.value.per}
    if item.kind == "more":
        key, text, id_ = item.value
        return {**told, "text": text, "id": id_, "key": key}
    line: Line = item.value
    return {
        **told,
        "text": line.component.label or line.key,
        "id": line.component.id,
        "pieces": line.pieces,
        "size": describe(line.size),
        "on": line.component.on,
        "sheets": in_words([number + shift for number in line.sheets]),
    }


def in_words(numbers: Collection[int]) -> str:
    """Numbers with those that follow each other drawn together: `2–4, 7`."""
    ordered = sorted(set(numbers))
    runs = groupby(enumerate(ordered), key=lambda pair: pair[1] - pair[0])
    ends = [[number for _, number in run] for _, run in runs]
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in ends)
