"""Picture files: reading their headers without decoding pixels, and finding cards' pictures inside the project."""

from __future__ import annotations

import re
import warnings
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from io import BytesIO
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Literal, NamedTuple

from carddb.core.errors import DataFault
from carddb.core.files import read_file
from carddb.findings import Finding, Place

if TYPE_CHECKING:
    from PIL.ImageFile import ImageFile

MAX_PIXELS = 64_000_000
"""The most pixels of one picture; a card at 1200 dpi needs a third of that."""
_MOST_PARTS, _MOST_SCANS = 100_000, 100
"""The most segments or chunks of one file, and the most scans of a JPEG, of which a progressive one has about ten."""
_CUT_OFF, _DAMAGED = "is incomplete", "is damaged"
_NO_PICTURE = "is not a picture of a known kind"
_DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
_PROFILE_LIMIT = 1 << 20
_ORIENTATION = 0x0112
_MOST_TAGS = 500
_SRGB = {"sRGB", "sRGB built-in", "sRGB IEC61966-2.1", "sRGB IEC61966-2-1 black scaled", "GIMP built-in sRGB"}
"""The names of the usual sRGB profile; a profile with another name is converted, which is always safe."""
_SCAN, _END, _EXIF, _ICC, _ADOBE, _REMARK = 0xDA, 0xD9, 0xE1, 0xE2, 0xEE, 0xFE
_MARKER = re.compile(rb"\xff[\x01-\xcf\xd8-\xfe]")
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_PLAIN_FRAMES = {0xC0, 0xC2}
"""Baseline and progressive with Huffman coding, which the PDF filter DCTDecode is sure to read."""
_LEFT_OUT = {*range(0xE1, 0xF0), _REMARK} - {_ADOBE}
"""Segments of a JPEG to leave out: camera notes, location and thumbnails do not belong in a printed sheet."""


class Coded(NamedTuple):
    """Encoded pixels that a PDF can embed as they are: byte ranges of the file, and a palette of RGB triples."""

    spans: tuple[tuple[int, int], ...]
    channels: int
    bits: int = 8
    palette: bytes = b""


class Head(NamedTuple):
    """The header of a picture: kind (JPEG, PNG, WEBP, GIF, BMP, TIFF), stored size in pixels, orientation (1 to 8).

    `coded` is set if the file can be embedded as it is: complete, upright, sRGB, opaque, of 8 bits at most.
    """

    kind: str
    width: int
    height: int
    orientation: int = 1
    coded: Coded | None = None

    @property
    def upright(self) -> tuple[int, int]:
        """Width and height in pixels after turning the picture upright."""
        return (self.height, self.width) if self.orientation > 4 else (self.width, self.height)


def read_head(data: bytes) -> Head:
    """Returns the header of a picture, whose kind is recognised by its first bytes, not its name.

    Raises DataFault, with the code image_too_large if the picture has more pixels than are ever decoded.
    """
    for signature, read in _READERS:
        if signature.match(data):
            head = read(data)
            if not (head.width and head.height):
                raise DataFault("image_invalid", "has no pixels")
            if head.width * head.height > MAX_PIXELS:
                size, most = f"{head.width:,} × {head.height:,} pixels", f"{MAX_PIXELS // 1_000_000} million"
                raise DataFault("image_too_large", f"has {size}, more than the {most} that are read")
            return head
    raise DataFault("image_invalid", _NO_PICTURE)


def _opened(kind: str, data: bytes) -> Head:
    """Returns the header of a WEBP, GIF, BMP or TIFF of any size, as Pillow reads it; such files are always decoded."""
    # Pillow, 20 ms, not needed for JPEG and PNG. `Image.open` refuses large pictures without reporting their size.
    from PIL import BmpImagePlugin, GifImagePlugin, Image, TiffImagePlugin, WebPImagePlugin

    opened: Mapping[str, Callable[[BytesIO], ImageFile]] = {
        "WEBP": WebPImagePlugin.WebPImageFile,
        "GIF": GifImagePlugin.GifImageFile,
        "BMP": BmpImagePlugin.BmpImageFile,
        "TIFF": TiffImagePlugin.TiffImageFile,
    }
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with opened[kind](BytesIO(data)) as image:
                turn = image.getexif().get(_ORIENTATION, 1)
                orientation = turn if isinstance(turn, int) and 1 <= turn <= 8 else 1
                # Pillow reports the size of a TIFF after turning it.
                width, height = image.size[::-1] if kind == "TIFF" and orientation > 4 else image.size
    except Image.DecompressionBombError as fault:
        raise DataFault("image_too_large", f"has more than {MAX_PIXELS // 1_000_000} million pixels") from fault
    except Exception as fault:  # readers of foreign bytes: whatever one raises, the picture is at fault
        raise DataFault("image_invalid", _DAMAGED) from fault
    return Head(kind, width, height, orientation)


