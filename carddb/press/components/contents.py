"""What a print of components begins with: each of them with pieces, size and sheets, and what else to bring."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from carddb.core.names import capital
from carddb.core.plain_text import amount
from carddb.core.units import Size, mm, to_mm
from carddb.game.parts import ComponentSpec
from carddb.games import Game
from carddb.layout.stock import describe, paper_label
from carddb.press.components.selection import EVERYTHING, Choice, modules_of, only_when_named
from carddb.press.components.sheets import PrintRun, material_of
from carddb.press.faces.workshop import Workshop

CONTENTS = "contents.svg"

LEAST_PAPER = Size(mm(140), mm(180))
# Measures of the page in millimetres; the rest stands in the template.
_TOP, _LATER_TOP, _FOOT = 38.5, 28.0, 24.5
_ABOVE_HEADING = 5.6
_ROWS = (6.4, 5.7, 5.0, 4.4)
"""Heights of a line, the best first; a lower one where it saves a page."""


class ContentsLine(NamedTuple):
    """A component that is printed: the size of its pieces, how many, the sheets that they are on, and spares."""

    key: str
    component: ComponentSpec
    size: Size
    pieces: int
    sheets: Collection[int]
    spares: int = 0


class RunLine(NamedTuple):
    """Sheets that are printed in one go: their pages in the file, how many, on what, on which sides, turned how."""

    pages: str
    sheets: int
    on: str
    sides: str
    edge: str

    def __str__(self) -> str:
        """`pages 9–10: 1 sheet of card, both sides, turned over the long edge`."""
        pages = f"page{'' if self.pages.isdigit() else 's'} {self.pages}"
        sheets = f"{amount(self.sheets, 'sheet')} of {self.on}"
        turned = f"turned over the {self.edge}" if self.edge else ""
        return f"{pages}: {', '.join(filter(None, (sheets, self.sides, turned)))}"


class Apart(NamedTuple):
    """Something that another command prints."""

    label: str
    id: str
    command: str


class _Item(NamedTuple):
    """A line of the page, its top and height in millimetres."""

    kind: str
    value: Any
    y: float
    height: float


def contents_pages(
    workshop: Workshop,
    lines: Sequence[ContentsLine],
    runs: Sequence[PrintRun],
    selection: str,
    paper: Size,
    choice: Choice = EVERYTHING,
    readings: Sequence[tuple[str, str]] = (),
) -> list[dict[str, Any]]:
    """The data of each page for a choice; `selection` says for whom it is. `runs` are the sheets without these pages.

    `readings` are the options of the table's own: each with its value, and what it is about.

    There are none on paper that is too small for them.
    """
    if paper.width < LEAST_PAPER.width or paper.height < LEAST_PAPER.height:
        return []
    spec = workshop.game.spec
    parts: Sequence[tuple[str, str, Sequence[Any]]] = (
        ("To print", "run", range(len(runs))),
        ("Printed here", "part", lines),
        (spec.sheet_words.printed_with, "reading", readings),
        ("To bring", "bring", spec.brought),
        ("Printed apart", "apart", list(_apart(workshop.game, choice))),
    )
    pages = min((_placed(parts, row, to_mm(paper.height)) for row in _ROWS), key=len)
    shift = len(pages)
    of_runs = run_lines(runs, shift)
    common = {
        "game": {"name": spec.name, "key": spec.key},
        "label": workshop.family("label"),
        "aside": workshop.family("aside"),
        "wanted": selection,
        "pieces": sum(line.pieces for line in lines),
        "sheets": sum(run.sheets for run in runs) + shift,
        "spares": any(line.spares for line in lines),
        "thick": any(run.material == "thick card" for run in runs),
    }
    page = {"width": to_mm(paper.width), "height": to_mm(paper.height), "total": shift, "paper": paper_label(paper)}
    return [
        {
            **common,
            "page": {**page, "number": number},
            "items": [_item_data(item, shift, of_runs) for item in items],
        }
        for number, items in enumerate(pages, start=1)
    ]


def _apart(game: Game, choice: Choice) -> Iterator[Apart]:
    """What a player may want that is not in the choice, and for what the choice could be made smaller."""
    spec = game.spec
    if game.folder.guide_file.is_file():
        yield Apart("Rule sheet", "", f"carddb guide {spec.key}")
    if spec.sections and not any(part.each for part in spec.components.values()):
        yield Apart("Cards of a deck", "", "carddb sheets DECK")
    for key, part in spec.components.items():
        if not part.drawn:
            yield Apart(part.label or key, part.id, "carddb decklist DECK")
    for key, part in only_when_named(spec, choice).items():
        yield Apart(part.label or key, part.id, f"carddb components {spec.key} {key}")
    for module, name in () if choice.module else modules_of(spec).items():
        yield Apart(f"For {name} alone", "", f"carddb components {spec.key} --module {module}")


def run_lines(runs: Iterable[PrintRun], shift: int) -> list[RunLine]:
    """What to print on what, after so many other pages; both sides begin on a first side."""
    lines: list[RunLine] = []
    last = shift
    for run in runs:
        last += last % 2 if run.sides == "both sides" else 0
        pages = in_words(range(last + 1, last + len(run.pages) + 1))
        edge = run.pages[0].flip.replace("-", " ") if run.sides == "both sides" else ""
        lines.append(RunLine(pages, run.sheets, run.material, run.sides, edge))
        last += len(run.pages)
    return lines


def _placed(parts: Iterable[tuple[str, str, Sequence[Any]]], row: float, height: float) -> list[list[_Item]]:
    """Headings and lines by page; a heading stands over one of its lines at least."""
    pages: list[list[_Item]] = [[]]
    y = _TOP
    for heading, kind, values in parts:
        for number, value in enumerate(values):
            above = row + _ABOVE_HEADING if number == 0 else 0
            if y + above + row > height - _FOOT:
                pages.append([])
                y = _LATER_TOP
            if above:
                pages[-1].append(_Item("heading", heading, y, above))
            pages[-1].append(_Item(kind, value, y + above, row))
            y += above + row
    return pages


def _item_data(item: _Item, shift: int, of_runs: Sequence[RunLine]) -> dict[str, Any]:
    """An item as the template reads it."""
    common: dict[str, Any] = {"kind": item.kind, "y": item.y, "height": item.height}
    if item.kind == "heading":
        return {**common, "text": item.value}
    if item.kind == "bring":
        what, count = item.value.what, item.value.count
        words = f"{count} × {what}" if count else capital(what)
        return {**common, "text": words, "per": item.value.per}
    if item.kind == "reading":
        value, label = item.value
        return {**common, "value": value, "text": label}
    if item.kind == "apart":
        return {**common, **item.value._asdict()}
    if item.kind == "run":
        return {**common, **of_runs[item.value]._asdict()}
    line: ContentsLine = item.value
    return {
        **common,
        "text": line.component.label or line.key,
        "id": line.component.id,
        "pieces": line.pieces,
        "spares": line.spares,
        "size": describe(line.size),
        "on": material_of(line.component, line.size),
        "sheets": in_words([number + shift for number in line.sheets]),
    }


def in_words(numbers: Collection[int]) -> str:
    """Numbers with those that follow each other drawn together: `2–4, 7`."""
    ordered = sorted(set(numbers))
    runs = groupby(enumerate(ordered), key=lambda pair: pair[1] - pair[0])
    ends = [[number for _, number in run] for _, run in runs]
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in ends)
