"""The referee: rules by their words, a form for each question, and the answer with the rules that it stands on."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from carddb.app.games.explanation import find_entries
from carddb.app.referee.referee import operations_of, schema_of
from carddb.core.errors import UsageError
from carddb.games import Game
from carddb.games.opening.rulebook import CodeText
from carddb.play.faults import sentence
from carddb.play.question import Operation
from carddb.web.http.pages import front_of, page
from carddb.web.http.refusals import Unknown
from carddb.web.http.requests import refuse_others, text_of
from carddb.web.referee.question_form import form_fields, question_of_form

_MOST_RULES = 60


async def index(request: Request) -> Response:
    """Rules that have some words, or the rules and codes of one name; and every operation."""
    refuse_others(request.query_params, "q", "game")
    front, words = front_of(request), request.query_params.get("q", "").strip()
    key = text_of(request.query_params, "game")

    def work() -> dict[str, Any]:
        project = front.project()
        operations: dict[str, list[tuple[str, str]]] = {}
        for name, (operation, game) in operations_of(front.referee, None).items():
            if key in (None, game.key):
                operations.setdefault(game.spec.name, []).append((name, operation.about))
        return {
            "operations": operations,
            "rules": find_entries(project, words, key) if words else [],
            "games": project.all_games(),
        }

    return page(
        "referee/referee.html", front, "referee", query=words, game=key, most=_MOST_RULES, **await front.run(work)
    )


async def operation(request: Request) -> Response:
    """The form of an operation; filled in, with its answer. The address is the link to the question."""
    front, name = front_of(request), request.path_params["operation"]
    texts = dict(request.query_params)

    def work() -> dict[str, Any]:
        try:
            question, game = front.referee.find(name)
        except UsageError as fault:
            raise Unknown(fault.message, fault.remedy) from fault
        fields = form_fields(schema_of(question))
        answer = front.referee.ask(name, question_of_form(fields, texts), True) if texts else None
        rules = answer.pop("rules") if answer else _rules_of(question, game)
        return {
            "about": question.about,
            "game": game,
            "fields": fields,
            "question": json.dumps(question_of_form(fields, texts), ensure_ascii=False),
            "answer": answer,
            "refusal": _refusal(game, answer) if answer else None,
            "rules": rules,
        }

    return page("referee/operation.html", front, "referee", name=name, texts=texts, **await front.run(work))


def _rules_of(question: Operation[Any], game: Game) -> list[dict[str, Any]]:
    """The rules that an operation implements, before anything is asked."""
    book = game.rule_book.rules
    hits = ((name, book[name]) for name in question.rules if name in book)
    return [{"id": name, "text": rule.text, "ruling": rule.ruling} for name, rule in hits]


def _refusal(game: Game, answer: dict[str, Any]) -> CodeText | None:
    """A refusal in words; None for an answer, and for a code without words."""
    reason = answer.get(game.spec.refusal_key) if answer.get("ok") is not True else None
    if reason == "bad_input":
        return CodeText(cause=f"{sentence(answer)}.")
    return game.rule_book.codes.get(reason) if isinstance(reason, str) else None


ROUTES = [Route("/referee", index), Route("/referee/{operation}", operation)]
