"""The front of a game's table: how it is begun, what players type and see, what it prints.

A game makes one `Front` in its own folder, and names it in its `rules.py`: `TABLE`. The command line makes verbs of it
and the browser pages; what both need of the program round the table they ask a `Host` for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Literal, Protocol

from carddb.cards.cards import Card, Deck, Pool
from carddb.findings import Finding
from carddb.game.game import GameSpec
from carddb.play.question import Refusal
from carddb.play.table.engine import Action, S, TableGame

WIDTH = 79
"""Columns of a line on a terminal of 80."""
ONE = "1"
"""The seat of who plays alone."""

Kind = Literal["text", "whole", "flag", "file", "deck", "cards", "save", "readings"]
"""`deck`, `cards` and `save` are files on the command line: a deck, cards of the player's own, a save of this game. On
a page a deck is chosen or pasted, cards are pasted, a save is one of the project's folder. `readings` are `K=V`."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a verb: an option where its names begin with a dash (`-o --output`), else an argument.

    A last name without dashes is that of the value, `--option options`; else it has the last name of the option.
    `count` is how many values it has: -1 for any number.
    """

    names: str
    help: str = ""
    kind: Kind = "text"
    metavar: str = ""
    choices: Sequence[str] = ()
    count: int = 1
    required: bool = False

    @property
    def key(self) -> str:
        """The name of the value."""
        return self.names.split()[-1].lstrip("-").replace("-", "_")


READINGS = Parameter("--option options", "A house reading; see `carddb games`.", "readings", "K=V", count=-1)


@dataclass(frozen=True)
class Verb:
    """A verb of a table beside its actions; `run` takes the host and, by name, the values of the parameters."""

    name: str
    help: str
    run: Callable[..., Any]
    parameters: Sequence[Parameter] = ()


@dataclass(frozen=True)
class Shown:
    """The result of a verb: JSON, else a table of rows, else a file for its `output` and sentences about that.

    What is `private` is for one player's eyes: on a terminal it is taken away again.
    """

    json: Any = None
    head: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    file: bytes | None = None
    about: Sequence[str] = ()
    private: bool = False


@dataclass(frozen=True)
class FilledSheets:
    """Sheets that are filled in: rows of a table, and what stands in each printed page; `title` says whose they are."""

    rows: Sequence[Sequence[str | int | float]]
    pages: Sequence[Mapping[str, Any]]
    title: str


@dataclass(frozen=True)
class Sheets(Generic[S]):
    """The sheets that a table fills: in words `name`, printed as a component of the game.

    `fill` takes the game and the sessions, each with its file. Raises InputError for one that fills nothing.
    """

    name: str
    help: str
    component: str
    columns: Sequence[str]
    fill: Callable[[GameSpec, Sequence[tuple[Path, S]]], FilledSheets]


class Host(Protocol):
    """The program round a table, as its game asks it: for cards and decks, readings, saves, and to tell people."""

    @property
    def path(self) -> Path:
        """The file of the session."""

    @property
    def spec(self) -> GameSpec:
        """The game."""

    @property
    def is_own(self) -> bool:
        """Returns whether the player may name files of this machine."""

    @property
    def house_readings(self) -> Mapping[str, Any]:
        """The readings that the project file names for the game."""

    @property
    def codes(self) -> Mapping[str, Any]:
        """The codes of the rule book, each with its `fix` and its `rules`."""

    def load(self) -> Any:
        """Returns the session as saved. Raises InputError."""

    def saved(self, path: Path) -> Any:
        """Returns the session of another file. Raises InputError."""

    def reason(self, refusal: Refusal) -> str:
        """Returns a refusal in words."""

    def notify(self, code: str, text: str, findings: Sequence[Finding] = ()) -> None:
        """Tells people something that hinders nothing."""

    def content(self, path: Path) -> bytes:
        """Returns the bytes of a file that the player names. Raises InputError."""

    def protect(self, path: Path) -> None:
        """Keeps a file that is read from being written over."""

    def cards_at_hand(self) -> Pool:
        """Returns the game's cards today: those of the catalogue where it has some, else the bundled ones."""

    def read_deck(self, deck: str | Path) -> tuple[Deck, Sequence[Finding]]:
        """Returns a deck against the cards of today. Raises InputError, UsageError."""

    def checked_deck(self, deck: str | Path, readings: Mapping[str, Any]) -> tuple[Deck, str, Sequence[Finding]]:
        """Returns a deck with its verdict and its findings. Raises InputError, UsageError."""


WhyNot = Callable[..., str | None]
"""Takes an action with its input by name: why it would be refused, in words; None where it would be accepted."""


class Board(Protocol):
    """The page of a seat."""

    @property
    def direct(self) -> AbstractSet[str]:
        """The actions that the page has buttons for; all others that serve have a form of their own."""

    def pictures(self, pool: Pool) -> Mapping[str, Card]:
        """Returns the cards of the catalogue that the seat sees, by the keys that the page has for them."""


@dataclass(frozen=True)
class Front(Generic[S]):
    """The front of a game's table: its beginning, its words, its pages."""

    verb: str
    """The verb of the command line; also in the schemas of its JSON,
    `carddb.solo`, and in the name of its usual save."""
    label: str
    help: str
    """The help of the verb; its first line is also in `table/verb.txt`."""
    file_help: str
    """The help of the option for the file of the session."""
    taken: tuple[str, str]
    """The message and remedy where a save is there already; `{path}` is the save."""
    hint: str
    """The remedy for a save that is not there: how a table is begun."""
    table: Callable[[], TableGame[S]]
    begin: Verb
    """Begins a table: `run` gives its session, and is always given a `seed`; `--force` is the program's own."""
    begun: Callable[[S], str]
    """The message about a table that was begun."""
    seats: Callable[[S], Mapping[Any, str]]
    """The seats of a session by key, each with its name."""
    seated: Callable[[S, str, str, Mapping[str, Any]], dict[str, Any]]
    """The input of an action as a seat may say it: session, seat, action, input. Refuses `not_your_turn`."""
    board: Callable[[S, str | None, WhyNot], Board]
    """The page of a seat, `table/page.html`; that of None, who watches, shows what all see."""
    screen: Callable[[S], str]
    """The public view as lines of a terminal."""
    line: Callable[[S, list[str]], list[str]]
    """The meaning of a short line at the step: its words as a command with its arguments."""
    fields: Callable[[S, dict[str, Any]], dict[str, Any]]
    """The input of a player, with the names of cards as the rules know them."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Short words for actions that are often taken."""
    usages: Callable[[Action[S, Any], S | None], Sequence[str]] = lambda _action, _session: ()
    """Further lines of the help of an action; without a session, all there may ever be."""
    unseen: Callable[[S], bool] = lambda _: False
    """True where the next line is typed unseen, because another player may not know it. A parameter
    `--open` of `begin` is for who wants to see it."""
    width: int = 0
    """The letters after which what is said goes on in a new line; with 0 only on a terminal, where they are its own."""
    by_decks: str = ""
    """The usage with decks that begin a table in place of a verb, `A.deck B.deck`; one sits down then at once."""
    verbs: Sequence[Verb] = ()
    always: Sequence[str] = ()
    """The names of those verbs that may be typed at any step."""
    sheets: Sheets[S] | None = None

    @property
    def usual_file(self) -> str:
        """The name of a save in a project."""
        return f"{self.verb}.json"

    def action(self, word: str) -> Action[S, Any] | None:
        """Returns the action that a word of the command line means."""
        return self.table().actions.get(self.aliases.get(word, word).replace("-", "_"))
