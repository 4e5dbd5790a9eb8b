"""Pictures on the pages of a document."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from reportlab.platypus import Flowable

from carddb.paint.documents.paragraph import LINE, TaggedParagraph
from carddb.paint.documents.tags import Tag, artifact


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture to be placed: what names its form, its size in points, its tag, its caption, and whether its edge is
    drawn."""

    form: Callable[[], str]
    width: float
    height: float
    tag: Tag
    caption: TaggedParagraph | None
    framed: bool = True


class FigureRow(Flowable):
    """Pictures side by side, of one height, never larger than they are; captions below."""

    _apart, _under = 12.0, 3.0

    def __init__(self, drawings: Sequence[Drawing], highest: float) -> None:
        super().__init__()
        self.drawings, self.highest = drawings, highest

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        self.width = width
        room = width - self._apart * (len(self.drawings) - 1)
        high = min(self.highest, max(drawing.height for drawing in self.drawings))
        across = sum(drawing.width / drawing.height for drawing in self.drawings)
        high = min(high, room / across)
        self.places = [(high * drawing.width / drawing.height, high) for drawing in self.drawings]
        self.captions = [
            drawing.caption.wrap(place[0], height)[1] if drawing.caption else 0.0
            for drawing, place in zip(self.drawings, self.places, strict=True)
        ]
        words = max(self.captions)
        self.height = high + (words + self._under if words else 0)
        return width, self.height

    def draw(self) -> None:
        canvas: Any = self.canv
        x = 0.0
        for drawing, (width, height), caption in zip(self.drawings, self.places, self.captions, strict=True):
            y = self.height - height
            with drawing.tag.marked(canvas):
                canvas.saveState()
                canvas.translate(x, y)
                canvas.scale(width / drawing.width, height / drawing.height)
                canvas.doForm(drawing.form())
                canvas.restoreState()
            if drawing.framed:
                with artifact(canvas):
                    canvas.setStrokeColor(LINE)
                    canvas.setLineWidth(0.4)
                    canvas.rect(x, y, width, height, stroke=1, fill=0)
            if drawing.caption:
                drawing.caption.drawOn(canvas, x, y - self._under - caption)
            x += width + self._apart
