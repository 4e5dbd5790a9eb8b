"""Actions of several steps: the dice, and going on without doing anything."""

from __future__ import annotations

from carddb.games.rishar.battle.record import Mending
from carddb.games.rishar.session.session import Session
from carddb.games.rishar.session.steps.clash import ask_saving, plunder, stay, throw
from carddb.games.rishar.session.steps.ending import after_saving, dice_of_rout, roll_rout
from carddb.games.rishar.session.steps.setup import mended
from carddb.games.rishar.session.steps.turns import not_back, open_turn
from carddb.play.question import Die, Many
from carddb.play.table.engine import action


@action(
    *("R-64", "R-69", "R-80", "R-88", "R-98", "R-99", "R-101", "R-109", "R-144"),
    at=["dice", "reroll", "plunder", "rout", "rout_plunder"],
)
def roll(session: Session, dice: Many[Die] = ()) -> Session:
    """Roll the dice, or type what those on the table show: Offense first, then Defense."""
    if session.step == "plunder":
        return plunder(session, dice)
    if session.step in ("rout", "rout_plunder"):
        session, faces = session.rolled(dice_of_rout(session), dice)
        return roll_rout(session, faces)
    return throw(session, dice)


@action(
    *("R-94", "R-102", "R-133", "R-137"),
    at=["mender", "mending", "reveal", "saving", "healing", "second_phase", "rout_saving"],
)
def next_(session: Session) -> Session:
    """Go on without it."""
    rest = session.deciders[1:]
    match session.step:
        case "mender":
            return mended(session, None)
        case "mending":
            return mended(session, Mending(shown=session.shown))
        case "reveal":
            return stay(session)
        case "saving":
            return ask_saving(session, rest)
        case "healing":
            return session.at("healing", rest) if rest else open_turn(session)
        case "second_phase":
            return not_back(session)
        case _:
            return after_saving(session)
