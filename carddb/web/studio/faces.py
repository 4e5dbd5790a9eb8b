"""The faces of the studio: their pictures, and what is wrong with them."""

from __future__ import annotations

from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from carddb.app.studio.card_table import TableRow
from carddb.app.studio.faces import FaceFault, FaceLook, StudioFace
from carddb.app.studio.room import StudioRoom
from carddb.core.errors import UsageError
from carddb.core.names import did_you_mean
from carddb.web.http.answers import as_json as json_answer
from carddb.web.http.refusals import Unknown
from carddb.web.http.requests import refuse_others
from carddb.web.studio.request import page_request, studio_work

_STATES = ("now", "stored")
_NO_FACE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 76 127"><rect width="76" height="127" fill="#fff"/>'
    '<path d="M0 0 76 127M76 0 0 127" stroke="#bbb" stroke-width=".5"/></svg>'
)
"""What stands where a face has never been drawn."""


def face_address(room: StudioRoom, row: TableRow, state: str, look: FaceLook) -> str:
    """Where a face of a card stands, with the digest of what it is drawn from."""
    card = row.stored if state == "stored" else row.shown
    parts = {"state": state, "side": look.side, "size": look.size, "ink": look.ink, "over": ",".join(look.overlays),
             "v": room.faces.key(card, look) if card else ""}  # fmt: skip
    query = urlencode({name: value for name, value in parts.items() if value})
    return f"/studio/face/{room.game.key}/{quote(row.ref, safe='')}.svg?{query}"


async def _face(request: Request) -> StudioFace | FaceFault:
    """The face that an address asks for. Raises Unknown, UsageError."""
    fields = {name: value for name, value in request.query_params.items() if name != "v"}
    refuse_others(fields, "state", "side", "size", "ink", "over")
    viewing, which = page_request(fields), fields.get("state", "now")
    ref = request.path_params["ref"]
    if which not in _STATES:
        raise UsageError(f"there is no state {which!r}", did_you_mean(which, _STATES))
    game = {"game": request.path_params["game"]}
    face = await studio_work(request, game, lambda room: room.face(ref, which, viewing.look))
    if face is None:
        raise Unknown(f"{ref} is not stored", "It is new: look at it as it is now.")
    return face


async def face_picture(request: Request) -> Response:
    """A face as SVG; where it cannot be drawn, the last good one."""
    face = await _face(request)
    headers = {"Cache-Control": "no-store"}
    if isinstance(face, StudioFace):
        headers = {"Cache-Control": "private, max-age=3600"} if request.query_params.get("v") else headers
        return Response(face.data, media_type="image/svg+xml", headers=headers)
    return Response(face.last.data if face.last else _NO_FACE, media_type="image/svg+xml", headers=headers)


async def face_facts(request: Request) -> Response:
    """Draws a face, and says what is wrong with it, its measures, or why it cannot be drawn."""
    face = await _face(request)
    if isinstance(face, FaceFault):
        last = face.last.drawn_at if face.last else ""
        return json_answer({"fault": face.fault.to_json(), "last": last, "findings": [], "measures": []})
    findings = [finding.to_json() for finding in face.findings]
    return json_answer({"fault": None, "findings": findings, "measures": list(face.measures)})


ROUTES = [
    Route("/studio/face/{game}/{ref:path}.svg", face_picture),
    Route("/studio/face/{game}/{ref:path}.json", face_facts),
]
"""A face as a picture, and as what is wrong with it."""
