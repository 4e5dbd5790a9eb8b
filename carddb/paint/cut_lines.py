"""Cut lines as files for cutting machines: SVG, and DXF of AutoCAD release 12, both in millimetres."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from carddb.core.units import to_mm
from carddb.layout.drawing.outline import flattened
from carddb.layout.sheets.crop_marks import CutSheet
from carddb.paint.svg import path_data

_COLOURS: Mapping[str, tuple[str, int]] = {"score": ("#0000ff", 5), "perforate": ("#00a000", 3), "cut": ("#ff0000", 1)}
"""`{layer: (its colour in SVG, its colour number in DXF)}`."""
_STROKE = 0.1


def cut_svg(sheet: CutSheet) -> bytes:
    """Returns the cut lines of a sheet as SVG, with a user unit of 1 mm and a layer for each kind of line."""
    width, height = to_mm(sheet.size.width), to_mm(sheet.size.height)
    names = 'xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
    lines = [f'<svg {names} width="{width:g}mm" height="{height:g}mm" viewBox="0 0 {width:g} {height:g}">']
    for name, layer in sheet.layers.items():
        look = f'fill="none" stroke="{_COLOURS[name][0]}" stroke-width="{_STROKE}"'
        lines.append(f'<g id="{name}" inkscape:groupmode="layer" inkscape:label="{name}" {look}>')
        lines += [f'<path d="{path_data(line)}"/>' for line in layer]
        lines.append("</g>")
    return "\n".join([*lines, "</svg>", ""]).encode()


def cut_dxf(sheet: CutSheet) -> bytes:
    """Returns the cut lines of a sheet as DXF R12 with a layer for each kind of line, where y points upwards.

    Curves are polylines. DXF R12 cannot state a unit; the user must choose millimetres in the program that opens it.
    """
    groups = [*_section("HEADER", _header(sheet)), *_section("TABLES", _layer_table())]
    groups += [*_section("ENTITIES", _entities(sheet)), (0, "EOF")]
    return "".join(f"{code}\n{value}\n" for code, value in groups).encode()


CUT_FORMATS: Mapping[str, Callable[[CutSheet], bytes]] = {"svg": cut_svg, "dxf": cut_dxf}
"""The functions that write cut lines to a file, by the suffix of its name."""

_Group = tuple[int, str | int]
"""A group of DXF: its group code and its value."""


def _section(name: str, groups: Iterator[_Group]) -> Iterator[_Group]:
    yield from ((0, "SECTION"), (2, name))
    yield from groups
    yield (0, "ENDSEC")


def _header(sheet: CutSheet) -> Iterator[_Group]:
    yield from ((9, "$ACADVER"), (1, "AC1009"))
    for name, x, y in (("$EXTMIN", 0, 0), ("$EXTMAX", sheet.size.width, sheet.size.height)):
        yield (9, name)
        yield from _point(x, y)


def _layer_table() -> Iterator[_Group]:
    yield from ((0, "TABLE"), (2, "LAYER"), (70, len(_COLOURS)))
    for name, (_, colour) in _COLOURS.items():
        yield from ((0, "LAYER"), (2, name), (70, 0), (62, colour), (6, "CONTINUOUS"))
    yield (0, "ENDTAB")


def _entities(sheet: CutSheet) -> Iterator[_Group]:
    for name, layer in sheet.layers.items():
        for line in layer:
            is_closed = line[-1][0] == "Z"
            yield from ((0, "POLYLINE"), (8, name), (66, 1), (70, int(is_closed)))
            yield from _point(0, 0)
            for x, y in flattened(line):
                yield from ((0, "VERTEX"), (8, name))
                yield from _point(x, sheet.size.height - y)
            yield from ((0, "SEQEND"), (8, name))


def _point(x: float, y: float) -> Iterator[_Group]:
    yield from ((code, f"{to_mm(round(value)):.3f}") for code, value in ((10, x), (20, y), (30, 0)))
