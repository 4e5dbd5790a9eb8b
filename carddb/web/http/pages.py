"""Pages: templates of the front with what every page has, escaped throughout."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, FunctionLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse

from carddb.core.amounts import amount
from carddb.core.names import capital
from carddb.core.version import __version__
from carddb.games import GameFolder
from carddb.web.http.front import Front
from carddb.web.http.guard import FORM_FIELD
from carddb.web.http.refusals import text_bytes
from carddb.web.http.static_files import address

_MARKS = re.compile(r"`([^`]+)`|\*\*(\S[^*]*)\*\*|\*(\w[^*]*)\*")
_FOLDER = Path(__file__).parent.parent / "pages"


@dataclass(frozen=True, slots=True)
class Room:
    """A place of the front that the head of every page names."""

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
"""In the order of the head."""


@cache
def environment() -> Environment:
    """The templates of pages, all of them escaped."""
    templates = Environment(
        loader=ChoiceLoader([FileSystemLoader(_FOLDER), FunctionLoader(_in_a_game)]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {"amount": amount, "prose": prose, "capital": capital, "sentence": sentence, "spoken": spoken}
    templates.globals |= {"static": address, "version": __version__, "token": token}
    return templates


def game_page(folder: GameFolder, name: str) -> str:
    """The name of a template in the folder of a game, whose program may run."""
    return f"game:{folder.path / name}"


def _in_a_game(name: str) -> tuple[str, str, Callable[[], bool]] | None:
    if not name.startswith("game:"):
        return None
    path = Path(name.removeprefix("game:"))
    changed = path.stat().st_mtime_ns
    return path.read_text("utf-8"), str(path), lambda: path.stat().st_mtime_ns == changed


@pass_context
def token(context: Context) -> Markup:
    """The field by which a form shows that it is from a page of this server."""
    return Markup('<input type="hidden" name="{}" value="{}">').format(FORM_FIELD, context["form_token"])


def prose(text: str) -> Markup:
    """A sentence of a rule or a finding, escaped; `code`, **strong** and *stressed* words are set as such."""
    return Markup(_MARKS.sub(_marked, str(escape(text))))


def sentence(text: str) -> str:
    """The message of a finding as a sentence beside another: with a capital and a full stop."""
    return capital(text) + ("" if text.endswith((".", "?", "!", ":")) else ".")


def spoken(day: date) -> str:
    """`5 December 2026`."""
    return f"{day.day} {day:%B %Y}"


def _marked(match: re.Match[str]) -> str:
    code, strong, stressed = match.groups()
    return f"<code>{code}</code>" if code else f"<b>{strong}</b>" if strong else f"<em>{stressed}</em>"


def page(template: str, front: Front, room: str, **values: Any) -> HTMLResponse:
    """A page of a room as an answer; one that says what is wrong with its question is still a page."""
    common = {
        "room": room, "rooms": [each for each in ROOMS if _is_open(front, each)],
        "public": front.public, "may_print": front.may_print, "form_token": front.form_token,
    }  # fmt: skip
    text = environment().get_template(template).render({**common, **values})
    return HTMLResponse(text_bytes(text), headers={"Cache-Control": "no-store"})


def _is_open(front: Front, room: Room) -> bool:
    """Whether a front has a room."""
    conditions = {"tables": front.has_tables, "print": front.may_print}
    return conditions.get(room.key, room.public or not front.public)


def front_of(request: Request) -> Front:
    """The front that answers a request."""
    front = request.app.state.front
    assert isinstance(front, Front)
    return front
