"""What the pages of a PDF draw and where, for the tests of painters."""

from __future__ import annotations

from decimal import Decimal
from io import BytesIO

import pikepdf

MM = 72 / 25.4

_kept: list[pikepdf.Pdf] = []


def opened(data: bytes) -> pikepdf.Pdf:
    """A file that stays open while its pages are looked at."""
    _kept[:] = [*_kept[-3:], pikepdf.open(BytesIO(data))]
    return _kept[-1]


Matrix = tuple[float, float, float, float, float, float]
Points = list[tuple[float, float]]


def drawn(page: pikepdf.Page) -> tuple[list[tuple[str, Points]], Points]:
    """What a page draws, in millimetres from its top left: path segments by operator, and where lines of text begin.

    Forms are followed into.
    """
    height = float(page.MediaBox[3])
    paths: list[tuple[str, Points]] = []
    starts: Points = []
    follow(page, page.Resources, (1 / MM, 0.0, 0.0, -1 / MM, 0.0, height / MM), paths, starts)
    return paths, starts


def times(one: Matrix, other: Matrix) -> Matrix:
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m


def follow(
    content: pikepdf.Page | pikepdf.Stream,
    resources: pikepdf.Object,
    matrix: Matrix,
    paths: list[tuple[str, Points]],
    starts: Points,
) -> None:
    """Gathers what a page or a form draws under the matrix it is drawn with."""
    stack = []
    line: Matrix = (1, 0, 0, 1, 0, 0)

    def at(x: float, y: float) -> tuple[float, float]:
        return times((1, 0, 0, 1, x, y), matrix)[4:]

    for instruction in pikepdf.parse_content_stream(content):
        name, operands = str(instruction.operator), instruction.operands
        numbers = [float(operand) for operand in operands if isinstance(operand, (int, Decimal))]
        if name == "q":
            stack.append(matrix)
        elif name == "Q":
            matrix = stack.pop()
        elif name == "cm":
            a, b, c, d, e, f = numbers
            matrix = times((a, b, c, d, e, f), matrix)
        elif name == "Do" and (inner := resources.XObject[str(operands[0])]).Subtype == "/Form":
            assert isinstance(inner, pikepdf.Stream)
            follow(inner, inner.Resources, matrix, paths, starts)
        elif name in ("m", "l"):
            paths.append((name, [at(*numbers)]))
        elif name == "re":
            x, y, w, h = numbers
            paths.append((name, [at(x, y), at(x + w, y), at(x + w, y + h), at(x, y + h)]))
        elif name == "Tm":
            line = (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5])
            starts.append(at(*line[4:]))
        elif name == "Td":
            line = times((1, 0, 0, 1, numbers[0], numbers[1]), line)
            starts.append(at(*line[4:]))


def near(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return abs(one[0] - other[0]) < 0.01 and abs(one[1] - other[1]) < 0.01