def _webp(data: bytes) -> Head:
    """Returns the header of a WebP; its size is read first, because Pillow reserves memory for all pixels."""
    small = int.from_bytes(data[21:25], "little")
    width, height = {
        b"VP8X": (1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")),
        b"VP8L": (1 + (small & 0x3FFF), 1 + (small >> 14 & 0x3FFF)),
        b"VP8 ": (int.from_bytes(data[26:28], "little") & 0x3FFF, int.from_bytes(data[28:30], "little") & 0x3FFF),
    }.get(data[12:16], (0, 0))
    return Head("WEBP", width, height) if width * height > MAX_PIXELS else _opened("WEBP", data)


def _png(data: bytes) -> Head:
    """Returns the header of a PNG whose signature was checked. Raises DataFault if it is damaged."""
    spans: list[tuple[int, int]] = []
    palette, orientation, plain, head = b"", 1, True, b""
    for kind, start, end in _chunks(data):
        if kind == b"IHDR" and not head:
            head = data[start:end]
        elif not head:
            raise DataFault("image_invalid", _DAMAGED)
        elif kind == b"IDAT":
            spans.append((start, end))
        elif kind == b"PLTE":
            palette = data[start:end]
        elif kind == b"eXIf":
            orientation = _turn(data[start:end])
        elif kind == b"iCCP":
            plain = plain and _is_srgb(_unpacked(data[start:end]))
        elif kind == b"tRNS":
            plain = False
    width, height = _number(head, 0, 4), _number(head, 4, 4)
    bits, colour, packing, filters, interlaced = head[8:13]
    if bits not in _DEPTHS.get(colour, ()) or packing or filters or interlaced > 1 or not spans:
        raise DataFault("image_invalid", _DAMAGED)
    if colour == 3 and not 3 <= len(palette) <= 3 << bits:
        raise DataFault("image_invalid", _DAMAGED)
    plain = plain and orientation == 1 and bits <= 8 and colour < 4 and not interlaced
    shades = Coded(tuple(spans), 3 if colour == 2 else 1, bits, palette if colour == 3 else b"")
    return Head("PNG", width, height, orientation, shades if plain else None)


def _chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yields (kind, start, end) of each chunk's content. Raises DataFault if a critical chunk has a wrong checksum."""
    view = memoryview(data)
    at = 8
    for _ in range(_MOST_PARTS):
        end = at + 8 + _number(data, at, 4)
        kind = data[at + 4 : at + 8]
        sound = _number(data, end, 4) == zlib.crc32(view[at + 4 : end])
        if not sound and kind[:1].isupper():
            raise DataFault("image_invalid", _DAMAGED)
        if kind == b"IHDR" and end - at != 21:
            raise DataFault("image_invalid", _DAMAGED)
        if kind == b"IEND":
            return
        if sound:
            yield kind, at + 8, end
        at = end + 4
    raise DataFault("image_invalid", _DAMAGED)


def _unpacked(chunk: bytes) -> bytes:
    """Returns the colour profile in an iCCP chunk, which is a name, a zero, a method, and deflated bytes."""
    packed = chunk.partition(b"\0")[2][1:]
    try:
        return zlib.decompressobj().decompress(packed, _PROFILE_LIMIT)
    except zlib.error:
        return b""


def _jpeg(data: bytes) -> Head:
    """Returns the header of a JPEG whose signature was checked. Raises DataFault if it is damaged."""
    frame: tuple[int, int, int, bytes] | None = None
    orientation, transform, plain = 1, 1, True
    profile: dict[int, bytes] = {}
    spans = [(0, 2)]
    scans = 0
    for marker, start, end in _segments(data):
        scans += marker == _SCAN
        body = data[start + 4 : end]
        if marker not in _LEFT_OUT:
            spans.append((start, end))
        if marker in _FRAMES:
            plain = plain and frame is None and marker in _PLAIN_FRAMES and body[:1] == b"\x08"
            parts = _number(body, 5, 1)
            frame = _number(body, 3, 2), _number(body, 1, 2), parts, body[6 : 6 + 3 * parts : 3]
        elif marker == _SCAN and frame is None:
            raise DataFault("image_invalid", _DAMAGED)
        elif marker == _EXIF and body.startswith(b"Exif\0\0"):
            orientation = _turn(body[6:])
        elif marker == _ICC and body.startswith(b"ICC_PROFILE\0"):
            profile[_number(body, 12, 1)] = body[14:]
        elif marker == _ADOBE and body.startswith(b"Adobe"):
            transform = _number(body, 11, 1)
        elif not marker:
            plain = False
    if frame is None:
        raise DataFault("image_invalid", _CUT_OFF)
    width, height, channels, names = frame
    most = max(1, min(_MOST_SCANS, 10 * MAX_PIXELS // max(1, width * height)))
    if scans > most:  # each is decoded over all pixels
        raise DataFault("image_invalid", f"has {scans:,} scans, more than the {most} that are read")
    colours = channels == 1 or (channels == 3 and transform == 1 and names != b"RGB")
    srgb = not profile or (channels == 3 and _is_srgb(b"".join(part for _, part in sorted(profile.items()))))
    coded = Coded(tuple(spans), channels) if plain and colours and srgb and orientation == 1 else None
    return Head("JPEG", width, height, orientation, coded)


def _segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Yields (marker, start, end) for each segment, with 0 for garbage; a scan includes the data after it."""
    at = 2
    for _ in range(_MOST_PARTS):
        match = _MARKER.search(data, at)
        if match is None:
            raise DataFault("image_invalid", _CUT_OFF)
        if data[at : match.start()].strip(b"\xff"):
            yield 0, at, match.start()
        marker, start, end = match[0][1], match.start(), match.end()
        if marker == _END:
            yield marker, start, end
            return
        size = _number(data, end, 2)
        end += size
        if size < 2:
            raise DataFault("image_invalid", _DAMAGED)
        if marker == _SCAN:
            following = _MARKER.search(data, end)
            end = following.start() if following else len(data)
        if end > len(data):
            raise DataFault("image_invalid", _CUT_OFF)
        yield marker, start, end
        at = end
    raise DataFault("image_invalid", _DAMAGED)


def _number(data: bytes, at: int, size: int) -> int:
    """Returns the big-endian number in the `size` bytes from `at` on. Raises DataFault if the file ends before that."""
    part = data[at : at + size]
    if len(part) < size:
        raise DataFault("image_invalid", _CUT_OFF)
    return int.from_bytes(part)


def _turn(exif: bytes) -> int:
    """Returns the orientation (1 to 8) in the first directory of an EXIF block, or 1 if it cannot be read."""
    order: Literal["little", "big"] = "little" if exif[:4] == b"II\x2a\0" else "big"

    def number(at: int, size: int) -> int:
        return int.from_bytes(exif[at : at + size], order)

    start = number(4, 4)
    for entry in range(start + 2, start + 2 + 12 * min(number(start, 2), _MOST_TAGS), 12):
        if number(entry, 2) == _ORIENTATION:
            value = number(entry + 8, {3: 2, 4: 4}.get(number(entry + 2, 2), 0))
            return value if 1 <= value <= 8 else 1
    return 1


def _is_srgb(profile: bytes) -> bool:
    """Returns whether a colour profile is sRGB, judged by its name."""
    from PIL import ImageCms  # Pillow, 30 ms, not needed for a picture without a profile

    try:
        opened = ImageCms.ImageCmsProfile(BytesIO(profile)).profile
        return opened.xcolor_space == "RGB " and opened.profile_description in _SRGB
    except Exception:  # a reader of foreign bytes: whatever it raises, the profile is not a known one
        return False


_READERS: tuple[tuple[re.Pattern[bytes], Callable[[bytes], Head]], ...] = (
    (re.compile(rb"\xff\xd8\xff"), _jpeg),
    (re.compile(rb"\x89PNG\r\n\x1a\n"), _png),
    (re.compile(rb"RIFF....WEBP", re.S), _webp),
    (re.compile(rb"GIF8[79]a"), partial(_opened, "GIF")),
    (re.compile(rb"BM"), partial(_opened, "BMP")),
    (re.compile(rb"II\x2a\0|MM\0\x2a"), partial(_opened, "TIFF")),
)


MAX_BYTES = 200_000_000
MAX_DRAWING = 2_000_000
"""The most bytes of an SVG drawing; MAX_BYTES is the most for other pictures."""
_FORMATS = "PNG, JPEG, WEBP, GIF, BMP, TIFF, SVG"
_DRAWING = re.compile(rb"(?:\xef\xbb\xbf)?\s*<")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_FIX_PLACE = "Put the picture into the project's folder of pictures, and write its path from that folder."


PictureFolders = Path | tuple[Path, ...]
"""One or several folders of pictures; a picture is taken from the first folder that contains it."""


class Pictures:
    """Checks pictures in some folders, reading each only once."""

    def __init__(self, roots: PictureFolders) -> None:
        self._roots = tuple(dict.fromkeys(root.resolve() for root in ((roots,) if isinstance(roots, Path) else roots)))
        self.check = cache(self._check)

    def _check(self, name: str) -> Finding | None:
        """Returns the fault of a picture that a card names in a field such as `art`, or None."""
        try:
            data = find_picture(self._roots, name)
            if is_drawing(data):
                drawing_text(name, data)
            elif measured(name, data).kind != "JPEG":
                _decode(name, data)
        except DataFault as fault:
            return fault.finding
        return None


def find_picture(roots: Iterable[Path], name: str) -> bytes:
    """Returns a picture's bytes from the first of the resolved folders `roots` with it. Raises DataFault if none."""
    missing: list[Finding] = []
    for root in roots:
        try:
            return read_picture(root, name)
        except DataFault as fault:
            if fault.finding.code != "image_missing":
                raise
            missing.append(fault.finding)
    expected = " or ".join(place.file for fault in missing for place in fault.where)
    raise DataFault("image_missing", missing[0].message, f"Put it at {expected}." if expected else "")


def read_picture(root: Path, name: str) -> bytes:
    """Returns the bytes of a picture under `root`, which must be a resolved path.

    Raises DataFault: image_outside_project, image_missing, image_invalid (not readable) or image_too_large.
    """
    outside = DataFault("image_outside_project", f"the picture {name} is outside the project", _FIX_PLACE)
    windows = PureWindowsPath(name)
    if _URL.match(name) or PurePosixPath(name).is_absolute() or windows.anchor or ".." in windows.parts:
        raise outside
    try:
        path = (root / name).resolve()
        if not path.is_relative_to(root):
            raise outside
        if not path.is_file():
            raise DataFault(
                "image_missing", f"there is no picture {name}", f"Put it at {root / name}.", Place(str(root / name))
            )
    except (OSError, RuntimeError, ValueError) as fault:
        raise DataFault("image_missing", f"the picture {name} cannot be reached: {fault}") from fault
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise _too_large(name, size, MAX_BYTES)
        return read_file(path, size, root)[:size]
    except OSError as fault:
        raise DataFault("image_invalid", f"the picture {name} cannot be read: {fault}") from fault


def measured(name: str, data: bytes) -> Head:
    """Returns the header of the picture in `data`. Raises DataFault (image_invalid, image_too_large)."""
    try:
        return read_head(data)
    except DataFault as fault:
        code = fault.finding.code
        fix = "Make the picture smaller." if code == "image_too_large" else f"Save it again, as one of {_FORMATS}."
        raise DataFault(code, f"the picture {name} {fault}", fix) from fault


def is_drawing(data: bytes) -> bool:
    """Returns whether a file is an SVG drawing, judged by the first of its bytes."""
    return bool(_DRAWING.match(data))


def drawing_text(name: str, data: bytes) -> str:
    """Returns the text of an SVG drawing. Raises DataFault (image_invalid, image_too_large) if it is not readable."""
    if len(data) > MAX_DRAWING:
        raise _too_large(name, len(data), MAX_DRAWING)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise DataFault("image_invalid", f"the drawing {name} is not UTF-8", "Save it as UTF-8.") from fault
    if "<svg" not in text:
        raise DataFault("image_invalid", f"the file {name} {_NO_PICTURE}", f"Save it as one of {_FORMATS}.")
    return text


def _too_large(name: str, size: int, most: int) -> DataFault:
    message = f"the picture {name} has {size:,} bytes, more than the {most:,} that are read"
    return DataFault("image_too_large", message, "Make the picture smaller.")


def _decode(name: str, data: bytes) -> None:
    """Decodes the picture in `data`. Raises DataFault (image_invalid) if it is incomplete."""
    from PIL import Image  # Pillow, 30 ms, for a picture that must be decoded

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with Image.open(BytesIO(data), formats=(measured(name, data).kind,)) as image:
                image.load()
    except Exception as fault:  # decoders of foreign bytes: whatever one raises, the picture is at fault
        message = f"the picture {name} cannot be read to its end: {fault}"
        raise DataFault("image_invalid", message, f"Save it again, as one of {_FORMATS}.") from fault
