"""A player at the table of a solo session, through a pseudo-terminal: reads the screen and types, and knows no more.

What it types is decided by what stands on the screen alone, as a player decides who has the printed sheet beside it.
"""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

PROMPT = re.compile(r"(?:^|\n)(?:\[Enter: [^\]\n]+\] )?> $")
"""What stands at the end of the output when the table waits for a line."""

PATIENCE = 60
"""Seconds after which a table that says nothing is taken to hang."""

_FURTHER = " " * 10
"""What a further line of a card begins with; its note stands further left."""

_CARD = re.compile(r"^    ([A-E ])  (.*)$")


class Terminal:
    """`carddb solo table` in a pseudo-terminal of 80 columns."""

    def __init__(self) -> None:
        self.master, slave = pty.openpty()
        command = [sys.executable, "-m", "carddb", "solo", "table"]
        environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "80", "TERM": "dumb"}
        self.process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=environment)
        os.close(slave)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.master)
        self.process.kill()
        self.process.wait()

    def read(self) -> str:
        """What the table says until it waits for a line, without what was typed."""
        text = ""
        while not PROMPT.search(text):
            ready, _, _ = select.select([self.master], [], [], PATIENCE)
            assert ready, f"the table says no more after {text[-200:]!r}"
            text += os.read(self.master, 65536).decode("utf-8", "replace").replace("\r\n", "\n")
        return text

    def type(self, line: str) -> str:
        """A line typed; what the table answers."""
        os.write(self.master, f"{line}\n".encode())
        return self.read()


@dataclass
class Screen:
    """What stands on the screen: the step, whose round it is, its places from A on."""

    text: str

    @property
    def now(self) -> str:
        """What may be done, as the last line says."""
        found = re.findall(r"^now: (.*)$", self.text, re.M)
        return found[-1] if found else ""

    @property
    def phase(self) -> int:
        found = re.findall(r"   phase (\d+), round", self.text)
        return int(found[-1]) if found else 0

    @property
    def places(self) -> list[tuple[str, str]]:
        """The places of the active side with what lies there; the second card of a place is `A2`."""
        return self._places("\n* ")

    def _places(self, head: str) -> list[tuple[str, str]]:
        lines = self.text[self.text.rfind(head) :].split("\n")[2:]
        places: list[tuple[str, str]] = []
        for line in lines:
            match = _CARD.match(line)
            if line.startswith(_FURTHER):
                places[-1] = (places[-1][0], places[-1][1] + line[8:])
            elif match:
                letter = match[1] if match[1] != " " else f"{places[-1][0]}2"
                places.append((letter, match[2]))
            elif not line.startswith("     "):
                break
        return places

    def up(self, active: bool = True) -> list[tuple[str, str]]:
        """The places of the active side, or of the other one, whose cards lie up."""
        other = re.findall(r"\n  [A-Z0-9]+  [A-Z][^\n]*   (?=[○●h])", self.text)
        places = self.places if active else self._places(other[-1] if other else "\n  ")
        return [(place, words) for place, words in places if not words.startswith(("?", "-"))]


