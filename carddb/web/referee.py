"""The referee: a search for rules, a form for each question, and answers with the rules that they follow from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from starlette.responses import Response

from carddb.app.games.explanation import find_entries
from carddb.app.referee import (
    answer_words,
    entry_words,
    key_words,
    operations_of,
    question_text,
    schema_of,
    spoken_answer,
)
from carddb.core.groups import grouped
from carddb.core.options import json_or_text
from carddb.games import Game
from carddb.games.opening.spec_reader import CodeText
from carddb.games.referee import rules_of
from carddb.games.schemas import key_texts, with_key_texts
from carddb.play.question import refusal_of, sentence
from carddb.web.http.answers import Asked, route, text_of
from carddb.web.http.modes import unknown
from carddb.web.http.pages import page

_DEPTH = 3
"""The depth to which the parts of objects are separate fields. Deeper objects are entered as JSON."""

Kind = Literal["choice", "boolean", "number", "text", "word", "json"]
_KINDS: Mapping[str, Kind] = {"boolean": "boolean", "integer": "number", "number": "number", "string": "text"}


class FormField(NamedTuple):
    """A field of a form: its dotted name in the question, its label, its kind, its choices, and a hint shown in it.

    A `word` is a number or a text, such as `5` or `S`. `group` is the label of the object that the field is a part of.
    """

    name: str
    label: str
    group: str
    kind: Kind
    required: bool
    choices: tuple[str, ...] = ()
    hint: str = ""


def form_fields(schema: Mapping[str, Any]) -> list[FormField]:
    """Returns the form's fields for a JSON schema, one for each part of an object; a list is entered as JSON."""
    return list(_fields(schema, schema.get("$defs", {}), "", "", True, 0))


def question_of_form(fields: Sequence[FormField], texts: Mapping[str, str]) -> dict[str, Any]:
    """Returns the question that `texts`, by the names of the fields, make; empty texts are left out."""
    question: dict[str, Any] = {}
    for field in fields:
        text = texts.get(field.name, "").strip()
        if not text:
            continue
        *path, last = field.name.split(".")
        place = question
        for part in path:
            place = place.setdefault(part, {})
        numbers = field.choices and all(choice.lstrip("-").isdecimal() for choice in field.choices)
        place[last] = text if field.kind in ("text", "choice") and not numbers else json_or_text(text)
    return question


def _fields(
    schema: Mapping[str, Any], defs: Mapping[str, Any], prefix: str, group: str, needed: bool, depth: int
) -> Iterator[FormField]:
    required = schema.get("required", ())
    for name, part in schema.get("properties", {}).items():
        branches = part.get("anyOf", [part])
        resolved = [defs.get(each["$ref"].rpartition("/")[2], {}) if "$ref" in each else each for each in branches]
        real = [each for each in resolved if each.get("type") != "null"]
        first: Mapping[str, Any] = real[0] if real else {}
        is_needed = needed and name in required
        label = key_words(part.get("description", ""), name)
        if len(real) <= 2 and first.get("properties") and depth < _DEPTH:
            within = f"{group}: {label}" if group else label
            yield from _fields(first, defs, f"{prefix}{name}.", within, is_needed, depth + 1)
        else:
            yield _field((f"{prefix}{name}", label, group), part, real, is_needed)


def _field(
    names: tuple[str, str, str], part: Mapping[str, Any], branches: Sequence[Mapping[str, Any]], needed: bool
) -> FormField:
    default, schema = part.get("default"), branches[0] if branches else {}
    hint = "" if default is None else json.dumps(default, ensure_ascii=False).strip('"')
    if len(branches) == 1 and "enum" in schema:
        return FormField(*names, "choice", needed, tuple(map(str, schema["enum"])), hint)
    kinds = {_KINDS.get(each.get("type", ""), "json") for each in branches}
    kind = kinds.pop() if len(kinds) == 1 else "word" if kinds == {"number", "text"} else "json"
    example = {"array": "[...]", "object": "{...}"}.get(schema.get("type", ""), "")
    return FormField(*names, kind, needed, (), hint or example)


_MOST_RULES = 60


def index(asked: Asked) -> Response:
    """Shows the rules that a question, words, an id or a code finds, and lists all operations of the referee."""
    fields, project = asked.query("q", "game"), asked.project
    words, key = fields.get("q", "").strip(), text_of(fields, "game")
    operations = (
        (game.spec.name, (name, question_text(game, name).title, operation.about))
        for name, (operation, game) in operations_of(asked.front.referee, None).items()
        if key in (None, game.key)
    )
    values: dict[str, Any] = {
        "operations": grouped(operations), "rules": find_entries(project, words, key, True) if words else [],
        "games": project.all_games(), "query": words, "game": key, "most": _MOST_RULES,
    }  # fmt: skip
    values |= entry_words(project, asked.front.referee, values["rules"])
    return page("referee/referee.html", asked.front, "referee", **values)


def operation(asked: Asked) -> Response:
    """Shows the form of an operation and, if it is filled in, the answer. The URL has the whole question."""
    name, texts = asked.path_params["operation"], dict(asked.query_params)
    with unknown():
        question, game = asked.front.referee.find(name)
    words = key_texts(game.spec)
    fields = form_fields(with_key_texts(schema_of(question), words))
    filled = question_of_form(fields, texts)
    answer = asked.front.referee.ask(name, filled) if texts else None
    labels = {field.name: " – ".join(filter(None, (field.group, field.label))) for field in fields}
    text, refusal = question_text(game, name), _refusal(game, answer, labels) if answer else None
    said = {} if refusal else {key: value for key, value in (answer or {}).items() if key != "ok"}
    values = {
        "name": name,
        "texts": texts,
        "title": text.title,
        "spoken": spoken_answer(text.says, filled, answer) if answer and not refusal else "",
        "about": question.about,
        "game": game,
        "fields": fields,
        "question": json.dumps(filled, ensure_ascii=False),
        "answer": answer,
        "said": answer_words({**words["all"], **words.get(question.name, {})}, said),
        "refusal": refusal,
        "rules": [
            rule for rule in rules_of(question, game, answer or {}) if not game.rule_book.is_for_programs(rule["id"])
        ],
    }
    return page("referee/operation.html", asked.front, "referee", **values)


def _refusal(game: Game, answer: dict[str, Any], labels: Mapping[str, str]) -> CodeText | None:
    """Returns the explanation of a refusal; None if the answer is no refusal, or if its code has no explanation.

    `labels` are the labels of the fields, by the fields' names.
    """
    reason = refusal_of(game.spec, answer)
    path = str(answer.get("path", ""))
    answer = {**answer, "path": labels.get(path, path)}
    return CodeText(cause=f"{sentence(answer)}.") if reason == "bad_input" else game.rule_book.codes.get(reason or "")


ROUTES = [route("/referee", index), route("/referee/{operation}", operation)]
