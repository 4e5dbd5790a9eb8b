"""The description of a Battle's table: its verbs, its seats, and its parts on a terminal and on pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carddb.core.errors import UsageError
from carddb.games.lazy import LazyPackage
from carddb.games.rishar.play.fields import ARMIES
from carddb.games.rishar.session import TABLE, Session, record
from carddb.games.rishar.session.campaign import COLUMNS, filled_sheets
from carddb.games.rishar.session.view import hand as cards_of
from carddb.games.rishar.table.beginning import begin
from carddb.games.rishar.table.screen import ALIASES, line_words, screen, unseen, usages, with_armies
from carddb.play.question import refuse
from carddb.play.table.front import READINGS, WIDTH, Front, Host, Parameter, Sheets, Shown, Verb

_OF_ARMY = ("discard", "use", "heal", "pray")
"""The actions whose `army` is the army that acts; all others are for the army that decides at the step."""
_ANYBODY = ("roll", "text")
"""The actions that either Commander may do on behalf of both."""
_LEAST_TEXT = 12
"""The least number of letters of a card's text that the hand shows."""


def _seated(session: Session, seat: str, action: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    if action in _OF_ARMY:
        return {**fields, "army": seat}
    decider = session.deciders[:1]
    refuse(not_your_turn=bool(decider) and action not in _ANYBODY and seat not in decider)
    return dict(fields)


def _hand(host: Host, army: str) -> Shown:
    """Returns the hand of an army as rows that fit the width of the screen. Raises UsageError for an unknown army."""
    session = host.load()
    key = with_armies(session, {"army": army})["army"]
    if key not in session.table.names:
        raise UsageError(f"there is no army {army!r}", "Name a or b.")
    cards = cards_of(session, key)
    rows = [
        (
            card["name"],
            "-" if card["strength"] is None else str(card["strength"] + card["trained"]),
            card["role"],
            card["path"].capitalize(),
            ", ".join(card["traits"]).capitalize(),
        )
        for card in cards
    ]
    head = ("card", "S", "role", "path", "traits")
    room = max(_LEAST_TEXT, WIDTH - sum(max(map(len, column)) + 2 for column in zip(head, *rows, strict=True)))
    texts = [" ".join(card["texts"]).replace("\n", " / ") for card in cards]
    cut = [text if len(text) <= room else text[: room - 1] + "…" for text in texts]
    return Shown(head=(*head, "text"), rows=[(*row, text) for row, text in zip(rows, cut, strict=True)], private=True)


FRONT: Front[Session] = Front(
    verb="battle",
    label="Battle",
    help="""Fight a Battle of Rishar at the table, with armies from deck files.

    `carddb battle A.deck B.deck` begins it and sits down at the table: type cards as `soldier` or `2 spear`, Enter for
    the usual thing, `?` for what may be done. `carddb battle table` goes on with it, `carddb battle report` writes the
    campaign sheets. The file holds the hands of both, so do not look into it.
    """,
    file_help="The file of the Battle.",
    taken=(
        "there is a Battle in {path} already",
        "Go on: carddb battle --session {path} table. Or name another file with --session, or --force.",
    ),
    hint="Begin one: carddb battle A.deck B.deck.",
    table=lambda: TABLE,
    begin=Verb(
        "new",
        "Begin a Battle between the armies of two decks, and sit down at the table.",
        begin,
        (
            Parameter("decks", kind="deck", metavar="A.deck B.deck", count=2, required=True),
            Parameter("--session", "The session file of the Battle (default: battle.json).", "file"),
            Parameter("--seed", "The seed of dice and draws (default: random).", "whole"),
            Parameter("--first", "The army that has the first turn (default: random, R-41).", choices=ARMIES),
            Parameter("--after", "An earlier Battle, whose Morale and losses are carried over.", "save", "FILE"),
            Parameter("--new-day", "The earlier Battle was on another Day.", "flag"),
            Parameter("--refresh", "Set each army's own Morale back to its start (R-45).", "flag"),
            Parameter("--open", "Also show what is typed for Offense and Defense.", "flag"),
            Parameter("--force", "Overwrite an existing Battle.", "flag"),
            READINGS,
        ),
    ),
    begun=lambda session: f"{session.name('a')} against {session.name('b')}. {session.message}".strip(),
    seats=lambda session: session.table.names,
    seated=_seated,
    board=LazyPackage("carddb.games.rishar").function("table.board", "BattleBoard"),
    screen=screen,
    line=line_words,
    fields=with_armies,
    aliases=ALIASES,
    usages=usages,
    unseen=unseen,
    width=WIDTH,
    by_decks="A.deck B.deck",
    verbs=(
        Verb(
            "hand",
            "Show the hand of one army to its Commander; on a terminal, Enter hides it again.",
            _hand,
            (Parameter("army", metavar="a|b", required=True),),
        ),
        Verb(
            "record",
            "Print the Battle as a question for `carddb judge rishar.replay`, which replays it.",
            lambda host: Shown(json=record(host.load())),
        ),
    ),
    always=("hand",),
    sheets=Sheets(
        "campaign",
        """Write the campaign sheet of each Commander: Battles, Upkeep due, the Killed, what is left.

        Without files, the running session is used; several files are the Battles of one Day, in order.
        """,
        "campaign-sheet",
        COLUMNS,
        filled_sheets,
    ),
)
