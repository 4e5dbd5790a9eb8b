"""The printed files of a web site: rule sheets, components, sheets of cards, deck lists and ban lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from datetime import date
from pathlib import Path
from typing import NamedTuple

from carddb.app.bans.publication import publish
from carddb.app.decks.check import CheckRequest, check_deck
from carddb.app.decks.lists import deck_list
from carddb.app.documents import print_credits, print_rule_sheet
from carddb.app.printing.changes import ChangeRequest, feed
from carddb.app.printing.changes import changes as changes_of
from carddb.app.printing.component_prints import ComponentRequest, print_game_components
from carddb.app.printing.sheet_job import PrintRequest, print_sheets
from carddb.app.workspace.project_copy import Needs, map_project
from carddb.app.workspace.workspace import Notice, Workspace
from carddb.core.executors import Executor
from carddb.press.components.selection import EVERY_MODULE
from carddb.press.documents.guide import Voice
from carddb.read.decks.text import OpenedDeck

Files = Mapping[str, bytes]
DOCUMENTS = {"rules.html": "rules", "reference.html": "rules", "changes.html": "cards", "credits.html": "cards"}
"""The documents of a game, each with the section of the site whose pages lead to it."""


class Print(NamedTuple):
    """A task that prints files for the folder of a game, in one worker process. `files` returns them by path.

    Its notice about missing translations is only sent if `tells_gaps`, because other tasks send the same.
    """

    game: str
    files: Callable[[Workspace], Files]
    tells_gaps: bool = False


def print_all(
    project: Workspace, executor: Executor, prints: Sequence[Print], pictures: Mapping[str, Path]
) -> Iterator[Files]:
    """Yields the files of each task, by their path on the site, in the order of the tasks.

    `pictures` are the files of pictures on the cards, by name. Raises UsageError, TemplateError, FontError.
    """
    needs = Needs({each.game for each in prints}, catalog=True, pictures=pictures)
    for files, notices in map_project(project, executor, _printed, prints, needs):
        if executor.workers:
            for notice in notices:
                project.notify(*notice)
        yield files


def _printed(project: Workspace, task: Print) -> Iterator[tuple[Files, list[Notice]]]:
    quiet = nullcontext() if task.tells_gaps else project.without("not_translated")
    with project.recording() as notices, quiet:
        files = {f"{task.game}/{path}": data for path, data in task.files(project).items()}
    yield files, notices


# The tasks. All arguments except the project are bound before a task is sent to another process.


def rules(key: str, lang: str, name: str, voice: Voice, project: Workspace) -> Files:
    """Returns the rule sheet of a game as the file `name`, in the language `lang`; for `voice` see `Project.guide`."""
    kind = name.rpartition(".")[2]
    return {name: print_rule_sheet(project, key, kind, "letter", lang, voice=voice).data}


def credits(key: str, on: date | None, project: Workspace) -> Files:
    """Returns the credits of a game's pictures as a web page."""
    return {"credits.html": print_credits(project, key, "html", on=on).data}


def changes(key: str, lang: str, on: date | None, since: date, url: str, project: Workspace) -> Files:
    """Returns the changes of a game since a day as a web page and an Atom feed."""
    request = ChangeRequest(game=key, since=since.isoformat(), until=str(on or ""))
    page = changes_of(project, request, {"lang": lang}).page()
    return {"changes.html": page, "changes.xml": feed(project, request, url)}


def components(key: str, lang: str, on: date | None, project: Workspace) -> Files:
    """Returns all components of all modules of a game as PDF."""
    request = ComponentRequest(key, module=EVERY_MODULE)
    return {"components.pdf": print_game_components(project, request, on, {"lang": lang}).data}


def sheets(key: str, lang: str, on: date | None, project: Workspace) -> Files:
    """Returns all cards of a game on sheets as PDF; empty if no card can be drawn."""
    request = PrintRequest((f"game:{key}",), CheckRequest(key, on=on), {"lang": lang}, allow_faults=True)
    printed = print_sheets(project, request)
    return {"cards.pdf": printed.data} if printed.data else {}


def deck_files(lang: str, on: date | None, deck: OpenedDeck, stem: str, project: Workspace) -> Files:
    """Returns a deck as a deck list in PDF and as a deck file; `stem` is the name of both without the ending."""
    report = check_deck(project, deck, CheckRequest(on=on))
    return {f"{stem}.{kind}": deck_list(project, report, kind, "letter", lang).data for kind in ("pdf", "deck")}


def ban_lists(names: Sequence[str], lang: str, on: date | None, url: str, project: Workspace) -> Files:
    """Returns the publication of the ban lists `names`, whose address will be `url`."""
    files = publish(project, names, on, None, url=url, lang=lang, home="../index.html").files
    return {f"bans/{path}": data for path, data in files.items()}
