"""The cover plates of the games that come with carddb."""

from __future__ import annotations

from carddb.core.units import Size, mm
from carddb.games import folders, load
from carddb.games.opening.folder import COVER
from carddb.press.faces.workshop import open_workshop
from carddb.press.sheets.card_sheets import face_bank
from carddb.press.sheets.options import SheetOptions


def test_every_game_has_a_cover_plate() -> None:
    """Each game that comes with carddb has a cover of 150 by 90 mm, which is drawn without a finding."""
    for key, folder in folders().items():
        game = load(folder)[0]
        assert game
        bank = face_bank(open_workshop(game), SheetOptions())
        face = bank[bank.plain(COVER)]
        assert (key, face.size, bank.findings) == (key, Size(mm(150), mm(90)), [])
