"""Figures of a deck as shapes of a chart: lengths in the units of its own drawing, which the page scales."""

from __future__ import annotations

from typing import NamedTuple

from carddb.app.decks.statistics import DeckStatistics

_HEIGHT, _STEP, _WIDTH = 100, 40, 32
"""The highest column, the way from one to the next, and how wide one is."""
_ROOM = 320


class Column(NamedTuple):
    """One column: where it stands, how high it is, what it counts, and its figure."""

    x: int
    y: float
    height: float
    label: str
    figure: str


class Chart(NamedTuple):
    """Columns of one thing, all of them in words too."""

    title: str
    caption: str
    width: int
    columns: list[Column]

    @property
    def words(self) -> str:
        return f"{self.title}: " + ", ".join(f"{column.label}: {column.figure or '0'}" for column in self.columns)


def columns(statistics: DeckStatistics) -> list[Chart]:
    """The odds of an opening hand, a chart for each type of card."""
    hand = statistics.hand
    if hand is None:
        return []
    charts = []
    for kind, chances in hand.chances.items():
        most = max(chances.values())
        drawn = [(str(count), float(chance), float(chance / most)) for count, chance in chances.items()]
        shapes = [_column(at, label, share, f"{chance:.0%}") for at, (label, chance, share) in enumerate(drawn)]
        caption = f"Among {hand.drawn} cards of {hand.total} in the {hand.section}, in per cent of all deals."
        charts.append(Chart(kind, caption, max(_ROOM, len(shapes) * _STEP), shapes))
    return charts


def bars(statistics: DeckStatistics) -> list[Chart]:
    """The curve of each number field."""
    charts = []
    for name, curve in statistics.numbers.curves.items():
        most = max(curve.values())
        shapes = [
            _column(at, _short(value), count / most, str(count)) for at, (value, count) in enumerate(curve.items())
        ]
        title = statistics.labels.get(name, name)
        charts.append(Chart(title, "", max(_ROOM, len(shapes) * _STEP), shapes))
    return charts


def _short(value: int | float) -> str:
    """`23k` for 23,000: a label has the room of its column."""
    return f"{value / 1000:g}k" if abs(value) >= 1000 else f"{value:g}"


def _column(at: int, label: str, share: float, figure: str) -> Column:
    height = round(share * _HEIGHT, 1)
    return Column(at * _STEP + 4, round(122 - height, 1), height, label, figure)
