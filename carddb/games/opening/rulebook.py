"""A `rules.yaml`: the game's rule ids with tag and text, and the meaning of its finding codes."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

from carddb.core.errors import GameError
from carddb.findings import Finding
from carddb.game.frozen import Frozen, Misfit, Path_, fields_of
from carddb.games.opening.folder import GameFolder
from carddb.read.documents import located_document
from carddb.read.documents.strict_models import checked, checked_part

RULES_FILE = "rules.yaml"


class Ruling(Frozen):
    """A decision for this printing on a point that the game's author left open."""

    reading: str
    """The reading of the rule."""
    why: str
    """The reason."""
    option: str = ""
    """The option of the game that changes it."""


class RuleText(Frozen):
    """One rule: it has a text, a ruling, or both."""

    tag: Literal["S", "P", "H"] = "S"
    """The one who applies it: S the program, P the printed parts, H people at the table."""
    also: tuple[Literal["S", "P", "H"], ...] = ()
    """Others who apply it."""
    section: str = ""
    """Its section in the source."""
    text: str = ""
    """The text in the source."""
    ruling: Ruling | None = None
    """The decision on a point that the text leaves open."""
    asked: str = ""
    """Questions that it answers, in the words of players, by which `ask` finds it."""

    @property
    def words(self) -> str:
        """The text of the rule, followed by the reading that was decided."""
        return f"{self.text} {self.ruling.reading if self.ruling else ''}".strip()

    def misfits(self) -> Iterator[Misfit]:
        """Yields a fault if the rule has neither a text nor a ruling."""
        if not self.text and self.ruling is None:
            yield ("text",), "the rule has neither a text nor a ruling", "Write what the source says, or a ruling."


class CodeText(Frozen):
    """One finding code."""

    cause: str
    """The reason why it is raised."""
    fix: str = ""
    """The remedy."""
    rules: tuple[str, ...] = ()
    """The ids of the rules behind it."""
    example: str = ""
    """A file that raises it, in `examples`."""


class QuestionText(Frozen):
    """What a question to the referee is called on its page, and its answer in sentences."""

    title: str
    """The question in a few words."""
    says: Mapping[str, str] = {}
    """The sentences of its answer, by their conditions.

    A condition is `always`, or with commas between `field=value`, `field` (neither empty nor no) and `-field`.
    `{field}` in a sentence is a value of the answer, or else of the question.
    """


class RuleBook(Frozen):
    """The whole of a `rules.yaml`."""

    rules: Mapping[str, RuleText] = {}
    """The rules of the game, by id."""
    codes: Mapping[str, CodeText] = {}
    """The codes of its findings."""
    questions: Mapping[str, QuestionText] = {}
    """The titles and answers of the questions to the referee, by their names without the game's prefix."""
    terms: Mapping[str, tuple[str, ...]] = {}
    """The ids of the rules about a word, a heading or a name of the game's document."""
    synonyms: Mapping[str, tuple[str, ...]] = {}
    """Other words that players have for one of the rules' words."""


def read_book(folder: GameFolder) -> tuple[RuleBook | None, list[Finding]]:
    """Returns a game's `rules.yaml`, empty if there is no such file; None and its faults if it is invalid."""
    path = folder.path / RULES_FILE
    if not path.is_file():
        return RuleBook(), []
    parsed, findings = located_document.load(folder.source(path))
    if parsed is None:
        return None, findings

    book, faults = checked_part(RuleBook, parsed.value, parsed)
    return book, [*findings, *faults]


@cache
def shared_codes() -> Mapping[str, CodeText]:
    """Returns the finding codes shared by all games, each with its cause and fix."""
    path = Path(__file__).parent / "codes.yaml"
    parsed, findings = located_document.load(path)
    if parsed is None:
        raise GameError(f"{path} cannot be used", findings[0].message)
    return checked(RuleBook, {"codes": parsed.value}).codes


def finding_codes(part: Any) -> Iterator[str]:
    """Yields every finding code in a part of a game, including default codes."""
    if isinstance(part, Frozen):
        for name in fields_of(type(part)):
            value = getattr(part, name)
            if name == "code" or name.endswith("_code"):
                yield value
            elif name == "codes":
                yield from value.values()
            else:
                yield from finding_codes(value)
    elif isinstance(part, Mapping | tuple):
        for value in part.values() if isinstance(part, Mapping) else part:
            yield from finding_codes(value)


def rule_ids(part: Any, path: Path_ = ()) -> Iterator[tuple[Path_, str]]:
    """Yields every rule id in a part of a game, with the keys that lead to it."""
    if isinstance(part, Frozen):
        for name in fields_of(type(part)):
            value = getattr(part, name)
            if name in ("rules", "format_rules", "face_rules"):
                yield from (((*path, name, at), rule) for at, rule in enumerate(value))
            else:
                yield from rule_ids(value, (*path, name))
    elif isinstance(part, Mapping):
        for key, value in part.items():
            yield from rule_ids(value, (*path, key))
    elif isinstance(part, tuple):
        for at, value in enumerate(part):
            yield from rule_ids(value, (*path, at))
