"""Style sheet, scripts, the mark and the fonts: files that only change with the version."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from carddb.core import assets
from carddb.layout.text.fonts import Font
from carddb.paint.font_subset import cut
from carddb.web.http.refusals import Unknown

_FOLDER = Path(__file__).parent.parent / "static"
_MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".ttf": "font/ttf"}
_SHORT, _FOREVER = "no-cache", "public, max-age=31536000, immutable"

FONTS: Mapping[str, tuple[str, str]] = {
    "Cardo-Regular.ttf": ("Cardo", "fontpkg_cardo"),
    "Cardo-Italic.ttf": ("Cardo", "fontpkg_cardo"),
    "Cardo-Bold.ttf": ("Cardo", "fontpkg_cardo"),
    "AlegreyaSans-Regular.ttf": ("Alegreya Sans", "fontpkg_alegreya_sans"),
    "AlegreyaSans-Italic.ttf": ("Alegreya Sans", "fontpkg_alegreya_sans"),
    "AlegreyaSans-Medium.ttf": ("Alegreya Sans", "fontpkg_alegreya_sans"),
    "AlegreyaSans-Bold.ttf": ("Alegreya Sans", "fontpkg_alegreya_sans"),
}
"""The files that a style sheet may name, each with its family and package; all are under the OFL."""
_RANGES = ((0x20, 0x17F), (0x1E00, 0x1EFF), (0x2010, 0x2044), (0x2190, 0x2199), (0x2212, 0x2265))
"""Latin with all its accents, punctuation, arrows, signs of arithmetic; other letters come from the reader's own."""
_FEATURES = ("kern", "lnum", "tnum", "liga")


@cache
def page_font(name: str) -> bytes:
    """A font file of `FONTS`. Raises KeyError for another name, FontError where its package is not installed."""
    family, package = FONTS[name]
    font = Font(name, family, "400", assets.font_file(package, f"files/{name}").read_bytes())
    return cut(font, map(chr, (code for first, last in _RANGES for code in range(first, last + 1))), _FEATURES)


@cache
def _file(name: str) -> tuple[bytes, str]:
    """A file of the front with its digest. Raises Unknown."""
    path = _FOLDER / name
    if name.startswith("fonts/") and name.removeprefix("fonts/") in FONTS:
        data = page_font(name.removeprefix("fonts/"))
    elif "/" not in name and path.suffix in _MEDIA_TYPES and path.is_file():
        data = path.read_bytes()
    else:
        raise Unknown(f"there is no file {name}")
    return data, hashlib.sha256(data).hexdigest()[:16]


def address(name: str) -> str:
    """Where a file stands, with its digest: what has this address never changes."""
    return f"/static/{name}?v={_file(name)[1]}"


async def static(request: Request) -> Response:
    """A file of the front."""
    name = request.path_params["name"]
    data, digest = _file(name)
    headers = {"ETag": f'"{digest}"', "Cache-Control": _FOREVER if request.query_params.get("v") == digest else _SHORT}
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    return Response(data, headers=headers, media_type=_MEDIA_TYPES[Path(name).suffix])


async def icon(_: Request) -> Response:
    """The mark, where a browser asks for one of itself: an answer that is no page names none."""
    return RedirectResponse(address("mark.svg"), status_code=303)


ROUTES = [Route("/static/{name:path}", static), Route("/favicon.ico", icon)]
