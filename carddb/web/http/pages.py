"""Rendering pages from escaped templates, and serving style sheets, scripts and fonts."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from carddb.core.dates import spoken
from carddb.core.names import capital
from carddb.core.plain_text import amount
from carddb.core.units import Size, to_mm
from carddb.core.version import __version__
from carddb.games import GameFolder
from carddb.paint.html import Skin, page_templates, skin_files
from carddb.press.bans.wording import day
from carddb.press.faces.workshop import house_fonts
from carddb.web.http.front import Front
from carddb.web.http.guard import FORM_FIELD
from carddb.web.http.modes import Unknown, text_bytes, unknown

STATIC = Path(__file__).parent.parent / "static"
_NAME = re.compile(r"(?:\w+/)?[\w.]+")
_MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".ttf": "font/ttf"}

_RANGES = ((0x20, 0x17F), (0x1E00, 0x1EFF), (0x2010, 0x2044), (0x2190, 0x2199), (0x2212, 0x2265))
LETTERS = tuple(chr(code) for first, last in _RANGES for code in range(first, last + 1))
"""The characters of linked fonts: Latin letters, punctuation, arrows, arithmetic. Others are in the reader's fonts."""
SKIN = "skin.css"
"""The name of the style sheet of carddb's own pages. A game has a style sheet of its own."""


def face_pixels(size: Size) -> tuple[int, int]:
    """Returns the width and height in CSS pixels of a face on a page: 8 pixels for each millimetre of the card."""
    return round(to_mm(size.width) * 8), round(to_mm(size.height) * 8)


@cache
def house_look() -> Mapping[str, bytes]:
    """Returns the look of pages that belong to no game: `skin.css` and its fonts, by path. Raises FontError."""
    return skin_files(Skin(), house_fonts(), LETTERS)


@cache
def _file(name: str) -> tuple[bytes, str]:
    """Returns content and digest of a font or of a file in the static folder. Raises Unknown if there is none."""
    path = STATIC / name
    if name == SKIN or (name.startswith("fonts/") and name in house_look()):
        data = house_look()[name]
    elif _NAME.fullmatch(name) and path.suffix in _MEDIA_TYPES and path.is_file():
        data = path.read_bytes()
    else:
        raise Unknown(f"there is no file {name}")
    return data, _digest(data)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def address(name: str) -> str:
    """Returns the URL of a static file. It includes the file's digest, so its content never changes."""
    return f"/static/{name}?v={_file(name)[1]}"


async def static(request: Request) -> Response:
    """Answers with a static file."""
    name = request.path_params["name"]
    data, digest = _file(name)
    return cacheable(request, data, digest, digest, _MEDIA_TYPES[Path(name).suffix])


def cacheable(
    request: Request, data: bytes, digest: str, key: str, media_type: str, headers: Mapping[str, str] | None = None
) -> Response:
    """Answers with `data`, or with 304 if the browser has it already. `key` is the present key of the data.

    If the URL has this key as `v`, caches may keep the answer forever. Otherwise they must ask again.
    """
    control = "public, max-age=31536000, immutable" if request.query_params.get("v") == key else "no-cache"
    headers = {"ETag": f'"{digest}"', "Cache-Control": control, **(headers or {})}
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    return Response(data, headers=headers, media_type=media_type)


async def skin(request: Request) -> Response:
    """Answers with a file that gives a game's pages their look: the style sheet, a font, or the cover picture."""
    front, name = front_of(request), request.path_params["name"]

    def work() -> bytes:
        project = front.project()
        with unknown():
            game = project.game(request.path_params["game"])
        files = front.faces.look(project, game, LETTERS)
        if name not in files:
            raise Unknown(f"{game.spec.name} has no file {name}")
        return files[name]

    data = await front.run(work)
    digest = _digest(data)
    return cacheable(request, data, digest, digest, _MEDIA_TYPES[Path(name).suffix])


async def icon(_: Request) -> Response:
    """Redirects from /favicon.ico, which browsers load for answers that are not pages, to the icon."""
    return RedirectResponse(address("mark.svg"), status_code=303)


ROUTES = [Route("/static/{name:path}", static), Route("/favicon.ico", icon)]
SKIN_ROUTES = [Route("/skins/{game}/{name:path}", skin)]


