"""Card pictures: inside the project, there, of a size that can be opened, and whole."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path, PurePosixPath, PureWindowsPath

from carddb.core.errors import CellFault
from carddb.read.pictures.picture_head import Head, read_head

MAX_BYTES = 200_000_000
MAX_DRAWING = 2_000_000
"""Bytes of a picture file, and of one that is an SVG drawing."""
_FORMATS = "PNG, JPEG, WEBP, GIF, BMP, TIFF, SVG"
_DRAWING = re.compile(rb"(?:\xef\xbb\xbf)?\s*<")
_NO_PICTURE = "is no picture of a known kind"
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_FIX_PLACE = "Put the picture into the project's folder of pictures and name it from there."


PictureFolders = Path | tuple[Path, ...]
"""Where pictures lie: in one folder, or in the first of several that has one of a name."""


class Pictures:
    """The pictures of some folders; each is read once."""

    def __init__(self, roots: PictureFolders) -> None:
        self._roots = tuple(dict.fromkeys(root.resolve() for root in ((roots,) if isinstance(roots, Path) else roots)))
        self._seen: dict[str, CellFault | None] = {}

    def check(self, name: str) -> CellFault | None:
        """What is wrong with a picture named by `art`: image_outside_project, image_missing, image_too_large,
        image_invalid; None where nothing is."""
        if name not in self._seen:
            self._seen[name] = self._look(name)
        return self._seen[name]

    def _look(self, name: str) -> CellFault | None:
        try:
            data = find_picture(self._roots, name)
            if is_drawing(data):
                drawing_text(name, data)
            elif measured(name, data).kind != "JPEG":
                _decode(name, data)
        except CellFault as fault:
            return fault
        return None


def find_picture(roots: Iterable[Path], name: str) -> bytes:
    """The bytes of a picture in the first of some folders that has it. Raises CellFault where none has it.

    The folders are resolved paths, one at least.
    """
    missing: list[CellFault] = []
    for root in roots:
        try:
            return read_picture(root, name)
        except CellFault as fault:
            if fault.kind != "image_missing":
                raise
            missing.append(fault)
    expected = " or ".join(fault.place for fault in missing if fault.place)
    raise CellFault("image_missing", missing[0].message, f"Expected at {expected}." if expected else "")


def read_picture(root: Path, name: str) -> bytes:
    """The bytes of a picture under `root`, which is a resolved path.

    Raises CellFault: image_outside_project, image_missing, image_invalid (not readable), image_too_large.
    """
    outside = CellFault("image_outside_project", f"the picture {name} lies outside the project", _FIX_PLACE)
    if _URL.match(name) or PurePosixPath(name).is_absolute() or PureWindowsPath(name).anchor:
        raise outside
    if ".." in PureWindowsPath(name).parts:
        raise outside
    try:
        path = (root / name).resolve()
        if not path.is_relative_to(root):
            raise outside
        if not path.is_file():
            raise CellFault(
                "image_missing", f"there is no picture {name}", f"Expected at {root / name}.", str(root / name)
            )
    except (OSError, RuntimeError, ValueError) as fault:
        raise CellFault("image_missing", f"the picture {name} cannot be reached: {fault}") from fault
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise _too_large(name, size, MAX_BYTES)
        return path.read_bytes()
    except OSError as fault:
        raise CellFault("image_invalid", f"the picture {name} cannot be read: {fault}") from fault


def measured(name: str, data: bytes) -> Head:
    """The head of a picture that may be decoded. Raises CellFault: image_invalid, image_too_large."""
    try:
        return read_head(data)
    except CellFault as fault:
        fix = "Scale it down." if fault.kind == "image_too_large" else f"Save it anew, as one of {_FORMATS}."
        raise CellFault(fault.kind, f"the picture {name} {fault}", fix) from fault


def is_drawing(data: bytes) -> bool:
    """Whether a file is an SVG drawing, by how it begins."""
    return bool(_DRAWING.match(data))


def drawing_text(name: str, data: bytes) -> str:
    """The text of an SVG drawing. Raises CellFault: image_invalid, image_too_large."""
    if len(data) > MAX_DRAWING:
        raise _too_large(name, len(data), MAX_DRAWING)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise CellFault("image_invalid", f"the drawing {name} is not written in UTF-8", "Save it anew.") from fault
    if "<svg" not in text:
        raise CellFault("image_invalid", f"the file {name} {_NO_PICTURE}", f"Save it as one of {_FORMATS}.")
    return text


def _too_large(name: str, size: int, most: int) -> CellFault:
    message = f"the picture {name} has {size:,} bytes, more than the {most:,} that are read"
    return CellFault("image_too_large", message, "Scale it down.")


def _decode(name: str, data: bytes) -> None:
    """Decodes once, to be sure that the file is whole. Raises CellFault: image_invalid."""
    from PIL import Image  # Pillow, 30 ms, for a picture that must be decoded

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with Image.open(BytesIO(data), formats=(measured(name, data).kind,)) as image:
                image.load()
    except Exception as fault:  # decoders of foreign bytes: whatever one raises, the picture is at fault
        message = f"the picture {name} cannot be read whole: {fault}"
        raise CellFault("image_invalid", message, f"Save it anew, as one of {_FORMATS}.") from fault
