"""What may be seen of a playtest table: by all, or from one seat. What is hidden is not in it, neither as a name nor
as a number."""

from __future__ import annotations

from typing import Any

from carddb.play.playtest.session import Piece, PlaytestSession


def view(session: PlaytestSession, seat: int | None = None) -> dict[str, Any]:
    """The table as JSON values; two tables that differ only in cards that a seat does not see look the same to it.

    `seat` None sees what everybody does. The cards of a zone stand in their order, from the top.
    """
    return {
        "schema": "carddb.playtest/1",
        "of": session.table.of,
        "turn": session.turn,
        "active": session.active,
        "seats": [
            {"seat": number, "name": deck.name, "counters": dict(session.counters.get(number, {}))}
            for number, deck in enumerate(session.table.seats, 1)
        ],
        "zones": {name: _zone(session, name, seat) for name in session.piles},
    }


def _zone(session: PlaytestSession, name: str, seat: int | None) -> dict[str, Any]:
    zone = session.zone(name)
    return {
        "key": name.partition(".")[0],
        "label": zone.label,
        "seat": session.owner(name),
        "faces": zone.faces,
        "order": zone.order,
        "cards": [_piece(session, name, piece, seat) for piece in session.piles[name]],
    }


def _piece(session: PlaytestSession, name: str, piece: Piece, seat: int | None) -> dict[str, Any]:
    lying = {"turned": piece.turned, "counters": dict(piece.counters), "note": piece.note}
    if not session.sees(seat, name, piece):
        return {"hidden": True, **lying}
    card = session.cards[piece.number]
    return {"hidden": False, "name": card.name, "ref": card.ref, "all_see": session.all_see(name, piece), **lying}