_MARKS = re.compile(r"`([^`]+)`|\*\*(\S[^*]*)\*\*|\*(\w[^*]*)\*|\b(\d{4}-\d\d-\d\d(?:-\w+)*)\b")
_QUOTES = re.compile(r"`[^`]*`|(?<!\w)(['\"])(.+?)\1(?!\w)")
_DATES = re.compile(r"\b\d{4}-\d\d-\d\d\b(?!-)")
_FOLDER = Path(__file__).parent.parent / "pages"


@dataclass(frozen=True, slots=True)
class Room:
    """A section of the website, linked in the head of every page."""

    key: str
    label: str
    path: str
    public: bool = True


ROOMS = [
    Room("check", "Check", "/check"),
    Room("cards", "Cards", "/cards"),
    Room("studio", "Studio", "/studio", public=False),
    Room("print", "Print", "/print"),
    Room("referee", "Referee", "/referee"),
    Room("bans", "Ban lists", "/bans"),
    Room("tables", "Tables", "/tables"),
    Room("rules", "Rules", "/rules"),
    Room("events", "Events", "/events", public=False),
]
"""The sections in the order in which they are linked."""


@cache
def environment() -> Environment:
    """Returns the template environment of the pages, which escapes all values."""
    templates = page_templates(_FOLDER, further=[FunctionLoader(_in_a_game)])
    templates.filters |= {
        "amount": amount,
        "prose": prose,
        "capital": lambda text: quoted(capital(text)),
        "sentence": lambda text: quoted(sentence(text)),
        "spoken": spoken,
        "day": day,
        "dated": lambda text: _DATES.sub(lambda found: day(date.fromisoformat(found[0])), text),
    }
    templates.globals |= {"static": address, "version": __version__, "token": token}
    return templates


def game_page(folder: GameFolder, name: str) -> str:
    """Returns the name for `environment` of a template in the folder of a game whose program may run."""
    return f"game:{folder.path / name}"


def _in_a_game(name: str) -> tuple[str, str, Callable[[], bool]] | None:
    if not name.startswith("game:"):
        return None
    path = Path(name.removeprefix("game:"))
    changed = path.stat().st_mtime_ns
    return path.read_text("utf-8"), str(path), lambda: path.stat().st_mtime_ns == changed


@pass_context
def token(context: Context) -> Markup:
    """Returns the hidden field that proves that a form comes from a page of this server."""
    return Markup('<input type="hidden" name="{}" value="{}">').format(FORM_FIELD, context["form_token"])


def prose(text: str) -> Markup:
    """Returns `text` escaped, with HTML for `code`, **strong** and *stressed* words, and no line breaks in dates."""
    return Markup(_MARKS.sub(_marked, str(escape(quoted(text)))))


def quoted(text: str) -> str:
    """Returns a message with typographic quotation marks for its straight ones, except in `code`."""
    return _QUOTES.sub(lambda match: f"“{match[2]}”" if match[1] else match[0], text)


def sentence(text: str) -> str:
    """Returns the message of a finding as a sentence, with a capital and a full stop."""
    return capital(text) + ("" if text.endswith((".", "?", "!", ":")) else ".")


def _marked(match: re.Match[str]) -> str:
    kinds = ("<code>{}</code>", "<b>{}</b>", "<em>{}</em>", '<span class="id">{}</span>')
    return next(kind.format(text) for text, kind in zip(match.groups(), kinds, strict=True) if text)


def page(template: str, front: Front, room: str, **values: Any) -> HTMLResponse:
    """Returns a page in the section `room`, with the values that all pages need; `status` is its HTTP status."""
    is_there = {"tables": front.has_tables, "print": front.may_print}
    shown: dict[str, Any] = {
        "room": room, "rooms": [each for each in ROOMS if is_there.get(each.key, each.public or not front.public)],
        "public": front.public, "may_print": front.may_print, "form_token": "" if front.public else front.form_token,
        "status": 200, **values,
    }  # fmt: skip
    text = environment().get_template(template).render(shown)
    return HTMLResponse(text_bytes(text), shown["status"], {"Cache-Control": "no-store"})


def front_of(request: Request) -> Front:
    """Returns the `Front` that answers a request."""
    front = request.app.state.front
    assert isinstance(front, Front)
    return front
