"""The exact chances of a clash on the table, before its dice are rolled."""

from __future__ import annotations

from fractions import Fraction

from carddb.games.rishar.play.fields import SIDES
from carddb.games.rishar.play.odds import clash_chances, damage_chances
from carddb.games.rishar.play.odds_shown import bars, shielded
from carddb.games.rishar.session.session import Session
from carddb.games.rishar.session.steps.clash import own_texts
from carddb.play import chance


def prospects(session: Session) -> list[dict[str, str]]:
    """What may come of the dice as it stands now, each with its chance `n/d` (R-168, R-169); empty at other steps.

    What discards and powers could still change is not in it.
    """
    if session.step != "dice":
        return []
    table = session.fought.copy().engaged
    table.texts = own_texts(session, table)
    if len(table.cards) == len(SIDES):
        units = {side: table.unit(side) for side in SIDES}
        chances = clash_chances(session.spec, session.options, table.fighters)
        return bars({side: session.on(side) for side in SIDES}, shielded(units, table.fighters, chances))
    attacker = table.fighters["off"]
    damage = damage_chances(session.spec, attacker.before_dice, attacker.dice)
    if table.unit("off").no_damage:
        damage = {0: Fraction(1)}
    return [chance.bar(f"{points} Morale", share) for points, share in sorted(damage.items())]
