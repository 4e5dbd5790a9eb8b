"""A display list as text, one line a shape, so that tests can compare and read faces."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from carddb.core.units import Box
from carddb.layout.display_list import Face, Group, Op, Path, PlacedImage, Run, Shape, Stroke


def dump(face: Face) -> str:
    """Returns a face in words, lengths in millimetres with three decimals; equal faces give equal texts."""
    head = f"face {_mm(face.size.width)} x {_mm(face.size.height)} {_quoted(face.title)}"
    return "\n".join([head, *_lines(face.shapes, "  ")]) + "\n"


def _lines(shapes: Iterable[Shape], indent: str) -> Iterator[str]:
    for shape in shapes:
        if isinstance(shape, Group) and shape.is_plain:
            yield from _lines(shape.shapes, indent)
        elif isinstance(shape, Group):
            yield f"{indent}{_group(shape)}"
            yield from _lines(shape.shapes, indent + "  ")
        elif isinstance(shape, Path):
            yield f"{indent}{_path(shape)}"
        elif isinstance(shape, Run):
            yield f"{indent}{_run(shape)}"
        else:
            yield f"{indent}{_picture(shape)}"


def _group(group: Group) -> str:
    opacity = f" opacity {group.opacity / 1000:.3f}" if group.opacity < 1000 else ""
    clip = f" clip{_rule(group.evenodd)} {_ops(group.clip)}" if group.clip else ""
    return f"group{opacity}{clip}"


def _path(path: Path) -> str:
    fill = f" fill {path.fill}{_rule(path.evenodd)}" if path.fill else ""
    stroke = f" {_stroke(path.stroke)}" if path.stroke else ""
    return f"path{fill}{stroke} {_ops(path.ops)}"


def _stroke(stroke: Stroke) -> str:
    dash = f" dash {_mms(stroke.dash)}" if stroke.dash else ""
    return f"stroke {stroke.colour} {_mm(stroke.width)} {stroke.cap} {stroke.join}{dash}"


def _run(run: Run) -> str:
    turn = f" angle {run.angle}" if run.angle else ""
    style = f"{_quoted(run.font)} {_mm(run.size)} {run.colour}{turn}{_field(run.field)}"
    glyphs = [f"{glyph.id} {_mms((glyph.dx, glyph.dy))}" for word in run.words for glyph in word.glyphs]
    shaped = f" glyphs {', '.join(glyphs)}" if glyphs else ""
    return f"text {_mms((run.x, run.y))} {_quoted(run.text)} {style} advances {_mms(run.advances)}{shaped}"


def _picture(picture: PlacedImage) -> str:
    turn = f" angle {picture.angle}" if picture.angle else ""
    place = f"{_box(picture.box)} clip {_box(picture.clip)}"
    return f"picture {picture.key} {place}{turn}{_field(picture.field)}"


def _field(name: str) -> str:
    return f" field {_quoted(name)}" if name else ""


def _rule(evenodd: bool) -> str:
    return " evenodd" if evenodd else ""


def _ops(ops: Iterable[Op]) -> str:
    return " ".join(f"{letter} {_mms(points)}" if points else letter for letter, points in ops)


def _box(box: Box) -> str:
    return _mms((box.x, box.y, box.width, box.height))


def _mms(lengths: Iterable[int]) -> str:
    return " ".join(map(_mm, lengths))


def _mm(length: int) -> str:
    sign = "-" if length < 0 else ""
    return f"{sign}{abs(length) // 1000}.{abs(length) % 1000:03d}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
