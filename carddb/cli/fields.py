"""Questions whose fields are given on the command line as --FIELD VALUE."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from carddb.cli.cards import cards_at_hand
from carddb.cli.session import Session
from carddb.deck.options import json_or_text
from carddb.errors import UsageError
from carddb.names import did_you_mean

if TYPE_CHECKING:
    from carddb.games import Game
    from carddb.play.question import Operation

FREE = {"ignore_unknown_options": True, "allow_extra_args": True}
"""The settings of a verb that takes such fields."""


def fields(words: list[str]) -> dict[str, str]:
    """`--off-mod 2 --n=5` as fields with their texts. Raises UsageError."""
    given: dict[str, str] = {}
    rest = iter(words)
    for word in rest:
        if not word.startswith("--"):
            raise UsageError(f"{word!r} belongs to no field", "Write --FIELD VALUE.")
        name, equals, value = word.removeprefix("--").partition("=")
        text = value if equals else next(rest, None)
        if text is None:
            raise UsageError(f"--{name} has no value", "Write --FIELD VALUE.")
        given[name.replace("-", "_")] = text
    return given


def schema_of(operation: Operation[Any]) -> dict[str, Any]:
    return {"properties": {}, **operation.question.model_json_schema()}


def question_of(operation: Operation[Any], given: dict[str, str]) -> dict[str, Any]:
    """The fields as values: JSON where it parses, else text. Raises UsageError for an unknown field."""
    properties = schema_of(operation)["properties"]
    question: dict[str, Any] = {}
    for name, text in given.items():
        if name not in properties and name != "options":
            known = [field.replace("_", "-") for field in properties]
            raise UsageError(
                f"there is no field --{name.replace('_', '-')}", did_you_mean(name.replace("_", "-"), known)
            )
        question[name] = text if properties.get(name, {}).get("type") == "string" else json_or_text(text)
    return question


def ask(session: Session, game: Game, asked: Operation[Any], given: dict[str, str]) -> dict[str, Any]:
    """The answer; a refusal is a misuse, told with the fields that there are."""
    from carddb.games.question_fields import fields_of

    question = question_of(asked, given)
    answer = (
        asked.ask(game.spec, question, cards_at_hand(session, game))
        if asked.wants_cards
        else asked.ask(game.spec, question)
    )
    reason = answer.get(game.spec.refusal_key) if answer.get("ok") is not True else None
    if not reason:
        return answer
    if reason == "bad_input":
        field = str(answer["path"]).replace("_", "-")
        lacks = "is needed" if answer["path"] not in given else f"cannot be {given[answer['path']]!r}"
        raise UsageError(f"--{field} {lacks}", f"Fields: {fields_of(asked)[0]}")
    text = game.rule_book.codes.get(reason)
    near = f" Did you mean {' or '.join(answer['nearest'])}?" if answer.get("nearest") else ""
    raise UsageError(text.cause if text else reason.replace("_", " "), (text.fix if text else "") + near)