@dataclass
class Player:
    """Plays by the screen; `hands` is what the game says at the start of each phase."""

    terminal: Terminal
    hands: str = ""
    own: Sequence[tuple[str, str]] = ()
    """Lines for a screen that has a text: what the sheet of the game says beyond the method."""
    wrong: Sequence[str] = ()
    """Lines that are wrong at any time, typed now and then."""
    watch: Callable[[str], None] = lambda _: None
    """Looks at every answer."""
    refused: Callable[[str, str], None] = lambda _line, _answer: None
    """Looks at the answer to a wrong line."""
    typed: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)

    def say(self, line: str) -> str:
        """A line typed, and the answer."""
        answer = self.terminal.type(line)
        self.watch(answer)
        self.typed.append(line)
        self.answers.append(answer)
        return answer

    def play_phases(self, count: int, most: int = 600) -> None:
        """Plays until so many phases have ended."""
        screen = Screen(self.say("status"))
        for _ in range(most):
            if screen.phase == count and screen.now.startswith("discards"):
                return
            screen = self.step(screen)
        raise AssertionError(f"no end after {most} lines: {screen.text}")

    def play_rounds(self, count: int, most: int = 600) -> None:
        """Plays until so many rounds have begun."""
        screen = Screen(self.say("status"))
        for _ in range(most):
            if f"round {count} " in screen.text:
                return
            screen = self.step(screen)
        raise AssertionError(f"no end after {most} lines: {screen.text}")

    def step(self, screen: Screen) -> Screen:
        """What the screen asks for, done; the screen after it. Now and then something wrong is typed before."""
        turn = len(self.typed)
        if self.wrong and turn % 4 == 0:
            line = self.wrong[turn // 4 % len(self.wrong)]
            self.refused(line, self.terminal.type(line))
        if turn % 17 == 16:
            return Screen(self.say("undo"))
        for line in self.lines(screen):
            after = Screen(self.say(line))
            if "refused" not in after.text and after.now:
                return after
        raise AssertionError(f"{self.typed[-6:]} do nothing at\n{screen.text}\n{self.answers[-1]}")

    def lines(self, screen: Screen) -> list[str]:
        """What a player would type, the likeliest first."""
        own = [line for text, line in self.own if text in screen.text and self.typed.count(line) < 2]
        return [*own, *self.usual(screen)]

    def usual(self, screen: Screen) -> list[str]:
        if "order-count CARD COUNT is needed" in screen.text:
            counts = [f"order-count {place} {n}" for n, (place, _) in enumerate(screen.up(), 1)]
            return [line for line in counts if line not in self.since_roll()]
        if screen.now.startswith(("before the first phase", "discards")):
            return [f"start-phase {self.hands}"]
        if screen.now.startswith("choose a down card"):
            return [place for place, words in screen.places if words.startswith("?")] + ["C"]
        if screen.now.startswith("pick one"):
            dice = re.findall(r"rolled (\d)", screen.text)
            return [dice[-1]]
        if screen.now.startswith(("play a card", "a card must be played")):
            return self.plays(screen)
        if "to carry out: hook swap_bonus" in screen.text or "to carry out: hook draw_from_discard" in screen.text:
            return [*self.swaps(screen), "next"]
        return [*self.fights(screen), "", "next"]

    def fights(self, screen: Screen) -> list[str]:
        """Now and then a card is played in a combat or in reaction, where one lies up that serves."""
        if len(self.typed) % 3 or not screen.now.startswith("events, combats"):
            return []
        lines = [f"fo {card} use=reaction" for card in re.findall(r"^    fo: (\S+)", screen.text, re.M)[:1]]
        for active, roles in ((True, ("attacker", "active")), (False, ("defender", "inactive"))):
            serving = [place for place, words in screen.up(active) if re.search("combat|response|battle", words)]
            lines += [f"combat {place} role={role}" for place in serving[:1] for role in roles]
        return lines

    def since_roll(self) -> list[str]:
        """What was typed since the last roll, or the last card that was turned up."""
        other = [at for at, line in enumerate(self.typed) if not line.startswith("order-count")]
        return self.typed[other[-1] :] if other else []

    def plays(self, screen: Screen) -> list[str]:
        """The plays that the screen offers, in turn as event and for operations."""
        lines = []
        for place, words in screen.up():
            if "   play: " in words:
                offered = words.partition("   play: ")[2].partition("  pile")[0].split(", ")
                modes = ["event", "ops", "other"] if offered == ["any"] else offered
                if len(self.typed) % 2:
                    modes.sort(key=lambda mode: mode != "ops")
                lines += [f"{place} {mode}" for mode in modes]
                if "future offensive able" in words and "    fo: " not in screen.text:
                    lines.insert(0, f"hold {place}")
        return lines or ["next"]

    def swaps(self, screen: Screen) -> list[str]:
        """A card of the discards taken for one that lies up, else for one that is turned up."""
        discards = re.findall(r"discarded, last (\S+)", screen.text)
        places = [f"card={place}" for place, _ in screen.up()] or ["flip_card=D"]
        return [f"hook {place} from_discard={card}" for card in discards for place in places[:2]] + [
            f"hook from_discard={card}" for card in discards
        ]
