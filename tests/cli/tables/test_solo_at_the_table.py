"""Two phases of every module, played through a pseudo-terminal by what stands on the screen and on the sheet."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.tables.player import Player, Terminal
from tests.conftest import Told
from tests.games.referee_samples import game
from tests.rows import usually

SPEC = game("cdg-solo").spec
Call = Callable[..., Told]

WRONG = [
    "Z ops",
    "fight",
    "roll 9",
    "play",
    "hook swap_bonus card=A from_discard=1",
    "undo 999",
    "start-phase XX=3",
    "'",
]
"""What no table takes at any time."""


@dataclass(frozen=True)
class Sheet:
    """What a player reads off the sheet and the base game.

    `kinds` are those of every fifth card, `says` what must have been told once both phases are over.
    """

    seed: int = 11
    before: Sequence[str] = ()
    hands: str = ""
    own: Sequence[tuple[str, str]] = ()
    kinds: str = ""
    cards: int = 0
    says: Sequence[str] = ()


EARLY = [("phase 1, round 9 ", "end-phase"), ("now: discards", "discard A"), ("now: discards", "discard B")]
"""A phase that ends before all cards are played, with discards."""

SHEETS = {
    "paths-of-glory": Sheet(
        before=["place-first-round cp1"],
        own=[("instead of rolling: one-ops", "one-ops"), *EARLY],
        kinds="ops; combat",
        says=["CP must play CP#1", "one ops, no card", "turns everything up", "in the combat", "discards"],
    ),
    "for-the-people": Sheet(
        hands="US=5 CS=4 first=CS", own=[("Emancipation Proclamation   ", "set-flag 81"), *EARLY], says=["discards"]
    ),
    "empire-of-the-sun": Sheet(
        seed=3,
        before=["set-up historical_japanese_hand"],
        hands="JP=5 US=4",
        own=[("instead of rolling: pass", "pass")],
        kinds="ops; event; response; future_offensive_able",
        says=["pass, no card", "Col. Tsuji", "in the combat", "holds", "from its Future Offensives"],
    ),
    "wilderness-war": Sheet(
        hands="BR=8 FR=7 first=french",
        own=[("instead of rolling: pass", "pass")],
        kinds="ops; event; response",
        says=["from the discards", "discards", "in the combat"],
    ),
    "germany": Sheet(
        own=[("instead of rolling: free-round", "free-round"), *EARLY],
        kinds="ops; combat",
        says=["free round, no card", "takes", "in the combat"],
    ),
    "washingtons-war": Sheet(hands="first=AM", kinds="battle", says=["The chart shows", "in the combat", "discards"]),
    "commands-and-colors": Sheet(hands="S1=5 S2=6", cards=60, says=["would order"]),
    "generic-separate": Sheet(hands="S1=4 S2=3", own=EARLY, kinds="ops; scoring", cards=15),
    "generic-split": Sheet(hands="S1=3 S2=4", kinds="ops; event; mandatory", cards=20),
    "generic-virtual": Sheet(kinds="ops; combat", cards=30, says=["in the combat"]),
    "generic-card": Sheet(hands="S1=3 S2=3 first=S2", kinds="home", cards=30, says=["Home card"]),
}


def begin(call: Call, module: str, sheet: Sheet) -> None:
    """A session with a deck from the module's template, its values typed in."""
    size = ["--cards", str(sheet.cards)] if sheet.cards else []
    call("solo", "template", module, *size, "-o", "cards.csv")
    with Path("cards.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for number, row in enumerate(rows):
        if number % 5 == 2 and not row.get("note") and sheet.kinds:
            row["kinds"] = sheet.kinds
        without = row["kinds"] in ("event", "battle", "home")
        row["ops" if "ops" in row else "order_max"] = "" if without else str(number % 4 + 1)
    with Path("cards.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    told = call("solo", "new", "--module", module, "--decks", "cards.csv", "--seed", str(sheet.seed))
    assert told.code == 0, told.err


def hidden() -> set[str]:
    """The cards that lie down, as the save has them; the player does not look there."""
    table = json.loads(Path("solo.json").read_text("utf-8"))
    lying = [slots for side in table["sides"].values() for slots in side["display"].values() if slots]
    lying += [table["common"]["pile"]] if table["common"] else []
    return {slot.removesuffix("-") for slots in lying for slot in slots if slot.endswith("-")}


def shows_nothing_hidden(answer: str) -> None:
    """No card that lies down stands on the table; its number in a sentence of the sheet is no card."""
    table = answer[answer.find("\n* ") :].partition("\nevent of")[0]
    shown = set(re.findall(r"(?<![\w(])[A-Z0-9]{0,3}#\d+", table))
    assert not shown & hidden(), answer


def is_refused(line: str, answer: str) -> None:
    """A wrong line is answered with a sentence, and the table is not shown again, for nothing has changed."""
    assert " now: " not in answer.replace("Possible now: ", "") and len(answer.strip().split("\n")) >= 3, (line, answer)


@usually("module", sorted(SHEETS), "generic-separate")
@pytest.mark.door
def test_two_phases_are_played_by_the_screen(call: Call, module: str) -> None:
    """Who types what screen and sheet say plays two whole phases; nothing is stuck, nothing hidden is shown."""
    sheet = SHEETS[module]
    begin(call, module, sheet)
    with Terminal() as terminal:
        terminal.read()
        player = Player(terminal, sheet.hands, sheet.own, WRONG, shows_nothing_hidden, is_refused)
        for line in sheet.before:
            assert "refused" not in player.say(line)
        if SPEC.data["modules"][module]["chit_mode"] == "none":
            player.say(f"start-phase {player.hands}")
            player.play_rounds(14)
        else:
            player.play_phases(2)
    told = "\n".join(player.answers)
    assert [text for text in sheet.says if text not in told] == []
