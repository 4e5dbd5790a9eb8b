"""Where the texts of a face may stand: the boxes that its template gives them, at their places on the face."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carddb.core.units import Size
from carddb.layout.drawing import svg_parser
from carddb.layout.drawing.face import Studio, with_measures
from carddb.layout.drawing.face_drawing import FaceDrawing
from carddb.layout.drawing.text_elements import TextBox


def text_boxes(studio: Studio, template: str, context: Mapping[str, Any], size: Size | None = None) -> list[TextBox]:
    """The text boxes of a template filled in for a card, at its own size or scaled to `size`, in micrometres.

    Raises TemplateError, FontError, Fault as drawing the face does.
    """
    root = svg_parser.parse(studio.templates.render(template, with_measures(studio, context, size)))
    target, matrix = svg_parser.fitted(root, size)
    drawing = FaceDrawing(studio.setter, studio.library, studio.art)
    boxes = drawing.text_elements.boxes = []
    drawing.draw(root, matrix, target)
    return boxes
