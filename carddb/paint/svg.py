"""Writes a face as one SVG file for proofs: real text in embedded fonts, with a position for every character."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping
from functools import lru_cache
from html import escape
from io import BytesIO
from itertools import accumulate, groupby

from PIL import Image, ImageOps

from carddb.core.units import UM_PER_INCH, Box
from carddb.layout.display_list import Face, Gradient, Group, Op, Path, PlacedImage, Run, Shape
from carddb.layout.text.bidi import is_right_to_left
from carddb.layout.text.fonts import FontBook
from carddb.paint.font_subset import characters, cut, cut_shaping, font_of, shaped_fonts
from carddb.paint.pdf.images import bytes_of
from carddb.paint.pdf.operators import number

_TYPES = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg", b"RIFF": "image/webp", b"GIF8": "image/gif"}
_METRE = 1_000_000
_DROPPED = dict.fromkeys(range(32)) | {0xFFFE: None, 0xFFFF: None}


_LARGE_PICTURE = 48 * 1024
"""The bytes up to which a picture for a screen stays as it is, and which a reduced picture should not exceed."""
_REDUCTIONS = ((1, 80), (1, 60), (1, 40), (2, 60))
"""(divisor of the size, WebP quality), tried in this order until the picture is short enough."""


def svg(
    face: Face, book: FontBook, images: Mapping[str, bytes], *, lang: str = "en", bleed: int = 0, dpi: int = 0
) -> str:
    """Returns the face as SVG text, with 1 mm per user unit, extended by `bleed` micrometres on each side.

    With `dpi`, large pictures are reduced to that resolution, for a screen. Raises InputError if an image is missing,
    and FontError if a font cannot be embedded.
    """
    return "\n".join(_Drawing(face, book, images, dpi).lines(face, lang, bleed)) + "\n"


@lru_cache(maxsize=8)
def _reduced(data: bytes, width: int, height: int) -> bytes:
    """Returns a picture as WebP of at most this width and height in pixels, or unchanged if that is shorter."""
    with Image.open(BytesIO(data)) as opened:
        picture = ImageOps.exif_transpose(opened)
        profile = None if picture.mode == "CMYK" else opened.info.get("icc_profile")
        picture = picture.convert("RGBA" if picture.has_transparency_data else "RGB")
    picture.thumbnail((max(1, width), max(1, height)))
    written = data
    for divisor, quality in _REDUCTIONS:
        file = BytesIO()
        picture.reduce(divisor).save(file, "WEBP", quality=quality, icc_profile=profile)
        written = min(written, file.getvalue(), key=len)
        if len(written) <= _LARGE_PICTURE:
            break
    return written


class _Drawing:
    """Makes the elements of one drawing; clip paths are numbered in order."""

    def __init__(self, face: Face, book: FontBook, images: Mapping[str, bytes], dpi: int) -> None:
        self._images = images
        self._dpi = dpi
        self._clips = self._gradients = 0
        used = sorted(characters([face.shapes]).items())
        self._families = {key: f"f{index}" for index, (key, _) in enumerate(used)}
        shaped = shaped_fonts(face.shapes)
        self._fonts = {
            key: (cut_shaping if key in shaped else cut)(font_of(book.fonts, key), chars) for key, chars in used
        }

    def lines(self, face: Face, lang: str, bleed: int) -> Iterator[str]:
        width, height = _mm(face.size.width + 2 * bleed), _mm(face.size.height + 2 * bleed)
        corner = _mm(-bleed) if bleed else "0"
        size = f'width="{width}mm" height="{height}mm" viewBox="{corner} {corner} {width} {height}"'
        yield f'<svg xmlns="http://www.w3.org/2000/svg" {size} xml:lang="{_text(lang)}">'
        yield f"<title>{_text(face.title)}</title>"
        if self._fonts:
            rules = (
                f'@font-face{{font-family:"{self._families[key]}";'
                f'src:url("data:font/ttf;base64,{b64encode(data).decode()}")}}'
                for key, data in self._fonts.items()
            )
            yield f"<style>{''.join(rules)}</style>"
        for shape in face.shapes:
            yield from self._shape(shape)
        yield "</svg>"

    def _shape(self, shape: Shape) -> Iterator[str]:
        if isinstance(shape, Path):
            fill = shape.fill or "none"
            if shape.fill and shape.gradient:
                self._gradients += 1
                fill = f"url(#g{self._gradients})"
                yield _gradient(shape.gradient, f"g{self._gradients}")
            yield _path(shape, fill)
        elif isinstance(shape, Run):
            yield from self._glyph_run(shape) if shape.words[0].glyphs else [self._run(shape)]
        elif isinstance(shape, PlacedImage):
            yield from self._picture(shape)
        else:
            yield from self._group(shape)

    def _run(self, run: Run) -> str:
        starts = accumulate(run.advances[:-1], initial=0)
        places = " ".join(_mm(start) for start in starts)
        place, look = self._place_and_look(run)
        style = f'{look} xml:space="preserve" style="font-kerning:none"'
        return f'<text {place} x="{places}" {style}>{_text(run.text)}</text>'

    def _place_and_look(self, run: Run) -> tuple[str, str]:
        turn = f" rotate({run.angle})" if run.angle else ""
        look = f'font-family="{self._families[run.font]}" font-size="{_mm(run.size)}" fill="{run.colour or "none"}"'
        return f'transform="translate({_mm(run.x)} {_mm(run.y)}){turn}"', look

    def _glyph_run(self, run: Run) -> Iterator[str]:
        """Yields texts in reading order, whose letters the browser shapes."""
        place, look = self._place_and_look(run)
        backward = any(map(is_right_to_left, run.text))
        words = list(zip(run.words, accumulate([word.width for word in run.words], initial=0), strict=False))
        for is_space, group in groupby(reversed(words) if backward else words, lambda pair: pair[0].text == " "):
            if is_space:
                continue
            joined = list(group)
            text = "".join([word.text for word, _ in joined])
            first, left = joined[0]
            start = f'x="{_mm(left + first.width)}" direction="rtl"' if backward else f'x="{_mm(left)}"'
            yield f"<text {place} {start} {look}>{_text(text)}</text>"

    def _picture(self, picture: PlacedImage) -> Iterator[str]:
        data = bytes_of(self._images, picture.key)
        if self._dpi and len(data) > _LARGE_PICTURE:
            box = picture.box
            data = _reduced(data, *(round(length * self._dpi / UM_PER_INCH) for length in (box.width, box.height)))
        kind = next((kind for head, kind in _TYPES.items() if data.startswith(head)), "application/octet-stream")
        clip = self._clip()
        x, y, width, height = map(_mm, picture.clip)
        yield f'<clipPath id="{clip}"><rect x="{x}" y="{y}" width="{width}" height="{height}"/></clipPath>'
        source = f"data:{kind};base64,{b64encode(data).decode()}"
        place = _turned_box(picture.box, picture.angle)
        yield f'<g clip-path="url(#{clip})"><image {place} preserveAspectRatio="none" href="{source}"/></g>'

    def _group(self, group: Group) -> Iterator[str]:
        window = ""
        if group.clip:
            clip = self._clip()
            rule = ' clip-rule="evenodd"' if group.evenodd else ""
            yield f'<clipPath id="{clip}"><path d="{path_data(group.clip)}"{rule}/></clipPath>'
            window = f' clip-path="url(#{clip})"'
        opacity = f' opacity="{number(group.opacity / 1000)}"' if group.opacity < 1000 else ""
        yield f"<g{window}{opacity}>"
        for shape in group.shapes:
            yield from self._shape(shape)
        yield "</g>"

    def _clip(self) -> str:
        self._clips += 1
        return f"c{self._clips}"


def _gradient(gradient: Gradient, name: str) -> str:
    names = ("fx", "fy", "fr", "cx", "cy", "r") if gradient.is_radial else ("x1", "y1", "x2", "y2")
    line = " ".join(f'{key}="{number(value)}"' for key, value in zip(names, gradient.line, strict=True))
    matrix = " ".join(number(value / 1000) for value in gradient.matrix)
    stops = "".join(
        f'<stop offset="{number(stop.offset)}" stop-color="{stop.colour}"'
        + (f' stop-opacity="{number(stop.opacity / 1000)}"/>' if stop.opacity < 1000 else "/>")
        for stop in gradient.stops
    )
    tag = "radialGradient" if gradient.is_radial else "linearGradient"
    space = f'gradientUnits="userSpaceOnUse" gradientTransform="matrix({matrix})"'
    return f'<{tag} id="{name}" {space} {line}>{stops}</{tag}>'


def _path(path: Path, fill: str) -> str:
    fill = f'fill="{fill}"' + (' fill-rule="evenodd"' if path.evenodd else "")
    stroke = ""
    if path.stroke:
        line = path.stroke
        stroke = f' stroke="{line.colour}" stroke-width="{_mm(line.width)}"'
        stroke += f' stroke-linecap="{line.cap}" stroke-linejoin="{line.join}"'
        if line.dash:
            stroke += f' stroke-dasharray="{" ".join(map(_mm, line.dash))}"'
    return f'<path d="{path_data(path.ops)}" {fill}{stroke}/>'


def path_data(ops: tuple[Op, ...]) -> str:
    return " ".join(f"{letter}{' '.join(map(_mm, points))}" for letter, points in ops)


def _turned_box(box: Box, angle: int) -> str:
    """Returns the attributes of an image that fills `box` when it is rotated by `angle` degrees clockwise."""
    across, down = (box.width, box.height) if round(angle / 90) % 2 == 0 else (box.height, box.width)
    middle = f"{number((box.x + box.width / 2) / 1000)} {number((box.y + box.height / 2) / 1000)}"
    turn = f"translate({middle}) rotate({angle})"
    corner = f'x="{number(-across / 2000)}" y="{number(-down / 2000)}"'
    return f'transform="{turn}" {corner} width="{_mm(across)}" height="{_mm(down)}"'


def _mm(length: int) -> str:
    # A length below one metre has no more than the six digits of `g`, which takes 0.3 µs instead of 0.5 for `number`;
    # the face of a card without a picture has 12,000 lengths.
    return f"{length / 1000:g}" if -_METRE < length < _METRE else number(length / 1000)


def _text(text: str) -> str:
    return escape(text.encode("utf-8", "replace").decode().translate(_DROPPED))
