"""The user interface of a game's table: how it begins, what players type and see, what it prints.

Each game creates one `Front` in its own folder, and names it in its `rules.py` as `TABLE`. The command line makes verbs
of it, the browser makes pages. Both provide a `Host`, through which the game uses the rest of the program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Generic, Literal, Protocol

from carddb.cards.cards import Card, Deck, Pool
from carddb.findings import Finding
from carddb.game.game import GameSpec
from carddb.play.question import Refusal
from carddb.play.table.engine import Action, S, TableGame

WIDTH = 79
"""The characters that fit on a line of a terminal 80 characters wide."""
ONE = "1"
"""The key of the seat of a single player."""
SAVE_EXISTS = ("there is a table in {path} already", "Continue that table, or enter another name for the save.")
"""The message and the remedy if a new table in the browser is to be saved in a file that exists already."""

Kind = Literal["text", "whole", "flag", "file", "deck", "cards", "save", "readings"]
"""The way in which a parameter is given.

`deck`, `cards` and `save` are files on the command line: a deck, the player's own cards, a save of this game. On a
page, a deck is chosen or pasted, cards are pasted, and a save is chosen from the project. `readings` are options of the
game as `K=V`."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a verb: an option if its `names` begin with a dash (`-o --output`), otherwise an argument.

    The last name is also the name of the value, and needs no dashes, as in `--option options`. `count` is the number of
    values, or -1 for any number.
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
        """The name under which the verb's function gets the value."""
        return self.names.split()[-1].lstrip("-").replace("-", "_")


READINGS = Parameter("--option options", "A house reading; see `carddb games`.", "readings", "K=V", count=-1)


@dataclass(frozen=True)
class Verb:
    """A verb of a table that is not an action. `run` takes the host and, by keyword, the values of the parameters."""

    name: str
    help: str
    run: Callable[..., Any]
    parameters: Sequence[Parameter] = ()


@dataclass(frozen=True)
class Shown:
    """The result of a verb: JSON, or a table (`head` and `rows`), or a `file` and in `about` sentences on it.

    A `private` result is only for one player, and is removed from the terminal afterwards.
    """

    json: Any = None
    head: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    file: bytes | None = None
    about: Sequence[str] = ()
    private: bool = False


@dataclass(frozen=True)
class FilledSheets:
    """Filled-in sheets: rows of a table, the texts of each printed page, and a title that says whose they are."""

    rows: Sequence[Sequence[str | int | float]]
    pages: Sequence[Mapping[str, Any]]
    title: str


@dataclass(frozen=True)
class Sheets(Generic[S]):
    """The sheets that a table fills in; `name` describes them, and `component` is the key of the game's component.

    `fill` takes the game and the sessions, each with its file; it raises InputError for a session without content.
    """

    name: str
    help: str
    component: str
    columns: Sequence[str]
    fill: Callable[[GameSpec, Sequence[tuple[Path, S]]], FilledSheets]


class Host(Protocol):
    """The services that a game's table gets from the program: cards, decks, options, saves, messages to the user."""

    is_own: bool
    """True if the player may name files on this machine."""

    @property
    def spec(self) -> GameSpec:
        """The game."""

    @property
    def house_readings(self) -> Mapping[str, Any]:
        """The options of the game that the project file sets, by name."""

    @property
    def codes(self) -> Mapping[str, Any]:
        """The codes of the rule book, each with its `fix` and its `rules`."""

    def load(self) -> Any:
        """Returns the saved session. Raises InputError if it is missing or cannot be read."""

    def saved(self, path: Path) -> Any:
        """Returns the session saved in another file. Raises InputError if it cannot be read."""

    def reason(self, refusal: Refusal) -> str:
        """Returns the text for a refusal: its code, the cause from the rule book, and the hint about this case."""

    def notify(self, code: str, text: str, findings: Sequence[Finding] = ()) -> None:
        """Shows the user a message that does not stop the work."""

    def protect(self, path: Path) -> None:
        """Makes sure that the verb's output does not overwrite the input file `path`."""

    def cards_at_hand(self) -> Pool:
        """Returns the game's cards as of today: those of the catalogue, or if it has none, the bundled cards."""

    def read_deck(self, deck: str | Path) -> tuple[Deck, Sequence[Finding]]:
        """Returns a deck of today's cards, and its findings. Raises InputError or UsageError if unreadable."""

    def checked_deck(self, deck: str | Path, readings: Mapping[str, Any]) -> tuple[Deck, str, Sequence[Finding]]:
        """Returns a deck, its verdict and its findings. Raises InputError or UsageError if it cannot be read."""


