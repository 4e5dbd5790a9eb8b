"""A session as the text of a file and back: JSON with its hidden cards, read whole or refused with one sentence."""

from __future__ import annotations

import json
from typing import Any

from pydantic import ValidationError

from carddb.game.game import GameSpec
from carddb.play.question import Refusal
from carddb.play.table.action import S
from carddb.play.table.engine import TableGame


def save(session: S) -> str:
    """The session as the text of a file; the hidden cards are in it."""
    text: str = session.table.model_dump_json(indent=1)
    return f"{text}\n"


def load(game: TableGame[S], spec: GameSpec, text: str) -> S:
    """A session from the text of its file.

    Refuses `save_version_unknown`, `save_corrupt`; the `hint` says in one sentence what is wrong and where.
    """
    data = _object(game, text)
    try:
        session = game.restore(spec, game.form.model_validate(data))
    except ValidationError as fault:
        raise _corrupt(_sentence(fault)) from None
    except Refusal as refusal:
        raise _corrupt(f"{refusal.details.get('path') or 'It'} is not what {game.key} knows.") from None
    unknown = next((entry.action for entry in session.log if entry.action not in game.actions), None)
    if unknown is not None:
        raise _corrupt(f"Its log has an action {unknown!r}, which {game.key} does not know.")
    for sentence in game.faults(session):
        raise _corrupt(sentence)
    return session


def _object(game: TableGame[S], text: str) -> dict[str, Any]:
    """The JSON object of a save of this game, of a version that is read."""
    try:
        data = json.loads(text)
    except RecursionError:
        raise _corrupt("It is nested too deep for a saved session.") from None
    except json.JSONDecodeError as fault:
        raise _corrupt(f"It is no whole JSON: line {fault.lineno}, column {fault.colno}.") from None
    except ValueError:
        raise _corrupt("It has a number that is too long.") from None
    if not isinstance(data, dict) or "version" not in data:
        raise _corrupt("It is no saved session: it has no version.")
    owner = data.get("game", game.key)
    if owner != game.key:
        raise _corrupt(f"It is a session of {owner!r}, not of {game.key}.")
    if data["version"] != game.form.model_fields["version"].default:
        raise Refusal("save_version_unknown", hint=f"It has version {data['version']!r}.")
    return data


def _sentence(fault: ValidationError) -> str:
    """The first fault of a form, and where."""
    first = fault.errors(include_url=False, include_input=False)[0]
    place = ".".join(map(str, first["loc"]))
    return f"{place} is missing." if first["type"] == "missing" else f"{place}: {first['msg']}."


def _corrupt(sentence: str) -> Refusal:
    return Refusal("save_corrupt", hint=sentence)
