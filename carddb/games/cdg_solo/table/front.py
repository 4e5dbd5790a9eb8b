"""The description of a solo table: its verbs, and the functions that show it on a terminal and on pages.

The code of sessions is imported only for a session: without it, the list of modules and the template of a deck are
ready in three quarters of the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from carddb.core.errors import UsageError
from carddb.core.names import did_you_mean
from carddb.games.cdg_solo.module import module_of, whole_module
from carddb.games.cdg_solo.print.components import rows
from carddb.games.lazy import LazyPackage
from carddb.play.table.front import ONE, READINGS, Front, Host, Parameter, Shown, Verb
from carddb.read.cards.export import write_cards

if TYPE_CHECKING:
    from carddb.games.cdg_solo.table.session import SoloSession

MOST = 999
"""The largest number of cards in a deck."""

_cdg = LazyPackage("carddb.games.cdg_solo")


def _modules(host: Host, module: str | None = None, json: bool = False) -> Shown:
    """Returns the list of bundled modules, or the data of `module`. Raises UsageError if there is no such module."""
    shipped = host.spec.data["modules"]
    if module is not None:
        if module not in shipped:
            raise UsageError(f"there is no module {module}", did_you_mean(module, shipped))
        return Shown(json=whole_module(host.spec, shipped[module]))
    if json:
        listed = [{key: one[key] for key in ("id", "title", "layout", "deck_mode")} for one in shipped.values()]
        return Shown(json={"schema": "carddb.solo-modules/1", "modules": listed})
    lines = [(one["id"], one["title"], one["layout"]) for one in shipped.values()]
    return Shown(head=("module", "game", "layout"), rows=lines)


def _template(host: Host, module: str, output: Path, cards: Sequence[str] = ()) -> Shown:
    """Returns a file with the cards of a bundled module, for the game's owner to fill in.

    `cards` are the sizes of decks: `CP=65` for one, `65` for all others. Raises UsageError for a wrong name or size.
    """
    kind = output.suffix.removeprefix(".").lower() if str(output) != "-" else "csv"
    sizes, spec = _sizes(cards), host.spec
    if module not in spec.data["modules"]:
        raise UsageError(f"there is no module {module}", did_you_mean(module, spec.data["modules"]))
    whole = module_of(spec, module)
    decks = whole.decks
    for deck, size in sizes.items():
        if deck and deck not in decks:
            raise UsageError(f"{module} has no deck {deck!r}", f"Name one of its decks: {', '.join(decks)}.")
        if not 1 <= size <= MOST:
            raise UsageError(f"a deck has 1 to {MOST} cards, not {size}", "Correct the number after --cards.")
    rest = dict.fromkeys(decks, sizes[""]) if "" in sizes else {}
    filled = [(str(row.pop("ref")), row) for row in rows(spec, module, {**rest, **sizes})]
    own = sum(row["note"] is not None for _, row in filled)
    about = [f"{output}: {len(filled)} cards, {own} of them with a rule of their own. Type in their ops values."]
    if not cards:
        about.append("Each deck has the fewest cards that it can have; set the number of your cards with --cards.")
    if others := [entry.title for entry in whole.exceptions if entry.number is None]:
        about.append(f"Some rules are for cards with a certain title; call yours the same: {', '.join(others)}.")
    return Shown(file=write_cards(filled, spec, kind), about=about)


def _sizes(texts: Sequence[str]) -> dict[str, int]:
    """Returns the sizes of decks by deck, from texts such as `CP=65`; the key for a mere `65` (all others) is empty."""
    sizes: dict[str, int] = {}
    for text in texts:
        deck, _, number = text.rpartition("=")
        if not number.isdecimal():
            raise UsageError(f"{text!r} is not a number of cards", "Write 65 for all decks, or CP=65 for one.")
        sizes[deck] = int(number)
    return sizes


FRONT: Front[SoloSession] = Front(
    verb="solo",
    label="Solo",
    help="""Play a card-driven wargame alone: carddb says what the die allows, and why a move is refused.

    Begin with `solo new`, then `solo start-phase`, `solo roll`, `solo play CARD`, `solo next`; or sit down at
    `solo table`. The file is written after every action; it holds the hidden cards, so do not look into it.
    """,
    file_help="The session's file.",
    taken=("there is a session in {path} already", "Name another file with --session, or overwrite it with --force."),
    hint="Begin a session: carddb solo new --module MODULE.",
    table=_cdg.value("table.game", "TABLE"),
    begin=Verb(
        "new",
        "Begin a session with a module and your cards. Then lay cards up, or start the first phase.",
        _cdg.function("table.beginning", "begin"),
        (
            Parameter("--module", "A game's module (`solo modules`), or a file with one.", metavar="MODULE",
                      required=True),
            Parameter("--decks", "Your cards: files with a table of cards, or deck lists of cards already loaded.",
                      "cards", "FILE", count=-1),
            Parameter("--seed", "The seed of shuffles and dice (default: random).", "whole"),
            READINGS,
            Parameter("--force", "Overwrite an existing session.", "flag"),
            Parameter("more", kind="file", metavar="[FILE]...", count=-1),
        ),
    ),
    begun=lambda session: (
        f"{session.module.title}, {len(session.table.cards)} cards. Now: carddb solo start-phase"
    ),
    seats=lambda _: {ONE: ""},
    seated=lambda _session, _seat, _action, fields: dict(fields),
    board=_cdg.function("table.game", "SoloBoard"),
    screen=_cdg.function("table.game", "screen"),
    line=_cdg.function("table.game", "words_of"),
    fields=_cdg.function("table.game", "with_cards"),
    aliases={"next": "next_round", "flip": "choose_flip", "flag": "set_flag", "hold": "hold_as_fo", "fo": "play_fo"},
    usages=_cdg.function("table.game", "usages"),
    verbs=(
        Verb(
            "modules",
            """List the bundled modules, or print one whole, as a start for your own module.

            `carddb solo modules germany > mine.json`: give it another id, change what is different in your game, and
            name the file: `carddb solo new --module mine.json`.
            """,
            _modules,
            (Parameter("module", metavar="[MODULE]"), Parameter("--json", "As JSON.", "flag")),
        ),
        Verb(
            "template",
            """Write a file for the cards of a module's decks, in which only the operations values are to be typed.

            Cards with a rule of their own are listed with number, title and rule, the others with their number.
            """,
            _template,
            (
                Parameter("module", metavar="MODULE", required=True),
                Parameter("--cards", "The number N of cards in each deck, or in DECK (default: the fewest possible).",
                          metavar="[DECK=]N", count=-1),
                Parameter("-o --output", "The file: CSV, TSV, XLSX, JSON or YAML; - for CSV.", "file", required=True),
            ),
        ),
    ),
)  # fmt: skip
