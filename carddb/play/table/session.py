"""A running session of a game: what is on its table, the random stream, and the report of the last action."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Self, TypeVar

from pydantic import Field

from carddb.game.game import GameSpec
from carddb.play.chance import Stream
from carddb.play.question import BadInput, Count, Many, Object, Record


class Changing(Record):
    """An immutable part of a table; `with_` makes a changed copy."""

    def with_(self, **changes: Any) -> Self:
        """Returns a copy with some values changed."""
        return self.model_copy(update=changes)


class Rng(Record):
    """The state of the random stream: its seed, and how many numbers were drawn."""

    seed: int
    draws: Count = 0


class LogEntry(Record):
    """An accepted action with its input, and its report (`told`), which reveals no hidden card."""

    action: str
    input: Object = Field(default={})
    told: str = ""


class TableState(Changing):
    """Everything on a table, including hidden cards; it is also the content of its save.

    A game's subclass adds its own fields, and defines the values of `game`, `version` and `step`.
    """

    game: str
    version: int
    step: str
    rng: Rng
    log: Many[LogEntry] = ()


StateT = TypeVar("StateT", bound=TableState)


@dataclass(frozen=True)
class TableSession(Generic[StateT]):
    """A table, and the game that is played there. Sessions are immutable: every change makes a new session."""

    spec: GameSpec
    table: StateT
    message: str = field(default="", kw_only=True)
    """The report of the current action, which reveals no hidden card."""

    @property
    def step(self) -> str:
        """The step of the game at which the table waits for an action."""
        return self.table.step

    @property
    def words(self) -> Mapping[str, Any]:
        """The texts and usual commands of the step, from the game's `table/steps.yaml`."""
        words: Mapping[str, Any] = self.spec.data["table"]["steps"][self.step]
        return words

    @property
    def log(self) -> Sequence[LogEntry]:
        """Every accepted action, oldest first."""
        return self.table.log

    def fresh(self) -> Self:
        """Returns the session for a new action, without the report of the last one."""
        return replace(self, message="")

    def with_(self, **changes: Any) -> Self:
        """Returns the session with some fields of its `table` changed."""
        return replace(self, table=self.table.with_(**changes))

    def say(self, text: str) -> Self:
        """Returns the session with `text`, a sentence, added to its message."""
        return replace(self, message=f"{self.message} {text}".strip())

    def stream(self) -> Stream:
        """Returns the random stream, continued from the table's state."""
        return Stream(self.table.rng.seed, self.table.rng.draws)

    def with_stream(self, stream: Stream) -> Self:
        """Returns the session with the present state of the random stream stored."""
        return self.with_(rng=Rng(seed=stream.seed, draws=stream.draws))

    def rolled(
        self, count: int = 1, typed: Sequence[int] = (), sides: int = 6, path: str = "dice"
    ) -> tuple[Self, tuple[int, ...]]:
        """Returns the session after a roll, and the faces: those `typed`, or without these, random ones up to `sides`.

        Raises BadInput at `path` if a wrong number of dice, or an impossible face, was typed.
        """
        if typed:
            if len(typed) != count or not all(1 <= face <= sides for face in typed):
                dice = "1 die is rolled: give one number" if count == 1 else f"{count} dice are rolled: give numbers"
                raise BadInput(path, hint=f"{dice} from 1 to {sides}")
            return self, tuple(typed)
        stream = self.stream()
        faces = tuple(stream.die(sides) for _ in range(count))
        return self.with_stream(stream), faces
