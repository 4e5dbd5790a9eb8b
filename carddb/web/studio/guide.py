"""The rule sheet of a game beside the studio: set again as its `guide.md` is saved."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from carddb.app.studio.guide import GuideView
from carddb.app.studio.room import StudioRoom
from carddb.web.documents.documents import document
from carddb.web.http.pages import environment
from carddb.web.studio.request import studio_work

_EMPTY = b"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Rules</title>
</head>
<body>
</body>
</html>
"""
"""What is shown where a rule sheet has never been set."""


async def guide(request: Request) -> Response:
    """The rule sheet, under a banner where its files are at fault."""
    key = request.path_params["game"]

    def work(room: StudioRoom) -> tuple[str, GuideView]:
        room.refresh()
        return room.game.spec.name, room.guide.view(room.game)

    name, view = await studio_work(request, {"game": key}, work)
    head = environment().get_template("studio/_studio_guide.html").render(game=key, name=name, view=view)
    return document(view.data or _EMPTY, head, with_script=True)


ROUTES = [Route("/studio/guide/{game}", guide)]
"""The rule sheet of a game."""