WhyNot = Callable[..., str | None]
"""A function that returns why an action with its input would be refused, or None if it would be accepted."""


@dataclass(frozen=True)
class Button:
    """A button on the page of a seat: its label, the action with its input, and the key that presses it."""

    label: str
    action: str
    fields: Mapping[str, str] = field(default_factory=dict)
    key: str = ""
    is_main: bool = False


@dataclass(frozen=True)
class SeenCard:
    """A card that a seat sees, as JSON values, with the buttons that play it, or the reason why it cannot be played."""

    card: Mapping[str, Any]
    buttons: Sequence[Button] = ()
    reason: str = ""


@dataclass
class Board(Generic[S]):
    """A table on the page of a seat: its public view, and what the seat may do; `seat` is a key, None for a watcher."""

    direct: ClassVar[AbstractSet[str]] = frozenset()
    """The actions for which the page has buttons; each other useful action gets a form."""

    view: dict[str, Any]
    session: S
    seat: str | None
    why_not: WhyNot

    def pictures(self, pool: Pool) -> Mapping[str, Card]:
        """Returns the cards of the catalogue that the seat sees, by the keys that the page uses for them."""
        return {}


@dataclass(frozen=True)
class Front(Generic[S]):
    """The user interface of a game's table: how it begins, its texts, its pages."""

    verb: str
    """The verb on the command line. Also part of the names of JSON schemas (`carddb.solo`) and of the usual save."""
    label: str
    taken: tuple[str, str]
    """The message and the remedy if the save exists already; `{path}` is the save."""
    hint: str
    """The remedy if the save does not exist, which says how a table begins."""
    table: Callable[[], TableGame[S]]
    begin: Verb
    """The verb that begins a table; `run` always gets a `seed`. The program adds `--force` itself."""
    seats: Callable[[S], Mapping[Any, str]]
    """The seats of a session by key, each with its name."""
    seated: Callable[[S, str, str, Mapping[str, Any]], dict[str, Any]]
    """Returns an action's input for the rules, from session, seat, action and input. Refuses with `not_your_turn`."""
    board: Callable[[dict[str, Any], S, str | None, WhyNot], Board[S]]
    """Returns what the page of a seat (None: a watcher) shows, from the public view and the session."""
    help: str = ""
    """The help of the verb; its first line is also in `table/verb.txt`."""
    file_help: str = ""
    """The help of the option for the file of the session."""
    begun: Callable[[S], str] = lambda _: ""
    """Returns the message about a new table, which the program shows when it has saved the table."""
    screen: Callable[[dict[str, Any]], Iterable[str]] = lambda _view: ()
    """Yields the public view as lines for a terminal."""
    line: Callable[[S, list[str]], list[str]] = lambda _session, words: words
    """Returns the command and arguments that the words of a typed line mean at the session's step."""
    fields: Callable[[S, dict[str, Any]], dict[str, Any]] = lambda _session, words: words
    """Returns a player's input with names of cards replaced by the names that the rules use."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Short words for frequent actions: `{word: name of the action}`."""
    usages: Callable[[Action[S, Any], S | None], Sequence[str]] = lambda _action, _session: ()
    """Returns further lines for the help of an action; if the session is None, all that can occur."""
    unseen: Callable[[S], bool] = lambda _: False
    """Returns whether the next line is typed without echo, because other players may not see it.

    The option `--open` of `begin` turns this off.
    """
    width: int = 0
    """The width at which messages are wrapped; with 0 they are wrapped only on a terminal, at its own width."""
    by_decks: str = ""
    """The usage line if the verb may be replaced by decks (`A.deck B.deck`), which begin a table and its first game."""
    verbs: Sequence[Verb] = ()
    always: Sequence[str] = ()
    """The names of the verbs that may be typed at any step."""
    sheets: Sheets[S] | None = None

    @property
    def usual_file(self) -> str:
        """The usual name of the file in which a project keeps the save."""
        return f"{self.verb}.json"

    def action(self, word: str) -> Action[S, Any] | None:
        """Returns the action that a word on the command line means, or None."""
        return self.table().actions.get(self.aliases.get(word, word).replace("-", "_"))
