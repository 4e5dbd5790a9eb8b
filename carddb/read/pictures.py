"""Card pictures: inside the project, there, of a size that can be opened, and whole."""

from __future__ import annotations

import re
import warnings
from pathlib import Path, PurePosixPath, PureWindowsPath

from carddb.read.fault import Fault

MAX_PIXELS = 64_000_000
"""Of one picture: a card at 1200 dpi needs a third of it."""
FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF")
"""What the pictures of cards may be."""
_KNOWN = ", ".join(FORMATS)
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_FIX_PLACE = "Put the picture into the project's folder of pictures and name it from there."


class Pictures:
    """The pictures under one folder; each is read once."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._seen: dict[str, Fault | None] = {}

    def check(self, name: str) -> Fault | None:
        """What is wrong with a picture named by `art`: image_outside_project, image_missing, image_too_large,
        image_invalid; None where nothing is."""
        if name not in self._seen:
            self._seen[name] = self._look(name)
        return self._seen[name]

    def _look(self, name: str) -> Fault | None:
        outside = Fault("image_outside_project", f"the picture {name} lies outside the project", _FIX_PLACE)
        if _URL.match(name) or PurePosixPath(name).is_absolute() or PureWindowsPath(name).anchor:
            return outside
        if ".." in PureWindowsPath(name).parts:
            return outside
        path = self._root / name
        try:
            if not path.resolve().is_relative_to(self._root.resolve()):
                return outside
            if not path.is_file():
                return Fault("image_missing", f"there is no picture {name}", f"Expected at {path}.")
        except (OSError, RuntimeError, ValueError) as fault:
            return Fault("image_missing", f"the picture {name} cannot be reached: {fault}")
        return _look_inside(path, name)


def _look_inside(path: Path, name: str) -> Fault | None:
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with Image.open(path, formats=FORMATS) as image:
                width, height = image.size
                if width * height > MAX_PIXELS:
                    millions = MAX_PIXELS // 1_000_000
                    message = f"the picture {name} has {width} × {height} pixels, more than {millions} million"
                    return Fault("image_too_large", message, "Scale it down.")
                image.load()
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as fault:
        return Fault("image_too_large", f"the picture {name} is too large: {fault}", "Scale it down.")
    except UnidentifiedImageError:
        return Fault("image_invalid", f"the file {name} is no picture of a known kind", f"Save it as one of {_KNOWN}.")
    except Exception as fault:  # decoders of foreign bytes: whatever one raises, the picture is at fault
        message = f"the picture {name} cannot be read whole: {fault}"
        return Fault("image_invalid", message, f"Save it anew, as one of {_KNOWN}.")
    return None
