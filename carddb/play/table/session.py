"""A running session of any game: what lies on its table, the dice, and what the last action reported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Self, TypeVar

from pydantic import Field

from carddb.game.game import GameSpec
from carddb.play.chance import Stream
from carddb.play.question import BadInput, Count, Many, Object, Record


class Changing(Record):
    """A part of a table that is changed by making another one."""

    def with_(self, **changes: Any) -> Self:
        """Returns a copy with some values changed."""
        return self.model_copy(update=changes)


class Rng(Record):
    """The stream of chance: its seed, and how far it has run."""

    seed: int
    draws: Count = 0


class LogEntry(Record):
    """An action that was accepted, and what it was in words that give no hidden card away."""

    action: str
    input: Object = Field(default={})
    told: str = ""


class TableState(Changing):
    """What lies on a table, hidden cards included, and the same as its save.

    A game adds its own fields, and says what its `game` key, its `version` and its steps are.
    """

    game: str
    version: int
    step: str
    rng: Rng
    log: Many[LogEntry] = ()


StateT = TypeVar("StateT", bound=TableState)


@dataclass(frozen=True)
class TableSession(Generic[StateT]):
    """A table, and the game it is played by. Nothing is ever changed: every change is a new session."""

    spec: GameSpec
    table: StateT
    message: str = field(default="", kw_only=True)
    """The report of the running action, in words that give no hidden card away."""

    @property
    def step(self) -> str:
        """The step that the table waits for."""
        return self.table.step

    @property
    def log(self) -> Sequence[LogEntry]:
        """Every accepted action, the first one first."""
        return self.table.log

    def with_(self, **changes: Any) -> Self:
        """Returns the session with parts of the table changed."""
        return replace(self, table=self.table.with_(**changes))

    def say(self, text: str) -> Self:
        """Returns the session with a further sentence in its message."""
        return replace(self, message=f"{self.message} {text}".strip())

    def stream(self) -> Stream:
        """Returns the stream of chance from where it stands."""
        return Stream(self.table.rng.seed, self.table.rng.draws)

    def with_stream(self, stream: Stream) -> Self:
        """Returns the session with the stream of chance where it stands now."""
        return self.with_(rng=Rng(seed=stream.seed, draws=stream.draws))

    def rolled(
        self, count: int = 1, typed: Sequence[int] = (), sides: int = 6, path: str = "dice"
    ) -> tuple[Self, tuple[int, ...]]:
        """Returns dice as the players typed them, else from the stream; the faces are 1 to `sides`.

        Raises BadInput at `path` where another number of dice is typed, or a face that the die does not have.
        """
        if typed:
            if len(typed) != count or not all(1 <= face <= sides for face in typed):
                dice = "1 die is" if count == 1 else f"{count} dice are"
                raise BadInput(path, hint=f"{dice} rolled, with faces 1 to {sides}. Say what each of them shows")
            return self, tuple(typed)
        stream = self.stream()
        faces = tuple(stream.die(sides) for _ in range(count))
        return self.with_stream(stream), faces
